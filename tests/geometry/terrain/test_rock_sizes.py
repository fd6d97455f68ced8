"""Rock sizes: worked values, moments, quantiles, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from haptos.core.errors import GeometryError
from haptos.geometry.terrain.rock_sizes import (
    mean_power,
    mean_size,
    require_rocks_per_area,
    rock_size,
    rocks_larger,
    rocks_per_area,
)
from tests.close import assert_close

LAW = (2.8, 0.05, 0.50)  # alpha, s_min, s_max of Table 4.2


def test_mean_size_is_the_worked_value():
    assert_close(mean_size(*LAW), 0.076667, rtol=1e-5)


def test_count_is_the_one_that_fits_the_published_study():
    # k0 = 2.5e-4 gives the K = 14.29 whose multiples are studied; the printed 2.5e-3 is ten times off
    assert_close(rocks_per_area(2.5e-4, 2.5, 0.05, 2.8), 14.29, rtol=5e-4)


@given(
    st.floats(0.3, 6.0), st.floats(0.01, 1.0), st.floats(1.05, 30.0), st.sampled_from([-1, 1, 2, 3])
)
def test_moments_are_the_integrals_over_the_quantile(alpha, s_min, ratio, n):
    s_max = ratio * s_min
    beta = 1.0 - ratio**-alpha

    def moment(z):  # 1 - beta y = exp(-z) takes the sharp end of the quantile away
        return (
            rock_size((1.0 - math.exp(-z)) / beta, alpha, s_min, s_max) ** n * math.exp(-z) / beta
        )

    integral = quad(moment, 0.0, alpha * math.log(ratio))[0]
    assert_close(mean_power(n, alpha, s_min, s_max), integral, rtol=1e-8)


@pytest.mark.parametrize("n", [1.0, 2.0])
def test_moment_passes_through_the_index_without_a_step(n):
    below, at, above = (mean_power(n, n + d, 0.05, 0.5) for d in (-1e-6, 0.0, 1e-6))
    assert_close([below, above], [at, at], rtol=1e-5)


def test_one_size_has_moments_of_that_size():
    assert mean_power(2.0, 2.8, 0.3, 0.3) == 0.09
    assert rock_size(0.7, 2.8, 0.3, 0.3) == 0.3


def test_quantile_runs_from_the_smallest_to_the_largest_size():
    assert rock_size(0.0, *LAW) == 0.05
    assert_close(rock_size(1.0, *LAW), 0.5, rtol=1e-13)


@given(st.floats(0.0, 1.0, exclude_max=True))
def test_share_of_larger_rocks_undoes_the_quantile(y):
    assert_close(rocks_larger(rock_size(y, *LAW), 1.0, *LAW), 1.0 - y, rtol=1e-12, scale=1.0)


def test_no_rock_is_outside_the_sizes():
    assert rocks_larger(0.01, 14.3, *LAW) == 14.3
    assert rocks_larger(0.6, 14.3, *LAW) == 0.0


@pytest.mark.parametrize(
    "bad", [(0.0, 0.05, 0.5), (2.8, 0.5, 0.05), (2.8, -1.0, 0.5), (2.8, math.nan, 1.0)]
)
def test_sizes_that_make_no_law_are_refused(bad):
    with pytest.raises(GeometryError):
        mean_size(*bad)


def test_number_that_is_none_is_refused():
    with pytest.raises(GeometryError):
        require_rocks_per_area("rocks", math.inf)


def test_moment_check_has_teeth():
    sizes = rock_size((np.arange(20_000) + 0.5) / 20_000, *LAW)
    assert_close(sizes.mean(), mean_size(*LAW), rtol=1e-3)
    with pytest.raises(AssertionError):
        assert_close(sizes.mean(), mean_size(1.01 * LAW[0], *LAW[1:]), rtol=1e-3)
