"""Exhaust of a thruster on a body in its way: a jet that thins with distance and angle.

    q = F (n + 1)/(2 pi r^2) cos^n theta,      force on a ball of radius R: q pi R^2 away from the nozzle

    F  thrust [N]     r [m], theta [rad]  distance and angle of the ball's centre from nozzle and jet axis
    n  how narrow the jet is [-]; all of the jet's momentum passes a sphere about the nozzle for any n
Validity: ball small against r, all exhaust absorbed; crude, for orders of magnitude.
Source: cosine-power plume after [Simons1972]; exponent assumed by the user.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import dot, norm, scale, subtract

CITES: tuple[str, ...] = ("Simons1972",)


@device
def plume_force(thrust, nozzle, direction, ball, radius, exponent):
    """Force [N] on a ball; `direction` is that of the force on the thruster's body, exhaust goes the other way."""
    way = subtract(ball, nozzle)
    r = norm(way)
    if not r > radius:
        return (0.0, 0.0, 0.0)
    cosine = -dot(way, direction) / r
    if cosine <= 0.0:
        return (0.0, 0.0, 0.0)
    q = thrust * (exponent + 1.0) / (2.0 * math.pi * r * r) * cosine**exponent
    return scale(q * math.pi * radius * radius / r, way)
