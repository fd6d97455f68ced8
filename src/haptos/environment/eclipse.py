"""Whether a place near a planet is lit by the Sun: a cylindrical shadow.

    lit if  R . S < 0  or  |R x S| > Re
    share of a circular orbit in shadow = acos(sqrt(r^2 - Re^2) / (r cos beta)) / pi

    R   place from the planet's centre [m]         S  unit vector from the Sun to the planet
    Re  radius of the planet [m]                   r  radius of the orbit [m]
    beta  angle between the Sun and the plane of the orbit [rad]
Frame: any, the same for R and S. Validity: near the planet, where its shadow is still a cylinder;
`gravity_terms.sunlit_share` has the half shadow, without a step.
Source: [Salvi2014] Eq. (2.23) with S of length one, [Vallado2013] ch. 5.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import cross, dot

CITES: tuple[str, ...] = ("Salvi2014", "Vallado2013")


@device
def is_lit(place, from_sun, radius):
    """True outside the shadow; place [m], from_sun unit vector Sun to planet, radius [m]."""
    if dot(place, from_sun) < 0.0:
        return True
    beside = cross(place, from_sun)
    return dot(beside, beside) > radius * radius


def eclipse_share(orbit_radius: float, radius: float, beta: float = 0.0) -> float:
    """Share [-] of a circular orbit that lies in shadow; radii in [m], beta in [rad]."""
    edge = math.sqrt(max(orbit_radius**2 - radius**2, 0.0)) / (orbit_radius * math.cos(beta))
    return math.acos(min(edge, 1.0)) / math.pi
