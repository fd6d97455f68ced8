"""Attitude held by wheels: a spring and a damper about each axis, and the gyroscopic torque taken off.

    T = -k_p theta - k_d w + w x (I w + h),     k_p = I w_n^2,  k_d = 2 zeta w_n I

    theta  rotation vector of the error [rad]       w  rate [rad/s]       h  momentum of the wheels [N m s]
    w_n    natural frequency [rad/s]                zeta  damping ratio [-]
A body without flexible parts then turns as theta'' + 2 zeta w_n theta' + w_n^2 theta = 0. Keep w_n well below
the lowest flexible mode. In DAMP k_p = 0 and w_n is a quarter; in FREE there is no torque.
Wheels share the torque by the pseudo-inverse of their axes, each cut at its limit.
Frame: axes of the body; T acts on the body.
Validity: errors below about 30 deg; the rate is that in inertial space.
Source: textbook material [Wie2008] ch. 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.control.modes import DAMP_SHARE, LoopMode

CITES: tuple[str, ...] = ("Wie2008",)
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AttitudeLoop:
    """inertia (3,) or (3, 3) [kg m^2]; natural_frequency [rad/s]; damping [-]."""

    inertia: Floats
    natural_frequency: float
    damping: float

    def gains(self, mode: LoopMode) -> tuple[Floats, Floats]:
        """k_p [N m/rad] and k_d [N m s/rad], (3, 3) each."""
        inertia = np.diag(self.inertia) if self.inertia.ndim == 1 else self.inertia
        if mode is LoopMode.FREE:
            return 0.0 * inertia, 0.0 * inertia
        w = self.natural_frequency * (DAMP_SHARE if mode is LoopMode.DAMP else 1.0)
        spring = inertia * (w * w if mode is LoopMode.ACTIVE else 0.0)
        return spring, 2.0 * self.damping * w * inertia

    def torque(
        self,
        mode: LoopMode,
        error: ArrayLike,
        rate: ArrayLike,
        momentum: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Floats:
        """Torque [N m] asked of the wheels."""
        if mode is LoopMode.FREE:
            return np.zeros(3)
        spring, damper = self.gains(mode)
        theta, w = np.asarray(error, dtype=float), np.asarray(rate, dtype=float)
        inertia = np.diag(self.inertia) if self.inertia.ndim == 1 else self.inertia
        whole = inertia @ w + np.asarray(momentum, dtype=float)
        return np.asarray(-spring @ theta - damper @ w + np.cross(w, whole))


def wheel_torques(axes: ArrayLike, torque: ArrayLike, limit: float) -> Floats:
    """Torques [N m] of wheels along unit axes (n, 3) that sum to a torque, each at most the limit."""
    a = np.asarray(axes, dtype=float)
    shares = np.linalg.pinv(a.T) @ np.asarray(torque, dtype=float)
    return np.clip(shares, -limit, limit)
