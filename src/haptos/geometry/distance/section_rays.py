"""First hit of a ray with a surface of revolution: cone by cone, in closed form.

A section is taken as a polyline (x_i, r_i). Between two points the wall is a part of a cone
r = r_i + k (x - x_i), and a ray p + s d meets it where

    (p_y + s d_y)^2 + (p_z + s d_z)^2 = (r_i + k (p_x + s d_x - x_i))^2,    0 <= x - x_i <= x_i+1 - x_i, r >= 0

a quadratic in s. A wall across the axis (x_i = x_i+1) is a ring in a plane.
Frame: x along the axis of the section.
Validity: as fine as the polyline.
Source: elementary.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
LEAST = 1e-12  # [m] a hit nearer than this is the start of the ray itself


def ray_hit(points: ArrayLike, start: ArrayLike, direction: ArrayLike) -> float:
    """Way [m] along a unit direction to the first wall; infinite if there is none.

    points  (n, 2) x and r [m] of the section     start  (3,) [m]     direction  (3,) unit
    """
    section = np.asarray(points, dtype=float)
    p, d = np.asarray(start, dtype=float), np.asarray(direction, dtype=float)
    (x0, r0), (x1, r1) = section[:-1].T, section[1:].T
    is_cone = np.abs(x1 - x0) > 0.0
    slope = np.where(is_cone, (r1 - r0) / np.where(is_cone, x1 - x0, 1.0), 0.0)
    base = r0 + slope * (p[0] - x0)  # radius of the cone where the ray starts
    a = d[1] ** 2 + d[2] ** 2 - (slope * d[0]) ** 2
    b = p[1] * d[1] + p[2] * d[2] - slope * d[0] * base
    c = p[1] ** 2 + p[2] ** 2 - base**2
    ways = np.concatenate([_roots(a, b, c), _planes(p, d, x0)[None]])
    with np.errstate(invalid="ignore"):
        x = p[0] + ways * d[0]
        r = np.hypot(p[1] + ways * d[1], p[2] + ways * d[2])
        low, high = np.minimum(x0, x1), np.maximum(x0, x1)
        on_cone = is_cone & (x >= low) & (x <= high) & (r0 + slope * (x - x0) >= 0.0)
        on_ring = ~is_cone & (r >= np.minimum(r0, r1)) & (r <= np.maximum(r0, r1))
    hits = np.where(np.array([[True], [True], [False]]), on_cone, on_ring) & (ways > LEAST)
    return float(np.min(ways, where=hits, initial=math.inf))


def _roots(a: Floats, b: Floats, c: Floats) -> Floats:
    """Both roots of a s^2 + 2 b s + c, shape (2, n), without loss of digits; NaN if there is none."""
    with np.errstate(invalid="ignore", divide="ignore"):
        root = np.sqrt(b * b - a * c)
        q = -(b + np.where(b < 0.0, -root, root))
        return np.array([q / a, c / q])


def _planes(p: Floats, d: Floats, x: Floats) -> Floats:
    """Way to the planes at x; NaN for a ray along them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return (x - p[0]) / d[0] if d[0] != 0.0 else np.full(len(x), math.nan)
