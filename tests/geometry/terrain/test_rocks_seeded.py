"""Seeded rocks: the brute-force minimum, exact derivatives, bounds, counts cut by a plane."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.geometry.terrain.aperiodic_tiling import TILINGS, blend_of_index, tiling_3d
from haptos.geometry.terrain.noise import value_noise
from haptos.geometry.terrain.rock_shape import shape_directions, shape_mean_width, shape_vertices
from haptos.geometry.terrain.rock_sizes import mean_power, mean_size, rocks_larger
from haptos.geometry.terrain.rocks_seeded import (
    FILLET,
    SeededRocks,
    no_rocks,
    rocks_at,
    rocks_value,
    seeded_rocks,
)
from tests.close import assert_close

K, LAW = 14.3, (2.8, 0.05, 0.50)


@functools.cache
def field(**settings) -> SeededRocks:
    """The nominal rocks, in a smaller cube."""
    return seeded_rocks(3, K, *LAW, cube_m=2.0, **settings)


@entry
def fill(rocks, points, share, values, gradients, hessians, only):
    for i in range(len(points)):
        x = (points[i, 0], points[i, 1], points[i, 2])
        values[i], gradients[i], hessians[i] = rocks_at(rocks, x, share)
        only[i] = rocks_value(rocks, x, share)


def sampled(rocks, points, share=1.0):
    n = len(points)
    out = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 6)), np.zeros(n)
    fill(rocks, np.ascontiguousarray(points), share, *out)
    return out


def points_about(size: float, count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-size, size, (count, 3))


def expected(rocks: SeededRocks, x: np.ndarray, share: float) -> float:
    """Minimum over all rocks and images, tiling by tiling, as it is written on paper."""
    u = value_noise(rocks.lattice, tuple(rocks.frequency * x))[0]
    k, w, _, _ = blend_of_index(TILINGS * (u + 0.5))
    total = 0.0
    for number, weight in ((k, 1.0 - w), ((k + 1) % TILINGS, w)):
        turn, shift = tiling_3d(number)
        place = turn @ (x + rocks.side * shift)
        table = rocks.rocks[rocks.rocks[:, 5] < share]
        away = place - table[:, :3]
        away -= rocks.side * np.round(away / rocks.side)
        y = np.einsum("nij,nj->ni", table[:, 6:15].reshape(-1, 3, 3), away)
        terms = np.abs(y @ rocks.directions.T)
        most = terms.max(axis=1)
        powers = ((terms / most[:, None]) ** rocks.sharpness).sum(axis=1)
        d = most * powers ** (1.0 / rocks.sharpness) - table[:, 3]
        total += weight * joined(d, rocks.fillet)
    return total


def joined(d: np.ndarray, eps: float) -> float:
    """The minimum of 0 and all numbers; with a fillet one after the other, in their order."""
    if eps == 0.0:
        return min(0.0, float(d.min()))
    total = 0.0
    for value in d:
        total = min(total, value) - max(eps - abs(total - value), 0.0) ** 2 / (4.0 * eps)
    return float(total)


@pytest.mark.parametrize("fillet", [0.0, FILLET, 0.1])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_value_is_the_minimum_over_all_rocks(share, fillet):
    rocks, points = field(fillet=fillet), points_about(60.0, 300)
    found = sampled(rocks, points, share)[0]
    wanted = [expected(rocks, x, share) for x in points]
    assert_close(found, wanted, rtol=1e-12, scale=rocks.deepest)
    assert np.count_nonzero(found) > 10


def test_value_alone_equals_the_value_with_derivatives():
    values, _, _, only = sampled(field(), points_about(60.0, 20_000))
    assert np.array_equal(values, only)


@pytest.mark.parametrize(
    "settings", [{}, {"sharpness": 8.0, "shape": "truncated_octahedron"}, {"index_m": 1.5}]
)
def test_gradient_and_hessian_are_the_derivatives_off_the_kinks(settings):
    rocks, step = field(**settings), 1e-6
    points = points_about(40.0, 40_000, seed=7)
    points = points[sampled(rocks, points)[0] < 0.0][:3000]
    value, gradient, hessian, _ = sampled(rocks, points)
    slopes, bends = np.zeros((len(points), 3)), np.zeros((len(points), 3, 3))
    for i, axis in enumerate(np.eye(3)):
        ahead, behind = (sampled(rocks, points + s * step * axis) for s in (1.0, -1.0))
        slopes[:, i] = (ahead[0] - behind[0]) / (2.0 * step)
        bends[:, i] = (ahead[1] - behind[1]) / (2.0 * step)
    full = hessian[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3)
    size = 1.0 + np.linalg.norm(bends, axis=(1, 2))
    wrong_slope = np.abs(gradient - slopes).max(axis=1) > 1e-5 * size
    wrong_bend = np.abs(full - bends).max(axis=(1, 2)) > 1e-3 * size
    # a kink within the step of 1e-6 m, of the Hessian only: rare, as rocks are some 0.05 m wide
    assert wrong_slope.mean() < 2e-3
    assert wrong_bend.mean() < 1e-2
    assert len(points) > 2000
    assert np.abs(value).max() > 0.01


def test_a_fillet_changes_the_ground_by_less_than_itself_and_only_in_creases():
    points = points_about(60.0, 100_000)
    plain, filled = sampled(field(fillet=0.0), points), sampled(field(), points)
    change = plain[0] - filled[0]
    assert change.min() >= 0.0
    assert 0.2 * field().fillet < change.max() <= field().fillet
    assert np.mean(change > 0.0) < 0.1 * np.mean(plain[0] < 0.0)


def test_the_normal_turns_gently_through_a_crease():
    """Across each crease of the plain field the gradient jumps; with a fillet it moves with the point."""
    line = np.linspace(-9.0, 9.0, 900_001)[:, None] * np.array([0.6, 0.64, 0.48])
    plain, filled = (
        np.linalg.norm(np.diff(sampled(rocks, line)[1], axis=0), axis=1)
        for rocks in (field(fillet=0.0), field())
    )
    assert np.count_nonzero(plain > 0.5) > 50
    # 2e-5 m per look over a fillet of 1e-3 m that turns the normal by two at most; edges of rocks
    # are as sharp as p = 100 makes them
    assert filled.max() < 0.1


@pytest.mark.parametrize("fillet", [0.0, FILLET])
def test_values_and_gradients_stay_within_their_bounds(fillet):
    rocks = field(index_m=1.5, fillet=fillet)
    values, gradients, _, _ = sampled(rocks, points_about(100.0, 200_000))
    assert values.max() <= 0.0
    assert -rocks.deepest <= values.min() < -0.3 * rocks.deepest
    slopes = np.linalg.norm(gradients, axis=1)
    assert 1.0 < slopes.max() <= rocks.steepest


def test_field_has_no_step_across_faces_of_the_cube_or_cells_of_the_index():
    rocks = field()
    line = np.linspace(-9.0, 9.0, 400_001)[:, None] * np.array([0.6, 0.64, 0.48])
    values = sampled(rocks, line)[0]
    assert np.abs(np.diff(values)).max() <= rocks.steepest * 18.0 / 400_000 * (1.0 + 1e-9)


def test_larger_share_only_adds_rocks():
    rocks, points = field(), points_about(60.0, 50_000)
    fewer, more = sampled(rocks, points, 0.4)[0], sampled(rocks, points, 0.8)[0]
    assert np.all(more <= fewer)
    assert np.count_nonzero(sampled(rocks, points, 0.0)[0]) == 0
    assert 0.3 < np.count_nonzero(fewer) / np.count_nonzero(more) < 0.7


def test_number_of_rocks_fills_the_cube_like_the_area():
    rocks = field()
    assert abs(len(rocks.rocks) - K * 2.0**3 / mean_size(*LAW)) <= 1.0  # K3 = (K L^2) L/dbar
    diameters = 2.0 * rocks.rocks[:, 3]
    assert diameters.min() >= 0.05
    assert diameters.max() <= 0.50
    assert_close(diameters.mean(), mean_size(*LAW), rtol=0.05)


def cuts(rocks: SeededRocks) -> np.ndarray:
    """Radii of the sharp rocks cut by 64 planes z = const; per area divide by 64 side^2."""
    corners = shape_vertices(rocks.directions)
    turns = rocks.rocks[:, 6:15].reshape(-1, 3, 3)
    reach = (turns[:, :, 2] @ corners.T).max(axis=1) * rocks.rocks[:, 3]
    found = []
    for height in (np.arange(64) + 0.5) / 64.0 * rocks.side:
        away = height - rocks.rocks[:, 2]
        away -= rocks.side * np.round(away / rocks.side)
        found.append(rocks.rocks[np.abs(away) < reach, 3])
    return np.concatenate(found)


def test_published_count_cuts_more_rocks_than_the_law_and_favours_large_ones():
    rocks = seeded_rocks(11, K, *LAW, cube_m=5.0)
    widths = shape_mean_width(rocks.directions) * cuts(rocks)
    per_area = len(widths) / (64.0 * rocks.side**2)
    ratio = 0.5 * shape_mean_width(rocks.directions)
    assert_close(ratio, 1.153, rtol=1e-3)
    assert_close(per_area, ratio * K, rtol=0.03)  # 64 planes cut some 8000 different rocks
    # sizes that show are drawn in proportion to the size: E[s^2]/E[s], not E[s]
    assert_close(widths.mean() / ratio, mean_power(2.0, *LAW) / mean_size(*LAW), rtol=0.05)


def test_exposed_law_gives_the_count_and_the_sizes_on_a_plane():
    rocks = seeded_rocks(12, K, *LAW, cube_m=5.0, exposed_law=True)
    widths = shape_mean_width(rocks.directions) * cuts(rocks)
    area = 64.0 * rocks.side**2
    assert_close(len(widths) / area, K, rtol=0.03)
    for size in (0.08, 0.15):
        count = np.count_nonzero(widths > size) / area
        assert_close(count, rocks_larger(size, K, *LAW), rtol=0.12)


def test_bare_ground_shows_rocks_exactly_where_the_plane_is_cut():
    # d = z + d_PSR: the surface is raised where, and only where, the plane z = 0 lies in a rock
    rocks = field()
    points = points_about(20.0, 20_000)
    points[:, 2] = 0.0
    inside = sampled(rocks, points)[0]
    above = points + np.array([0.0, 0.0, 1e-6])
    raised = above[:, 2] + sampled(rocks, above)[0] < 0.0
    assert np.all(raised[inside < -1e-5])
    assert np.count_nonzero(raised[inside == 0.0]) <= 2  # a rock that begins within 1e-6 m
    assert 0.05 < (inside < 0.0).mean() < 0.5


def test_no_rocks_is_zero_everywhere_and_of_the_same_types():
    none, some = no_rocks(), field()
    assert rocks_at(none, (1.0, 2.0, 3.0), 1.0) == (0.0, (0.0,) * 3, (0.0,) * 6)
    assert np.count_nonzero(sampled(none, points_about(5.0, 100))[0]) == 0
    assert none.deepest == none.steepest == 0.0
    assert len(fill.signatures) == 1  # one compiled kernel serves both
    assert [type(a) for a in none] == [type(b) for b in some]


def test_compiled_rocks_equal_plain_python():
    rocks, points = field(), points_about(30.0, 300)
    values, gradients, _, _ = sampled(rocks, points)
    for i, x in enumerate(points.tolist()):
        value, gradient, _ = rocks_at(rocks, tuple(x), 1.0)
        assert_close(value, values[i], rtol=1e-14, scale=rocks.deepest)
        assert_close(gradient, gradients[i], rtol=1e-12, scale=1.0)


def test_seed_decides_the_rocks():
    one, same, other = (seeded_rocks(s, K, *LAW, cube_m=2.0) for s in (1, 1, 2))
    assert one.rocks.tobytes() == same.rocks.tobytes()
    assert one.rocks.tobytes() != other.rocks.tobytes()


def test_sharp_edges_are_allowed():
    rocks = field(sharpness=math.inf)
    values, gradients, hessians, _ = sampled(rocks, points_about(30.0, 5000))
    soft = sampled(field(sharpness=1e5), points_about(30.0, 5000))
    assert np.all(np.isfinite(gradients))
    assert np.all(np.isfinite(hessians))
    assert_close(values, soft[0], rtol=1e-4, scale=rocks.deepest)


@pytest.mark.parametrize(
    "bad",
    [
        {"cube_m": 0.5}, {"sharpness": 1.0}, {"index_m": 0.0}, {"shape": "ball"}, {"cube_m": 300.0},
    ],
)  # fmt: skip
def test_impossible_fields_are_refused(bad):
    with pytest.raises(GeometryError):
        seeded_rocks(1, K, *LAW, **bad)


def test_negative_number_of_rocks_is_refused():
    with pytest.raises(GeometryError):
        seeded_rocks(1, -1.0, *LAW)


def test_minimum_check_has_teeth():
    rocks, points = field(), points_about(60.0, 300)
    spoiled = rocks._replace(side=1.01 * rocks.side)
    wanted = [expected(rocks, x, 1.0) for x in points]
    with pytest.raises(AssertionError):
        assert_close(sampled(spoiled, points)[0], wanted, rtol=1e-3, scale=rocks.deepest)


def test_directions_of_the_field_are_those_of_its_shape():
    assert np.array_equal(field().directions, shape_directions("icosahedron"))
