"""Second look at a finished step: did the path go through a surface, or into it, unseen?

The guard knows nothing of the search for touches that it guards, nor of its lists of what may touch. It
follows the interpolated path of each accepted step by distances alone:

    way      how far the body may go before the surface is to be looked at again [m]
    travel   length of the path's control polygon + what the rotation adds: never less than any point goes

A step shorter than the way that is left is not looked at: one comparison in free flight. Otherwise the
guard walks along the step by strides no longer than the way, asking look(model, theta, gone) at each stop; `gone` [m] is what
was gone in this step since the last stop. The look measures how deep the body is, notes the worst with `note_depth`, and returns
the next way, and what the rotation adds from there on: nothing while a ball about the body is clear of the ground. The walk's
speed is that of the path at its stop, its acceleration bounded by the second differences of the polygon. The end of a step
is a stop where the way is longer than what is surely clear.

Frame: that of the path. Validity: the way that a look returns may be longer than what is surely clear
(its sampling distance); between two stops a point then goes unseen at most half of that below the surface.
Source: ours; the bounds are those of a Bernstein polygon.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.vectors import add, norm, scale, subtract
from haptos.dynamics.march.dormand_prince import control_points

CITES: tuple[str, ...] = ()

LEAST_WALK = 1e-9  # [steps] a stop is at least this far ahead of the last: the walk always ends
CERTAIN = 1e300  # [-] depth over its limit where no depth at all is allowed

# Control points of the path of the body's centre over one step [m].
Path = namedtuple("Path", "p0 p1 p2 p3 p4")


@device
def step_path(h, y, y1, k):
    """Path of the point whose place is in the first three rows of the state."""
    a, b, c = (
        control_points(0, h, y, y1, k),
        control_points(1, h, y, y1, k),
        control_points(2, h, y, y1, k),
    )
    return Path(
        (a[0], b[0], c[0]),
        (a[1], b[1], c[1]),
        (a[2], b[2], c[2]),
        (a[3], b[3], c[3]),
        (a[4], b[4], c[4]),
    )


@device
def path_length(path):
    """Length [m] of the control polygon: the path is no longer."""
    return (
        norm(subtract(path.p1, path.p0))
        + norm(subtract(path.p2, path.p1))
        + norm(subtract(path.p3, path.p2))
        + norm(subtract(path.p4, path.p3))
    )


@device
def _bend(a, b, c):
    return norm(add(subtract(c, b), subtract(a, b)))


@device
def _most_bend(path):
    """Bound [m per step^2] of the path's second derivative."""
    return 12.0 * max(
        _bend(path.p0, path.p1, path.p2),
        _bend(path.p1, path.p2, path.p3),
        _bend(path.p2, path.p3, path.p4),
    )


@device
def _speed(path, theta):
    """Length of the path's derivative [m per step] at theta."""
    rest = 1.0 - theta
    a, b = rest * rest * rest, 3.0 * rest * rest * theta
    c, d = 3.0 * rest * theta * theta, theta * theta * theta
    first = add(scale(a, subtract(path.p1, path.p0)), scale(b, subtract(path.p2, path.p1)))
    last = add(scale(c, subtract(path.p3, path.p2)), scale(d, subtract(path.p4, path.p3)))
    return 4.0 * norm(add(first, last))


@routine
def walk_path(look, model, path, turn, way, sampled):
    """(way [m] left at the end of a step, what was gone [m] since its last stop), after looks along its path.

    look     device function (model, theta, gone) -> (way [m], > 0, that may be gone before the next look, turn)
    turn     [m per step] that the rotation adds to the speed of any point
    way      [m] left at the start of the step
    sampled  [m] ways up to that may be longer than what is surely clear: then the end is looked at too
    """
    theta, bend = 0.0, _most_bend(path)
    while theta < 1.0:
        speed, rest = _speed(path, theta) + turn, 1.0 - theta
        pace = speed + math.sqrt(speed * speed + 2.0 * bend * way)
        part = max(2.0 * way / pace, LEAST_WALK) if pace > 0.0 else 1.0
        gone = way if part < rest else min((speed + 0.5 * bend * rest) * rest, way)
        if part >= rest and way > sampled:
            return way - gone, gone
        theta = min(theta + part, 1.0)
        way, turn = look(model, theta, gone)
    return way, 0.0


@device
def note_depth(guard, depth, limit, time, place):
    """Keep the worst depth [m] over its limit [m] of a run, with its time [s] and place [m].

    guard  record with share, depth, limit, time, place
    """
    share = depth / limit if limit > 0.0 else CERTAIN
    if share > guard.share:
        guard.share, guard.depth, guard.limit = share, depth, limit
        guard.time = time
        for i in range(3):
            guard.place[i] = place[i]
