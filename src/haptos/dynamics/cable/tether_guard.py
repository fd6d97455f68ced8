"""How deep bodies and line of a tether get into the ground, along the path that was stepped.

    way since the last look < clear then   =>   nothing has got below ground since
    within a step places follow the cubic of their values and rates at both ends, looked at every quarter of a cell's width
    along the line, from hull to cell to cell to hull, strides of the clear way, at least 1/STRIDES of the piece

The guard asks the surface by itself, without the gaps and forces of contacts, and looks at every step that may have come
near: the depth is the largest of the path, not that of stored times. In orbit the ground is the ball of the planet.
Frame: N. Validity: between two looks no speed is above GROWN times the larger of those at both; a rock that is smaller than
1/STRIDES of a piece of line can be missed by the line, not by hulls and cells.
Source: the scheme is that of `guard/ground_guard.py`.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, norm, subtract
from haptos.dynamics.cable.tether_cells import three
from haptos.dynamics.cable.tether_state import BODY, CELLS, CUT, POSITION
from haptos.dynamics.contacts.detect import ground_gap, ground_place
from haptos.dynamics.field import ORBIT
from haptos.geometry.distance.surface import clear_way

CITES: tuple[str, ...] = ()

DEPTH, DEPTH_AT, DEPTH_IN, FIRST_AT, TRAVEL, CLEAR, GUARD = range(7)
# largest depth [m], its time [s], piece of line it is in; first time [s] below the SKIN, inf before; way [m] since the
# last look, and what it may be
SKIN = 1e-3  # [m] below ground that rounding of an anchor on it may show; assumed
GROWN = 2.0  # [-] of speeds between looks; assumed
STRIDES = 16  # least number of looks along a piece of line that is near the ground
MOST_LOOKS = 16  # within a step


@device
def _start_of(n, p):
    """First of the three numbers of point p: hull 0, the cells, hull 1."""
    if p == 0:
        return POSITION
    return BODY + POSITION if p == n + 1 else CELLS + 3 * (p - 1)


@device
def _place(at, share, h, y, dy, y1, dy1):
    """Place [m] at a share of a step h [s], by the cubic of both ends."""
    a = share * share * (3.0 - 2.0 * share)
    b, c = share * (1.0 - share) * (1.0 - share) * h, share * share * (share - 1.0) * h
    return (
        (1.0 - a) * y[at] + a * y1[at] + b * dy[at] + c * dy1[at],
        (1.0 - a) * y[at + 1] + a * y1[at + 1] + b * dy[at + 1] + c * dy1[at + 1],
        (1.0 - a) * y[at + 2] + a * y1[at + 2] + b * dy[at + 2] + c * dy1[at + 2],
    )


@routine
def _trace(ground, start, end, time, piece, guard):
    """Least clear way [m] of looks along a straight piece; keeps the largest depth."""
    way = subtract(end, start)
    length, gone, least = norm(way), 0.0, math.inf
    while True:
        x = add_scaled(start, gone / length if length > 0.0 else 0.0, way)
        clear = clear_way(ground.surface, ground_place(ground, x), 0.0)
        least = min(least, clear)
        if not clear > 0.0:
            depth = -ground_gap(ground, x)[0]
            if depth > SKIN:
                guard[FIRST_AT] = min(guard[FIRST_AT], time)
            if depth > guard[DEPTH]:
                guard[DEPTH], guard[DEPTH_AT], guard[DEPTH_IN] = depth, time, piece
        if gone >= length:
            return least
        gone = min(gone + max(clear, length / STRIDES), length)


@routine
def watch_ground(tether, t, h, y, dy, y1, dy1, guard):
    """Look at the path of a step from t [s] over h [s], from y with rates dy to y1 with rates dy1."""
    ground, n = tether.ground, tether.line.count
    if not ground.is_watched:
        return
    speed = 0.0
    for p in range(n + 2):
        at = _start_of(n, p)
        speed = max(speed, norm(three(dy, at)), norm(three(dy1, at)))
    way = speed * h
    if tether.field.kind == ORBIT:
        way += norm(three(tether.field.origin, 3)) * h
    guard[TRAVEL] += GROWN * way
    if guard[TRAVEL] < guard[CLEAR]:
        return
    looks = 1
    if tether.field.kind != ORBIT:
        looks = int(min(1.0 + 4.0 * way / max(tether.springs.length[0], 1e-9), MOST_LOOKS))
    least = math.inf
    for look in range(1, looks + 1):
        share = look / looks
        least = math.inf
        last = _place(POSITION, share, h, y, dy, y1, dy1)
        for p in range(1, n + 2):
            x = _place(_start_of(n, p), share, h, y, dy, y1, dy1)
            if p - 1 != int(tether.status[CUT]):
                least = min(least, _trace(ground, last, x, t + share * h, p - 1, guard))
            last = x
    guard[TRAVEL], guard[CLEAR] = 0.0, least
