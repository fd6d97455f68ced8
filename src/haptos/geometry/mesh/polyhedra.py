"""Vertices and outward triangles of convex solids with known face directions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FLATNESS = 1e-9  # [-], of the reach: corners of one face differ by rounding only
GOLDEN = 0.5 * (1.0 + math.sqrt(5.0))  # [-]

# Volume [-] and moment of inertia per mass [-] for unit edge.
PLATONIC_VOLUME = {
    "tetrahedron": math.sqrt(2.0) / 12.0,
    "cube": 1.0,
    "octahedron": math.sqrt(2.0) / 3.0,
    "dodecahedron": (15.0 + 7.0 * math.sqrt(5.0)) / 4.0,
    "icosahedron": 5.0 * (3.0 + math.sqrt(5.0)) / 12.0,
}
PLATONIC_INERTIA = {
    "tetrahedron": 1.0 / 20.0,
    "cube": 1.0 / 6.0,
    "octahedron": 1.0 / 10.0,
    "dodecahedron": (95.0 + 39.0 * math.sqrt(5.0)) / 300.0,
    "icosahedron": GOLDEN * GOLDEN / 10.0,
}
# The faces of a Platonic solid point to the vertices of its dual.
DUAL = {
    "tetrahedron": "tetrahedron",
    "cube": "octahedron",
    "octahedron": "cube",
    "dodecahedron": "icosahedron",
    "icosahedron": "dodecahedron",
}


def _signs(*point: float) -> list[tuple[float, ...]]:
    """All sign changes of the non-zero coordinates."""
    points: list[tuple[float, ...]] = [()]
    for value in point:
        points = [(*p, v) for p in points for v in ((value, -value) if value else (0.0,))]
    return points


def _cycles(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """The points with their coordinates in all three cyclic orders."""
    return [(*p[k:], *p[:k]) for k in range(3) for p in points]


def _platonic_vertices(name: str) -> Floats:
    """Vertices about the origin, not scaled."""
    cube = _signs(1.0, 1.0, 1.0)
    vertices = {
        "tetrahedron": [p for p in cube if math.prod(p) > 0.0],
        "cube": cube,
        "octahedron": _cycles(_signs(1.0, 0.0, 0.0)),
        "dodecahedron": cube + _cycles(_signs(0.0, GOLDEN, 1.0 / GOLDEN)),
        "icosahedron": _cycles(_signs(0.0, 1.0, GOLDEN)),
    }
    return np.array(vertices[name])


def platonic_solid(name: str) -> tuple[Floats, Integers]:
    """(vertices, faces) of a Platonic solid with unit edge about the origin."""
    vertices = _platonic_vertices(name)
    directions = _platonic_vertices(DUAL[name])
    if name == "tetrahedron":
        directions = -directions
    edge = np.min(np.linalg.norm(vertices[1:] - vertices[0], axis=1))
    return vertices / edge, convex_faces(vertices, directions)


def box_solid(size: ArrayLike) -> tuple[Floats, Integers]:
    """(vertices, faces) of a box with full edge lengths `size` [m] about the origin."""
    vertices = np.array(_signs(0.5, 0.5, 0.5))
    faces = convex_faces(vertices, np.concatenate([np.eye(3), -np.eye(3)]))
    return vertices * np.asarray(size, dtype=float), faces


def prism_solid(sides: int, radius: float, height: float) -> tuple[Floats, Integers]:
    """(vertices, faces) of a regular prism along z about the origin; first corner at +x."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    vertices = np.concatenate([np.column_stack([ring, np.full(sides, z)]) for z in (-0.5, 0.5)])
    between = angle + np.pi / sides
    walls = np.column_stack([np.cos(between), np.sin(between), np.zeros(sides)])
    caps = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
    faces = convex_faces(vertices, np.concatenate([caps, walls]))
    return vertices * np.array([radius, radius, height]), faces


def convex_faces(vertices: Floats, directions: Floats) -> Integers:
    """Triangles of the faces that point in the given outward directions, counter-clockwise.

    A face holds the vertices farthest along its direction; it is cut in a fan from one of them.
    """
    faces = []
    for direction in directions / np.linalg.norm(directions, axis=1, keepdims=True):
        reach = vertices @ direction
        ring = np.flatnonzero(reach > reach.max() - FLATNESS * np.abs(reach).max())
        spokes = vertices[ring] - vertices[ring].mean(axis=0)
        across = np.cross(direction, spokes[0])
        ring = ring[np.argsort(np.arctan2(spokes @ across, spokes @ spokes[0]), kind="stable")]
        faces += [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]
    return np.array(faces, dtype=np.int64)
