"""Motion seen from a point that flies along: millimetres survive thousands of kilometres.

    R = R0(t) + r,   r'' = g(R0 + r) - g(R0) + a
    g(R0 + r) - g(R0) = -mu/(R0^3 (1+q)^(3/2)) (r - f R0),   q = r . (r + 2 R0)/R0^2
    f = (1+q)^(3/2) - 1 = q (3 + 3 q + q^2)/(1 + (1+q)^(3/2))
    R0 = a (cos E - e) P + a sqrt(1 - e^2) sin E Q,   E - e sin E = M0 + n t

    R0  origin on a Kepler ellipse about the primary [m]      r  place seen from it [m]
    mu  G M of the primary [m^3/s^2]                          a  other accelerations [m/s^2]
    n   mean motion [rad/s]       M0  mean anomaly at t = 0 [rad]
    P, Q  unit vectors to periapsis and 90 deg ahead of it
The difference is taken with f(q), so that no digits cancel: r keeps the sixteen digits of its own
size, while R0 + r would keep 1e-9 m.
Frame: N axes, not turning; the origin falls freely, so no fictitious forces but the difference of
gravity. Perturbations act on r in full: the origin feels none.
Validity: any distance; best while r is far smaller than R0.
Source: Encke's method with [Battin1999] sec. 8.4; linear limit [ClohessyWiltshire1960].
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import add, add_scaled, scale
from haptos.environment.gravity_point import point_gravity
from haptos.environment.gravity_terms import primary_tide
from haptos.environment.kepler_orbit import perifocal_axes
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements, mean_anomaly

CITES: tuple[str, ...] = ("Battin1999", "ClohessyWiltshire1960")

Path = tuple[
    float, float, float, float, tuple[float, float, float], tuple[float, float, float]
]  # (a [m], e [-], n [rad/s], M0 [rad], P [-], Q [-])

NEWTON_STEPS = 30  # [-], bound of the loop; five are enough below e = 0.9
CLOSED = 1e-15  # [rad], step of Newton's method at which Kepler's equation is solved


def origin_path(elements: KeplerElements, mu: float = EARTH_MU) -> Path:
    """The ellipse of an origin as the tuple kernels take; t = 0 at the place of `elements`."""
    a = float(elements.semi_major_axis)
    p, q = perifocal_axes(elements.node, elements.periapsis, elements.inclination)
    return (
        a,
        float(elements.eccentricity),
        math.sqrt(mu / a**3),
        mean_anomaly(elements),
        (float(p[0]), float(p[1]), float(p[2])),
        (float(q[0]), float(q[1]), float(q[2])),
    )


@device
def kepler_anomaly(mean, e):
    """E [rad] of E - e sin E = M, by Newton's method from E = pi (M in 0..pi, by symmetry)."""
    turns = math.floor((mean + math.pi) / (2.0 * math.pi))
    wrapped = mean - 2.0 * math.pi * turns
    target = abs(wrapped)
    anomaly = math.pi
    for _ in range(NEWTON_STEPS):
        step = (anomaly - e * math.sin(anomaly) - target) / (1.0 - e * math.cos(anomaly))
        anomaly -= step
        if abs(step) <= CLOSED:
            break
    return math.copysign(anomaly, wrapped)


@device
def origin_state(path, time):
    """(R0 [m], V0 [m/s]) of the origin in N axes from the primary, at a time [s]."""
    a, e, n, m0, p, q = path
    anomaly = kepler_anomaly(m0 + n * time, e)
    c, s = math.cos(anomaly), math.sin(anomaly)
    narrow = math.sqrt(1.0 - e * e)
    rate = a * n / (1.0 - e * c)
    place = add_scaled(scale(a * (c - e), p), a * narrow * s, q)
    return place, add_scaled(scale(-rate * s, p), rate * narrow * c, q)


@device
def differential_gravity(r, origin, mu):
    """(U [m^2/s^2], a [m/s^2]): what gravity does to r [m] beyond what it does to the origin [m].

    a = g(R0 + r) - g(R0), the gradient of U in r; 3-tuples in N axes.
    """
    return primary_tide(r, scale(-1.0, origin), mu)


@device
def ground_gravity(r, origin, mu):
    """a [m/s^2] at r [m] from a place on the ground that does not fall: g(R0) + the difference.

    The same law for tests on the ground, `origin` being R0, the place seen from the Earth's centre.
    """
    return add(point_gravity(origin, mu)[1], differential_gravity(r, origin, mu)[1])


@device
def absolute_state(r, v, origin, origin_velocity):
    """(R [m], V [m/s]) from the primary, for forces that need them: J2, drag, radiation."""
    return add(origin, r), add(origin_velocity, v)
