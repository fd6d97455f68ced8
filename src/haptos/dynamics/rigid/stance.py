"""How much load a lander stands that is held by feet on the ground and lines to anchors.

    maximise k:   sum_i t_i d_i + sum_j f_j + W + k P = 0,   moments about the origin likewise
    0 <= t_i <= Q_i,   f_j within the friction cone of its foot

    d_i  direction of line i from the lander to its anchor, t_i its tension, Q_i its capacity [N]
    f_j  force of the ground on foot j [N], |tangential| <= mu normal, as a pyramid of 16 sides within the cone
    W    weight at the centre of mass [N]      P  load of 1 N at a place [m]      k  its size [N]
The largest k over all inner forces is a linear programme. It is a bound of statics: stiffness decides whether a stance
gets there, a line must be tight, and lines that are tight beforehand only move within their capacity.
Frame: z out of the ground, or out of the smooth ground with normals of its own under each foot. Validity: rigid lander, feet that do not sink, anchors that hold Q_i in the direction of their line.
Source: limit analysis of frictional stances [BretlLall2008]; solver HiGHS of SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

CITES: tuple[str, ...] = ("BretlLall2008",)

Floats = NDArray[np.float64]
SIDES = 16  # of the pyramid within a friction cone


@dataclass(frozen=True, slots=True)
class AnchorLine:
    """A line from a point of the lander [m] along a unit direction to its anchor, with a capacity [N]."""

    point: tuple[float, float, float]
    direction: tuple[float, float, float]
    capacity: float


def load_limit(
    feet: ArrayLike,
    friction: float,
    lines: Sequence[AnchorLine],
    weight: float | ArrayLike,
    centre: ArrayLike,
    load: ArrayLike,
    place: ArrayLike,
    *,
    normals: ArrayLike | None = None,
) -> float:
    """Largest size [N] of a load along `load` at `place` [m] that the stance holds; infinite if nothing limits it, -1 if it falls by itself.

    weight  [N] along -z, or a force (3,)     normals  of the ground under each foot, (n, 3); z if left out
    """
    columns: list[Floats] = []
    bounds: list[tuple[float, float | None]] = []
    for line in lines:
        columns.append(_wrench(np.array(line.direction), np.array(line.point)))
        bounds.append((0.0, line.capacity))
    stands = np.atleast_2d(np.array(feet, dtype=float))
    outward = np.tile([0.0, 0.0, 1.0], (len(stands), 1)) if normals is None else np.atleast_2d(np.array(normals, dtype=float))  # fmt: skip
    for foot, normal in zip(stands, outward, strict=True):
        first, second = _tangents(normal)
        for k in range(SIDES):
            angle = 2.0 * math.pi * k / SIDES
            edge = friction * (math.cos(angle) * first + math.sin(angle) * second) + normal
            columns.append(_wrench(edge, foot))
            bounds.append((0.0, None))
    way = np.array(load, dtype=float)
    pushed = _wrench(way / np.linalg.norm(way), np.array(place, dtype=float))
    columns.append(pushed)
    bounds.append((0.0, None))
    down = np.array(weight, dtype=float)
    if down.ndim == 0:
        down = np.array([0.0, 0.0, -float(down)])
    own = _wrench(down, np.array(centre, dtype=float))
    cost = np.zeros(len(columns))
    cost[-1] = -1.0
    done = linprog(cost, A_eq=np.array(columns).T, b_eq=-own, bounds=bounds, method="highs")
    if done.status == 3:
        return math.inf
    return float(done.x[-1]) if done.status == 0 else -1.0


def _wrench(force: Floats, point: Floats) -> Floats:
    return np.concatenate([force, np.cross(point, force)])


def _tangents(normal: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors across a normal and each other: x and y where it is z."""
    first = np.cross([0.0, 1.0, 0.0], normal)
    if np.linalg.norm(first) < 1e-6:
        first = np.array([1.0, 0.0, 0.0])
    first /= np.linalg.norm(first)
    return first, np.cross(normal, first)


def weakest_load(
    feet: ArrayLike,
    friction: float,
    lines: Sequence[AnchorLine],
    weight: float | ArrayLike,
    centre: ArrayLike,
    place: ArrayLike,
    directions: int = 24,
    *,
    normals: ArrayLike | None = None,
) -> tuple[float, tuple[float, float, float]]:
    """(least limit [N], its direction) over loads straight up, level, and half way between, all around."""
    found = (math.inf, (0.0, 0.0, 1.0))
    for elevation in (0.0, 0.25 * math.pi, 0.5 * math.pi):
        for k in range(directions if elevation < 1.5 else 1):
            turn = 2.0 * math.pi * k / directions
            flat = math.cos(elevation)
            way = (flat * math.cos(turn), flat * math.sin(turn), math.sin(elevation))
            limit = load_limit(feet, friction, lines, weight, centre, way, place, normals=normals)
            if limit < found[0]:
                found = (limit, way)
    return found
