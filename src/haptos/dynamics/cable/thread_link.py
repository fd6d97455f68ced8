"""A massless thread element between two points: tension only, Kelvin-Voigt, until it breaks.

    T = max(0, k (l - L) + c l')    if l > L, else 0        k = EA/L,  c = 2 zeta sqrt(EA rho)

    l   distance of the ends [m]        L    length without load [m]
    l'  rate of that distance [m/s]     EA   stretching stiffness [N]
    c   damping [N s/m]: 2 zeta sqrt(k m) with the element's mass m = rho L, in which L cancels

The spring holds E = k (l - L)^2/2; what the tension differs from the spring force is the damper's,
also where the tension is cut off at zero, so that the ledger closes. An element whose tension reaches
its breaking tension holds nothing from then on, and what its spring held is recorded as breakage.
Validity: soft fibres, whose bending is about 10 orders softer than stretching; the damper sets in
with a jump at l = L, so a scheme that does not stop there is of first order in that instant.
Source: [Salvi2014] eqs. 2.59-2.63.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def link_tension(stretching, damping, length, distance, rate):
    """(tension, spring part of it) [N] of a thread element.

    stretching  EA [N]      damping  c [N s/m]     length  L [m] > 0
    distance    l [m]       rate     l' [m/s]
    """
    stretch = distance - length
    if stretch <= 0.0:
        return 0.0, 0.0
    spring = stretching * stretch / length
    return max(0.0, spring + damping * rate), spring


@device
def link_energy(stretching, length, distance):
    """Energy [J] a thread element holds, EA (l - L)^2/(2 L) where it is taut."""
    stretch = max(distance - length, 0.0)
    return 0.5 * stretching * stretch * stretch / length


def link_damping(stretching: float, linear_density: float, damping_ratio: float) -> float:
    """c = 2 zeta sqrt(EA rho) [N s/m], the same for an element of any length.

    stretching  EA [N]    linear_density  rho [kg/m]    damping_ratio  zeta [-]
    Source: [Salvi2014] eq. 2.62.
    """
    return 2.0 * damping_ratio * math.sqrt(stretching * linear_density)
