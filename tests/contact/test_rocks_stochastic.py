"""Stochastic rocks: hit rate and tilt against geometry, and a fit that gives the law back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.rocks_stochastic import (
    StochasticRocks,
    fitted_rocks,
    largest_sine_square,
    mean_sine_square,
    no_stochastic_rocks,
    stochastic_rocks,
    struck_normal,
)
from haptos.core.errors import GeometryError
from haptos.geometry.terrain.rock_sizes import rock_size
from tests.close import assert_close

K, LAW, R = 14.3, (2.8, 0.05, 0.50), 0.125
UP, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -0.1)
unit = st.floats(0.0, 1.0, exclude_max=True)


def drops(per_area: float, law, count: int, seed: int) -> tuple[float, np.ndarray]:
    """(share that strikes a rock, sin^2 of tilts) of balls dropped straight on half balls on a plane."""
    draw = np.random.default_rng(seed)
    reach = math.sqrt(0.25 * law[2] ** 2 + law[2] * R)
    squares = []
    for _ in range(count):
        n = draw.poisson(per_area * (2.0 * reach) ** 2)
        place = draw.uniform(-reach, reach, (n, 2))
        a = 0.5 * rock_size(draw.random(n), *law)
        offset = (place**2).sum(axis=1)
        struck = offset < a * a + 2.0 * a * R
        if struck.any():  # the first struck is the one whose contact lifts the ball highest
            lift = np.sqrt((R + a[struck]) ** 2 - offset[struck])
            first = np.argmax(lift)
            squares.append(offset[struck][first] / (R + a[struck][first]) ** 2)
    return len(squares) / count, np.array(squares)


def test_hit_rate_is_that_of_dropped_balls():
    share, _ = drops(K, LAW, 20_000, seed=1)
    chance = stochastic_rocks(K, *LAW, R).chance
    assert abs(share - chance) < 4.0 * math.sqrt(chance * (1.0 - chance) / 20_000)


def test_tilts_are_those_of_dropped_balls_on_scattered_rocks():
    # few rocks, so that a ball seldom has two to strike
    rocks = stochastic_rocks(0.5, *LAW, R)
    _, squares = drops(0.5, LAW, 60_000, seed=2)
    spread = squares.std() / math.sqrt(len(squares))
    assert spread < 0.05 * squares.mean()
    assert abs(squares.mean() - mean_sine_square(rocks)) < 4.0 * spread


def test_one_size_has_a_uniform_square_of_the_sine():
    rocks = stochastic_rocks(0.5, 2.8, 0.2, 0.2, R)
    assert_close(rocks.shape, 1.0, rtol=1e-12)
    assert_close(rocks.largest, 1.0 - (R / (R + 0.1)) ** 2, rtol=1e-14)
    assert_close(largest_sine_square(0.1, R), rocks.largest, rtol=1e-14)


@pytest.mark.parametrize("rocks", [StochasticRocks(0.4, 0.3, 1.0), StochasticRocks(0.7, 0.6, 0.5)])
def test_drawn_normals_have_the_stated_rate_and_mean(rocks):
    numbers = np.random.default_rng(3).random((20_000, 3)).tolist()
    drawn = [struck_normal(rocks, UP, DOWN, *u) for u in numbers]
    normals = np.array([n for hit, n in drawn if hit])
    share = len(normals) / len(drawn)
    assert abs(share - rocks.chance) < 4.0 * math.sqrt(rocks.chance * (1.0 - rocks.chance) / 20_000)
    squares = normals[:, 0] ** 2 + normals[:, 1] ** 2
    spread = squares.std() / math.sqrt(len(squares))
    assert abs(squares.mean() - mean_sine_square(rocks)) < 4.0 * spread
    assert squares.max() <= rocks.largest
    assert np.abs(normals[:, :2].mean(axis=0)).max() < 4.0 * math.sqrt(
        0.5 * rocks.largest / len(normals)
    )
    assert all(n == UP for hit, n in drawn if not hit)


@given(unit, unit, st.tuples(*[st.floats(-1.0, 1.0)] * 3), st.integers(0, 2**32 - 1))
def test_struck_normal_is_a_unit_vector_in_the_way_of_the_probe(u2, u3, velocity, seed):
    n = np.random.default_rng(seed).normal(size=3)
    n /= np.linalg.norm(n)
    closing = np.array(velocity) - max(0.0, float(np.dot(velocity, n))) * n
    rocks = StochasticRocks(1.0, 0.8, 0.7)
    hit, struck = struck_normal(rocks, tuple(n), tuple(closing), 0.0, u2, u3)
    assert hit
    assert_close(np.linalg.norm(struck), 1.0, rtol=1e-12)
    assert np.dot(struck, closing) <= 1e-12
    tilt = np.linalg.norm(np.cross(struck, n)) ** 2
    assert_close(tilt, 0.8 * u2 ** (1.0 / 0.7), rtol=1e-10, scale=1.0)


def test_fit_gives_the_law_back():
    rocks = StochasticRocks(0.35, 0.55, 0.8)
    numbers = np.random.default_rng(5).random((20_000, 3)).tolist()
    drawn = [struck_normal(rocks, UP, DOWN, *u) for u in numbers]
    tilts = [math.acos(n[2]) for hit, n in drawn if hit]
    found = fitted_rocks(tilts, len(drawn))
    assert_close(found.chance, 0.35, rtol=0.04)
    assert_close(found.largest, 0.55, rtol=5e-3)
    assert_close(found.shape, 0.8, rtol=4.0 / math.sqrt(len(tilts)))


def test_fit_has_no_bias_on_few_impacts():
    draw = np.random.default_rng(6)
    shapes = []
    for _ in range(4000):
        squares = 0.5 * draw.random(10) ** (1.0 / 0.8)
        shapes.append(fitted_rocks(np.arcsin(np.sqrt(squares)), 20).shape)
    assert abs(np.mean(shapes) - 0.8) < 4.0 * np.std(shapes) / math.sqrt(4000)


def test_without_rocks_nothing_is_struck():
    assert struck_normal(no_stochastic_rocks(), UP, DOWN, 0.0, 0.5, 0.5) == (False, UP)
    assert stochastic_rocks(0.0, *LAW, R).chance == 0.0


@pytest.mark.parametrize(
    ("tilts", "impacts"),
    [
        ([0.1, 0.2], 9),
        ([0.1, 0.2, 0.3], 2),
        ([0.0, 0.2, 0.3], 9),
        ([0.2] * 3, 9),
        ([2.0, 0.1, 0.2], 9),
    ],
)
def test_impacts_that_fit_nothing_are_refused(tilts, impacts):
    with pytest.raises(GeometryError):
        fitted_rocks(tilts, impacts)


def test_probe_without_size_is_refused():
    with pytest.raises(GeometryError):
        stochastic_rocks(K, *LAW, 0.0)


def test_check_has_teeth():
    one, spoiled = stochastic_rocks(K, *LAW, R), stochastic_rocks(1.01 * K, *LAW, R)
    with pytest.raises(AssertionError):
        assert_close(spoiled.chance, one.chance, rtol=1e-3)
