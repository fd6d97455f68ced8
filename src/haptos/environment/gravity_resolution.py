"""How fine a mesh gravity needs: coarser meshes of a body, and what they cost at its surface."""

from __future__ import annotations

import importlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.mesh_checks import require_solid

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

HASTE = (5.0, 6.0, 4.0, 7.0, 3.0)  # [-], how fast the threshold of collapses rises; in this order


def coarser_mesh(vertices: ArrayLike, faces: ArrayLike, face_count: int) -> tuple[Floats, Integers]:
    """(vertices, faces) of a closed mesh with about `face_count` faces, by quadric edge collapse.

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3), outward
    Collapsing may pinch a mesh; the answer is the first of several tries that is still a solid.
    Source: [Garland1997].
    """
    try:
        simplify = importlib.import_module("fast_simplification").simplify
    except ImportError as error:
        raise GeometryError(
            "coarser mesh",
            "no package fast-simplification",
            "a Python that has it",
            "pip install fast-simplification",
        ) from error
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces, dtype=np.int64)
    if not 4 <= face_count <= len(corners):
        hint = f"{max(4, len(corners) // 4)}"
        raise GeometryError("coarser mesh", f"{face_count} faces", f"4 to {len(corners)}", hint)
    middle, size = points.mean(axis=0), float(np.max(np.ptp(points, axis=0)))
    unit = np.ascontiguousarray((points - middle) / size)
    for haste in HASTE:
        found, triangles = simplify(
            unit, corners.astype(np.int32), target_count=face_count, agg=haste
        )
        answer = np.asarray(found, dtype=float), np.asarray(triangles, dtype=np.int64)
        if _is_solid(*answer):
            return answer[0] * size + middle, answer[1]
    raise GeometryError(
        "coarser mesh", f"no closed mesh of {face_count} faces", "a solid", "ask for more faces"
    )


def _is_solid(vertices: Floats, faces: Integers) -> bool:
    try:
        require_solid("coarser mesh", vertices, faces)
    except GeometryError:
        return False
    return True


def resolution_error(coarse: PolyhedronField, fine: PolyhedronField, points: ArrayLike) -> Floats:
    """|g_coarse - g_fine| / |g_fine| [-] at points [m], shape (n, 3).

    Sorted, at points spread over the ground, it is the error distribution that tells how many
    faces are enough; 1 % is as much as the density of a real body varies.
    Source: [VanWal2018] eq. (2.44).
    """
    exact = fine.gravity(points)
    error = np.linalg.norm(coarse.gravity(points) - exact, axis=1)
    return np.asarray(error / np.linalg.norm(exact, axis=1))
