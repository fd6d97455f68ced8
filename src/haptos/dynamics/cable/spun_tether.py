"""A tether that spins about one end with a mass at the other: tension, limits of speed, taper, ejection.

    T(r) = m (w^2 R - mu/R^2) + rho A [w^2 (R^2 - r^2)/2 - mu (1/r - 1/R)],   w = V/R
    V_c = sqrt(sigma/rho),   V_max = sqrt(2) V_c,   m/m_t = (V_c/V)^2 - 1/2       constant area, r_0 << R
    A/A_root = exp{(rho/sigma) [mu (1/r_0 - 1/r) + w^2 (r_0^2 - r^2)/2]}          constant stress
    m_t/m = sqrt(pi) x exp(x^2) erf(x),   A_root/A_tip = exp(x^2),   x = V/sqrt(2 sigma/rho)    r_0 = 0, mu = 0
    V = sqrt(2 sigma/(rho + 2 m/(A L)))                                          the fastest with a given area

    m, m_t    mass at the tip and of the tether [kg]       r, R, r_0  from the spin centre: here, tip, root [m]
    sigma     stress allowed [Pa], margin included         rho, A     density [kg/m^3], section [m^2]
    V         speed of the tip [m/s]                       mu         G M of the body it stands on [m^3/s^2]
Frame: axes that spin with the tether, which stays straight and radial.
Validity: no stretch, no bending; the stress is the working one, never mixed with the breaking one.
Source: elementary mechanics; constant stress as [Pearson1975].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, require_positive

CITES: tuple[str, ...] = ("Pearson1975",)
Floats = NDArray[np.float64]


def characteristic_speed(stress: float, density: float) -> float:
    """V_c [m/s] of a stress [Pa] and a density [kg/m^3]."""
    require_positive(stress=stress, density=density)
    return math.sqrt(stress / density)


def largest_speed(stress: float, density: float) -> float:
    """Speed [m/s] at which a tether of constant area tears without any payload."""
    return math.sqrt(2.0) * characteristic_speed(stress, density)


def payload_per_tether(speed: float, stress: float, density: float) -> float:
    """m/m_t [-] that a tether of constant area carries at a tip speed [m/s]; 0 where it carries none."""
    require_positive(speed=speed)
    return max((characteristic_speed(stress, density) / speed) ** 2 - 0.5, 0.0)


def ejection_speed(
    stress: float, density: float, payload: float, section: float, length: float
) -> float:
    """Fastest tip speed [m/s] of a payload [kg] on a tether of a section [m^2] and a length [m]."""
    require_positive(stress=stress, density=density, section=section, length=length)
    if not (math.isfinite(payload) and payload >= 0.0):
        raise ConfigError("payload", f"{payload} kg", "0 or more", "payload = 100.0")
    return math.sqrt(2.0 * stress / (density + 2.0 * payload / (section * length)))


def spun_tension(
    radius: ArrayLike, *, payload: float, speed: float, tip: float, linear_density: float,
    mu: float = 0.0,
) -> Floats:  # fmt: skip
    """T [N] at radii [m] of a tether of constant linear density [kg/m] whose tip radius is `tip` [m]."""
    require_positive(speed=speed, tip=tip, linear_density=linear_density)
    r = np.asarray(radius, dtype=float)
    rate = speed / tip
    own = rate**2 * (tip**2 - r**2) / 2.0
    if mu:
        own = own - mu * (1.0 / r - 1.0 / tip)
    return np.asarray(payload * (rate**2 * tip - mu / tip**2) + linear_density * own)


def most_stressed_radius(speed: float, tip: float, mu: float) -> float:
    """Radius [m] at which the tension is largest: where the pull of the body balances the spin."""
    require_positive(speed=speed, tip=tip)
    return float((mu * (tip / speed) ** 2) ** (1.0 / 3.0))


def tapered_area(
    radius: ArrayLike, *, speed: float, tip: float, stress: float, density: float,
    root: float = 0.0, mu: float = 0.0,
) -> Floats:  # fmt: skip
    """A/A_root [-] at radii [m] of a tether of constant stress [Pa]."""
    require_positive(speed=speed, tip=tip, stress=stress, density=density)
    r = np.asarray(radius, dtype=float)
    power = (speed / tip) ** 2 * (root**2 - r**2) / 2.0
    if mu:
        power = power + mu * (1.0 / root - 1.0 / r)
    return np.exp(density / stress * power)


def tapered_tether_per_payload(
    speed: float, stress: float, density: float, *, root: float = 0.0, tip: float = 1.0,
    mu: float = 0.0,
) -> float:  # fmt: skip
    """m_t/m [-] of a tether of constant stress between two radii [m]; the closed form without root and gravity."""
    require_positive(speed=speed, stress=stress, density=density, tip=tip)
    if root == 0.0 and mu == 0.0:
        x = speed / math.sqrt(2.0 * stress / density)
        return math.sqrt(math.pi) * x * math.exp(x * x) * math.erf(x)
    if not 0.0 < root < tip:
        raise ConfigError("root", f"{root} m", f"above 0, below the tip at {tip} m", "root = 1.0")
    from scipy.integrate import quad

    rate = speed / tip
    shape = {"speed": speed, "tip": tip, "stress": stress, "density": density, "root": root}
    at_tip = float(tapered_area(tip, mu=mu, **shape))
    volume = quad(
        lambda r: float(tapered_area(r, mu=mu, **shape)) / at_tip,
        root,
        tip,
        epsrel=1e-12,
        limit=200,
    )[0]
    return density / stress * (rate**2 * tip - mu / tip**2) * volume
