"""How far is the ground: one question, one dispatch over the kinds of surface.

The ground is the zero of a field: the gap of a smooth surface (plane, sphere, ellipsoid, capsule, or a
grid made from a mesh), with terrain on it if there is any. Of a smooth analytic surface the field is the
distance; elsewhere its gradient is not quite of length one, and the unit normal is its direction.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.core.arena import Arena, with_functions
from haptos.core.arena_slots import BOUND_CALL, CLEAR_CALL, FIELD_CALL, GRADIENT_CALL
from haptos.core.jit import device, entry, routine
from haptos.core.pointers import opened, separately_compiled
from haptos.core.vectors import add_scaled, dot, norm, scale
from haptos.geometry.distance.distance_capsule import capsule_curvature, capsule_distance
from haptos.geometry.distance.distance_ellipsoid import (
    ellipsoid_curvature,
    ellipsoid_distance,
    ellipsoid_distance_bound,
)
from haptos.geometry.distance.distance_grid import (
    grid_distance,
    grid_field,
    grid_gap,
    grid_gap_bound,
    is_in_box,
)
from haptos.geometry.distance.distance_plane import plane_distance
from haptos.geometry.distance.distance_sphere import sphere_curvature, sphere_distance
from haptos.geometry.terrain.land import (
    bare_land,
    gap_with_terrain,
    grid_in,
    grid_slope,
    is_rough,
    reach_and_slope,
    with_terrain,
)
from haptos.geometry.terrain.terrain import GROUND, ROCKS_WITHIN

PLANE, SPHERE, ELLIPSOID, GRID, CAPSULE = 0, 1, 2, 3, 4
FOOT_STEPS = 32  # [-] bound of the projection on the ground; 3 to 5 where the field is smooth
FOOT_TOLERANCE = 1e-9  # [m] gap at which a foot counts as on the ground
FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # [1/m] Hessian of a plane's distance

# kind       tag above
# PLANE      (a, b, c) unit normal out of the ground [-], d = normal . point [m]
# SPHERE     a radius about the origin [m]
# ELLIPSOID  (a, b, c) semi-axes along x, y, z [m]
# GRID       nothing
# CAPSULE    a radius, b half of the length of its cylinder, along x [m]
# land       Arena with the grid, the terrain and the regions; `bare_land()` without any
Surface = namedtuple("Surface", "kind a b c d land")


def plane(
    point: tuple[float, float, float], normal: tuple[float, float, float], land: Arena | None = None
) -> Surface:
    """Plane through `point` [m] whose ground lies against `normal` (any length but zero)."""
    length = norm(normal)
    n = (normal[0] / length, normal[1] / length, normal[2] / length)
    return _surface(PLANE, n, dot(n, point), land)


def sphere(radius: float, land: Arena | None = None) -> Surface:
    """Sphere of the given radius [m] about the origin."""
    return _surface(SPHERE, (radius, 0.0, 0.0), 0.0, land)


def ellipsoid(semi_axes: tuple[float, float, float], land: Arena | None = None) -> Surface:
    """Ellipsoid about the origin with semi-axes [m] along x, y, z."""
    return _surface(ELLIPSOID, semi_axes, 0.0, land)


def capsule(radius: float, half_length: float, land: Arena | None = None) -> Surface:
    """Cylinder along x about the origin with round ends: radius [m], half of its length without them [m]."""
    return _surface(CAPSULE, (radius, half_length, 0.0), 0.0, land)


def grid_surface(land: Arena) -> Surface:
    """Ground of the distance grid in an arena, in the axes of its mesh."""
    return _surface(GRID, (0.0, 0.0, 0.0), 0.0, land)


def no_ground() -> Surface:
    """A plane that nobody touches; nothing is compiled for it, so that kernels must not ask it."""
    return Surface(PLANE, 0.0, 0.0, 1.0, 0.0, bare_land())


def _surface(
    kind: int, numbers: tuple[float, float, float], offset: float, land: Arena | None
) -> Surface:
    a, b, c = numbers
    held = with_surface_queries(bare_land() if land is None else land)
    return Surface(kind, float(a), float(b), float(c), float(offset), held)


@device
def smooth_gap_and_gradient(surface, x):
    """(gap [m], gradient [-]) of the smooth ground at the point x [m]."""
    if surface.kind == PLANE:
        return plane_distance(x, (surface.a, surface.b, surface.c), surface.d)
    if surface.kind == SPHERE:
        return sphere_distance(x, surface.a)
    if surface.kind == ELLIPSOID:
        return ellipsoid_distance(x, (surface.a, surface.b, surface.c))
    if surface.kind == CAPSULE:
        return capsule_distance(x, surface.a, surface.b)
    grid = grid_in(surface.land)
    if is_in_box(grid, x):
        gap, gradient, _ = grid_field(grid, x)
        return gap, gradient
    return grid_distance(grid, x)


@device
def smooth_gap(surface, x):
    """The gap [m] of `smooth_gap_and_gradient` alone."""
    if surface.kind == GRID:
        return grid_gap(grid_in(surface.land), x)
    return smooth_gap_and_gradient(surface, x)[0]


@routine
def smooth_field(surface, x):
    """(gap [m], gradient [-], Hessian [1/m] (xx, xy, xz, yy, yz, zz)) of the smooth ground.

    Beyond the box of a grid the Hessian is zero.
    """
    if surface.kind == GRID:
        grid = grid_in(surface.land)
        if is_in_box(grid, x):
            return grid_field(grid, x)
    gap, n = smooth_gap_and_gradient(surface, x)
    if surface.kind == SPHERE:
        return gap, n, sphere_curvature(x)
    if surface.kind == ELLIPSOID:
        return gap, n, ellipsoid_curvature(x, gap, n, (surface.a, surface.b, surface.c))
    if surface.kind == CAPSULE:
        return gap, n, capsule_curvature(x, surface.b)
    return gap, n, FLAT


@device
def direction(gradient):
    """Unit vector along a gradient; up if there is none."""
    length = norm(gradient)
    if length == 0.0:
        return (0.0, 0.0, 1.0)
    return scale(1.0 / length, gradient)


@device
def _asked(numbers, integers, layout, io):
    """(surface, point, radius) of a question in the numbers of io."""
    surface = Surface(int(io[0]), io[1], io[2], io[3], io[4], Arena(numbers, integers, layout))
    return surface, (io[5], io[6], io[7]), io[8]


@device
def _question(surface, x, radius):
    """The numbers of io for a question about the point x [m]."""
    return (
        float(surface.kind), surface.a, surface.b, surface.c, surface.d, x[0], x[1], x[2], radius
    )  # fmt: skip


@separately_compiled(GRADIENT_CALL, 4)
def _gradient_numbers(numbers, integers, layout, io):
    """Field and gradient of the ground."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    surface, x, _ = _asked(numbers, integers, layout, io)
    gap, gradient = smooth_gap_and_gradient(surface, x)
    if is_rough(surface.land):
        gap, gradient, _, _ = with_terrain(surface.land, x, gap, gradient, FLAT)
    io[0], io[1], io[2], io[3] = gap, gradient[0], gradient[1], gradient[2]


