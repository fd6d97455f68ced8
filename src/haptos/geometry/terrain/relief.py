"""Relief: how far the ground lies above the ellipsoid that has the volume and the moments of the body.

    a_i^2 = 5/2 (I_j + I_k - I_i)                  semi-axes of a homogeneous ellipsoid of these moments
    (a, b, c) <- (a, b, c) (3 V / (4 pi a b c))^(1/3)              the same volume
    h = |r| - (sum_i (u_i/a_i)^2)^(-1/2),  u = r/|r|               relief along the ray

    I_i  principal moments for unit mass [m^2]     V    volume [m^3]     a_i  semi-axes [m]
    r    from the centre of mass [m]               u_i  ray in principal axes [-]
    h    relief [m], > 0 above the ellipsoid
On a long body the distance from the centre shows little more than its length; relief shows necks, hills and craters.
Frame: any axes of the mesh; relief does not depend on them.
Validity: homogeneous body. Heights are along the ray from the centre, not along the normal of the ellipsoid;
where a ray meets the ground twice each facet has its own.
Source: [Ostro2006], the dynamically equivalent equal-volume ellipsoid.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.geometry.mesh.mass_properties import mass_properties

CITES: tuple[str, ...] = ("Ostro2006",)

Floats = NDArray[np.float64]


def mean_ellipsoid(vertices: ArrayLike, faces: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """(semi-axes [m], longest first; their directions as rows, right-handed; centre [m]) of a closed mesh."""
    found = mass_properties(vertices, faces)
    moments, columns = np.linalg.eigh(
        found.inertia_per_mass
    )  # the smallest moment is the longest axis
    semi_axes = np.sqrt(2.5 * (moments.sum() - 2.0 * moments))
    semi_axes *= np.cbrt(3.0 * found.volume / (4.0 * math.pi * np.prod(semi_axes)))
    directions = columns.T
    directions[2] *= np.sign(np.linalg.det(directions))
    return semi_axes, directions, found.centroid


def relief(vertices: ArrayLike, faces: ArrayLike, places: ArrayLike | None = None) -> Floats:
    """Height [m] of places, shape (n, 3) [m], above the mean ellipsoid of a mesh; of its facet centres if None."""
    points = np.asarray(vertices, dtype=float)
    given = points[np.asarray(faces)].mean(axis=1) if places is None else np.asarray(places, float)
    semi_axes, directions, centre = mean_ellipsoid(vertices, faces)
    away = (given - centre) @ directions.T
    distance = np.linalg.norm(away, axis=1)
    scaled = np.linalg.norm(away / semi_axes, axis=1)  # |r| over the radius of the ellipsoid there
    return np.asarray(distance * (1.0 - 1.0 / scaled))
