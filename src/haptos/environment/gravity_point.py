"""Gravity of a point mass, or of a sphere seen from outside."""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import dot, scale

CITES: tuple[str, ...] = ("MacMillan1930",)

CORE_RADIUS = 1e-6  # [m], assumed; smaller than any body, so that no run depends on it


@device
def point_gravity(x, mu):
    """(U [m^2/s^2], g [m/s^2]) of a point mass at the origin.

    U = mu / |x|, g = -mu x / |x|^3

    x   point [m], 3-tuple               mu  gravitational parameter G M [m^3/s^2]
    Frame: any with its origin at the mass. Sign: U > 0 attracts, g = +grad U.
    Validity: exact for spheres, outside. Within CORE_RADIUS of the origin the field is that of a
    homogeneous ball of that radius: finite, continuous, still the gradient of U.
    Source: [MacMillan1930].
    """
    r2 = dot(x, x)
    if r2 < CORE_RADIUS * CORE_RADIUS:
        k = mu / (CORE_RADIUS * CORE_RADIUS * CORE_RADIUS)
        return 0.5 * k * (3.0 * CORE_RADIUS * CORE_RADIUS - r2), scale(-k, x)
    u = mu / math.sqrt(r2)
    return u, scale(-u / r2, x)