@device
def gap_and_gradient(surface, x):
    """(field [m], its gradient [-]) of the ground at the point x [m], in the surface's axes."""
    f = _gradient_numbers(surface.land, _question(surface, x, 0.0))
    return f[0], (f[1], f[2], f[3])


@device
def gap_and_normal(surface, x):
    """(gap [m], unit normal out of the ground) at the point x [m], in the surface's axes."""
    gap, gradient = gap_and_gradient(surface, x)
    if surface.kind != GRID and not is_rough(surface.land):
        return gap, gradient
    return gap, direction(gradient)


@separately_compiled(FIELD_CALL, 11)
def _field_numbers(numbers, integers, layout, io):
    """Field, gradient and Hessian of the ground, and what it is made of."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    surface, x, _ = _asked(numbers, integers, layout, io)
    gap, gradient, hessian = smooth_field(surface, x)
    kind = GROUND
    if is_rough(surface.land):
        gap, gradient, hessian, kind = with_terrain(surface.land, x, gap, gradient, hessian)
    io[0], io[1], io[2], io[3], io[10] = gap, gradient[0], gradient[1], gradient[2], kind
    for n in range(6):
        io[4 + n] = hessian[n]


@device
def ground_field(surface, x):
    """(field [m], gradient [-], Hessian [1/m], GROUND or ROCK) of the ground at x [m]."""
    f = _field_numbers(surface.land, _question(surface, x, 0.0))
    return f[0], (f[1], f[2], f[3]), (f[4], f[5], f[6], f[7], f[8], f[9]), int(f[10])


@separately_compiled(BOUND_CALL, 1)
def _bound_numbers(numbers, integers, layout, io):
    """A bound of the distance to the ground."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    surface, x, _ = _asked(numbers, integers, layout, io)
    reach, _ = reach_and_slope(surface.land)
    if surface.kind == PLANE:
        io[0] = dot((surface.a, surface.b, surface.c), x) - surface.d - reach
    elif surface.kind == SPHERE:
        io[0] = norm(x) - surface.a - reach
    elif surface.kind == ELLIPSOID:
        io[0] = ellipsoid_distance_bound(x, (surface.a, surface.b, surface.c)) - reach
    elif surface.kind == CAPSULE:
        io[0] = capsule_distance(x, surface.a, surface.b)[0] - reach
    else:
        io[0] = grid_gap_bound(grid_in(surface.land), x) - reach


