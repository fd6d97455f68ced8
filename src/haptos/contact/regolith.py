"""Restitution on regolith: a soft layer over hard ground gives back more when it is grazed.

    theta   = asin(-nu . N / |nu|)                                                  Eq. (2.111)
    theta_c = 210 deg (rho_t / rho_p)^(1/2) (D_t / D_p)^(2/3)                       Eq. (2.112)
    e = e1 + min(theta, theta_c)/theta_c (e0 - e1)                                  Eq. (2.113)

    nu   velocity of the contact point [m/s]        N    unit normal, out of the ground
    theta  angle of impact [rad], 90 deg along the normal
    theta_c  angle from which restitution is e0 [rad]; it may exceed 90 deg
    e1, e0  restitution [-] of a grazing and of a steep impact; e0 > 0 where hard ground lies below
    rho_t, D_t  density [kg/m^3] and diameter [m] of the grains; rho_p, D_p of the projectile
Frame: any, the same for nu and N.
Validity: spheres of 6 to 20 mm on grains in the gravity of Earth gave theta_c; speed and shape
of the probe do not enter.
Source: [VanWal2018] section 2.6.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import dot, norm

CITES: tuple[str, ...] = ("VanWal2018",)

CRITICAL_SCALE = math.radians(210.0)  # [rad] of the fit for theta_c


@device
def impact_angle(nu, normal):
    """theta [rad], 0 grazing, pi/2 along the normal; 0 at rest or parting. Eq. (2.111)."""
    speed, closing = norm(nu), -dot(nu, normal)
    if not closing > 0.0:
        return 0.0
    return math.asin(min(closing / speed, 1.0))


def critical_angle(
    grain_density: float, probe_density: float, grain_diameter: float, probe_diameter: float
) -> float:
    """theta_c [rad] from densities [kg/m^3] and diameters [m] of grains and probe. Eq. (2.112)."""
    sizes = (grain_density, probe_density, grain_diameter, probe_diameter)
    if not all(math.isfinite(size) and size > 0.0 for size in sizes):
        raise ValueError(f"densities and diameters must be finite and above zero, not {sizes}")
    density, diameter = grain_density / probe_density, grain_diameter / probe_diameter
    return CRITICAL_SCALE * math.sqrt(density) * math.cbrt(diameter) ** 2


@device
def regolith_restitution(e1, e0, theta_c, theta):
    """e [-] for the angle of impact theta [rad]. Eq. (2.113)."""
    return e1 + min(theta, theta_c) / theta_c * (e0 - e1)
