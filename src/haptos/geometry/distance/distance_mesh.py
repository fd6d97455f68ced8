"""Exact signed distance to a closed triangle mesh."""

from __future__ import annotations

import math
import os
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device, entry
from haptos.core.vectors import add_scaled, dot, norm
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.tessellation import face_normals, mesh_edges
from haptos.geometry.mesh.triangle_tree import (
    FACE,
    STACK,
    closest_triangle,
    triangle_foot,
    triangle_tree,
)
from haptos.geometry.mesh.vertex_normals import vertex_normals

CITES: tuple[str, ...] = ("Baerentzen2005",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CHUNK = 4096  # points per task; the first guess of a chunk is always the same, so bits are too

# tree      triangle_tree.Tree
# features  (m, 7) row in `normals` of face, sides ab, bc, ca, corners a, b, c; in tree order
# normals   (k, 3) outward pseudo-normals of all faces, edges and vertices, of any length [-]
Mesh = namedtuple("Mesh", "tree features normals")


def solid_mesh(vertices: ArrayLike, faces: ArrayLike, where: str = "mesh") -> Mesh:
    """A closed mesh made ready for distances; anything but one closed surface is refused.

    Normals of edges are the sum of those of their two faces, normals of vertices the sum over
    their faces weighted by the angle of the corner: with these, and with no simpler weights, the
    sign of (x - foot) . normal is right wherever the foot is. Source:
    [Baerentzen2005], angle-weighted pseudo-normals.

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3), outward
    """
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    corners = np.ascontiguousarray(faces, dtype=np.int64)
    require_solid(where, points, corners)
    return unchecked_mesh(points, corners)


def unchecked_mesh(points: Floats, corners: Integers) -> Mesh:
    """As `solid_mesh`, for a surface that was checked before: one or more closed parts."""
    tree = triangle_tree(points, corners)
    edges, edge_of_side = mesh_edges(corners)
    face_count, edge_count = len(corners), len(edges)
    flat = face_normals(points, corners)
    sharp = np.zeros((edge_count, 3))
    for k in range(3):
        np.add.at(sharp, edge_of_side[:, k], flat)
    numbers = np.concatenate(
        [
            np.arange(face_count)[:, None],
            face_count + edge_of_side,
            face_count + edge_count + corners,
        ],
        axis=1,
    )
    features = numbers[tree.face].astype(np.int32)
    return Mesh(tree, features, np.concatenate([flat, sharp, vertex_normals(points, corners)]))


@device
def mesh_distance(mesh, x, guess, stack):
    """(gap [m], unit normal, row of the closest triangle) of a point from a closed mesh.

    gap = +-|x - p| with p the closest point of the surface, normal = (x - p) / gap; the sign is
    that of (x - p) . n, n the pseudo-normal of the face, edge or vertex p lies in.

    x      point [m], 3-tuple          guess  row of any triangle, best the last answer
    stack  scratch, (STACK, 2) floats
    Frame: that of the mesh. Sign: gap > 0 outside.
    Validity: every closed mesh that faces outward and does not cut itself; exact but for rounding.
    On the surface itself the normal is the pseudo-normal.
    Source: [Baerentzen2005], as in `solid_mesh`.
    """
    square, row = closest_triangle(mesh.tree, x, guess, stack)
    _, v, w, what = triangle_foot(mesh.tree.triangles, row, x)
    n = mesh.normals[mesh.features[row, what]]
    outward = (n[0], n[1], n[2])
    t = mesh.tree.triangles[row]
    away = (x[0] - t[0], x[1] - t[1], x[2] - t[2])
    if what == FACE:
        gap = dot(away, outward)
        return gap, outward, row
    away = add_scaled(away, -v, (t[3], t[4], t[5]))
    away = add_scaled(away, -w, (t[6], t[7], t[8]))
    gap = math.copysign(math.sqrt(square), dot(away, outward))
    if gap == 0.0:
        length = norm(outward)
        return 0.0, (n[0] / length, n[1] / length, n[2] / length), row
    return gap, (away[0] / gap, away[1] / gap, away[2] / gap), row


@entry
def fill_distances(mesh, points, gaps, normals, rows, begin, end):
    """Distances of points[begin:end]; each search starts at the answer of the one before."""
    stack = np.empty((STACK, 2))
    row = 0
    for i in range(begin, end):
        gap, n, row = mesh_distance(mesh, (points[i, 0], points[i, 1], points[i, 2]), row, stack)
        gaps[i], rows[i] = gap, row
        normals[i, 0], normals[i, 1], normals[i, 2] = n[0], n[1], n[2]


def mesh_distances(
    mesh: Mesh, points: ArrayLike, *, workers: int | None = None
) -> tuple[Floats, Floats, Integers]:
    """(gaps [m], unit normals, faces of the mesh that are closest) of points, shape (n, 3) [m].

    Neighbours in space that are neighbours in the list are found fastest. The answer does not
    depend on the number of threads, all cores if not given.
    """
    x = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
    gaps, normals = np.empty(len(x)), np.empty((len(x), 3))
    rows = np.empty(len(x), dtype=np.int64)
    fill_distances(mesh, x, gaps, normals, rows, 0, 0)  # compiled before threads exist
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        tasks = [
            pool.submit(fill_distances, mesh, x, gaps, normals, rows, i, min(i + CHUNK, len(x)))
            for i in range(0, len(x), CHUNK)
        ]
        for task in tasks:
            task.result()
    return gaps, normals, mesh.tree.face[rows]
