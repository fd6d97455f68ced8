"""Quadratic patches on the faces of a mesh: how much each edge bends, from the normals at its ends.

    S(b) = sum b_i x_i - c_01 b_0 b_1 - c_12 b_1 b_2 - c_20 b_2 b_0

    c  bend of an edge [m]: the quadratic curve through its ends that is normal to both vertex normals
Edges that turn by more than the sharp angle stay straight, and normals are averaged on either side of them.
Source: [Nagata2005].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from haptos.geometry.mesh.tessellation import face_normals, mesh_edges
from haptos.geometry.mesh.vertex_normals import corner_angles

CITES: tuple[str, ...] = ("Nagata2005",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHARP_ANGLE = math.radians(40.0)  # [rad] edges that turn more stay sharp


def patch_bends(points: Floats, corners: Integers, sharp_angle: float = SHARP_ANGLE) -> Floats:
    """Bends [m] of the edges 01, 12, 20 of each face, shape (f, 3, 3). Source: [Nagata2005]."""
    normals = smooth_normals(points, corners, sharp_angle)
    bends = np.zeros((len(corners), 3, 3))
    for k in range(3):
        m = (k + 1) % 3
        d = points[corners[:, m]] - points[corners[:, k]]
        a, b = normals[:, k], normals[:, m]
        cosine = np.einsum("fi,fi->f", a, b)
        below = 1.0 - cosine**2
        p, q = np.einsum("fi,fi->f", a, d), -np.einsum("fi,fi->f", b, d)
        safe = np.where(below > 1e-12, below, 1.0)
        c = (a * (p - cosine * q)[:, None] + b * (q - cosine * p)[:, None]) / safe[:, None]
        small = np.linalg.norm(c, axis=1) <= 0.5 * np.linalg.norm(d, axis=1)
        bends[:, k] = np.where(((below > 1e-12) & small)[:, None], c, 0.0)
    sharp = sharp_sides(points, corners, sharp_angle)
    bends[sharp] = 0.0
    return bends


def sharp_sides(points: Floats, corners: Integers, sharp_angle: float) -> NDArray[np.bool_]:
    """Whether the edge from corner k to k + 1 of each face turns by more than the angle, (f, 3)."""
    sides = mesh_edges(corners)[1]
    n = face_normals(points, corners)
    total = np.zeros((sides.max() + 1, 3))
    for k in range(3):
        np.add.at(total, sides[:, k], n)
    half = 0.5 * np.linalg.norm(total, axis=1)  # cosine of half the angle between two normals
    return np.asarray((half < math.cos(0.5 * sharp_angle))[sides])


def smooth_normals(points: Floats, corners: Integers, sharp_angle: float) -> Floats:
    """Unit normals of each corner of each face, averaged over faces joined by edges not sharp."""
    sides = mesh_edges(corners)[1]
    sharp = sharp_sides(points, corners, sharp_angle)
    order = np.argsort(sides.ravel(), kind="stable").reshape(-1, 2)
    first, second = order[~sharp.ravel()[order[:, 0]]].T
    f, k, g, m = first // 3, first % 3, second // 3, second % 3
    joined = np.concatenate([3 * f + k, 3 * f + (k + 1) % 3])
    other = np.concatenate([3 * g + (m + 1) % 3, 3 * g + m])
    size = 3 * len(corners)
    graph = coo_matrix((np.ones(len(joined)), (joined, other)), shape=(size, size))
    count, group = connected_components(graph, directed=False)
    weighted = corner_angles(points, corners)[:, :, None] * face_normals(points, corners)[:, None]
    total = np.zeros((count, 3))
    np.add.at(total, group, weighted.reshape(-1, 3))
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(total[group].reshape(-1, 3, 3))
