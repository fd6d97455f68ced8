"""Intervals: exact ranks, coverage of skewed and normal truths, the same numbers every time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.campaign.intervals import mean_interval, quantile_intervals, share_interval
from haptos.core.errors import HaptosError
from tests.close import assert_close

CAMPAIGNS = 200
LEAST_HITS = 0.904  # three standard deviations of 200 throws at 0.95 below it


def coverage(draw, mean, median, upper):
    """Share of campaigns whose intervals hold the true mean, median and 90 % quantile."""
    hits = np.zeros(3)
    for _ in range(CAMPAIGNS):
        values = draw()
        ends = [mean_interval(values), *quantile_intervals(values, [0.5, 0.9])]
        truths = (mean, median, upper)
        hits += [low <= truth <= high for (low, high), truth in zip(ends, truths, strict=True)]
    return hits / CAMPAIGNS


def test_intervals_of_skewed_runs_hold_the_truth_as_often_as_they_say():
    generator = np.random.default_rng(1)
    found = coverage(lambda: generator.exponential(1.0, 80), 1.0, math.log(2.0), math.log(10.0))
    assert np.all(found >= LEAST_HITS), found
    assert found[0] <= 0.99  # and are not merely wide


def test_intervals_of_normal_runs_hold_the_truth_as_often_as_they_say():
    generator = np.random.default_rng(2)
    found = coverage(lambda: generator.normal(5.0, 2.0, 300), 5.0, 5.0, 5.0 + 2.0 * 1.2815515655)
    assert np.all(found >= LEAST_HITS), found


def test_small_samples_have_the_student_interval():
    half = 2.7764451051977987 * math.sqrt(2.5) / math.sqrt(5.0)  # 4 degrees of freedom
    assert_close(mean_interval([1.0, 2.0, 3.0, 4.0, 5.0]), [3.0 - half, 3.0 + half], rtol=1e-12)


def test_the_bootstrap_agrees_with_student_on_large_normal_samples():
    values = np.random.default_rng(3).normal(0.0, 1.0, 2000)
    low, high = mean_interval(values)
    half = 1.9612 * values.std(ddof=1) / math.sqrt(2000.0)
    assert_close([low - values.mean(), high - values.mean()], [-half, half], rtol=0.08)


def test_the_bootstrap_follows_the_skew():
    values = np.random.default_rng(4).exponential(1.0, 40)
    low, high = mean_interval(values)
    assert high - values.mean() > 1.2 * (values.mean() - low)


def test_ranks_of_the_median_are_those_of_the_binomial_tables():
    # n = 20: 6th and 15th value, confidence 0.9586
    assert quantile_intervals(np.arange(1.0, 21.0), [0.5]) == [(6.0, 15.0)]


def test_what_a_sample_cannot_bound_is_not_told():
    (low, high) = quantile_intervals(np.arange(10.0), [0.95])[0]
    assert math.isfinite(low)
    assert math.isnan(high)
    assert all(math.isnan(end) for end in quantile_intervals([], [0.5])[0])
    assert all(math.isnan(end) for end in mean_interval([1.0]))


def test_equal_values_have_an_interval_of_no_width():
    assert mean_interval([2.0] * 30) == (2.0, 2.0)


def test_the_same_values_give_the_same_interval_and_units_do_not_matter():
    values = np.random.default_rng(5).exponential(1.0, 50)
    assert mean_interval(values) == mean_interval(values.copy())
    assert_close(mean_interval(1e-9 * values), 1e-9 * np.array(mean_interval(values)), rtol=1e-9)


def test_values_that_are_not_finite_do_not_count():
    assert mean_interval([1.0, 2.0, math.nan, 3.0]) == mean_interval([1.0, 2.0, 3.0])


def test_wilson_interval_is_that_of_the_formula():
    """(p + z^2/2n -+ z sqrt(p q / n + z^2 / 4 n^2)) / (1 + z^2/n), z = 1.959964, p = 3/10."""
    z2, n, p = 1.959963984540054**2, 10.0, 0.3
    middle, root = p + z2 / 2 / n, np.sqrt(z2 * (p * (1 - p) / n + z2 / 4 / n**2))
    expected = np.array([middle - root, middle + root]) / (1.0 + z2 / n)
    assert_close(share_interval(3, 10), expected, rtol=1e-9)


def test_a_share_of_no_runs_or_of_one_is_hardly_known():
    assert all(math.isnan(end) for end in share_interval(0, 0))
    low, high = share_interval(1, 1)
    assert low < 0.25
    assert high == 1.0


@pytest.mark.parametrize(("count", "hits"), [(20, 1), (100, 2), (1000, 3)])
def test_a_count_that_is_nearly_always_zero_has_the_student_interval(count, hits):
    """Draws without a hit have no t; without them the interval would end at the mean itself."""
    from scipy.stats import t

    values = np.zeros(count)
    values[:hits] = 1.0
    half = t.ppf(0.975, count - 1) * values.std(ddof=1) / math.sqrt(count)
    expected = [values.mean() - half, values.mean() + half]
    assert_close(mean_interval(values), expected, rtol=1e-12)


def test_shares_outside_zero_to_one_are_refused():
    with pytest.raises(HaptosError, match="share"):
        quantile_intervals([1.0, 2.0], [1.0])


def test_tables_of_200_campaigns_hold_the_truth_as_often_as_they_say():
    """Settling times as campaigns have them: a gamma law, of 100 runs a tenth without a value."""
    import pandas as pd

    from haptos.campaign.statistics import statistics

    generator, truth = np.random.default_rng(3), {"mean": 5000.0, "median": 4670.909}
    hits = dict.fromkeys(truth, 0)
    shares = 0
    for _ in range(CAMPAIGNS):
        values = generator.gamma(5.0, 1000.0, 100)
        settled = generator.random(100) < 0.9
        values[~settled] = math.nan
        outcome = np.where(settled, "settled", "escaped")
        found = statistics(
            pd.DataFrame({"outcome": outcome, "trusted": True, "settle_time_s": values})
        )
        row = found.metrics.loc["settle_time_s"]
        for name, true in truth.items():
            hits[name] += row[f"{name}_low"] <= true <= row[f"{name}_high"]
        share = found.outcomes.loc["settled"]
        shares += share["share_low"] <= 0.9 <= share["share_high"]
    for count in (*hits.values(), shares):
        assert LEAST_HITS * CAMPAIGNS <= count <= 0.995 * CAMPAIGNS


@pytest.mark.parametrize("value", [0.0, 1.0 / 3.0, 1833.3333333333335])
def test_equal_values_have_an_interval_without_width(value):
    assert mean_interval(np.full(20, value)) == (value, value)
