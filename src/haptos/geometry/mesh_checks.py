"""Is a triangle mesh the surface of a solid? If not, say what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from haptos.core.errors import GeometryError
from haptos.geometry.mass_properties import signed_volume

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Below these shares of the bounding box's longest side, cubed or squared, size is rounding.
SMALLEST_VOLUME = 1e-12
SMALLEST_AREA = 1e-16
EXPORT_AGAIN = "export the mesh again from the program that made it"


def require_solid(where: str, vertices: Floats, faces: Integers) -> None:
    """Refuse, with GeometryError, a mesh that is not one closed surface facing outward.

    Checked in this order: indices, finite numbers, corners and area of each face, unused
    vertices, every edge between exactly two faces that run along it in opposite directions,
    one connected piece, volume > 0. Not checked: whether the surface cuts itself.
    """
    _require_faces(where, vertices, faces)
    _require_matched_edges(where, faces)
    _require_one_piece(where, len(vertices), faces)
    size = float(np.max(np.ptp(vertices, axis=0)))
    share = signed_volume(vertices, faces) / size**3
    if abs(share) <= SMALLEST_VOLUME:
        hint = "check that the mesh is not a flat sheet"
        raise GeometryError(where, "a mesh without volume", "a solid", hint)
    if share < 0.0:
        raise GeometryError(
            where,
            "a mesh turned inside out",
            "faces counter-clockwise seen from outside",
            "reverse the corner order of all faces",
        )


def _require_faces(where: str, vertices: Floats, faces: Integers) -> None:
    if len(faces) == 0 or len(vertices) == 0:
        raise GeometryError(where, "no triangles", "a mesh with faces", EXPORT_AGAIN)
    if faces.min() < 0 or faces.max() >= len(vertices):
        found = "a face that names a vertex the mesh does not have"
        raise GeometryError(where, found, f"0 to {len(vertices) - 1}", EXPORT_AGAIN)
    if not np.all(np.isfinite(vertices)):
        found = "a vertex that is not finite"
        raise GeometryError(where, found, "finite coordinates", EXPORT_AGAIN)
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    empty = np.flatnonzero(area <= SMALLEST_AREA * float(np.max(np.ptp(vertices, axis=0))) ** 2)
    if len(empty):
        hint = "join vertices that lie on each other and remove empty faces"
        raise GeometryError(where, f"face {empty[0]} without area", "triangles with area", hint)
    unused = len(vertices) - len(np.unique(faces))
    if unused:
        found = f"{unused} vertices in no face"
        raise GeometryError(where, found, "vertices that are used", "remove loose vertices")


def _require_matched_edges(where: str, faces: Integers) -> None:
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    _, edge, count = np.unique(
        np.sort(sides, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    if np.any(count == 1):
        raise GeometryError(
            where,
            f"an open mesh: {np.sum(count == 1)} edges with a face on one side only",
            "a closed (watertight) mesh",
            "fill the holes, and join vertices that lie on each other",
        )
    if np.any(count > 2):
        raise GeometryError(
            where,
            f"{np.sum(count > 2)} edges with more than two faces",
            "two faces at every edge",
            "remove inner walls and doubled faces",
        )
    forward = np.bincount(edge.reshape(-1), weights=sides[:, 0] < sides[:, 1])
    if np.any(forward != 1):
        raise GeometryError(
            where,
            f"neighbouring faces wound in opposite senses at {np.sum(forward != 1)} edges",
            "all faces counter-clockwise seen from outside",
            "unify the face orientation",
        )


def _require_one_piece(where: str, vertex_count: int, faces: Integers) -> None:
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    link = coo_array(
        (np.ones(len(sides), dtype=np.int8), sides.T), shape=(vertex_count, vertex_count)
    )
    pieces, _ = connected_components(link.tocsr(), directed=False)
    if pieces > 1:
        hint = "keep one piece, or join them"
        raise GeometryError(where, f"{pieces} separate pieces", "one connected surface", hint)
