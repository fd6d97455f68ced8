"""Rotations as unit quaternions, scalar first; the one place that knows other conventions.

`quat_AB` and `dcm_AB` turn B components into A components: x_A = dcm_AB @ x_B. Kinematics:
d/dt quat_AB = 1/2 quat_AB (x) (0, omega_BA_B).
"""

from __future__ import annotations

import numpy as np

from haptos.core.jit import device


@device
def rotation_matrix(q):
    """Rows of dcm_AB as three tuples, from the unit quaternion quat_AB = (q0, q1, q2, q3)."""
    q0, q1, q2, q3 = q
    return (
        (
            q0 * q0 + q1 * q1 - q2 * q2 - q3 * q3,
            2.0 * (q1 * q2 - q0 * q3),
            2.0 * (q1 * q3 + q0 * q2),
        ),
        (
            2.0 * (q1 * q2 + q0 * q3),
            q0 * q0 - q1 * q1 + q2 * q2 - q3 * q3,
            2.0 * (q2 * q3 - q0 * q1),
        ),
        (
            2.0 * (q1 * q3 - q0 * q2),
            2.0 * (q2 * q3 + q0 * q1),
            q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3,
        ),
    )


@device
def apply(dcm, x):
    """dcm @ x for a matrix given as three row tuples."""
    return (
        dcm[0][0] * x[0] + dcm[0][1] * x[1] + dcm[0][2] * x[2],
        dcm[1][0] * x[0] + dcm[1][1] * x[1] + dcm[1][2] * x[2],
        dcm[2][0] * x[0] + dcm[2][1] * x[1] + dcm[2][2] * x[2],
    )


@device
def apply_transposed(dcm, x):
    """dcm.T @ x: the way back."""
    return (
        dcm[0][0] * x[0] + dcm[1][0] * x[1] + dcm[2][0] * x[2],
        dcm[0][1] * x[0] + dcm[1][1] * x[1] + dcm[2][1] * x[2],
        dcm[0][2] * x[0] + dcm[1][2] * x[1] + dcm[2][2] * x[2],
    )


@device
def quaternion_rate(q, w):
    """d/dt quat_AB from quat_AB and omega_BA_B [rad/s]: 1/2 B(q) (0, w), [VanWal2018] sec. 2.1."""
    return (
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] - q[3] * w[1] + q[2] * w[2]),
        0.5 * (q[3] * w[0] + q[0] * w[1] - q[1] * w[2]),
        0.5 * (-q[2] * w[0] + q[1] * w[1] + q[0] * w[2]),
    )


@device
def quaternion_product(p, q):
    """Hamilton product; quat_AC = quaternion_product(quat_AB, quat_BC)."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


def quaternion_from_yaw_pitch_roll(yaw: float, pitch: float, roll: float) -> np.ndarray:
    """quat_AB [-], shape (4,), of turns about z, then the new y, then the new x axis [rad]."""
    half = 0.5 * np.array([yaw, pitch, roll])
    (cy, cp, cr), (sy, sp, sr) = np.cos(half), np.sin(half)
    return np.array(
        [
            cy * cp * cr + sy * sp * sr,
            cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr,
            sy * cp * cr - cy * sp * sr,
        ]
    )


def random_quaternion(generator: np.random.Generator) -> np.ndarray:
    """Attitude drawn uniformly over all rotations, shape (4,). Source: [Shoemake1992]."""
    u1, u2, u3 = generator.random(3)
    return np.array(
        [
            np.sqrt(u1) * np.cos(2.0 * np.pi * u3),
            np.sqrt(1.0 - u1) * np.sin(2.0 * np.pi * u2),
            np.sqrt(1.0 - u1) * np.cos(2.0 * np.pi * u2),
            np.sqrt(u1) * np.sin(2.0 * np.pi * u3),
        ]
    )


def rotation_matrices(quaternions: np.ndarray) -> np.ndarray:
    """dcm_AB, shape (..., 3, 3), of unit quaternions quat_AB, shape (..., 4)."""
    rows = rotation_matrix(np.moveaxis(np.asarray(quaternions, dtype=float), -1, 0))
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def turned(quaternions: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Attitudes quat_AB, shape (n, 4), after turns by the vectors `angles` [rad], (n, 3), in B axes."""
    size = np.linalg.norm(angles, axis=1, keepdims=True)
    share = 0.5 * np.sinc(size / (2.0 * np.pi))  # sin(size / 2) / size
    turns = np.hstack([np.cos(0.5 * size), share * angles])
    return np.stack(quaternion_product(quaternions.T, turns.T), axis=1)
