"""The surface of a rigid body as a mesh that points and elements touch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.contacts.element_edge import edge_tree, sharp_edges
from haptos.dynamics.system import SystemSurface
from haptos.geometry.distance.distance_mesh import Mesh, solid_mesh
from haptos.geometry.mesh.mesh_topology import facet_pieces
from haptos.geometry.mesh.triangle_tree import triangle_tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def pieces_mesh(vertices: Floats, faces: Integers, where: str = "mesh") -> Mesh:
    """Closed surfaces of one body, each in itself one piece, as one mesh for distances.

    The nearest triangle of all decides, so that from outside the distance is that of their union;
    where they overlap, inner faces stay.
    """
    count, piece = facet_pieces(len(vertices), faces)
    if count == 1:
        return solid_mesh(vertices, faces, where)
    numbers, normals, before = np.zeros((len(faces), 7), dtype=np.int32), [], 0
    for n in range(count):
        rows = np.flatnonzero(piece == n)
        corners, own = np.unique(faces[rows], return_inverse=True)
        part = solid_mesh(vertices[corners], own.reshape(-1, 3), f"{where} piece {n + 1}")
        numbers[rows[part.tree.face]] = before + part.features
        normals.append(part.normals)
        before += len(part.normals)
    tree = triangle_tree(vertices, faces)
    return Mesh(tree, numbers[tree.face], np.concatenate(normals))


def surface_of(
    body: int, vertices: Floats, faces: Integers, pairs: Floats, classes: Integers,
    where: str = "mesh",
) -> SystemSurface:  # fmt: skip
    """Surface of a body for the kernel; classes of the faces are rows of the pairs."""
    mesh = pieces_mesh(vertices, faces, where)
    edges, beside = sharp_edges(vertices, faces)
    return SystemSurface(
        body, mesh, classes[mesh.tree.face], pairs, edges, edge_tree(edges),
        classes[beside],
    )  # fmt: skip
