"""A closed body from an open, one-sided plate: its surface, a copy below, and walls along its borders."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.vertex_normals import vertex_normals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def thickened(
    vertices: ArrayLike, faces: ArrayLike, thickness: float, where: str = "plate"
) -> tuple[Floats, Integers]:
    """(vertices [m], faces) of an open mesh made solid: the given side stays, the other lies below it.

    vertices  (n, 3) [m]     faces  (m, 3), seen from the side that touches     thickness  [m], > 0
    The copy is moved against the vertex normals. A mesh without a border is refused, since it is closed.
    """
    points = np.asarray(vertices, dtype=np.float64).reshape(-1, 3)
    corners = np.asarray(faces, dtype=np.int64).reshape(-1, 3)
    if not (math.isfinite(thickness) and thickness > 0.0):
        raise GeometryError(where, f"thickness {thickness:g} m", "above 0", "0.001")
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    known = {(int(a), int(b)) for a, b in sides}
    border = np.array([side for side in sides if (int(side[1]), int(side[0])) not in known])
    if len(border) == 0:
        found = "a closed mesh with a thickness"
        raise GeometryError(where, found, "an open plate", "leave out the thickness")
    below = points - thickness * vertex_normals(points, corners)
    n = len(points)
    a, b = border.T
    walls = np.concatenate([np.stack([b, a, a + n], axis=1), np.stack([b, a + n, b + n], axis=1)])
    return np.concatenate([points, below]), np.concatenate([corners, corners[:, ::-1] + n, walls])
