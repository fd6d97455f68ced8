"""Gravity tables: exact at nodes, of known order between them, conservative inside and outside."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from haptos.core.errors import GeometryError
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_table import (
    BEYOND_FACE,
    GravityTable,
    central_gravity,
    no_table,
    table_gravity,
    time_in_cell,
)
from haptos.environment.gravity_table_build import gravity_table, table_error, table_values
from tests.close import assert_close
from tests.environment.polyhedron_sums import rough_body

BODY = PolyhedronField(*rough_body(level=2), 1900.0)
FEET = BODY.vertices[BODY.faces].mean(axis=1)
UP = np.cross(*(BODY.vertices[BODY.faces[:, k]] - BODY.vertices[BODY.faces[:, 0]] for k in (1, 2)))
UP /= np.linalg.norm(UP, axis=1)[:, None]
DIRECTIONS = np.random.default_rng(3).normal(size=(60, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]


@functools.cache
def table(spacing: float, continued: bool = True) -> GravityTable:
    return gravity_table(BODY, spacing, continued=continued)


def axes_of(found: GravityTable) -> list[np.ndarray]:
    low, high = box(found)
    counts = np.array(found.coefficients.shape) - 2
    return [np.linspace(a, b, n) for a, b, n in zip(low, high, counts, strict=True)]


@functools.cache
def node_field(spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """(U, g) less those of a point mass at the nodes, shaped as they are."""
    found = table(spacing)
    axes = axes_of(found)
    nodes = np.array(list(itertools.product(*axes)))
    shape = [len(axis) for axis in axes]
    exact = BODY.field(nodes)
    away = nodes - np.array(found.centre)
    distance = np.linalg.norm(away, axis=1)
    gravity = exact.gravity + found.mu * away / distance[:, None] ** 3
    return (exact.potential - found.mu / distance).reshape(shape), gravity.reshape(*shape, 3)


def central(found: GravityTable, points: np.ndarray) -> np.ndarray:
    """Gravity of the point mass that the published table holds apart."""
    away = (points - found.centre).tolist()
    return np.array([central_gravity(tuple(d), found.mu, 0.0)[1] for d in away])


def relative(gravity: np.ndarray, points: np.ndarray) -> np.ndarray:
    exact = BODY.gravity(points)
    return np.linalg.norm(gravity - exact, axis=1) / np.linalg.norm(exact, axis=1)


def linear_error(found: GravityTable, points: np.ndarray) -> np.ndarray:
    """Error of g read from the table by trilinear interpolation of g."""
    lookup = RegularGridInterpolator(axes_of(found), node_field(found.spacing)[1])
    return relative(lookup(points) + central(found, points), points)


def slope_error(found: GravityTable, points: np.ndarray) -> np.ndarray:
    """Error of g taken as the slope of trilinear U."""
    lookup = RegularGridInterpolator(axes_of(found), node_field(found.spacing)[0])
    shifts = 1e-4 * np.eye(3)
    slope = [(lookup(points + shift) - lookup(points - shift)) / 2e-4 for shift in shifts]
    return relative(np.stack(slope, axis=1) + central(found, points), points)


def box(found: GravityTable) -> tuple[np.ndarray, np.ndarray]:
    low = np.array(found.first)
    return low, low + found.spacing * (np.array(found.coefficients.shape) - 3)


def leaving_places(found: GravityTable) -> np.ndarray:
    """Where rays from the centre leave the box [m]."""
    low, high = box(found) - BODY.centre
    share = np.min(np.where(DIRECTIONS > 0.0, high / DIRECTIONS, low / DIRECTIONS), axis=1)
    return BODY.centre + share[:, None] * DIRECTIONS


def test_nodes_hold_the_field_of_the_polyhedron():
    found = table(48.0, continued=False)
    nodes = np.array(list(itertools.product(*axes_of(found))))
    potential, gravity = table_values(found, nodes)
    exact = BODY.field(nodes)
    assert_close(potential, exact.potential, rtol=1e-12)
    assert np.median(relative(gravity, nodes)) < 0.01


def test_gravity_above_ground_is_of_third_order_or_better():
    """What the ground's kink leaves above it falls off from node to node, faster than any power."""
    points = FEET + 60.0 * UP
    rms = [np.sqrt(np.mean(table_error(table(h), BODY, points) ** 2)) for h in (48.0, 24.0, 12.0)]
    orders = np.log2(np.array(rms[:-1]) / rms[1:])
    assert np.all(orders > 2.8)
    assert rms[-1] < 1e-4