@device
def gap_bound(surface, x):
    """A number [m] the distance to the ground is never below; negative ones promise nothing.

    One test rules out every vertex of a far body.
    """
    return _bound_numbers(surface.land, _question(surface, x, 0.0))[0]


@separately_compiled(CLEAR_CALL, 1)
def _clear_numbers(numbers, integers, layout, io):
    """How far a ball can surely go."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    surface, x, radius = _asked(numbers, integers, layout, io)
    gap = smooth_gap(surface, x)
    smooth = grid_slope(surface.land) if surface.kind == GRID else 1.0
    reach, slope = reach_and_slope(surface.land)
    if not is_rough(surface.land):
        io[0] = (gap - radius) / smooth
    elif gap - smooth * radius > ROCKS_WITHIN * reach:
        io[0] = (gap - reach) / smooth - radius
    else:
        rough = gap_with_terrain(surface.land, x, gap)
        io[0] = max((rough - radius) / (smooth + slope), (gap - reach) / smooth - radius)


@device
def clear_way(surface, x, radius):
    """A length [m] that a ball of that radius [m] about x can go without touching the ground.

    Zero or less exactly where the ball touches: the gap over the largest slope of the field, or
    the gap of the smooth ground less the reach of what lies on it, if that is more.
    """
    return _clear_numbers(surface.land, _question(surface, x, radius))[0]


def with_surface_queries(land: Arena) -> Arena:
    """The same tables with the functions that answer the questions of this file."""
    return with_functions(
        land,
        {
            GRADIENT_CALL: _gradient_numbers.address,
            FIELD_CALL: _field_numbers.address,
            BOUND_CALL: _bound_numbers.address,
            CLEAR_CALL: _clear_numbers.address,
        },
    )


@entry
def fill_feet(surface, points, feet, gaps):
    """Ground points (n, 3) nearest to points (n, 3) [m] and the gaps (n,), on the smooth ground."""
    for n in range(len(points)):
        x = (points[n, 0], points[n, 1], points[n, 2])
        gap, gradient = smooth_gap_and_gradient(surface, x)
        gaps[n] = gap
        for _ in range(FOOT_STEPS):
            x = add_scaled(x, -gap, direction(gradient))
            gap, gradient = smooth_gap_and_gradient(surface, x)
            if not abs(gap) > FOOT_TOLERANCE:
                break
        feet[n, 0], feet[n, 1], feet[n, 2] = x


def ground_feet(surface: Surface, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(nearest points [m] (n, 3), gaps [m] (n,)) of points (n, 3) [m] on the smooth ground."""
    where = np.ascontiguousarray(points, dtype=np.float64)
    feet, gaps = np.empty_like(where), np.empty(len(where))
    fill_feet(surface, where, feet, gaps)
    return feet, gaps
