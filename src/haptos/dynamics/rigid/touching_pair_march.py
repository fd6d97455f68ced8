"""March of two bodies in polygonal contact: adaptive steps, friction kept on accepted ones, ledger rows.

    remainder = change of (kinetic + potential + elastic + stick) + losses - work put in

    losses  damping, viscous stick, friction (what shear forces took less what stretches store), released
            (stretches of area that leaves, of cones that shrink)
    remesh  change of elastic and stick energy when leaves change at one pose; zero for fixed leaves
Validity: as touching_pair.py. Source: Runge-Kutta as dormand_prince.py.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons import OVERFLOW
from haptos.contact.sets.polygons_step import (
    A_DEPTH,
    A_ELASTIC,
    A_FRICTION,
    A_LEAVE,
    A_RELEASED,
    A_REMESH,
    A_TOUCH,
    begin_polygons,
    end_polygons,
)
from haptos.contact.sets.polygons_step import released_energy as released_energy
from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    POLYGONS,
    PRESSURE,
    STICK,
    STICKING,
)
from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.march.dormand_prince import error_ratio, interpolate, step, step_factor
from haptos.dynamics.rigid.touching_pair import (
    ATTITUDE,
    BODY,
    POSITION,
    SIZE,
    W_SHEAR,
    kinetic,
    potential,
    rates,
    relative_pose,
    spread_at,
    three,
    touch,
    velocities,
)
from haptos.geometry.distance.reference import reference_gap

CITES: tuple[str, ...] = ()

MARGIN_SHARE = 0.02  # [-] of B's size: how far a step near contact may move
MARGIN_ROOM = 1.6  # [-] of the way a step is expected to take
RUNNING, TIME_OVER, STEPS_OVER, STALLED, SUNK, FULL = range(6)

# Columns of a row of the log: time, state, then these.
L_TIME, L_STATE = 0, 1
L_FORCE = 1 + SIZE
(L_ELASTIC, L_STICK, L_KINETIC, L_POTENTIAL, L_FRICTION, L_RELEASED, L_REMESH, L_DEPTH, L_AREA, L_POLYGONS,
 L_PRESSURE, L_STICKING, L_STEP) = range(L_FORCE + 6, L_FORCE + 19)  # fmt: skip
LOG = L_FORCE + 19

# Entries of `counters`: accepted and rejected steps, rows, stride of rows, distance queries
C_STEPS, C_REJECTED, C_ROWS, C_STRIDE, C_SINCE, COUNTERS = range(6)


@routine
def closing_bound(pair, y):
    """Largest speed [m/s] of a node of B relative to A, and the distance between the two centres."""
    v_A, w_A = velocities(pair, 0, y)
    v_B, w_B = velocities(pair, 1, y)
    apart = subtract(three(y, BODY), three(y, POSITION))
    size = pair.faces.size
    speed = norm(subtract(v_B, v_A)) + norm(w_B) * size + norm(w_A) * (norm(apart) + size)
    shape = max(abs(pair.spread[0, 1]), abs(pair.spread[1, 1]))
    return speed + shape * size


@routine
def begin_step(pair, t, y, margin, account):
    """Find the polygons within the margin and give them their stretches; remesh into the account."""
    pose, _ = relative_pose(y)
    spreads = (spread_at(pair, 0, t)[0], spread_at(pair, 1, t)[0])
    begin_polygons(pair, pose, spreads, margin, account)


@routine
def write_row(pair, t, y, h, account, row):
    """One row of the log at the end of a step, whose sums are in the pair."""
    sums = pair.sums
    row[L_TIME] = t
    for i in range(SIZE):
        row[L_STATE + i] = y[i]
    for i in range(6):
        row[L_FORCE + i] = sums[i]
    row[L_ELASTIC], row[L_STICK] = sums[ELASTIC], sums[STICK]
    row[L_KINETIC], row[L_POTENTIAL] = kinetic(pair, y), potential(pair, y)
    row[L_FRICTION], row[L_RELEASED] = account[A_FRICTION], account[A_RELEASED]
    row[L_REMESH], row[L_DEPTH], row[L_AREA] = account[A_REMESH], sums[DEPTH], sums[AREA]
    row[L_POLYGONS], row[L_PRESSURE], row[L_STICKING] = (
        sums[POLYGONS],
        sums[PRESSURE],
        sums[STICKING],
    )
    row[L_STEP] = h


@routine
def _log(pair, t, y, h, account, counters, log):
    """Add a row; a full log keeps every second of its rows and doubles its stride."""
    counters[C_SINCE] += 1
    if counters[C_SINCE] < counters[C_STRIDE]:
        return
    counters[C_SINCE] = 0
    if counters[C_ROWS] == len(log):
        kept = len(log) // 2
        for k in range(kept):
            for c in range(LOG):
                log[k, c] = log[2 * k, c]
        counters[C_ROWS] = kept
        counters[C_STRIDE] *= 2
    write_row(pair, t, y, h, account, log[counters[C_ROWS]])
    counters[C_ROWS] += 1


@routine
def _crossing(pair, t, h, y, y1, k, work, was_touching):
    """Time [s] within a step at which contact begins or ends, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        interpolate(middle, h, y, y1, SIZE, k, work)
        touch(pair, t + middle * h, work)
        if (pair.sums[POLYGONS] > 0.0) == was_touching:
            low = middle
        else:
            high = middle
    return t + high * h


