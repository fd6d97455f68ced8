"""Which part of a probe hits first, and how far off its centre: the aspect angle.

    alpha = angle(N, -r),   r from the centre of mass to the vertex that touches

Over all attitudes the direction -N is uniform on the sphere in probe axes, and the vertex that touches is the
one farthest along it. So the mean and spread of alpha are averages over directions, taken here on a spiral
lattice; the largest alpha is at a corner of the cone of directions that belong to a vertex, a facet normal of
the hull. A regular polygon of n sides dropped in its plane has alpha uniform within -+ pi/n, and with
unit area the radius r = sqrt(2 / (n sin(2 pi / n))).
Frame: probe axes, origin at the centre of mass. Validity: a convex probe (others touch with their hull), flat
ground, no spin, every attitude as likely as any other. Source: [VanWal2018] section 4.2.3; lattice: [Swinbank2006].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

CITES: tuple[str, ...] = ("VanWal2018", "Swinbank2006")

DIRECTIONS = 100_000  # [-] of the lattice; the mean is then right to about 1e-4 deg
ROWS_AT_ONCE = 10_000  # [-] directions, so that memory stays small
GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AspectAngles:
    """Mean, standard deviation and largest value of alpha over all attitudes [rad]."""

    mean: float
    deviation: float
    largest: float


def lattice_directions(count: int) -> Floats:
    """Unit vectors spread evenly over the sphere, shape (count, 3)."""
    place = np.arange(count) + 0.5
    z = 1.0 - 2.0 * place / count
    turn = 2.0 * math.pi * place / GOLDEN
    across = np.sqrt(1.0 - z**2)
    return np.column_stack([across * np.cos(turn), across * np.sin(turn), z])


def aspect_angles(vertices: ArrayLike, downs: ArrayLike) -> Floats:
    """alpha [rad], (n,), of a probe (vertices [m], (v, 3), from its centre of mass) that touches ground
    in the directions `downs`, unit vectors -N in probe axes, (n, 3).
    """
    points, directions = np.asarray(vertices, dtype=float), np.asarray(downs, dtype=float)
    radii = np.linalg.norm(points, axis=1)
    angles = np.empty(len(directions))
    for first in range(0, len(directions), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        heights = directions[part] @ points.T
        touching = np.argmax(heights, axis=1)
        cosine = heights[np.arange(len(touching)), touching] / radii[touching]
        angles[part] = np.arccos(np.clip(cosine, -1.0, 1.0))
    return angles


def aspect_statistics(vertices: ArrayLike, directions: int = DIRECTIONS) -> AspectAngles:
    """Mean, spread and largest alpha of a probe over all attitudes; vertices [m], (v, 3)."""
    from scipy.spatial import ConvexHull, QhullError

    points = np.asarray(vertices, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        found = f"vertices of shape {points.shape}, or not finite"
        raise GeometryError("aspect angle", found, "finite, shape (v, 3)", "give metres")
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        hint = "give at least four vertices that do not lie in a plane"
        raise GeometryError("aspect angle", "a flat probe", "a solid", hint) from None
    if hull.equations[:, 3].max() >= 0.0:
        hint = "give vertices from the centre of mass"
        raise GeometryError("aspect angle", "an origin outside the probe", "inside", hint)
    angles = aspect_angles(points[hull.vertices], lattice_directions(directions))
    normals, corners = hull.equations[:, :3], points[hull.simplices]
    cosines = np.einsum("fi,fki->fk", normals, corners) / np.linalg.norm(corners, axis=2)
    largest = float(np.arccos(np.clip(cosines.min(), -1.0, 1.0)))
    return AspectAngles(float(angles.mean()), float(angles.std()), largest)


def polygon_radius(sides: int) -> float:
    """Distance of the corners from the centre [m] of a regular polygon of area 1 m^2."""
    return math.sqrt(2.0 / (sides * math.sin(2.0 * math.pi / sides)))


def polygon_largest(sides: int) -> float:
    """Largest alpha [rad] of a regular polygon dropped in its plane; alpha is uniform up to it."""
    return math.pi / sides
