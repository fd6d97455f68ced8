"""What is the gravity: one question, one dispatch over the kinds of field."""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.environment.gravity_uniform import uniform_gravity

UNIFORM, POINT, ELLIPSOID = 0, 1, 2

# kind       tag above
# UNIFORM    (a, b, c) acceleration [m/s^2]
# POINT      mu = G M [m^3/s^2], at the origin
# ELLIPSOID  (a, b, c) semi-axes along x, y, z [m], mu = G M [m^3/s^2], about the origin
Gravity = namedtuple("Gravity", "kind a b c mu")


def uniform(acceleration: tuple[float, float, float]) -> Gravity:
    """The same acceleration [m/s^2] everywhere."""
    a, b, c = acceleration
    return Gravity(UNIFORM, float(a), float(b), float(c), 0.0)


def point(mu: float) -> Gravity:
    """Point mass at the origin with mu = G M [m^3/s^2]."""
    return Gravity(POINT, 0.0, 0.0, 0.0, float(mu))


def ellipsoid(semi_axes: tuple[float, float, float], mu: float) -> Gravity:
    """Homogeneous ellipsoid about the origin, semi-axes [m] along x, y, z, mu = G M [m^3/s^2]."""
    a, b, c = semi_axes
    return Gravity(ELLIPSOID, float(a), float(b), float(c), float(mu))


def ellipsoid_mu(semi_axes: tuple[float, float, float], density: float) -> float:
    """G M [m^3/s^2] of an ellipsoid with semi-axes [m] and density [kg/m^3]."""
    volume = 4.0 / 3.0 * math.pi * semi_axes[0] * semi_axes[1] * semi_axes[2]
    return float(GRAVITATIONAL_CONSTANT * density * volume)


@device
def potential_and_gravity(gravity, x):
    """(U [m^2/s^2], g [m/s^2]) at the point x [m], in the body's axes; g = +grad U."""
    if gravity.kind == UNIFORM:
        return uniform_gravity(x, (gravity.a, gravity.b, gravity.c))
    if gravity.kind == POINT:
        return point_gravity(x, gravity.mu)
    return ellipsoid_gravity(x, (gravity.a, gravity.b, gravity.c), gravity.mu)
