"""Hertz's normal force of two elastic bodies that touch in one point.

    f = k depth^(3/2),   U = 2/5 k depth^(5/2)
    k = 4/3 E* sqrt(R*),   1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j
    R* = r_i r_j / (r_i + r_j) for two spheres, r_i for a sphere on a plane

    k      stiffness [N/m^1.5], > 0            depth  overlap of the undeformed bodies [m], >= 0
    E, nu  Young's modulus [Pa], Poisson's ratio [-]; E = inf is a rigid body
    E*     contact modulus [Pa]                R*     contact radius [m]
Two equal cylinders crossed at a right angle press like a sphere of their radius on a plane.
Sign: f >= 0 pushes apart.
Validity: linear elastic, smooth, without adhesion; contact patch small against both radii.
Source: [Hertz1882], [Johnson1985] ch. 4; with h = (1 - nu^2)/(pi E), [Salvi2014] Eqs. (4.1) to (4.5).
"""

from __future__ import annotations

import math

from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Hertz1882", "Johnson1985", "Salvi2014")

# 4/5 sqrt(pi) Gamma(2/5) / Gamma(9/10): how long an impact lasts, in depths over entry speed [-]
DURATION = 0.8 * math.sqrt(math.pi) * math.gamma(0.4) / math.gamma(0.9)


@device
def hertz_force(stiffness, depth):
    """f [N], >= 0; zero without overlap."""
    d = max(depth, 0.0)
    return stiffness * d * math.sqrt(d)


@device
def hertz_energy(stiffness, depth):
    """Elastic energy U [J], the integral of the force over depth."""
    d = max(depth, 0.0)
    return 0.4 * stiffness * d * d * math.sqrt(d)


def contact_modulus(young_i: float, poisson_i: float, young_j: float, poisson_j: float) -> float:
    """E* [Pa] of two materials; one of them may be rigid (E = inf), not both."""
    compliance = _compliance(young_i, poisson_i) + _compliance(young_j, poisson_j)
    if compliance == 0.0:
        hint = "give one of the two a finite Young's modulus"
        raise ConfigError("contact stiffness", "two rigid bodies", "one elastic body", hint)
    return 1.0 / compliance


def _compliance(young: float, poisson: float) -> float:
    """(1 - nu^2) / E [1/Pa]."""
    if not young > 0.0:
        raise ConfigError("Young's modulus", f"{young:g} Pa", "above 0", "steel has 2e11 Pa")
    if not -1.0 <= poisson <= 0.5:
        hint = "most solids have 0.2 to 0.4"
        raise ConfigError("Poisson's ratio", f"{poisson:g}", "-1 to 0.5", hint)
    return (1.0 - poisson * poisson) / young


def sphere_sphere_stiffness(modulus: float, radius_i: float, radius_j: float) -> float:
    """k [N/m^1.5] of two spheres, from E* [Pa] and their radii [m]; inf makes one a plane."""
    for radius in (radius_i, radius_j):
        if not radius > 0.0:
            hint = "a thread has half its diameter"
            raise ConfigError("contact radius", f"{radius:g} m", "above 0", hint)
    curvature = 1.0 / radius_i + 1.0 / radius_j
    if curvature == 0.0:
        hint = "give one of the two a finite radius"
        raise ConfigError("contact radius", "two planes", "one curved body", hint)
    return 4.0 / 3.0 * modulus / math.sqrt(curvature)  # Eq. (4.3)


def sphere_plane_stiffness(modulus: float, radius: float) -> float:
    """k [N/m^1.5] of a sphere of `radius` [m] on a plane, from E* [Pa]."""
    return sphere_sphere_stiffness(modulus, radius, math.inf)  # Eq. (4.5)


def elastic_depth(mass: float, stiffness: float, speed: float) -> float:
    """Deepest overlap [m] of an impact without loss: m v^2 / 2 = U.

    mass  reduced mass m_i m_j / (m_i + m_j) [kg]        speed  of approach v [m/s]
    """
    return float((1.25 * mass * speed * speed / stiffness) ** 0.4)


def elastic_duration(mass: float, stiffness: float, speed: float) -> float:
    """How long [s] an impact without loss lasts: 2.943 depth / v; steps must be well below it."""
    return DURATION * elastic_depth(mass, stiffness, speed) / speed