@routine
def _moved(y, y1, size):
    """Bound [m] of the way of B's nodes relative to A between two states."""
    (r0, d0), _ = relative_pose(y)
    (r1, d1), _ = relative_pose(y1)
    turn = 0.0
    for i in range(3):
        turn += dot(subtract(d1[i], d0[i]), subtract(d1[i], d0[i]))
    return norm(subtract(r1, r0)) + size * math.sqrt(turn)


@device
def _unit(y):
    for k in range(2):
        first = k * BODY + ATTITUDE
        size = 0.0
        for i in range(4):
            size += y[first + i] * y[first + i]
        for i in range(4):
            y[first + i] /= math.sqrt(size)


@uncounted_entry
def march(pair, times, y, y1, k, work, absolute, relative, limits, account, counters, log):
    """Carry the pair from times[0] to times[1]; how it ended. times[2] is the step tried next.

    limits  longest step [s], steps, deepest contact [m]; state and log are changed in place
    """
    t, end, h = times[0], times[1], times[2]
    previous = 1e-4
    pair.sums[POLYGONS] = 0.0
    begin_step(pair, t, y, 0.0, account)
    touch(pair, t, y)
    account[A_ELASTIC] = pair.sums[ELASTIC]
    touching = pair.sums[POLYGONS] > 0.0
    if counters[C_ROWS] == 0:
        _log(pair, t, y, h, account, counters, log)
    while t < end:
        if counters[C_STEPS] >= limits[1]:
            times[0], times[2] = t, h
            return STEPS_OVER
        speed = closing_bound(pair, y)
        gap = _clearance(pair, t, y)
        room = max(MARGIN_SHARE * pair.faces.size, 0.5 * gap)
        h = min(h, limits[0], end - t)
        if speed > 0.0:
            h = min(h, room / speed)
        margin = MARGIN_ROOM * speed * h + 1e-9 * pair.faces.size
        begin_step(pair, t, y, margin, account)
        if pair.found.counts[OVERFLOW] == 1:
            return FULL
        accepted = False
        while not accepted:
            step(rates, pair, t, h, y, SIZE, k, y1, 0)
            ratio = error_ratio(h, y, y1, SIZE, k, absolute, relative)
            if _moved(y, y1, pair.faces.size) > margin:
                ratio = max(ratio, 4.0)
            accepted = ratio <= 1.0
            if not accepted:
                counters[C_REJECTED] += 1
                h *= step_factor(ratio, 1.0)
                if not h > 1e-14 * max(abs(end), 1e-6):
                    return STALLED
        end_polygons(pair, y1[W_SHEAR] - y[W_SHEAR], account)
        now = pair.sums[POLYGONS] > 0.0
        t = t + h
        counters[C_STEPS] += 1
        _log(pair, t, y1, h, account, counters, log)
        if now != touching:
            when = _crossing(pair, t - h, h, y, y1, k, work, touching)
            if now and account[A_TOUCH] < 0.0:
                account[A_TOUCH] = when
            if not now:
                account[A_LEAVE] = when
            touching = now
        for i in range(SIZE):
            y[i] = y1[i]
        _unit(y)
        h *= step_factor(ratio, previous)
        previous = max(ratio, 1e-4)
        if account[A_DEPTH] > limits[2]:
            times[0], times[2] = t, h
            return SUNK
    times[0], times[2] = t, h
    return TIME_OVER


@routine
def _clearance(pair, t, y):
    """A distance [m] that B is at least away from A; 0 if it may touch."""
    pose, _ = relative_pose(y)
    spread = spread_at(pair, 0, t)[0]
    gap, _, _, _ = reference_gap(pair.reference, pose[0], spread, 0, pair.found.search)
    return max(gap - pair.faces.size, 0.0)
