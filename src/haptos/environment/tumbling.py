"""Attitude of a small body that tumbles freely, over time.

    I omega' = -omega x (I omega),     d/dt quat_NA = 1/2 quat_NA (x) (0, omega_AN_A)

Integrated with an embedded Runge-Kutta rule of order 8. Frame: omega_AN_A in A axes, which are
principal axes; the axes of A and N coincide at time zero. Validity: no torque.
Source: [VanWal2018] ch. 2; rule: [HairerNorsettWanner1993].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.rotations import quaternion_rate
from haptos.environment.spin import tumbling_acceleration

CITES: tuple[str, ...] = ("VanWal2018", "HairerNorsettWanner1993")

TOLERANCE = 1e-9  # [-] of a step; far below what can be seen


def tumbling_attitudes(
    omega: ArrayLike, moments: ArrayLike, times: ArrayLike
) -> NDArray[np.float64]:
    """quat_NA [-], shape (n, 4), at rising times [s], shape (n,), from 0 on.

    omega    omega_AN_A [rad/s] at time zero, shape (3,)
    moments  principal moments along A x, y, z, in any common unit, shape (3,)
    """
    from scipy.integrate import solve_ivp

    when, start = np.asarray(times, dtype=float), np.asarray(omega, dtype=float)
    inertia = tuple(np.asarray(moments, dtype=float).tolist())
    unit = max(float(np.linalg.norm(start)), 1e-300)  # rates are integrated as shares of it

    def rate(_: float, y: NDArray[np.float64]) -> list[float]:
        w = (float(y[0]) * unit, float(y[1]) * unit, float(y[2]) * unit)
        change = tumbling_acceleration(w, inertia)
        return [*(part / unit for part in change), *quaternion_rate(y[3:], w)]

    begin = np.array([*(start / unit), 1.0, 0.0, 0.0, 0.0])
    solved = solve_ivp(
        rate, (0.0, max(float(when[-1]), 1e-300)), begin, method="DOP853", t_eval=when,
        rtol=TOLERANCE, atol=TOLERANCE,
    )  # fmt: skip
    attitude = solved.y[3:].T
    return np.asarray(attitude / np.linalg.norm(attitude, axis=1, keepdims=True))
