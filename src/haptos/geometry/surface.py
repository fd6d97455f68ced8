"""How far is the ground: one question, one dispatch over the kinds of surface.

The ground is the zero of a field: the gap of a smooth surface (plane, sphere, ellipsoid, or a grid
made from a mesh), with terrain on it if there is any. Of a smooth analytic surface the field is the
distance; elsewhere its gradient is not quite of length one, and the unit normal is its direction.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.core.arena import Arena
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import add_scaled, dot, norm, scale
from haptos.geometry.distance_ellipsoid import (
    ellipsoid_curvature,
    ellipsoid_distance,
    ellipsoid_distance_bound,
)
from haptos.geometry.distance_grid import grid_distance, grid_field, grid_gap_bound, is_in_box
from haptos.geometry.distance_plane import plane_distance
from haptos.geometry.distance_sphere import sphere_curvature, sphere_distance
from haptos.geometry.land import (
    bare_land,
    grid_in,
    grid_slope,
    is_rough,
    reach_and_slope,
    with_terrain,
)
from haptos.geometry.terrain import GROUND, ROCKS_WITHIN

PLANE, SPHERE, ELLIPSOID, GRID = 0, 1, 2, 3
FOOT_STEPS = 32  # [-] bound of the projection on the ground; 3 to 5 where the field is smooth
FOOT_TOLERANCE = 1e-9  # [m] gap at which a foot counts as on the ground
FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # [1/m] Hessian of a plane's distance

# kind       tag above
# PLANE      (a, b, c) unit normal out of the ground [-], d = normal . point [m]
# SPHERE     a radius about the origin [m]
# ELLIPSOID  (a, b, c) semi-axes along x, y, z [m]
# GRID       nothing
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


def grid_surface(land: Arena) -> Surface:
    """Ground of the distance grid in an arena, in the axes of its mesh."""
    return _surface(GRID, (0.0, 0.0, 0.0), 0.0, land)


def _surface(
    kind: int, numbers: tuple[float, float, float], offset: float, land: Arena | None
) -> Surface:
    a, b, c = numbers
    held = bare_land() if land is None else land
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
    grid = grid_in(surface.land)
    if is_in_box(grid, x):
        gap, gradient, _ = grid_field(grid, x)
        return gap, gradient
    return grid_distance(grid, x)


@routine
def smooth_field(surface, x):
    """(gap [m], gradient [-], Hessian [1/m] (xx, xy, xz, yy, yz, zz)) of the smooth ground.

    Beyond the box of a grid the Hessian is told as zero.
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
    return gap, n, FLAT


@routine
def gap_and_gradient(surface, x):
    """(field [m], its gradient [-]) of the ground at the point x [m], in the surface's axes."""
    gap, gradient = smooth_gap_and_gradient(surface, x)
    if is_rough(surface.land):
        gap, gradient, _, _ = with_terrain(surface.land, x, gap, gradient, FLAT)
    return gap, gradient


@device
def gap_and_normal(surface, x):
    """(gap [m], unit normal out of the ground) at the point x [m], in the surface's axes."""
    gap, gradient = gap_and_gradient(surface, x)
    if surface.kind != GRID and not is_rough(surface.land):
        return gap, gradient
    return gap, direction(gradient)


@device
def direction(gradient):
    """Unit vector along a gradient; up if there is none."""
    length = norm(gradient)
    if length == 0.0:
        return (0.0, 0.0, 1.0)
    return scale(1.0 / length, gradient)


@routine
def ground_field(surface, x):
    """(field [m], gradient [-], Hessian [1/m], GROUND or ROCK) of the ground at x [m]."""
    gap, gradient, hessian = smooth_field(surface, x)
    if is_rough(surface.land):
        return with_terrain(surface.land, x, gap, gradient, hessian)
    return gap, gradient, hessian, GROUND


@routine
def gap_bound(surface, x):
    """A number [m] the distance to the ground is never below; negative ones promise nothing.

    One test rules out every vertex of a far body.
    """
    reach, _ = reach_and_slope(surface.land)
    if surface.kind == PLANE:
        return dot((surface.a, surface.b, surface.c), x) - surface.d - reach
    if surface.kind == SPHERE:
        return norm(x) - surface.a - reach
    if surface.kind == ELLIPSOID:
        return ellipsoid_distance_bound(x, (surface.a, surface.b, surface.c)) - reach
    return grid_gap_bound(grid_in(surface.land), x) - reach


@routine
def clear_way(surface, x, radius):
    """A length [m] that a ball of that radius [m] about x can go without touching the ground.

    Zero or less exactly where the ball touches: the gap over the largest slope of the field, or,
    well above everything that lies on the ground, the gap less its reach.
    """
    gap, gradient = smooth_gap_and_gradient(surface, x)
    smooth = grid_slope(surface.land) if surface.kind == GRID else 1.0
    if not is_rough(surface.land):
        return (gap - radius) / smooth
    reach, slope = reach_and_slope(surface.land)
    if gap - radius > ROCKS_WITHIN * reach:
        return (gap - radius - reach) / smooth
    gap, _, _, _ = with_terrain(surface.land, x, gap, gradient, FLAT)
    return (gap - radius) / (smooth + slope)


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
