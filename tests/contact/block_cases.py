"""Blocks of contacts of one body for tests, by full matrices: Jacobian, mass matrix, contact frames."""

from __future__ import annotations

import numpy as np

from haptos.contact.collision_geometry import contact_frame

MASS = 2.0  # [kg]
CUBE_INERTIA = MASS * 0.04 / 6.0 * np.eye(3)  # [kg m^2] of a cube of 0.2 m
UP = np.array([0.0, 0.0, 1.0])


def frames(normals) -> list[np.ndarray]:
    """Rows (u1, u2, N) of each contact."""
    return [np.array(contact_frame(tuple(float(x) for x in n))) for n in normals]


def jacobian(points, axes) -> np.ndarray:
    """Velocities of the contacts in their frames per motion (v, w) of the body, shape (3 n, 6)."""
    rows = []
    for (x, y, z), frame in zip(points, axes, strict=True):
        turning = -np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        rows.append(frame @ np.hstack([np.eye(3), turning]))
    return np.concatenate(rows)


def masses(inertia: np.ndarray) -> np.ndarray:
    """Inverse mass matrix, shape (6, 6)."""
    inverse = np.zeros((6, 6))
    inverse[:3, :3], inverse[3:, 3:] = np.eye(3) / MASS, np.linalg.inv(inertia)
    return inverse
