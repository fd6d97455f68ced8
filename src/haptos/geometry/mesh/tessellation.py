"""Splitting the facets of a closed mesh, and telling corners, edges and facets apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CORNER, EDGE, FACET = 0, 1, 2
FLAT_ANGLE = 1e-3  # [rad], facets that differ by less are one; above the rounding of float32 files


def mesh_edges(faces: Integers) -> tuple[Integers, Integers]:
    """(edges, edge_of_side) of a mesh.

    edges         vertex pairs, lower index first, shape (e, 2), each once
    edge_of_side  shape (m, 3): edge of the side from corner k to corner k + 1 of each face
    """
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    edges, edge_of_side = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    return edges, edge_of_side.reshape(faces.shape)


def subdivided(vertices: Floats, faces: Integers) -> tuple[Floats, Integers]:
    """The same surface with every triangle split in four at the midpoints of its sides.

    Midpoints are shared between neighbours, so a closed mesh stays closed; old vertices keep
    their index; facing is kept. Source: [VanWal2018] ch. 2.
    """
    edges, edge_of_side = mesh_edges(faces)
    midpoints = 0.5 * (vertices[edges[:, 0]] + vertices[edges[:, 1]])
    (a, b, c), (ab, bc, ca) = faces.T, edge_of_side.T + len(vertices)
    quarters = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    split = np.stack([np.stack(quarter, axis=1) for quarter in quarters], axis=1)
    return np.concatenate([vertices, midpoints]), split.reshape(-1, 3)


def face_normals(vertices: Floats, faces: Integers) -> Floats:
    """Unit outward normals, shape (m, 3)."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


def dihedral_angles(vertices: Floats, faces: Integers) -> tuple[Integers, Floats]:
    """(edges, angle [rad] between the normals of the two facets at each edge; 0 is flat)."""
    edges, edge_of_side = mesh_edges(faces)
    face_of_side = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(edge_of_side.ravel(), kind="stable")
    first, second = face_of_side[order].reshape(-1, 2).T
    n = face_normals(vertices, faces)
    sine = np.linalg.norm(np.cross(n[first], n[second]), axis=1)
    return edges, np.arctan2(sine, np.einsum("ei,ei->e", n[first], n[second]))


def vertex_kinds(
    vertices: Floats, faces: Integers, flat_angle: float = FLAT_ANGLE
) -> tuple[Integers, Floats]:
    """(kind, direction) of every vertex of a closed mesh, by the sharp edges that meet in it.

    kind       CORNER, EDGE (two sharp edges in line) or FACET (none), shape (n,)
    direction  shape (n, 3): zero at a corner, unit vector along an edge, outward normal of a facet
    flat_angle [rad], dihedral angle up to which an edge is not sharp
    Source: [VanWal2018] Eq. (2.33), whose contact normals need the direction.
    """
    edges, angles = dihedral_angles(vertices, faces)
    sharp = edges[angles > flat_angle]
    along = vertices[sharp[:, 1]] - vertices[sharp[:, 0]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    count = np.bincount(sharp.ravel(), minlength=len(vertices))
    outward, line, normal = (np.zeros((len(vertices), 3)) for _ in range(3))
    np.add.at(outward, sharp[:, 0], along)
    np.add.at(outward, sharp[:, 1], -along)
    line[sharp[:, 0]] = along
    line[sharp[:, 1]] = along
    np.add.at(normal, faces.ravel(), np.repeat(face_normals(vertices, faces), 3, axis=0))
    in_line = (count == 2) & (np.linalg.norm(outward, axis=1) <= flat_angle)
    kind = np.where(count == 0, FACET, np.where(in_line, EDGE, CORNER))
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0.0)
    direction = np.where((kind == FACET)[:, None], normal, line)
    return kind, np.where((kind == CORNER)[:, None], 0.0, direction)
