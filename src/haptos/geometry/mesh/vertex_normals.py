"""Normals at the vertices of a mesh: those of the facets around, each weighted by its angle there.

    N_i ~ sum over facets of alpha n_f,   |N_i| = 1

    alpha  angle of the facet's corner at the vertex [rad]      n_f  unit normal of the facet
They do not depend on how flat ground is cut into triangles, and do not turn over on concave ground.
Frame: that of the vertices. Validity: facets wound alike; empty facets count for nothing.
Source: [Baerentzen2005].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CITES: tuple[str, ...] = ("Baerentzen2005",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def vertex_normals(vertices: Floats, faces: Integers) -> Floats:
    """N [-], shape (n, 3), of vertices [m], (n, 3); zero where no facet has an area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normals = _unit(np.cross(b - a, c - a))
    angles = corner_angles(vertices, faces)
    total = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(total, faces[:, k], angles[:, k, None] * normals)
    return _unit(total)


def corner_angles(vertices: Floats, faces: Integers) -> Floats:
    """Angles of the three corners of every face [rad], shape (m, 3)."""
    angles = np.empty(faces.shape)
    for k in range(3):
        p, q, r = (vertices[faces[:, (k + j) % 3]] for j in range(3))
        u, v = q - p, r - p
        sine = np.linalg.norm(np.cross(u, v), axis=1)
        angles[:, k] = np.arctan2(sine, np.einsum("fi,fi->f", u, v))
    return angles


def _unit(rows: Floats) -> Floats:
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 0.0, length, 1.0))
