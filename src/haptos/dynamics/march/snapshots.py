"""What is kept of a run: states at even times, between two steps interpolated.

    x(t0 + s h) = cubic of Hermite of places and velocities at both ends of the step,   0 <= s <= 1

Bodies and nodes follow that cubic, fixed points their bodies, attitudes the cubic of their quaternions,
scaled to length 1. All else goes linearly from one end of the step to the other: velocities,
momenta, tensions, energies and works. So the remainder of the energy ledger at a stored time lies
between those of the two steps around it, and total momentum stays as it is. An element is whole until the end of the
step in which it broke. No step ends because a state is stored: the motion has the same bits for any output interval.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.system import NODE
from haptos.dynamics.totals import Moving, bending_energies, crosses, momenta

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stored:
    """What is kept at each output time, first axis time.

    x (n, p, 3) [m]      tension (n, m) [N]
    place, speed, momentum (n, k, 3), attitude (n, k, 4)  of bodies, as in `Motion`
    energy (n, 5) kinetic, threads, contacts [J], of threads that of bending and twist
    work (n, b) by kind [J]       whole (n, m)
    length (n, m), line_length (n, q)  without load [m]
    line_tension (n, q)  of running lines [N]
    totals (n, 6)  momentum [N s] and angular momentum about the origin [N m s] of all that moves
    origin (n, 6)  where the N origin is in its orbit [m] and its velocity [m/s], zeros elsewhere
    pushes (n, kinds, 3)  forces of air and light [N]
    met (n, k, 4)  sum of the impulses of contacts on each body [N s], largest force of one [N]
    """

    time: Any
    x: Any
    tension: Any
    place: Any
    speed: Any
    attitude: Any
    momentum: Any
    energy: Any
    work: Any
    whole: Any
    length: Any
    line_length: Any
    line_tension: Any
    totals: Any
    origin: Any
    pushes: Any
    met: Any


@dataclass(frozen=True, eq=False)
class Snapshot(Stored):
    """The same of one time without the axis of time, and the velocities of points v (p, 3) [m/s]."""

    v: Any


def snapshot(model: Moving) -> Snapshot:
    """All that is stored, as it is now."""
    motion = model.motion
    return Snapshot(
        float(motion.step.time), motion.points.x.copy(), motion.elements.tension.copy(), motion.bodies.place.copy(),
        motion.bodies.speed.copy(), motion.bodies.attitude.copy(), motion.bodies.momentum.copy(),
        np.array([motion.ledger.energy.kinetic, motion.ledger.energy.elastic, motion.ledger.energy.pressed, *bending_energies(motion)]),
        motion.ledger.work.copy(), motion.elements.whole.copy(),
        motion.elements.length.copy(), motion.lines.length.copy(), motion.lines.tension.copy(),
        momenta(model), model.system.field.origin.copy(), motion.ledger.pushes[:, :3].copy(),
        motion.bodies.met.copy(), motion.points.v.copy(),
    )  # fmt: skip


def together(kind: type, rows: list[Any]) -> Any:
    """Rows of single times as one record with the axis of time first."""
    return kind(*(np.array([getattr(row, part.name) for row in rows]) for part in fields(kind)))


def between(model: Moving, a: Snapshot, b: Snapshot, time: float) -> Snapshot:
    """State at a time [s] within the step from a to b."""
    if not time < b.time:
        return b
    span = b.time - a.time
    s = (time - a.time) / span
    found = {
        part.name: (1.0 - s) * getattr(a, part.name) + s * getattr(b, part.name)
        for part in fields(Snapshot)
        if part.name not in ("time", "whole")
    }
    found["place"] = hermite(s, span, a.place, b.place, a.speed, b.speed)
    found["attitude"] = _attitudes(model, a, b, s)
    found["x"] = _points(model, a, b, s, found["place"], found["attitude"])
    found["origin"][:3] = hermite(
        s, span, a.origin[:3], b.origin[:3], a.origin[3:], b.origin[3:]
    )  # fmt: skip
    found["met"][:, MET_PEAK] = a.met[:, MET_PEAK]
    return Snapshot(time=time, whole=a.whole, **found)


def hermite(
    s: float, span: float, first: Floats, last: Floats, pace: Floats, end: Floats
) -> Floats:
    """Cubic through two values with rates at a share s of a time [s]; end: rate at the last."""
    rest = 1.0 - s
    return np.asarray(
        rest * rest * ((1.0 + 2.0 * s) * first + s * span * pace)
        + s * s * ((1.0 + 2.0 * rest) * last - rest * span * end)
    )


def _attitudes(model: Moving, a: Snapshot, b: Snapshot, s: float) -> Floats:
    """quat_NB of bodies, (k, 4)."""
    last = np.where((a.attitude * b.attitude).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    last = last * b.attitude
    turns = [
        _turning(model, attitude, momentum)
        for attitude, momentum in ((a.attitude, a.momentum), (last, b.momentum))
    ]
    found = hermite(s, b.time - a.time, a.attitude, last, *turns)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def _turning(model: Moving, attitude: Floats, momentum: Floats) -> Floats:
    """Rates [1/s] of quaternions of bodies with an angular momentum [N m s], N axes; (k, 4)."""
    dcm = rotation_matrices(attitude)
    rate = np.einsum("kji,kj->ki", dcm, momentum) * model.system.inverse_inertia
    w, v = attitude[:, :1], attitude[:, 1:]
    scalar = -(v * rate).sum(axis=1, keepdims=True)
    return np.asarray(0.5 * np.concatenate([scalar, w * rate + crosses(v, rate)], axis=1))


def _points(
    model: Moving, a: Snapshot, b: Snapshot, s: float, place: Floats, attitude: Floats
) -> Floats:
    """Places of points [m]: nodes on their cubics, the others where their bodies have them."""
    x = hermite(s, b.time - a.time, a.x, b.x, a.v, b.v)
    points = model.system.points
    fixed = points.owner != NODE
    own = points.owner[fixed]
    dcm = rotation_matrices(attitude)
    x[fixed] = place[own] + np.einsum("pij,pj->pi", dcm[own], points.offset[fixed])
    return x
