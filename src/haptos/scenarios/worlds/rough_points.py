"""Points on the ground with its terrain: what a picture of rough ground is made of."""

from __future__ import annotations

import numpy as np

from haptos.core.jit import entry
from haptos.core.vectors import add_scaled, dot
from haptos.geometry.distance.surface import Surface, gap_and_gradient

NEWTON_STEPS = 4  # towards rough ground; the terrain is a small change of the smooth one
LEAST_RISE = 0.3  # [-] of the field along the way; a rock's wall would send a point far off


@entry
def move_to_ground(surface, normal, points):
    """Points (n, 3) [m] near the ground, each moved along `normal` (3,) onto it, in place."""
    way = (normal[0], normal[1], normal[2])
    for n in range(len(points)):
        x = (points[n, 0], points[n, 1], points[n, 2])
        for _ in range(NEWTON_STEPS):
            gap, gradient = gap_and_gradient(surface, x)
            x = add_scaled(x, -gap / max(dot(way, gradient), LEAST_RISE), way)
        points[n, 0], points[n, 1], points[n, 2] = x


def rough_points(surface: Surface, normal: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points [m], (n, 3), of the ground with noise and rocks along `normal` from `points` near it."""
    moved = np.array(points, dtype=np.float64, order="C")
    move_to_ground(surface, np.ascontiguousarray(normal, dtype=np.float64), moved)
    return moved