def test_carrying_the_field_on_below_ground_makes_the_ground_better():
    for spacing in (24.0, 12.0):
        plain, better = (table_error(table(spacing, on), BODY, FEET) for on in (False, True))
        assert np.median(better) < np.median(plain) / 4.0
        assert np.quantile(better, 0.95) < np.quantile(plain, 0.95) / 1.5


def test_the_spline_beats_the_linear_lookup_at_the_ground_and_above():
    found = table(12.0)
    for points, gain in ((FEET, 5.0), (FEET + 6.0 * UP, 2.5), (FEET + 18.0 * UP, 2.0)):
        cubic, linear = table_error(found, BODY, points), linear_error(found, points)
        assert np.quantile(cubic, 0.95) < np.quantile(linear, 0.95) / gain


@pytest.mark.parametrize("spacing", [48.0, 24.0])
def test_linear_tables_of_potential_need_half_the_spacing_of_those_of_gravity(spacing):
    of_gravity = np.quantile(linear_error(table(spacing, False), FEET), 0.95)
    of_potential = np.quantile(slope_error(table(spacing / 2, False), FEET), 0.95)
    # Both fall with the square of the spacing; half of it leaves 0.91 of the error, at either spacing.
    assert_close(of_potential / of_gravity, 0.91, rtol=0.02)


@pytest.mark.parametrize("factor", [0.3, 1.05, 1.2, 1.8, 4.0])
def test_gravity_is_the_slope_of_the_potential_inside_and_outside_the_box(factor):
    found, step = table(24.0), 1e-3
    points = BODY.centre + factor * BODY.radius * DIRECTIONS
    slope = [
        (table_values(found, points + shift)[0] - table_values(found, points - shift)[0])
        / (2.0 * step)
        for shift in step * np.eye(3)
    ]
    assert_close(np.stack(slope, axis=1), table_values(found, points)[1], rtol=1e-6)


def test_field_is_continuous_from_cell_to_cell():
    found = table(24.0)
    generator = np.random.default_rng(1)
    cell = generator.integers(1, np.array(found.coefficients.shape) - 3, size=(60, 3))
    points = np.array(found.first) + found.spacing * (cell + generator.uniform(size=(60, 3)))
    for axis in range(3):
        points_on = points.copy()
        points_on[:, axis] = found.first[axis] + found.spacing * cell[:, axis]
        shift = 1e-9 * np.eye(3)[axis]
        below, above = (table_values(found, points_on + sign * shift) for sign in (-1.0, 1.0))
        assert_close(below[0], above[0], rtol=1e-10)
        assert_close(below[1], above[1], rtol=1e-9)


def test_gradient_of_gravity_is_continuous_from_cell_to_cell():
    """What lets an integrator of high order take long steps."""
    found, step = table(24.0), 1e-3
    generator = np.random.default_rng(1)
    cell = generator.integers(1, np.array(found.coefficients.shape) - 3, size=(40, 3))
    points = np.array(found.first) + found.spacing * (cell + generator.uniform(size=(40, 3)))
    for axis in range(3):
        points[:, axis] = found.first[axis] + found.spacing * cell[:, axis]
        shift = step * np.eye(3)[axis]
        here, ahead, behind = (
            table_values(found, points + sign * shift)[1] for sign in (0.0, 1.0, -1.0)
        )
        size = 4.0 * math.pi * BODY.strength
        assert_close((ahead - here) / step, (here - behind) / step, rtol=1e-3, scale=size)


@pytest.mark.parametrize(("spacing", "step"), [(48.0, 2e-2), (12.0, 5e-3)])
def test_potential_is_continuous_at_the_box_and_gravity_nearly(spacing, step):
    found = table(spacing)
    edge = leaving_places(found)
    inside = table_values(found, BODY.centre + (edge - BODY.centre) * (1.0 - 1e-12))
    outside = table_values(found, BODY.centre + (edge - BODY.centre) * (1.0 + 1e-12))
    assert_close(inside[0], outside[0], rtol=1e-11)
    jump = np.linalg.norm(inside[1] - outside[1], axis=1) / np.linalg.norm(inside[1], axis=1)
    assert 1e-6 < np.max(jump) < step


@pytest.mark.parametrize(
    ("factor", "bound"), [(1.1, 4e-3), (1.5, 1e-3), (3.0, 3e-5), (10.0, 3e-8), (1e4, 1e-12)]
)
def test_outside_the_box_the_field_stays_near_the_polyhedron(factor, bound):
    found = table(12.0)
    points = BODY.centre + factor * (leaving_places(found) - BODY.centre)
    assert np.max(table_error(found, BODY, points)) < bound
    assert_close(table_values(found, points)[0], BODY.potential(points), rtol=bound)


