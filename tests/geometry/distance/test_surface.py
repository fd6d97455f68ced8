"""One dispatch for all surfaces: the right branch."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.jit import entry
from haptos.geometry.distance.distance_ellipsoid import ellipsoid_distance
from haptos.geometry.distance.distance_grid import grid_distance, grid_field
from haptos.geometry.distance.distance_plane import plane_distance
from haptos.geometry.distance.distance_sphere import sphere_distance
from haptos.geometry.distance.grid_build import build_grid
from haptos.geometry.distance.surface import (
    ELLIPSOID,
    FLAT,
    GRID,
    PLANE,
    SPHERE,
    capsule,
    clear_way,
    ellipsoid,
    gap_and_gradient,
    gap_and_normal,
    gap_bound,
    grid_surface,
    ground_feet,
    ground_field,
    plane,
    smooth_field,
    sphere,
)
from haptos.geometry.terrain.land import land_of
from haptos.geometry.terrain.noise import fractal_noise
from haptos.geometry.terrain.rocks_polyhedral_field import polyhedral_rocks
from haptos.geometry.terrain.rocks_seeded import seeded_rocks
from haptos.geometry.terrain.terrain import GROUND, terrain
from tests.close import assert_close
from tests.geometry.closed_meshes import ball, dumb_bell

SURFACES = [
    plane((0.0, 1.0, 0.2), (0.1, -0.2, 1.0)),
    sphere(1.3),
    ellipsoid((2.0, 0.5, 1.1)),
    ellipsoid((1.0, 1.0, 1.0)),
    ellipsoid((0.01, 1.0, 0.4)),
    capsule(0.6, 0.9),
]
BELL = dumb_bell()
GRIDDED = build_grid(*BELL, 0.06)
# What lies on the ground: noise; seeded rocks; polyhedral rocks, also thin ones far apart.
ROUGH = terrain(noise=fractal_noise(1, 0.1, 0.5, 4))
ROCKY = terrain(noise=fractal_noise(2, 0.02, 0.5, 3), rocks=seeded_rocks(3, 6.0, 2.5, 0.06, 0.3))
BOULDERS = terrain(polyhedral=polyhedral_rocks(4, *ball(2), 3.0, 2.8, 0.02, 0.2))
THIN = terrain(polyhedral=polyhedral_rocks(5, *BELL, 4.0, 1.5, 0.004, 0.2, sink=(-0.4, -0.3)))
GROUNDS = {
    "plane with noise": plane((0.0, 0.0, 0.2), (0.1, -0.2, 1.0), land_of(None, ROUGH)),
    "sphere with seeded rocks": sphere(1.0, land_of(None, ROCKY)),
    "sphere with polyhedral rocks": sphere(1.0, land_of(None, BOULDERS)),
    "ellipsoid with noise": ellipsoid((1.2, 0.7, 0.9), land_of(None, ROUGH)),
    "grid": grid_surface(land_of(GRIDDED)),
    "grid with noise": grid_surface(land_of(GRIDDED, ROUGH)),
    "grid with seeded rocks": grid_surface(land_of(GRIDDED, ROCKY)),
    "grid with thin rocks": grid_surface(land_of(GRIDDED, THIN)),
}
POINTS = [tuple(x) for x in np.random.default_rng(11).normal(size=(40, 3)).tolist()] + [
    (0.0, 0.0, 0.0),
    (0.3, 0.0, 0.0),
    (0.0, 0.0, 1e-20),
    (1e6, -2e6, 3e5),
]


def test_each_kind_reaches_its_own_law():
    x = (0.3, -0.7, 1.9)
    flat, ball, egg = SURFACES[:3]
    assert (flat.kind, ball.kind, egg.kind) == (PLANE, SPHERE, ELLIPSOID)
    assert gap_and_normal(flat, x) == plane_distance(x, (flat.a, flat.b, flat.c), flat.d)
    assert gap_and_normal(ball, x) == sphere_distance(x, 1.3)
    assert gap_and_normal(egg, x) == ellipsoid_distance(x, (2.0, 0.5, 1.1))


@pytest.mark.parametrize("surface", SURFACES)
def test_bound_never_exceeds_the_gap_and_is_exact_for_plane_and_sphere(surface):
    for x in POINTS:
        gap = gap_and_normal(surface, x)[0]
        assert gap_bound(surface, x) <= gap + 1e-14 * max(1.0, abs(gap))
        if surface.kind != ELLIPSOID:
            assert gap_bound(surface, x) == gap


# ---- grids and terrain --------------------------------------------------------------------------


def test_a_grid_is_asked_inside_its_box_and_beyond_it():
    surface = GROUNDS["grid"]
    assert surface.kind == GRID
    inside, outside = (0.3, -0.2, 0.9), (3.0, -4.0, 9.0)
    gap, gradient, hessian = grid_field(GRIDDED, inside)
    assert gap_and_gradient(surface, inside) == (gap, gradient)
    assert smooth_field(surface, inside) == (gap, gradient, hessian)
    assert gap_and_normal(surface, inside)[0] == gap
    assert_close(gap_and_normal(surface, inside)[1], grid_distance(GRIDDED, inside)[1], rtol=1e-15)
    assert gap_and_gradient(surface, outside) == grid_distance(GRIDDED, outside)
    assert smooth_field(surface, outside) == (*grid_distance(GRIDDED, outside), FLAT)


@pytest.mark.parametrize("name", GROUNDS)
def test_the_normal_is_the_direction_of_the_gradient(name):
    for x in POINTS[:12]:
        gap, gradient = gap_and_gradient(GROUNDS[name], x)
        found, normal = gap_and_normal(GROUNDS[name], x)
        assert found == gap
        assert_close(normal, np.array(gradient) / np.linalg.norm(gradient), rtol=1e-14)
        assert ground_field(GROUNDS[name], x)[:2] == (gap, gradient)


@pytest.mark.parametrize("surface", SURFACES)
def test_smooth_ground_has_no_rocks_and_is_what_it_was(surface):
    for x in POINTS[:12]:
        assert ground_field(surface, x) == (*smooth_field(surface, x), GROUND)
        assert ground_field(surface, x)[0] == gap_and_normal(surface, x)[0]


# ---- curvature ----------------------------------------------------------------------------------


def bend_by_differences(surface, x, step):
    """Hessian (3, 3) [1/m] from differences of normals."""
    rows = []
    for axis in np.eye(3):
        high, low = (gap_and_normal(surface, tuple(x + s * step * axis))[1] for s in (1.0, -1.0))
        rows.append(np.subtract(high, low) / (2.0 * step))
    return np.array(rows)


def full(six):
    xx, xy, xz, yy, yz, zz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_curvature_of_a_sphere_is_exact_at_every_height():
    for x in np.random.default_rng(2).normal(size=(20, 3)):
        expected = bend_by_differences(sphere(1.3), x, 1e-5)
        assert_close(full(smooth_field(sphere(1.3), tuple(x))[2]), expected, rtol=1e-8)


@pytest.mark.parametrize("semi_axes", [(2.0, 0.5, 1.1), (1.0, 1.0, 1.0), (0.6, 0.7, 2.4)])
def test_curvature_of_an_ellipsoid_is_exact_on_its_surface(semi_axes):
    egg = ellipsoid(semi_axes)
    for x in np.random.default_rng(3).normal(size=(20, 3)):
        foot = ground_feet(egg, x[None])[0][0]
        found = full(smooth_field(egg, tuple(foot))[2])
        assert_close(found, bend_by_differences(egg, foot, 1e-5), rtol=1e-7)


def test_curvature_check_has_teeth():
    foot = ground_feet(SURFACES[2], np.array([[0.3, -0.7, 1.9]]))[0][0]
    found = full(smooth_field(ellipsoid((2.0, 0.5, 1.1 * 1.01)), tuple(foot))[2])
    with pytest.raises(AssertionError, match="off by"):
        assert_close(found, bend_by_differences(SURFACES[2], foot, 1e-5), rtol=1e-7)


def test_a_plane_has_no_curvature():
    assert smooth_field(SURFACES[0], (0.3, 0.4, 0.5))[2] == FLAT


# ---- feet ---------------------------------------------------------------------------------------


def test_feet_lie_on_the_smooth_ground_and_nearest():
    points = np.random.default_rng(4).normal(0.5, 1.0, (200, 3))
    for surface in (*SURFACES[:3], GROUNDS["grid"]):
        feet, gaps = ground_feet(surface, points)
        there = [gap_and_normal(surface, tuple(foot))[0] for foot in feet.tolist()]
        assert np.abs(there).max() < 1e-8
        if surface.kind != GRID:  # a grid bends the field; its zero is what counts
            assert_close(np.linalg.norm(points - feet, axis=1), np.abs(gaps), rtol=1e-9)
        assert gaps.tolist() == [gap_and_normal(surface, tuple(x))[0] for x in points.tolist()]


# ---- the way that is clear ----------------------------------------------------------------------


@entry
def clear_way_at(surface, x, radius):
    return clear_way(surface, x, radius)


@entry
def march(surface, x, way, radius, most):
    """Length [m] gone along `way` in steps that are clear, until a touch or `most` is reached."""
    gone = 0.0
    for _ in range(100_000):
        at = (x[0] + gone * way[0], x[1] + gone * way[1], x[2] + gone * way[2])
        clear = clear_way(surface, at, radius)
        if clear <= 1e-9:
            return gone
        gone += clear
        if gone >= most:
            return most
    return gone


@entry
def first_below(surface, x, way, radius, most, step):
    """Length [m] along `way` of the first sample at which a ball of that radius touches."""
    for n in range(int(most / step)):
        s = n * step
        at = (x[0] + s * way[0], x[1] + s * way[1], x[2] + s * way[2])
        if gap_and_gradient(surface, at)[0] <= radius:
            return s
    return most


@pytest.mark.parametrize("name", GROUNDS)
def test_clear_way_never_passes_the_ground(name):
    """Marched along rays, against samples far denser than what lies on the ground."""
    surface, most, step = GROUNDS[name], 5.0, 2e-4
    draw = np.random.default_rng(6)
    touched = 0
    for _ in range(60):
        start = draw.normal(size=3)
        start *= 2.5 / np.linalg.norm(start)
        if surface.kind == PLANE:
            start[2] = abs(start[2]) + 1.0
        way = draw.normal(size=3) * 0.6 - start
        way /= np.linalg.norm(way)
        marched = march(surface, tuple(start), tuple(way), 0.0, most)
        sampled = first_below(surface, tuple(start), tuple(way), 0.0, most, step)
        assert marched <= sampled + 1e-8
        touched += sampled < most
        if marched < most and marched > 0.0:  # and where it stops there is ground
            at = tuple(start + marched * way)
            assert abs(gap_and_gradient(surface, at)[0]) < 1e-7
    assert touched > 15


@pytest.mark.parametrize("name", GROUNDS)
def test_clear_way_is_zero_exactly_where_the_ball_touches(name):
    for x in POINTS[:30]:
        for radius in (0.0, 0.05):
            gap = gap_and_gradient(GROUNDS[name], x)[0]
            assert (clear_way(GROUNDS[name], x, radius) > 0.0) == (gap > radius)


@pytest.mark.parametrize("name", GROUNDS)
def test_a_ball_of_clear_way_holds_no_ground(name):
    surface, draw = GROUNDS[name], np.random.default_rng(8)
    for x in POINTS[:40]:
        way = clear_way_at(surface, x, 0.0)
        bound = gap_bound(surface, x)
        inside = draw.normal(size=(50, 3))
        inside *= draw.uniform(0.9, 1.0, 50)[:, None] / np.linalg.norm(inside, axis=1)[:, None]
        for length in (way, bound):
            if length > 0.0:
                for y in (np.array(x) + length * inside).tolist():
                    assert gap_and_gradient(surface, tuple(y))[0] > 0.0


def test_check_of_the_march_has_teeth():
    """Steps of the field itself, as if it were a distance, pass what lies on the ground."""
    surface, passed = GROUNDS["grid with seeded rocks"], 0
    draw = np.random.default_rng(6)
    for _ in range(60):
        start = draw.normal(size=3)
        start *= 2.5 / np.linalg.norm(start)
        way = draw.normal(size=3) * 0.6 - start
        way /= np.linalg.norm(way)
        gone = 0.0
        for _ in range(200):
            gap = gap_and_gradient(surface, tuple(start + gone * way))[0]
            if gap <= 1e-9:
                break
            gone += 1.3 * gap
        sampled = first_below(surface, tuple(start), tuple(way), 0.0, 5.0, 2e-4)
        passed += gone > sampled + 1e-3
    assert passed > 0
