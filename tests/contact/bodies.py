"""Bodies and grounds for tests of contact, drawn at random; all vectors as plain tuples."""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import TouchingBody
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.core.symmetric import six_of
from haptos.geometry.distance import surface as surfaces


def triple(x):
    return tuple(float(part) for part in x)


def rows(matrix):
    """A matrix as the tuple of rows the kernels use."""
    return tuple(triple(row) for row in matrix)


def tilde(a):
    """Matrix of the cross product: tilde(a) @ b = a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def random_rotation(rng):
    return rotation_matrices(random_quaternion(rng))


def random_direction(rng):
    direction = rng.normal(size=3)
    return direction / np.linalg.norm(direction)


def random_inertia(rng, mass, size):
    """Inertia [kg m^2] of six equal point masses: full, and possible for a real body."""
    points = size * rng.normal(size=(6, 3))
    points -= points.mean(axis=0)
    return mass / 6.0 * sum((p @ p) * np.eye(3) - np.outer(p, p) for p in points)


def touching_body(mass, inertia, vertices, touching, corner_radius=0.0):
    """Body whose vertices with these indices are in contact."""
    vertices = np.array(vertices, dtype=float).reshape(-1, 3)
    slots = np.zeros(len(vertices), dtype=np.int64)
    slots[: len(touching)] = touching
    is_touching = np.zeros(len(vertices), dtype=np.int64)
    is_touching[list(touching)] = 1
    return TouchingBody(
        mass,
        six_of(inertia),
        six_of(np.linalg.inv(inertia)),
        vertices,
        corner_radius,
        float(np.linalg.norm(vertices, axis=1).max()) + corner_radius,
        slots,
        is_touching,
        np.array([len(touching), 0, 0], dtype=np.int64),
    )


def random_ground(rng, kind):
    """A plane anywhere or a sphere of 20 to 200 m, and a point on it with its normal."""
    normal = random_direction(rng)
    if kind == "plane":
        point = rng.normal(size=3)
        return surfaces.plane(triple(point), triple(normal)), point, normal
    radius = rng.uniform(20.0, 200.0)
    return surfaces.sphere(radius), radius * normal, normal


def random_touching_body(rng, kind, count, free_count=2, dcm_AB=None):
    """(body, surface, dcm_AB, x): `count` vertices 0.1 to 3 mm deep, the others in the air."""
    surface, point, normal = random_ground(rng, kind)
    dcm_AB = random_rotation(rng) if dcm_AB is None else dcm_AB
    x = point + 0.15 * normal + 0.03 * rng.normal(size=3)
    corners = []
    for j in range(count + free_count):
        corner = point + 0.1 * rng.normal(size=3)
        gap, n = surfaces.gap_and_normal(surface, triple(corner))
        height = -rng.uniform(1e-4, 3e-3) if j < count else rng.uniform(0.05, 0.2)
        corners.append(corner + (height - gap) * np.array(n))
    order = rng.permutation(count + free_count)
    vertices = ((np.array(corners) - x) @ dcm_AB)[order]
    touching = [int(slot) for slot in np.flatnonzero(order < count)]
    mass = 10.0 ** rng.uniform(-1.0, 2.0)
    body = touching_body(mass, random_inertia(rng, mass, 0.1), vertices, touching)
    return body, surface, dcm_AB, x
