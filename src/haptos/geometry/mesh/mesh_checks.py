"""Is a triangle mesh the surface of a solid? If not, say what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import signed_volume
from haptos.geometry.mesh.mesh_topology import edges_of, facet_pieces

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Below these shares of the bounding box's longest side, cubed or squared, size is rounding.
SMALLEST_VOLUME = 1e-12
SMALLEST_AREA = 1e-16
EXPORT_AGAIN = "export the mesh again from the program that made it"


def require_solid(
    where: str, vertices: Floats, faces: Integers, *, self_intersections: bool = False
) -> None:
    """Refuse, with GeometryError, a mesh that is not one closed surface facing outward.

    Checked in this order: indices, finite numbers, corners and area of each face, unused
    vertices, every edge between exactly two faces that run along it in opposite directions,
    one connected piece, volume > 0. Only if asked, since it costs a second or two per 100 000
    faces: that no face cuts or touches another. The refusal says how many and which is first.
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

    if self_intersections:
        require_simple(where, vertices, faces)


def without_area(vertices: Floats, faces: Integers) -> Integers:
    """Faces with a repeated corner, or with an area that is rounding."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.flatnonzero(area <= SMALLEST_AREA * float(np.max(np.ptp(vertices, axis=0))) ** 2)


def _require_faces(where: str, vertices: Floats, faces: Integers) -> None:
    if len(faces) == 0 or len(vertices) == 0:
        raise GeometryError(where, "no triangles", "a mesh with faces", EXPORT_AGAIN)
    if faces.min() < 0 or faces.max() >= len(vertices):
        found = "a face that names a vertex the mesh does not have"
        raise GeometryError(where, found, f"0 to {len(vertices) - 1}", EXPORT_AGAIN)
    if not np.all(np.isfinite(vertices)):
        found = "a vertex that is not finite"
        raise GeometryError(where, found, "finite coordinates", EXPORT_AGAIN)
    empty = without_area(vertices, faces)
    if len(empty):
        found = f"face {empty[0]} without area, the first of {len(empty)}"
        hint = "join vertices that lie on each other and remove empty faces"
        raise GeometryError(where, found, "triangles with area", hint)
    unused = np.flatnonzero(np.bincount(faces.ravel(), minlength=len(vertices)) == 0)
    if len(unused):
        found = f"{len(unused)} vertices in no face, the first is vertex {unused[0]}"
        raise GeometryError(where, found, "vertices that are used", "remove loose vertices")


def _require_matched_edges(where: str, faces: Integers) -> None:
    edges = edges_of(faces)
    count, along = edges.facets, edges.edge_of_side
    forward = np.bincount(along, weights=edges.forward)

    def first(chosen: NDArray[np.bool_]) -> str:
        return f", the first at face {np.argmax(chosen[along]) // 3}"

    if np.any(count == 1):
        raise GeometryError(
            where,
            f"an open mesh: {np.sum(count == 1)} edges with a face on one side only"
            + first(count == 1),
            "a closed (watertight) mesh",
            "fill the holes, and join vertices that lie on each other",
        )
    if np.any(count > 2):
        raise GeometryError(
            where,
            f"{np.sum(count > 2)} edges with more than two faces" + first(count > 2),
            "two faces at every edge",
            "remove inner walls and doubled faces",
        )
    if np.any(forward != 1):
        raise GeometryError(
            where,
            f"neighbouring faces wound in opposite senses at {np.sum(forward != 1)} edges"
            + first(forward != 1),
            "all faces counter-clockwise seen from outside",
            "unify the face orientation",
        )


def _require_one_piece(where: str, vertex_count: int, faces: Integers) -> None:
    pieces, piece = facet_pieces(vertex_count, faces)
    if pieces > 1:
        found = f"{pieces} separate pieces, the second begins at face {np.argmax(piece == 1)}"
        raise GeometryError(where, found, "one connected surface", "keep one piece, or join them")


def require_simple(where: str, vertices: Floats, faces: Integers) -> None:
    """Refuse a surface of one or more parts that cuts or touches itself; exact, see self_intersections.py."""
    from haptos.geometry.mesh.self_intersections import self_intersections

    pairs = self_intersections(vertices, faces)
    if len(pairs):
        found = f"{len(pairs)} pairs of faces that cut or touch, the first {pairs[0, 0]} and {pairs[0, 1]}"
        hint = "fix the surface there in a mesh editor"
        raise GeometryError(where, found, "a surface that does not cut itself", hint)
