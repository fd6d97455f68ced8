"""Restitution of the one-sided spring-damper, and back: e <-> damping ratio.

    zeta = c / (2 sqrt(k m_e))
    e = exp(-zeta/sqrt(1 - zeta^2) acos(zeta))      zeta < 1
    e = exp(-1)                                      zeta = 1
    e = exp(-zeta/sqrt(zeta^2 - 1) acosh(zeta))      zeta > 1

    e     exit speed / entry speed of a single vertex [-], independent of speed
    m_e   effective mass at the vertex [kg], 1/(n . M n) with M = 1/m - r~ I^-1 r~
Compression is a damped quarter cycle that stores e^2 of the entry energy, release is undamped.
Validity: one vertex, no friction, weight negligible against the contact force.
Source: closed form of the law in [VanWal2017] section 4.1.
"""

from __future__ import annotations

import functools
import math

from scipy.optimize import brentq

CITES: tuple[str, ...] = ("VanWal2017",)

NEAR_CRITICAL = 1e-6  # [-] both closed forms lose their digits nearer to zeta = 1; expand there
ACCURACY = 1e-14  # [-] of zeta, absolute and relative


def restitution(zeta: float) -> float:
    """e [-] in (0, 1] for damping ratio zeta >= 0 [-]."""
    if zeta < 0.0:
        raise ValueError(f"damping ratio {zeta} is negative")
    if abs(zeta - 1.0) < NEAR_CRITICAL:
        return math.exp(-1.0 - 2.0 / 3.0 * (zeta - 1.0))
    if zeta < 1.0:
        return math.exp(-zeta / math.sqrt((1.0 - zeta) * (1.0 + zeta)) * math.acos(zeta))
    inverse = 1.0 / zeta  # zeta^2 could overflow
    return math.exp(-math.acosh(zeta) / math.sqrt((1.0 - inverse) * (1.0 + inverse)))


@functools.lru_cache(maxsize=1024)
def damping_ratio(e: float) -> float:
    """zeta [-] for restitution e in (0, 1]."""
    if not 0.0 < e <= 1.0:
        raise ValueError(f"restitution {e} is not in (0, 1]")
    if e == 1.0:
        return 0.0
    high = 2.0
    while restitution(high) > e:  # e falls like 1/(2 zeta) for large zeta
        high *= 2.0
    return float(
        brentq(lambda zeta: restitution(zeta) - e, 0.0, high, xtol=ACCURACY, rtol=ACCURACY)
    )


def damping(e: float, stiffness: float, effective_mass: float) -> float:
    """c [N s/m] that gives restitution e with spring `stiffness` [N/m] on `effective_mass` [kg]."""
    return 2.0 * damping_ratio(e) * math.sqrt(stiffness * effective_mass)
