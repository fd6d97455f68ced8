"""Place held by thrusters: a spring and a damper with a deadband, and the orbit's pull taken off.

    F = -k_p D(dr) - k_d D(dv) + m a,     k_p = m w_n^2,  k_d = 2 zeta w_n m
    D(x) = 0 within the deadband, x - sign(x) band outside, each axis

    dr, dv  error of place [m] and speed [m/s]      a  acceleration that must be given to stay: minus the
    w_n     natural frequency [rad/s]                  orbit's relative one (Clohessy-Wiltshire) [m/s^2]
The pull of a round orbit at rate n on what is x [m] away, in axes that do not turn, u the unit vector from the planet:

    a = n^2 (3 u (u . x) - x)

In DAMP k_p = 0 and w_n is a quarter; in FREE there is no force.
Frame: any, the same for all.
Validity: pulses much shorter than 1/w_n.
Source: textbook material [Fehse2003] ch. 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.control.modes import DAMP_SHARE, LoopMode

CITES: tuple[str, ...] = ("Fehse2003",)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TranslationLoop:
    """mass [kg]; natural_frequency [rad/s]; damping [-]; deadbands [m] and [m/s]."""

    mass: float
    natural_frequency: float
    damping: float
    place_band: float = 0.0
    speed_band: float = 0.0

    def gains(self, mode: LoopMode) -> tuple[float, float]:
        """k_p [N/m] and k_d [N s/m]."""
        if mode is LoopMode.FREE:
            return 0.0, 0.0
        w = self.natural_frequency * (DAMP_SHARE if mode is LoopMode.DAMP else 1.0)
        spring = self.mass * w * w if mode is LoopMode.ACTIVE else 0.0
        return spring, 2.0 * self.damping * w * self.mass

    def force(
        self, mode: LoopMode, place: ArrayLike, speed: ArrayLike, held: ArrayLike = (0.0, 0.0, 0.0)
    ) -> Floats:
        """Force [N] asked of the thrusters; `held`: acceleration [m/s^2] that staying takes."""
        if mode is LoopMode.FREE:
            return np.zeros(3)
        spring, damper = self.gains(mode)
        pull = spring * beyond(place, self.place_band) + damper * beyond(speed, self.speed_band)
        stays = (
            self.mass * np.asarray(held, dtype=float) if mode is LoopMode.ACTIVE else np.zeros(3)
        )
        return np.asarray(stays - pull)


def tidal_acceleration(rate_squared: float, up: Floats, place: Floats) -> Floats:
    """Acceleration [m/s^2] of what is at a place [m] relative to a round orbit of n^2 [1/s^2]; up: from the planet."""
    return np.asarray(rate_squared * (3.0 * up * float(up @ place) - place))


def beyond(values: ArrayLike, band: float) -> Floats:
    """What of each number lies outside a deadband."""
    x = np.asarray(values, dtype=float)
    return np.asarray(np.sign(x) * np.maximum(np.abs(x) - band, 0.0))
