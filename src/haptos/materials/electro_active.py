"""Electro-active polymer: an elastic, viscous fibre that contracts within milliseconds of a signal.

    sigma = E_p eps + eta_p eps' + sigma_max a,    a' = (u - a)/tau_r,   0 <= u <= 1

    sigma  stress [Pa], tension > 0      eps  strain [-]            a  activation [-], u  signal [-]
    E_p    modulus [Pa]                  eta_p  viscosity [Pa s]    tau_r  response time [s]
    sigma_max  largest active stress [Pa]; free strain -sigma_max/E_p
Active power -sigma_max a eps' [W/m^3] is put in by the drive; the electrical energy is that work over the coupling k2,
plus a holding power per segment. Over a step with a constant signal a is followed exactly.
Sign: contraction is positive in tension. Validity: no creep, no breakdown of the field, no heat; small strains.
Source: largest stress and speed [Quadrelli2017]; other values assumed, of the class of PVDF.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping
from types import MappingProxyType

from haptos.core.jit import device

CITES: tuple[str, ...] = ("Quadrelli2017",)

# E_p [Pa], eta_p [Pa s], sigma_max [Pa], tau_r [s], rho [kg/m^3], k2 [-], holding power of a segment [W]
ElectroActive = namedtuple(
    "ElectroActive", "modulus viscosity largest response density coupling holding"
)
POLYMER = ElectroActive(1.0e9, 1e5, 40e6, 5e-3, 1800.0, 0.1, 10e-3)
POLYMER_SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "modulus": "assumed: PVDF, free strain 4 %",
        "viscosity": "assumed",
        "largest": "[Quadrelli2017] section 4",
        "response": "assumed within milliseconds, [Quadrelli2017] section 4",
        "density": "assumed: PVDF",
        "coupling": "assumed",
        "holding": "assumed within milliwatts, [Quadrelli2017] section 4",
    }
)


@device
def active_stress(material, activation):
    """sigma_max a [Pa]."""
    return material.largest * activation


@device
def polymer_stress(material, eps, eps_rate, activation):
    """sigma [Pa] of strain [-], its rate [1/s] and activation [-]."""
    return material.modulus * eps + material.viscosity * eps_rate + material.largest * activation


@device
def activated(material, activation, signal, h):
    """a after h [s] of a constant signal; exact."""
    wanted = min(max(signal, 0.0), 1.0)
    return wanted + (activation - wanted) * math.exp(-h / material.response)


@device
def activation_rate(material, activation, signal):
    """a' [1/s]."""
    return (min(max(signal, 0.0), 1.0) - activation) / material.response


@device
def signal_for(material, stress):
    """u [-] that gives an active stress [Pa] in the end, within its limits."""
    return min(max(stress / material.largest, 0.0), 1.0)


@device
def electric_energy(material, active_work, segments, seconds):
    """Energy [J] drawn: the active work [J] over the coupling, and the holding power of segments over a time [s]."""
    return max(active_work, 0.0) / material.coupling + segments * material.holding * seconds
