"""Small accelerations beside the pull of the body: tides and sunlight."""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import add_scaled, dot, norm, scale

CITES: tuple[str, ...] = ("Scheeres2012", "VanWal2018", "Battin1999", "Montenbruck2000")

SOLAR_PRESSURE = 4.5606e-6  # [N/m^2] of sunlight at ASTRONOMICAL_UNIT, absorbed: 1367 W/m^2 / c
ASTRONOMICAL_UNIT = 149_597_870_700.0  # [m]
SOLAR_RADIUS = 6.957e8  # [m]


@device
def locked_tide(x, rate):
    """(U [m^2/s^2], a [m/s^2]) of the tide on a moon that always shows the same side.

    U = rate^2 (2 x^2 - y^2 - z^2) / 2,   a = rate^2 (2 x, -y, -z)

    x     point from the moon's centre [m], 3-tuple; +x away from (or towards) the primary, +z along
          the orbit's normal
    rate  of the orbit, which is that of the spin [rad/s]
    Frame: turning with the moon. The centrifugal acceleration, rate^2 (x, y, 0), is not in it; the
    two add up to rate^2 (3 x, 0, -z) of Hill's equations.
    Validity: circular orbit, primary a point, |x| much smaller than its distance.
    Source: [Scheeres2012]; [VanWal2018] ch. 3.
    """
    square = rate * rate
    u = 0.5 * square * (2.0 * x[0] * x[0] - x[1] * x[1] - x[2] * x[2])
    return u, (2.0 * square * x[0], -square * x[1], -square * x[2])


@device
def primary_tide(x, primary, mu):
    """(U [m^2/s^2], a [m/s^2]) of the tide of a primary: its pull at x less that at the origin.

    a = mu ((s - x) / |s - x|^3 - s / |s|^3),   U = mu (1 / |s - x| - 1 / |s| - s . x / |s|^3)

    x        point from the centre of the body [m], 3-tuple
    primary  s, place of the primary from the same origin [m]      mu  its G M [m^3/s^2]
    Frame: any, the same for both. Exact at every distance; with q = x . (x - 2 s) / s^2 the
    differences are taken without cancelling.
    Source: [Battin1999] sec. 8.4.
    """
    s2 = dot(primary, primary)
    s = math.sqrt(s2)
    q = (dot(x, x) - 2.0 * dot(x, primary)) / s2
    root = math.sqrt(1.0 + q)
    cube = root * root * root
    # 1 - (1 + q)^(3/2) and 1 / sqrt(1 + q) - 1 + q / 2, each as q or q^2 times a smooth factor.
    f = -q * (3.0 + q * (3.0 + q)) / (1.0 + cube)
    second = q * q * (2.0 + root) / (2.0 * root * (1.0 + root) * (1.0 + root))
    u = mu / s * (second - 0.5 * dot(x, x) / s2)
    a = scale(mu / (s2 * s * cube), add_scaled(scale(-1.0, x), f, primary))
    return u, a


@device
def sunlight_acceleration(sun, sun_distance, area_to_mass, reflectivity):
    """a [m/s^2] of sunlight on a ball.

    a = -(1 + reflectivity) P (1 au / sun_distance)^2 area_to_mass sun

    sun           unit vector to the Sun, 3-tuple        sun_distance  [m]
    area_to_mass  cross-section over mass [m^2/kg]       reflectivity  0 absorbs, 1 mirrors back
    Frame: that of `sun`. Validity: full light; multiply by sunlit_share for eclipses.
    Source: [Montenbruck2000] sec. 3.4.
    """
    ratio = ASTRONOMICAL_UNIT / sun_distance
    return scale(-(1.0 + reflectivity) * SOLAR_PRESSURE * ratio * ratio * area_to_mass, sun)


@device
def sunlit_share(x, sun, sun_distance, radius):
    """Share of the Sun's disc [-] that a ball of `radius` [m] about the origin leaves free at x [m].

    1/2 + (u sqrt(1 - u^2) + asin u) / pi,   u = (distance from the axis - radius) / half shadow

    The half shadow is that of the Sun's apparent radius behind the ball; its edge is taken to be
    straight. 1 in front of the ball and in full light, 0 in full shadow, without a step between.
    Validity: the ball looks much larger than the Sun; no air.
    Source: [Montenbruck2000] sec. 3.4.2, for a body much larger in the sky than the Sun.
    """
    behind = -dot(x, sun)
    if behind <= 0.0:
        return 1.0
    beside = norm(add_scaled(x, behind, sun))
    half = behind * SOLAR_RADIUS / sun_distance
    u = min(max((beside - radius) / half, -1.0), 1.0)
    return 0.5 + (u * math.sqrt(1.0 - u * u) + math.asin(u)) / math.pi
