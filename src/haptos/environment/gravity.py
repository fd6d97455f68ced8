"""What is the gravity: one question, one dispatch over the kinds of field."""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.arena import Arena, with_functions
from haptos.core.arena_slots import GRAVITY_CALL
from haptos.core.jit import device
from haptos.core.pointers import opened, separately_compiled
from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.core.vectors import add
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.environment.gravity_table import table_gravity, table_in, time_in_cell
from haptos.environment.gravity_terms import primary_tide
from haptos.environment.gravity_uniform import uniform_gravity
from haptos.geometry.terrain.land import bare_land

UNIFORM, POINT, ELLIPSOID, TABLE = 0, 1, 2, 3
NO_PRIMARY = (1.0, 0.0, 0.0)  # [m] place of a primary without mass

# kind       tag above
# UNIFORM    (a, b, c) acceleration [m/s^2]
# POINT      mu = G M [m^3/s^2], at the origin
# ELLIPSOID  (a, b, c) semi-axes along x, y, z [m], mu = G M [m^3/s^2], about the origin
# TABLE      nothing
# land       Arena with the gravity table; `bare_land()` without any
# primary_mu [m^3/s^2] and primary [m], 3-tuple: of a primary at rest in these axes; mu 0 for none
Gravity = namedtuple("Gravity", "kind a b c mu land primary_mu primary")


def uniform(acceleration: tuple[float, float, float]) -> Gravity:
    """The same acceleration [m/s^2] everywhere."""
    return _gravity(UNIFORM, acceleration, 0.0)


def point(mu: float) -> Gravity:
    """Point mass at the origin with mu = G M [m^3/s^2]."""
    return _gravity(POINT, (0.0, 0.0, 0.0), mu)


def ellipsoid(semi_axes: tuple[float, float, float], mu: float) -> Gravity:
    """Homogeneous ellipsoid about the origin, semi-axes [m] along x, y, z, mu = G M [m^3/s^2]."""
    return _gravity(ELLIPSOID, semi_axes, mu)


def tabulated(land: Arena, mu: float) -> Gravity:
    """Field of the gravity table in an arena, mu = G M [m^3/s^2], in the axes of its body."""
    return _gravity(TABLE, (0.0, 0.0, 0.0), mu, land)


def no_gravity() -> Gravity:
    """No field; nothing is compiled for it, so that kernels must not ask it."""
    return Gravity(UNIFORM, 0.0, 0.0, 0.0, 0.0, bare_land(), 0.0, NO_PRIMARY)


def _gravity(
    kind: int, numbers: tuple[float, float, float], mu: float, land: Arena | None = None
) -> Gravity:
    a, b, c = (float(number) for number in numbers)
    held = with_gravity_queries(bare_land() if land is None else land)
    return Gravity(kind, a, b, c, float(mu), held, 0.0, NO_PRIMARY)


def with_primary(gravity: Gravity, mu: float, place: tuple[float, float, float]) -> Gravity:
    """The field with the tide of a primary, G M [m^3/s^2], that rests at `place` [m]."""
    x, y, z = (float(value) for value in place)
    return gravity._replace(primary_mu=float(mu), primary=(x, y, z))


def ellipsoid_mu(semi_axes: tuple[float, float, float], density: float) -> float:
    """G M [m^3/s^2] of an ellipsoid with semi-axes [m] and density [kg/m^3]."""
    volume = 4.0 / 3.0 * math.pi * semi_axes[0] * semi_axes[1] * semi_axes[2]
    return float(GRAVITATIONAL_CONSTANT * density * volume)


@device
def own_gravity(gravity, x):
    """(U [m^2/s^2], g [m/s^2]) of the body alone."""
    if gravity.kind == TABLE:
        return table_gravity(table_in(gravity.land), x)
    if gravity.kind == UNIFORM:
        return uniform_gravity(x, (gravity.a, gravity.b, gravity.c))
    if gravity.kind == POINT:
        return point_gravity(x, gravity.mu)
    return ellipsoid_gravity(x, (gravity.a, gravity.b, gravity.c), gravity.mu)


@separately_compiled(GRAVITY_CALL, 4)
def _gravity_numbers(numbers, integers, layout, io):
    """Potential and acceleration."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    land, primary = Arena(numbers, integers, layout), (io[6], io[7], io[8])
    gravity = Gravity(int(io[0]), io[1], io[2], io[3], io[4], land, io[5], primary)
    x = (io[9], io[10], io[11])
    u, g = own_gravity(gravity, x)
    if gravity.primary_mu != 0.0:
        tide_u, tide_g = primary_tide(x, gravity.primary, gravity.primary_mu)
        u, g = u + tide_u, add(g, tide_g)
    io[0], io[1], io[2], io[3] = u, g[0], g[1], g[2]


@device
def potential_and_gravity(gravity, x):
    """(U [m^2/s^2], g [m/s^2]) at the point x [m], in the body's axes; g = +grad U."""
    s = gravity.primary
    f = _gravity_numbers(
        gravity.land,
        (
            float(gravity.kind), gravity.a, gravity.b, gravity.c, gravity.mu, gravity.primary_mu,
            s[0], s[1], s[2], x[0], x[1], x[2],
        ),
    )  # fmt: skip
    return f[0], (f[1], f[2], f[3])


@device
def smooth_time(gravity, x, v, a):
    """Time [s] for which the field is smooth along x + v t + 1/2 a t^2, [m], [m/s], [m/s^2], body axes.

    math.inf for no end of it, and outside a table's box, whose wall is not looked for.
    """
    if gravity.kind == TABLE:
        return time_in_cell(table_in(gravity.land), x, v, a)
    return math.inf


def with_gravity_queries(land: Arena) -> Arena:
    """The same tables with the function that answers the question of this file."""
    return with_functions(land, {GRAVITY_CALL: _gravity_numbers.address})