def test_centre_is_finite_and_the_core_is_a_point_mass_from_afar():
    found = table(24.0, continued=False)
    potential, gravity = table_gravity(found, found.centre)
    assert_close(potential, BODY.potential([found.centre])[0], rtol=5e-3)
    exact = BODY.gravity([found.centre])[0]
    assert_close(gravity, exact, rtol=0.02, scale=BODY.mu / BODY.radius**2)
    far = central_gravity((5e4, 0.0, 0.0), 2.1, 50.0)
    assert_close(far[0], 2.1 / 5e4, rtol=1e-6)
    assert_close(far[1], (-2.1 / 5e4**2, 0.0, 0.0), rtol=3e-6)


def test_compiled_lookup_gives_the_bits_of_the_python_call():
    found = table(48.0)
    points = np.concatenate([FEET[:20], BODY.centre + 900.0 * DIRECTIONS[:20], [BODY.centre]])
    potential, gravity = table_values(found, points)
    for x, u, g in zip(points.tolist(), potential, gravity, strict=True):
        assert table_gravity(found, tuple(x)) == (u, tuple(g))


def test_threads_do_not_change_a_bit_and_progress_ends_at_one():
    reported: list[float] = []
    one = gravity_table(BODY, 48.0, workers=1)
    two = gravity_table(BODY, 48.0, workers=2, progress=reported.append)
    assert np.array_equal(one.coefficients, two.coefficients)
    assert reported == sorted(reported)
    assert reported[-1] == 1.0


def cells_of(found: GravityTable, places: np.ndarray) -> np.ndarray:
    """Places in spacings from the first node."""
    return (places - np.array(found.first)) / found.spacing


def motions(found: GravityTable, count: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Places in the box, velocities and accelerations that leave a cell within a few units of time."""
    generator = np.random.default_rng(8)
    low, high = box(found)
    return [
        (generator.uniform(low, high), *(found.spacing * generator.normal(size=(2, 3))))
        for _ in range(count)
    ]


def test_the_time_in_a_cell_ends_just_beyond_the_first_face_that_is_met():
    found = table(24.0)
    for x, v, a in motions(found, 300):
        time = time_in_cell(found, tuple(x), tuple(v), tuple(a))
        share = np.linspace(0.0, 1.0, 201)[:, None] * time
        way = cells_of(found, x + v * share + 0.5 * a * share**2) - np.floor(cells_of(found, x))
        beyond = np.max(np.abs(way - 0.5) - 0.5, axis=1)
        assert_close(beyond[-1], BEYOND_FACE, rtol=1e-8)
        assert np.all(beyond[:-1] < BEYOND_FACE)


def test_a_body_at_rest_or_beyond_the_box_has_no_cell_to_leave():
    found, none = table(24.0), (0.0, 0.0, 0.0)
    low, high = box(found)
    inside, outside = tuple(0.5 * (low + high) + 1.0), tuple(high + 1.0)
    assert time_in_cell(found, inside, none, none) == math.inf
    assert time_in_cell(found, outside, (-1.0, -1.0, -1.0), none) == math.inf


def test_no_table_pulls_nowhere():
    for x in ((0.0, 0.0, 0.0), (0.5, 0.5, 0.5), (30.0, -2.0, 1.0)):
        potential, gravity = table_gravity(no_table(), x)
        assert potential == 0.0
        assert max(map(abs, gravity)) == 0.0


@pytest.mark.parametrize("spacing", [0.0, -1.0, math.nan, 1e-3])
def test_spacings_that_make_no_table_are_refused(spacing):
    with pytest.raises(GeometryError, match="gravity table"):
        gravity_table(BODY, spacing)


def test_negative_margins_are_refused():
    with pytest.raises(GeometryError, match="margin"):
        gravity_table(BODY, 48.0, margin=-1.0)


def test_check_has_teeth():
    found = table(12.0)
    heavier = found._replace(mu=1.01 * found.mu)
    points = BODY.centre + 1.5 * (leaving_places(found) - BODY.centre)
    assert np.max(table_error(heavier, BODY, FEET)) > np.max(table_error(found, BODY, FEET))
    assert np.max(table_error(found._replace(far=1.01 * found.far), BODY, points)) > 1e-3
