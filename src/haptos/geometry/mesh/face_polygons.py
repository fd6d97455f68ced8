"""Bodies given by plane polygons: normals, edge normals, areas and triangles of every face.

    n = sum_j r_j x r_(j+1) / |.|,   e_j = b_j x n / |.|,   b_j = r_(j+1) - r_j
    A = |sum_j r_j x r_(j+1)| / 2                                          Eqs. (2.31)-(2.34)

    r_j  corners of a face in order, counter-clockwise seen from outside [m]
    n    outward unit normal          e_j  unit normal of edge j in the plane, out of the face
    b_j  border from corner j to the next [m]         A    area [m^2]
The sum over all corners replaces the product of the first two borders, which fails if they are
collinear; for convex faces the area is that of the fan. Triangles are cut so that none is empty,
also where three corners lie on a line.
Frame: that of the corners. Validity: plane, convex faces; a body of them must be closed.
Source: [Salvi2014] section 2.5.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FLAT = 1e-6  # [-] of a face's size by which corners may leave its plane: digits of text files


@dataclass(frozen=True, eq=False)
class FacePolygons:
    """Faces one after the other; face f has corners start[f] to start[f + 1] of the flat arrays.

    vertices   [m], (n, 3)                 corners       (c,), vertices of the faces in order
    start      (f + 1,)                    normals       (f, 3)
    areas      [m^2], (f,)                 centroids     [m], (f, 3)
    edge_normals  (c, 3), of the edge from each corner to the next
    triangles  (t, 3), outward             triangle_face (t,)
    neighbours (c,), face across each edge; -1 where there is none
    """

    vertices: Floats
    corners: Integers
    start: Integers
    normals: Floats
    areas: Floats
    centroids: Floats
    edge_normals: Floats
    triangles: Integers
    triangle_face: Integers
    neighbours: Integers

    def __post_init__(self) -> None:
        for value in vars(self).values():
            value.setflags(write=False)


def face_polygons(
    vertices: ArrayLike,
    faces: Sequence[Sequence[int]],
    *,
    closed: bool = True,
    where: str = "faces",
) -> FacePolygons:
    """Checked faces from corners [m], (n, 3), and lists of corner numbers, counter-clockwise.

    closed  demand that every edge has two faces and that they enclose a volume; an open set is only
            checked for faces that contradict each other
    """
    points = np.ascontiguousarray(vertices, dtype=float)
    if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
        raise GeometryError(where, f"vertices {points.shape}", "(n, 3) finite numbers", "in metres")
    if len(faces) == 0:
        raise GeometryError(where, "no face", "one or more", "list the corners of each face")
    loops = [_loop(f"{where} [{f}]", face, len(points)) for f, face in enumerate(faces)]
    measured = [_measured(f"{where} [{f}]", points[loop]) for f, loop in enumerate(loops)]
    start = np.concatenate([[0], np.cumsum([len(loop) for loop in loops])]).astype(np.int64)
    neighbours = _neighbours(where, loops, closed)
    normals = [normal for normal, _, _, _ in measured]
    cut = [_triangles(points[loop], normal) for loop, normal in zip(loops, normals, strict=True)]
    triangles = np.concatenate([loop[local] for loop, local in zip(loops, cut, strict=True)])
    if closed:
        _require_outward(where, points, triangles)
    return FacePolygons(
        points,
        np.concatenate(loops),
        start,
        np.array(normals),
        np.array([area for _, area, _, _ in measured]),
        np.array([centroid for _, _, centroid, _ in measured]),
        np.concatenate([edge_normals for _, _, _, edge_normals in measured]),
        triangles,
        np.repeat(np.arange(len(loops), dtype=np.int64), [len(local) for local in cut]),
        neighbours,
    )


def loop_of_borders(borders: Sequence[Sequence[int]], *, where: str = "face") -> list[int]:
    """Corners of a face whose borders come as pairs of corner numbers, in order, head to tail."""
    pairs = [tuple(int(corner) for corner in border) for border in borders]
    if len(pairs) < 3 or any(len(pair) != 2 for pair in pairs):
        raise GeometryError(where, f"borders {pairs}", "three pairs or more", "(a, b), (b, c)...")
    for here, there in zip(pairs, pairs[1:] + pairs[:1], strict=True):
        if here[1] != there[0]:
            found = f"border {here} followed by {there}"
            raise GeometryError(where, found, "borders head to tail", "sort them around the face")
    return [pair[0] for pair in pairs]


def _loop(where: str, face: Sequence[int], count: int) -> Integers:
    """Corners of a face, if they are three or more different ones of `count`."""
    loop = np.asarray(face)
    if loop.ndim != 1 or len(loop) < 3 or not np.issubdtype(loop.dtype, np.integer):
        raise GeometryError(where, f"corners {list(face)}", "three or more numbers", "from 0")
    if not ((loop >= 0) & (loop < count)).all():
        found, allowed = f"corners {loop.tolist()}", f"vertices 0 to {count - 1}"
        raise GeometryError(where, found, allowed, "add the vertex, or fix the number")
    if len(np.unique(loop)) != len(loop):
        found = f"corners {loop.tolist()}"
        raise GeometryError(where, found, "every corner once", "split the face")
    return loop.astype(np.int64)


def _measured(where: str, ring: Floats) -> tuple[Floats, float, Floats, Floats]:
    """(normal, area, centroid, edge normals) of one face; refuses what is not plane or convex."""
    middle = ring.mean(axis=0)
    own = ring - middle
    following = np.roll(own, -1, axis=0)
    borders = following - own
    size = float(np.linalg.norm(borders, axis=1).max())
    products = np.cross(own, following)
    vector = products.sum(axis=0)
    length = float(np.linalg.norm(vector))
    if not length > FLAT * size * size:
        found = f"{0.5 * length:.3g} m^2 within {size:.3g} m"
        raise GeometryError(where, found, "a face with an area", "drop it, or fix its corners")
    normal = vector / length
    away = np.abs(own @ normal)
    if away.max() > FLAT * size:
        found = f"a corner {away.max():.3g} m out of the plane"
        raise GeometryError(where, found, "corners in one plane", "cut the face in triangles")
    sizes = np.linalg.norm(borders, axis=1)
    if not sizes.min() > 0.0:
        raise GeometryError(
            where, "two corners at one place", "borders of some length", "join them"
        )
    turn = np.cross(np.roll(borders, 1, axis=0), borders) @ normal
    angles = np.arctan2(turn, np.einsum("ji,ji->j", np.roll(borders, 1, axis=0), borders))
    if turn.min() < -FLAT * size * size or abs(angles.sum() - 2.0 * math.pi) > 0.1:
        corner = int(np.argmin(turn))
        found = f"a hollow corner at place {corner}"
        raise GeometryError(where, found, "a convex face", "split it into convex ones")
    weights = products @ normal
    centroid = middle + (weights @ (own + following)) / (3.0 * weights.sum())
    edges = np.cross(borders, normal)
    edges /= np.linalg.norm(edges, axis=1, keepdims=True)
    return normal, 0.5 * length, centroid, edges


def _triangles(ring: Floats, normal: Floats) -> Integers:
    """Triangles of a convex ring, none empty: cut the corner that leaves most on both sides."""

    def area(which: list[int]) -> float:
        """Area [m^2] of the polygon of these corners."""
        part = ring[which]
        return 0.5 * float(np.cross(part, np.roll(part, -1, axis=0)).sum(axis=0) @ normal)

    left = list(range(len(ring)))
    cut = []
    while len(left) > 3:
        whole = area(left)
        ears = [[left[k - 1], left[k], left[(k + 1) % len(left)]] for k in range(len(left))]
        sizes = np.array([area(ear) for ear in ears])
        best = int(np.argmax(np.minimum(sizes, whole - sizes)))
        cut.append(ears[best])
        del left[best]
    return np.array([*cut, left], dtype=np.int64)


def _neighbours(where: str, loops: list[Integers], closed: bool) -> Integers:
    """Face across every edge; refuses two faces that run along an edge in the same direction."""
    owner: dict[tuple[int, int], int] = {}
    for face, loop in enumerate(loops):
        for edge in zip(loop.tolist(), np.roll(loop, -1).tolist(), strict=True):
            if edge in owner:
                found = (
                    f"faces {owner[edge]} and {face} both run from vertex {edge[0]} to {edge[1]}"
                )
                allowed = "every face counter-clockwise seen from outside"
                raise GeometryError(where, found, allowed, "turn the clockwise one around")
            owner[edge] = face
    across = []
    for face, loop in enumerate(loops):
        for first, second in zip(loop.tolist(), np.roll(loop, -1).tolist(), strict=True):
            other = owner.get((second, first), -1)
            if other < 0 and closed:
                found = f"face {face} alone at the edge from vertex {first} to {second}"
                raise GeometryError(where, found, "a closed surface", "add the missing face")
            across.append(other)
    return np.array(across, dtype=np.int64)


def _require_outward(where: str, points: Floats, triangles: Integers) -> None:
    """Every connected part of a closed surface must enclose a volume above zero."""
    from haptos.geometry.mesh.mesh_topology import joined_parts

    count, part = joined_parts(
        len(points), triangles[:, [0, 1]].reshape(-1), triangles[:, [1, 2]].reshape(-1)
    )
    corners = points[triangles] - points[triangles].mean(axis=(0, 1))
    volumes = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6.0
    for piece in range(count):
        own = part[triangles[:, 0]] == piece
        if own.any() and not volumes[own].sum() > 0.0:
            found = f"faces around vertex {triangles[own][0, 0]} that point inward"
            allowed = "every face counter-clockwise seen from outside"
            raise GeometryError(where, found, allowed, "turn all faces of this part around")
