"""Pull of a flattened planet: the J2 term of its gravity.

    U = mu J2 Re^2 / (2 r^3) (1 - 3 z^2/r^2)
    a = -3/2 mu J2 Re^2 / r^5 (x (1 - 5 z^2/r^2), y (1 - 5 z^2/r^2), z (3 - 5 z^2/r^2))

    mu  G M of the planet [m^3/s^2]      Re  its equatorial radius [m]      J2  flattening term [-]
    (x, y, z)  place from its centre [m], z along the spin axis
Frame: N or any with z along the planet's axis. Sign: a = +grad U, to be added to the point mass.
No angles of the orbit are used, so equatorial and circular orbits are as good as others.
Validity: outside the planet; J3 and beyond are a thousand times smaller for the Earth.
Source: [Vallado2013] ch. 8, [Montenbruck2000] sec. 3.2; with orbit angles [Salvi2014] Eq. (2.8).
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import dot, subtract

CITES: tuple[str, ...] = ("Montenbruck2000", "Salvi2014", "Vallado2013")

EARTH_J2 = 1.08262668e-3  # [-], [Vallado2013] app. D


@device
def j2_gravity(place, mu, radius, j2):
    """(U [m^2/s^2], a [m/s^2]) of the J2 term at a place [m], 3-tuple."""
    r2 = dot(place, place)
    r = math.sqrt(r2)
    high = place[2] * place[2] / r2
    k = 0.5 * mu * j2 * radius * radius / (r2 * r)
    across = -3.0 * k / r2 * (1.0 - 5.0 * high)
    along = -3.0 * k / r2 * (3.0 - 5.0 * high)
    return k * (1.0 - 3.0 * high), (across * place[0], across * place[1], along * place[2])


@device
def j2_difference(r, origin, mu, radius, j2):
    """a [m/s^2] of J2 at origin + r less that at the origin [m]: for an origin that J2 moves too.

    Taken directly: rounding leaves some 1e-17 m/s^2 near the Earth, where 1 m makes 1e-8 m/s^2.
    """
    at = (origin[0] + r[0], origin[1] + r[1], origin[2] + r[2])
    return subtract(j2_gravity(at, mu, radius, j2)[1], j2_gravity(origin, mu, radius, j2)[1])
