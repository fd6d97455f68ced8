"""Rotation of the small body A in the inertial frame N.

omega_AN_A [rad/s] is the rate of A relative to N in A axes (Omega of the lander's equations of
motion); quat_NA turns A components into N components, and d/dt quat_NA = 1/2 quat_NA (x)
(0, omega_AN_A). At time zero the axes of A and N coincide.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device
from haptos.core.rotations import turned
from haptos.core.vectors import norm

CITES: tuple[str, ...] = ("VanWal2018",)


@device
def tumbling_acceleration(omega, moments):
    """d/dt omega_AN_A [rad/s^2] of a rigid body without torque.

    I omega' = -omega x (I omega)

    omega    omega_AN_A [rad/s], 3-tuple
    moments  principal moments along A x, y, z, in any common unit, 3-tuple, > 0
    Frame: A, which must be principal axes. The derivative is the same seen from A or N.
    Validity: no torque (tides, sunlight, the lander's own touch). Source: [VanWal2018] ch. 2.
    """
    i0, i1, i2 = moments
    return (
        (i1 - i2) * omega[1] * omega[2] / i0,
        (i2 - i0) * omega[2] * omega[0] / i1,
        (i0 - i1) * omega[0] * omega[1] / i2,
    )


@device
def uniform_attitude(omega, time):
    """quat_NA [-] of a body that turns at the constant rate omega_AN_A [rad/s], at a time [s].

    A turn by |omega| t about omega; the unit quaternion (1, 0, 0, 0) at t = 0 or without spin.
    """
    rate = norm(omega)
    if rate == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    half = 0.5 * rate * time
    s = math.sin(half) / rate
    return (math.cos(half), s * omega[0], s * omega[1], s * omega[2])


def uniform_attitudes(omega: ArrayLike, times: ArrayLike) -> NDArray[np.float64]:
    """quat_NA [-], shape (n, 4), of `uniform_attitude` at many times [s], shape (n,)."""
    angles = np.outer(np.asarray(times, dtype=float), np.asarray(omega, dtype=float))
    return turned(np.tile([1.0, 0.0, 0.0, 0.0], (len(angles), 1)), angles)
