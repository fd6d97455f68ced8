"""Distributions against their closed-form moments; bounds of four standard errors of 1e5 draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from haptos.campaign.distributions import (
    Choice,
    Distribution,
    LogUniform,
    Normal,
    PowerLaw,
    RandomAttitude,
    Uniform,
)
from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream
from tests.close import assert_close

DRAWS = 100_000


def draws(law: Distribution, count: int = DRAWS) -> np.ndarray:
    generator = stream(3, 0, name=law.kind)
    return np.array([law.sample(generator) for _ in range(count)])


def assert_moments(values: np.ndarray, mean: float, deviation: float) -> None:
    """Mean and second moment within four standard errors, both known in closed form."""
    assert abs(values.mean() - mean) < 4.0 * deviation / math.sqrt(len(values))
    squares = (values - mean) ** 2
    assert abs(squares.mean() - deviation**2) < 4.0 * squares.std() / math.sqrt(len(values))


@pytest.mark.parametrize(
    ("law", "mean", "deviation"),
    [
        (Uniform(-1.0, 3.0), 1.0, 4.0 / math.sqrt(12.0)),
        (Normal(2.0, 0.5), 2.0, 0.5),
        (
            LogUniform(0.1, 10.0),
            9.9 / math.log(100.0),
            math.sqrt((100.0 - 0.01) / (2.0 * math.log(100.0)) - (9.9 / math.log(100.0)) ** 2),
        ),
    ],
)
def test_mean_and_deviation_are_those_of_the_law(law, mean, deviation):
    assert_moments(draws(law), mean, deviation)


def test_the_moment_check_has_teeth():
    values = draws(Uniform(-1.0, 3.0 * 1.01))
    with pytest.raises(AssertionError):
        assert_moments(values, 1.0, 4.0 / math.sqrt(12.0))


def power_law_mean(exponent: float, low: float, high: float) -> float:
    b = 1.0 - (low / high) ** exponent
    return exponent / (exponent - 1.0) / b * low * (1.0 - (low / high) ** (exponent - 1.0))


def test_power_law_mean_is_the_known_one():
    assert_close(power_law_mean(2.8, 0.05, 0.50), 0.076667, rtol=1e-5)
    values = draws(PowerLaw(exponent=2.8, low=0.05, high=0.50))
    second, _ = integrate.quad(
        lambda s: s**2 * 2.8 * 0.05**2.8 * s**-3.8 / (1.0 - 0.1**2.8), 0.05, 0.50
    )
    assert_moments(values, 0.076667, math.sqrt(second - 0.076667**2))
    assert values.min() >= 0.05
    assert values.max() <= 0.50


@pytest.mark.parametrize(
    ("low", "high"),
    [(None, 0.3), (-0.5, None), (-1.0, 2.0), (1.5, 1.6), (6.0, None), (None, -9.0), (38.0, 45.0)],
)
def test_truncated_normal_follows_the_cut_law_inside_its_bounds(low, high):
    law = Normal(mean=10.0, sigma=2.0, low=low and 10 + 2 * low, high=high and 10 + 2 * high)
    values = (draws(law, 20_000) - 10.0) / 2.0
    a, b = -math.inf if low is None else low, math.inf if high is None else high
    assert values.min() >= a
    assert values.max() <= b
    # Kolmogorov-Smirnov at one in a million, a chance the fixed stream does not take.
    assert stats.kstest(values, stats.truncnorm(a, b).cdf).pvalue > 1e-6


def test_truncation_is_not_clipping():
    values = draws(Normal(0.0, 1.0, low=0.0), 20_000)
    assert np.count_nonzero(values == 0.0) == 0
    assert abs(values.mean() - math.sqrt(2.0 / math.pi)) < 4.0 * 0.6028 / math.sqrt(20_000)


def test_choice_follows_its_weights():
    values = draws(Choice(values=("a", "b", "c"), weights=(1.0, 0.0, 3.0)))
    share = np.mean(values == "a")
    assert abs(share - 0.25) < 4.0 * math.sqrt(0.25 * 0.75 / DRAWS)
    assert not np.any(values == "b")


def test_choice_without_weights_is_even_and_keeps_types():
    law = Choice(values=(1, 2, 4))
    values = draws(law)
    for value in (1, 2, 4):
        assert abs(np.mean(values == value) - 1 / 3) < 4.0 * math.sqrt(2 / 9 / DRAWS)
    assert type(law.sample(stream(0, 0))) is int
    assert law.column_type == "int64"


def test_random_attitude_covers_all_rotations():
    values = draws(RandomAttitude())
    assert_close(np.linalg.norm(values, axis=1), np.ones(DRAWS), rtol=1e-14)
    second = values.T @ values / DRAWS  # E q q^T = 1/4; E q_i^4 = 1/8 gives the bound
    assert np.all(np.abs(second - np.eye(4) / 4.0) < 4.0 * math.sqrt(1 / 16 / DRAWS))


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda: Uniform(1.0, 0.0), "low = 1, high = 0"),
        (lambda: Uniform(1.0, 1.0), "low = 1, high = 1"),
        (lambda: Uniform(0.0, math.inf), "high = inf"),
        (lambda: Uniform(-1.7e308, 1.7e308), "low = -1.7e+308"),
        (lambda: Uniform(True, 2.0), "low = True"),
        (lambda: Uniform("a", 2.0), "low = 'a'"),
        (lambda: Uniform(10**400, 2.0), "low = 1000"),
        (lambda: Normal(0.0, 0.0), "sigma = 0"),
        (lambda: Normal(0.0, -1.0), "sigma = -1"),
        (lambda: Normal(math.nan, 1.0), "mean = nan"),
        (lambda: Normal(0.0, 1.0, low=2.0, high=1.0), "low = 2, high = 1"),
        (lambda: Normal(0.0, 1.0, low=2e6), "low = 2e+06, more than a million sigma"),
        (lambda: LogUniform(0.0, 1.0), "low = 0"),
        (lambda: LogUniform(2.0, 1.0), "low = 2, high = 1"),
        (lambda: PowerLaw(0.0, 1.0, 2.0), "exponent = 0"),
        (lambda: PowerLaw(1.0, -1.0, 2.0), "low = -1"),
        (lambda: Choice(values=()), "values = ()"),
        (lambda: Choice(values=3), "values = 3"),
        (lambda: Choice(values=[1, "a"]), "values of different types"),
        (lambda: Choice(values=[[1.0, 2.0], [1.0]]), "values of different types"),
        (lambda: Choice(values=[math.nan]), "values = nan"),
        (lambda: Choice(values=[{"a": 1}]), "{'a': 1} in values"),
        (lambda: Choice(values=[2**70]), "values = 1180591620717411303424"),
        (lambda: Choice(values=[1, 2], weights=[1.0]), "weights = [1.0]"),
        (lambda: Choice(values=[1, 2], weights=[0.0, 0.0]), "weights = [0.0, 0.0]"),
        (lambda: Choice(values=[1, 2], weights=[-1.0, 2.0]), "weights = [-1.0, 2.0]"),
        (lambda: Choice(values=[1, 2], weights=[math.inf, 2.0]), "weights = inf"),
        (lambda: Choice(values=[1, 2], weights=2.0), "weights = 2.0"),
    ],
)
def test_impossible_parameters_are_refused(make, found):
    with pytest.raises(ConfigError) as caught:
        make()
    assert caught.value.found.startswith(found)
    assert caught.value.allowed
    assert caught.value.hint


def test_narrow_far_bounds_keep_their_digits():
    law = Normal(mean=0.0, sigma=1.0, low=300.0, high=300.001)
    values = draws(law, 2000)
    assert values.min() >= 300.0
    assert values.max() <= 300.001
    # Far in the tail the law is exponential with rate 300; cut at 0.3 of its length.
    share = np.mean(values < 300.0005)
    expected = -math.expm1(-0.15) / -math.expm1(-0.3)
    assert abs(share - expected) < 4.0 * math.sqrt(0.25 / 2000)
