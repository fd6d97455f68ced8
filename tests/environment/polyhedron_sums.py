"""Polyhedron gravity written down a second time: no dyads, no series, extended precision."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.mesh.tessellation import subdivided

Extended = np.longdouble


def by_half_edges(body: PolyhedronField, points: ArrayLike) -> tuple[np.ndarray, ...]:
    """(U, g, gradient, solid angle) at points, from the sides of every face one by one."""
    place, faces = body.vertices.astype(Extended), body.faces
    corners = place[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.sqrt(np.sum(normal**2, axis=1))[:, None]
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    outward = np.repeat(normal, 3, axis=0)
    along = place[sides[:, 1]] - place[sides[:, 0]]
    length = np.sqrt(np.sum(along**2, axis=1))
    sideways = np.cross(along / length[:, None], outward)
    rows = []
    for x in np.asarray(points, dtype=Extended):
        away = place - x
        distance = np.sqrt(np.sum(away**2, axis=1))
        ends = distance[sides].sum(axis=1)
        logarithm = np.log((ends + length) / (ends - length))
        above = np.sum(outward * away[sides[:, 0]], axis=1)
        beside = np.sum(sideways * away[sides[:, 0]], axis=1) * logarithm
        a, b, c = (away[faces[:, k]] for k in range(3))
        i, j, k = distance[faces].T
        cosines = i * np.sum(b * c, 1) + j * np.sum(c * a, 1) + k * np.sum(a * b, 1)
        angle = 2.0 * np.arctan2(np.sum(a * np.cross(b, c), axis=1), i * j * k + cosines)
        height = np.sum(normal * a, axis=1)
        slope = np.einsum("si,sj,s->ij", outward, sideways, logarithm)
        rows.append(
            (
                0.5 * (np.sum(above * beside) - np.sum(height**2 * angle)),
                (height * angle) @ normal - beside @ outward,
                0.5 * (slope + slope.T) - np.einsum("fi,fj,f->ij", normal, normal, angle),
                np.sum(angle),
            )
        )
    potential, gravity, gradient, angle = (np.array(part) for part in zip(*rows, strict=True))
    strength = Extended(body.strength)
    return strength * potential, strength * gravity, strength * gradient, angle


def ball_mesh(level: int) -> tuple[np.ndarray, np.ndarray]:
    """Icosahedron split `level` times with its vertices on the unit sphere."""
    vertices, faces = platonic_solid("icosahedron")
    for _ in range(level):
        vertices, faces = subdivided(vertices, faces)
        vertices = vertices / np.linalg.norm(vertices, axis=1)[:, None]
    return vertices / np.linalg.norm(vertices, axis=1)[:, None], faces


def rough_body(level: int = 3, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """A closed, lumpy, elongated mesh [m], not centred on its origin."""
    vertices, faces = ball_mesh(level)
    x, y, z = vertices.T
    bumps = 1.0 + 0.15 * np.sin(3 * x + 1) * np.cos(4 * y) + 0.1 * np.sin(5 * z * x)
    bumps += 0.01 * np.random.default_rng(seed).normal(size=len(vertices))
    return vertices * bumps[:, None] * (268.0, 147.0, 105.0) + (12.0, -7.0, 3.0), faces
