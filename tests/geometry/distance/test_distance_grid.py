"""Look-ups in a distance grid: interpolation, derivatives, the outside, bounds, projection."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.jit import entry
from haptos.core.symmetric import apply_symmetric
from haptos.geometry.distance.distance_grid import (
    BLOCK_CELLS,
    Grid,
    box_excess,
    cell_of,
    coefficients,
    grid_distance,
    grid_field,
    grid_foot,
    grid_gap,
    grid_gap_bound,
    grid_of,
)
from haptos.geometry.distance.distance_mesh import mesh_distances, solid_mesh
from haptos.geometry.distance.grid_build import build_grid
from tests.close import assert_close
from tests.geometry.closed_meshes import SHAPES

SPACING = 0.05
RNG = np.random.default_rng(21)


def tabulated(function, spacing=SPACING, blocks=(6, 6, 6), cells=BLOCK_CELLS) -> Grid:
    """Grid about the origin with the given function at its nodes, `cells` in every block."""
    block = BLOCK_CELLS * spacing
    origin = -0.5 * block * np.array(blocks)
    ticks = block / cells * np.arange(cells + 1)
    values = [
        function(origin + block * np.array(index) + np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), -1))
        for index in np.ndindex(*blocks)
    ]  # fmt: skip
    starts = (cells + 1) ** 3 * np.arange(len(values))
    table = np.stack([starts, np.full(len(values), cells)], axis=1)
    return grid_of(
        tuple(origin), blocks, spacing, 2 * spacing, math.sqrt(3.0), table, np.ravel(values)
    )


BALL = tabulated(lambda x: np.linalg.norm(x, axis=-1) - 0.8)
TORUS = build_grid(*SHAPES["torus"](), SPACING)
GRIDS = {"ball": BALL, "torus": TORUS}


@entry
def compiled(grid, x):
    return (
        grid_distance(grid, x),
        grid_gap(grid, x),
        grid_field(grid, x),
        grid_gap_bound(grid, x),
        grid_foot(grid, x, 1e-9),
    )


def points_in(grid, count=200, beyond=0.0):
    low = np.array(grid.origin)
    high = low + grid.block * np.array(grid.counts)
    room = beyond * (high - low)
    return np.random.default_rng(3).uniform(low - room, high + room, (count, 3)).tolist()


def test_interpolated_sphere_is_within_the_bound_of_its_curvature():
    """|d_interp - d| <= spacing^2 / (4 r), reached to 90 % in the middle of cells."""
    worst = 0.0
    for x in RNG.normal(size=(4000, 3)):
        x = 0.9 * x / np.linalg.norm(x)
        error = abs(grid_gap(BALL, tuple(x)) - 0.1)
        worst = max(worst, error / (SPACING**2 / (4.0 * 0.9)))
    assert 0.9 < worst <= 1.0 + 2.0 * SPACING / 0.9  # nodes of a cell lie a little farther in


def test_error_falls_with_the_square_of_the_spacing():
    errors = []
    for spacing in (0.1, 0.05, 0.025):
        grid = tabulated(
            lambda x: np.linalg.norm(x, axis=-1) - 0.8, spacing, (round(0.3 / spacing),) * 3
        )
        rng = np.random.default_rng(5)
        x = rng.normal(size=(4000, 3))
        x = 0.8 * x / np.linalg.norm(x, axis=1, keepdims=True)
        errors.append(max(abs(grid_gap(grid, tuple(p))) for p in x))
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.all(np.abs(orders - 2.0) < 0.15)


def test_a_polynomial_that_is_linear_in_each_axis_is_met_exactly():
    def field(x):
        a, b, c = np.moveaxis(np.asarray(x), -1, 0)
        return 0.3 + a - 2.0 * b + 0.5 * c + a * b - b * c + 3.0 * a * c + 0.7 * a * b * c

    for cells in (1, 2, 4, 8):
        grid = tabulated(field, cells=cells)
        for x in points_in(grid, 50):
            a, b, c = x
            gap, gradient, hessian = grid_field(grid, tuple(x))
            assert_close(gap, field(x), rtol=1e-13, scale=5.0)
            slope = (
                1 + b + 3 * c + 0.7 * b * c,
                -2 + a - c + 0.7 * a * c,
                0.5 - b + 3 * a + 0.7 * a * b,
            )
            assert_close(gradient, slope, rtol=1e-12)
            six = (0.0, 1 + 0.7 * c, 3 + 0.7 * b, 0.0, -1 + 0.7 * a, 0.0)
            assert_close(hessian, six, rtol=1e-10)


def test_gradient_and_hessian_are_the_differences_of_value_and_gradient():
    checked = 0
    for x in points_in(TORUS, 300):
        x = np.array(x)
        _, _, h, u = cell_of(TORUS, tuple(x))
        step = 1e-3 * h
        if min(*u, *(1.0 - v for v in u)) < 0.01:
            continue
        gap, gradient, hessian = grid_field(TORUS, tuple(x))
        for k in range(3):
            ends = [grid_field(TORUS, tuple(x + sign * step * np.eye(3)[k])) for sign in (1, -1)]
            assert_close((ends[0][0] - ends[1][0]) / (2 * step), gradient[k], rtol=1e-10, scale=1.0)
            turn = (np.array(ends[0][1]) - np.array(ends[1][1])) / (2 * step)
            assert_close(turn, apply_symmetric(hessian, np.eye(3)[k]), rtol=1e-9, scale=1.0 / h)
        assert gap == grid_distance(TORUS, tuple(x))[0] == grid_gap(TORUS, tuple(x))
        checked += 1
    assert checked > 200


def test_slope_never_exceeds_the_lipschitz_bound_of_the_grid():
    assert 1.0 < TORUS.lipschitz <= math.sqrt(3.0)
    steepest = max(np.linalg.norm(grid_field(TORUS, tuple(x))[1]) for x in points_in(TORUS, 3000))
    assert 0.9 < steepest <= TORUS.lipschitz


def test_the_field_is_continuous_in_the_band_and_nearly_so_elsewhere():
    """Both sides of every kind of border: of cells, of blocks, of blocks with other cells."""
    rng = np.random.default_rng(9)
    mesh = solid_mesh(*SHAPES["torus"]())
    jumps = {True: 0.0, False: 0.0}
    for x in points_in(TORUS, 1500):
        axis = rng.integers(3)
        border = TORUS.origin[axis] + TORUS.block * rng.integers(1, TORUS.counts[axis])
        sides = []
        for value in (np.nextafter(border, -np.inf) - 1e-15, border + 1e-15):
            x[axis] = value
            sides.append(grid_gap(TORUS, tuple(x)))
        exact = abs(mesh_distances(mesh, [x], workers=1)[0][0])
        inside = exact <= TORUS.band
        jump = abs(sides[1] - sides[0]) / (1.0 if inside else exact)
        jumps[inside] = max(jumps[inside], jump)
    assert jumps[True] < 1e-14
    assert 0.0 < jumps[False] < 0.01 + SPACING * 0.02 / TORUS.band


def test_normal_is_the_unit_gradient_and_points_out():
    for x in points_in(BALL, 200):
        gap, normal = grid_distance(BALL, tuple(x))
        gradient = np.array(grid_field(BALL, tuple(x))[1])
        assert_close(normal, gradient / np.linalg.norm(gradient), rtol=1e-14)
        if abs(gap) < 0.3:
            # Half a cell away the direction differs by spacing / (2 r), r >= 0.5.
            assert_close(normal, np.array(x) / np.linalg.norm(x), rtol=SPACING, scale=1.0)


def test_a_flat_cell_has_a_normal_all_the_same():
    assert grid_distance(tabulated(lambda x: 1.0 + 0.0 * x[..., 0]), (0.1, 0.0, 0.0)) == (
        1.0,
        (0.0, 0.0, 1.0),
    )


@pytest.mark.parametrize("scale", [1.0 + 1e-12, 1.01, 1.5, 10.0, 1e6])
def test_beyond_the_box_the_gap_is_below_the_distance_and_not_by_much(scale):
    mesh = solid_mesh(*SHAPES["torus"]())
    low = np.array(TORUS.origin)
    half = 0.5 * TORUS.block * np.array(TORUS.counts)
    for direction in np.random.default_rng(6).uniform(-1.0, 1.0, (60, 3)):
        x = tuple(low + half + scale * half * direction / np.max(np.abs(direction)))
        gap, normal = grid_distance(TORUS, x)
        exact = mesh_distances(mesh, [x], workers=1)[0][0]
        assert exact / math.sqrt(2.0) * 0.99 < gap < exact * 1.005
        assert 0.0 < grid_gap_bound(TORUS, x) <= exact
        assert gap == grid_gap(TORUS, x)
        assert_close(np.linalg.norm(normal), 1.0, rtol=1e-14)
        assert np.dot(normal, np.subtract(x, low + half)) > 0.0


def test_gap_and_normal_are_continuous_at_the_box():
    high = TORUS.origin[0] + TORUS.block * TORUS.counts[0]
    inside, outside = (grid_distance(TORUS, (high + e, 0.3, 0.1)) for e in (-1e-9, 1e-9))
    assert_close(outside[0], inside[0], rtol=1e-7)
    assert_close(outside[1], inside[1], rtol=1e-7)


def test_steps_of_the_bound_never_reach_the_surface_of_grid_or_mesh():
    """Balls of the promised radius hold no point where either field changes sign."""
    mesh = solid_mesh(*SHAPES["torus"]())
    rng = np.random.default_rng(12)
    tried = 0
    for x in points_in(TORUS, 400, beyond=0.2):
        bound = grid_gap_bound(TORUS, tuple(x))
        if bound <= 0.0:
            continue
        tried += 1
        sphere = rng.normal(size=(40, 3))
        ends = np.array(x) + bound * sphere / np.linalg.norm(sphere, axis=1, keepdims=True)
        assert all(grid_gap(TORUS, tuple(end)) > 0.0 for end in ends)
        assert np.all(mesh_distances(mesh, ends, workers=1)[0] > 0.0)
    assert tried > 150


def test_a_march_by_the_bound_comes_within_two_cells_of_the_surface():
    x, direction = np.array([3.0, 0.4, 0.1]), np.array([-1.0, -0.1, 0.0])
    direction /= np.linalg.norm(direction)
    for _ in range(100):
        bound = grid_gap_bound(TORUS, tuple(x))
        if bound < 1e-3 * SPACING:
            break
        x += bound * direction
    assert 0.0 < grid_gap(TORUS, tuple(x)) < 2.0 * SPACING


@pytest.mark.parametrize("name", GRIDS)
def test_projection_lands_on_the_surface(name):
    grid = GRIDS[name]
    for x in points_in(grid, 300, beyond=0.2):
        if grid_gap(grid, tuple(x)) < -0.1:
            continue  # deep inside, two sides are equally near
        foot, gap, normal = grid_foot(grid, tuple(x), 1e-12)
        assert abs(gap) <= 1e-12
        assert (gap, normal) == grid_distance(grid, foot)
    foot, _, _ = grid_foot(BALL, (1.0, -0.7, 0.3), 1e-12)
    assert_close(np.linalg.norm(foot), 0.8, rtol=SPACING**2)
    assert_close(foot, 0.8 * np.array([1.0, -0.7, 0.3]) / math.sqrt(1.58), rtol=0.02)


def test_one_step_of_the_projection_does_not_land():
    gap, normal = grid_distance(BALL, (1.0, -0.7, 0.3))
    once = np.array([1.0, -0.7, 0.3]) - gap * np.array(normal)
    assert abs(grid_gap(BALL, tuple(once))) > 1e-6


def test_not_a_number_comes_back_as_not_a_number():
    for x in ((math.nan, 0.0, 0.0), (0.0, 0.0, math.nan)):
        assert math.isnan(grid_distance(BALL, x)[0])
        assert math.isnan(grid_gap_bound(BALL, x))
        assert math.isnan(compiled(BALL, x)[1])


def test_coefficients_are_those_of_the_source():
    values = np.random.default_rng(1).normal(size=8)
    d = values.reshape(2, 2, 2)
    expected = (
        d[0, 0, 0],
        d[1, 0, 0] - d[0, 0, 0],
        d[0, 1, 0] - d[0, 0, 0],
        d[0, 0, 1] - d[0, 0, 0],
        d[0, 0, 0] - d[1, 0, 0] - d[0, 1, 0] + d[1, 1, 0],
        d[0, 0, 0] - d[0, 1, 0] - d[0, 0, 1] + d[0, 1, 1],
        d[0, 0, 0] - d[1, 0, 0] - d[0, 0, 1] + d[1, 0, 1],
        -d[0, 0, 0] + d[1, 0, 0] + d[0, 1, 0] + d[0, 0, 1]
        - d[1, 1, 0] - d[0, 1, 1] - d[1, 0, 1] + d[1, 1, 1],
    )  # fmt: skip
    assert_close(coefficients(values, 0, 1), expected, rtol=1e-14, scale=4.0)


def test_excess_is_zero_inside_and_leads_from_the_box_outside():
    assert box_excess(BALL, (0.0, 1.2, -1.2)) == (0.0, 0.0, 0.0)
    assert_close(box_excess(BALL, (1.5, 0.0, -2.0)), (0.3, 0.0, -0.8), rtol=1e-14)


def test_arrays_of_a_grid_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        TORUS.values[0] = 1.0


def test_check_has_teeth():
    spoiled = BALL._replace(values=BALL.values * 1.01)
    error = abs(grid_gap(spoiled, (0.0, 0.54, 0.72)) - 0.1)
    assert error > SPACING**2 / (4.0 * 0.9) * 0.2
    steep = TORUS._replace(lipschitz=0.5)
    assert max(np.linalg.norm(grid_field(steep, tuple(x))[1]) for x in points_in(steep, 50)) > 0.5
