"""Closed meshes for tests of distances, and references that share no code with the package."""

from __future__ import annotations

import numpy as np

from haptos.geometry.mesh.polyhedra import box_solid, platonic_solid
from haptos.geometry.mesh.tessellation import subdivided


def ball(levels: int, radius: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = platonic_solid("icosahedron")
    for _ in range(levels):
        vertices, faces = subdivided(vertices, faces)
    return radius * vertices / np.linalg.norm(vertices, axis=1, keepdims=True), faces


def torus(around: int = 24, across: int = 12, r: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Ring of radius 1 about z with a tube of radius r."""
    u, v = np.meshgrid(
        2 * np.pi * np.arange(around) / around,
        2 * np.pi * np.arange(across) / across,
        indexing="ij",
    )
    rho = 1.0 + r * np.cos(v)
    vertices = np.stack([rho * np.cos(u), rho * np.sin(u), r * np.sin(v)], axis=-1).reshape(-1, 3)
    return vertices, ring_faces(around, across)


def ring_faces(around: int, across: int) -> np.ndarray:
    i, j = (index.ravel() for index in np.indices((around, across)))
    a, b = i * across + j, (i + 1) % around * across + j
    c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def plate(thickness: float = 0.02) -> tuple[np.ndarray, np.ndarray]:
    """Plate of 1 m by 0.8 m, its facets halved twice."""
    vertices, faces = box_solid((1.0, 0.8, thickness))
    for _ in range(2):
        vertices, faces = subdivided(vertices, faces)
    return vertices, faces


def dumb_bell() -> tuple[np.ndarray, np.ndarray]:
    """Two lobes of radius 1 joined by a neck of radius 0.12: deep, concave, thin."""
    vertices, faces = ball(3)
    height = vertices[:, 2]
    width = np.maximum(np.abs(height), 0.12)  # pinched at the waist
    squeezed = vertices * np.stack([width, width, 1.4 * np.ones_like(width)], axis=1)
    return squeezed, faces


def spike() -> tuple[np.ndarray, np.ndarray]:
    """Pyramid with a needle tip (4 deg) over a notched, non-convex base: sharp both ways."""
    vertices = np.array(
        [[0.0, 0.0, 3.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [-0.1, 0.0, 0.0], [0.0, -0.1, 0.0], [0.01, 0.015, 1.5]]
    )  # fmt: skip
    faces = np.array(
        [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [5, 2, 1], [5, 3, 2], [5, 4, 3], [5, 1, 4]]
    )
    return vertices, faces


SHAPES = {
    "box": lambda: box_solid((1.0, 0.7, 0.4)),
    "ball": lambda: ball(2),
    "torus": torus,
    "plate": plate,
    "dumb-bell": dumb_bell,
    "spike": spike,
}


def arrow() -> tuple[np.ndarray, np.ndarray]:
    """Pyramid over an arrow head whose two concave flanks are cut into nine slivers each."""
    outline = [
        np.array(p) for p in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, -0.8), (-1.0, 1.0))
    ]
    ring = outline[:2]
    for p, q in ((outline[2], outline[3]), (outline[3], outline[4])):
        ring += [p + k / 9.0 * (q - p) for k in range(9)]
    ring += outline[4:]
    count = len(ring)
    base = np.column_stack([np.array(ring), np.full(count, -1.0)])
    vertices = np.concatenate([[[0.0, 0.0, 0.0], [0.0, -0.9, -1.0]], base])
    here, following = 2 + np.arange(count), 2 + (np.arange(count) + 1) % count
    flanks = np.stack([np.zeros(count, dtype=int), here, following], axis=1)
    floor = np.stack([np.ones(count, dtype=int), following, here], axis=1)
    return vertices, np.concatenate([flanks, floor])


def in_parts(work, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """work(points) for as many points at once as fit in some megabytes."""
    size = max(1, 200_000 // len(faces))
    return np.concatenate([work(points[k : k + size]) for k in range(0, len(points), size)])


def brute_distance(vertices: np.ndarray, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Unsigned distance by trying every triangle: its plane if the foot is inside, or its sides."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)

    def best(x: np.ndarray) -> np.ndarray:
        inside = np.ones((len(x), len(faces)), dtype=bool)
        nearest = np.full((len(x), len(faces)), np.inf)
        for p, q in ((a, b), (b, c), (c, a)):
            from_p, side = x[:, None] - p, q - p
            inside &= np.einsum("pfi,fi->pf", from_p, np.cross(normal, side)) >= 0.0
            t = np.einsum("pfi,fi->pf", from_p, side) / np.einsum("fi,fi->f", side, side)
            away = from_p - np.clip(t, 0.0, 1.0)[:, :, None] * side
            nearest = np.minimum(nearest, np.linalg.norm(away, axis=2))
        height = np.abs(np.einsum("pfi,fi->pf", x[:, None] - a, normal))
        return np.where(inside, height, nearest).min(axis=1)

    return in_parts(best, faces, points)


def winding_number(vertices: np.ndarray, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Solid angle of the surface seen from points, over 4 pi: 1 inside, 0 outside.

    Source: Van Oosterom and Strackee (1983), the solid angle of a plane triangle.
    """

    def turns(x: np.ndarray) -> np.ndarray:
        a, b, c = (vertices[faces[:, k]] - x[:, None] for k in range(3))
        la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
        triple = np.einsum("pfi,pfi->pf", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("pfi,pfi->pf", u, v) for u, v in ((a, b), (b, c), (c, a)))
        angle = np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb)
        return angle.sum(axis=1) / (2.0 * np.pi)

    return in_parts(turns, faces, points)


def reference_distance(vertices: np.ndarray, faces: np.ndarray, points: np.ndarray) -> np.ndarray:
    inside = np.abs(winding_number(vertices, faces, points)) > 0.5
    return brute_distance(vertices, faces, points) * np.where(inside, -1.0, 1.0)


def size_of(vertices: np.ndarray) -> float:
    return float(np.max(np.ptp(vertices, axis=0)))


def points_about(vertices: np.ndarray, count: int, seed: int = 1) -> np.ndarray:
    """Points in a box one and a half times as large as the mesh."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    pad = 0.25 * (high - low) + 0.05 * size_of(vertices)
    return np.random.default_rng(seed).uniform(low - pad, high + pad, (count, 3))
