"""Curvature of an ellipsoid, without a singular point.

    n = (x / a^2, y / b^2, z / c^2),  N = n / |n|
    S = P diag(a^-2, b^-2, c^-2) P / |n|,  P = 1 - N N^T

    a, b, c  semi-axes [m] along x, y, z         S  shape operator [1/m]; its eigenvalues are k+ and k-
Frame: principal axes, from the centre. Validity: exact on the surface, at the poles too.
Source: elementary, the level set of x^2/a^2 + y^2/b^2 + z^2/c^2; [VanWal2018] section 3.3 has the
same in latitude and longitude.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.shape.curvature import CurvedGround, east_north, from_shape_tensor

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]

ON_SURFACE = 1e-6  # [-] of the semi-axes; points farther away are refused


def ellipsoid_points(semi_axes: ArrayLike, latitude: ArrayLike, longitude: ArrayLike) -> Floats:
    """Points (a cos phi cos lambda, b cos phi sin lambda, c sin phi) [m], shape (..., 3).

    latitude, longitude  phi and lambda [rad], parametric, arrays that broadcast
    """
    phi, lam = np.broadcast_arrays(
        np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
    )
    toward = [np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)]
    return np.stack(toward, axis=-1) * np.asarray(semi_axes, dtype=float)


def ellipsoid_curvature(semi_axes: ArrayLike, points: ArrayLike) -> CurvedGround:
    """Normals and curvatures at points [m] of the surface, shape (n, 3)."""
    axes, where = np.asarray(semi_axes, dtype=float), np.asarray(points, dtype=float)
    if axes.shape != (3,) or not np.all(np.isfinite(axes)) or not np.all(axes > 0.0):
        found = f"semi-axes {axes.tolist()}"
        raise GeometryError("ellipsoid", found, "three lengths > 0", "(200.0, 100.0, 50.0)")
    if where.ndim != 2 or where.shape[1] != 3:
        found = f"points of shape {where.shape}"
        raise GeometryError("ellipsoid", found, "shape (n, 3)", "[[x, y, z]] for one point")
    off = float(np.max(np.abs(np.linalg.norm(where / axes, axis=1) - 1.0), initial=0.0))
    if not off <= ON_SURFACE:
        found = f"a point {off:.3g} semi-axes off the surface"
        raise GeometryError("ellipsoid", found, "points on it", "ellipsoid_points")
    inverse = axes**-2.0
    gradient = where * inverse
    length = np.linalg.norm(gradient, axis=1)
    normal = gradient / length[:, None]
    u, v = east_north(normal)
    tensor = np.stack(
        [np.einsum("ni,i,ni->n", p, inverse, q) / length for p, q in ((u, u), (u, v), (v, v))],
        axis=1,
    )
    return from_shape_tensor(where, normal, u, v, tensor)
