"""Statistics against hand-worked numbers and published intervals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from haptos.campaign.statistics import (
    grouped,
    grouped_outcomes,
    metric_columns,
    outcome_shares,
    statistics,
)
from haptos.core.errors import HaptosError
from haptos.results.campaign_summary import STATISTICS
from tests.close import assert_close


def table(times, trusted=None, outcomes=None, **more) -> pd.DataFrame:
    count = len(times)
    trusted = [True] * count if trusted is None else trusted
    outcomes = ["settled"] * count if outcomes is None else outcomes
    columns = {"run": range(count), **more, "outcome": outcomes, "ended": outcomes}
    return pd.DataFrame(columns | {"trusted": trusted, "time_s": times})


def test_moments_quantiles_and_interval_of_a_known_sample():
    found = statistics(table([1.0, 2.0, 3.0, 4.0, 5.0])).metrics.loc["time_s"]
    assert list(found.index) == list(STATISTICS)
    expected = {"mean": 3, "std": math.sqrt(2.5), "min": 1, "q05": 1.2, "q25": 2, "median": 3}
    expected |= {"q75": 4, "q95": 4.8, "max": 5, "count": 5}
    for name, value in expected.items():
        assert_close(found[name], value, rtol=1e-14)
    half = 2.7764451051977987 * math.sqrt(2.5) / math.sqrt(5.0)  # Student t, 4 degrees, 97.5 %
    assert_close([found["mean_low"], found["mean_high"]], [3.0 - half, 3.0 + half], rtol=1e-12)


def test_the_interval_holds_the_true_mean_as_often_as_it_says():
    generator = np.random.default_rng(1)
    hits = 0
    for _ in range(100):
        row = statistics(table(generator.normal(2.0, 1.0, 8))).metrics.loc["time_s"]
        hits += row["mean_low"] <= 2.0 <= row["mean_high"]
    assert abs(hits - 95) < 4.0 * math.sqrt(100 * 0.95 * 0.05)


def test_runs_that_are_not_trusted_are_left_out_and_counted():
    found = statistics(table([1.0, 2.0, 1000.0], trusted=[True, True, False]))
    assert found.metrics.loc["time_s", "max"] == 2.0
    assert (found.not_trusted, found.runs) == (1, 3)


def test_values_that_are_not_finite_are_not_counted():
    found = statistics(table([1.0, math.nan, 3.0, math.inf])).metrics.loc["time_s"]
    assert (found["count"], found["mean"]) == (2, 2.0)


@pytest.mark.parametrize("times", [[], [math.nan], [7.0]])
def test_too_few_values_give_no_interval_and_no_warning(times):
    found = statistics(table(times)).metrics.loc["time_s"]
    assert math.isnan(found["std"])
    assert math.isnan(found["mean_low"])
    assert found["count"] == sum(time == time for time in times)


def test_wilson_interval_of_a_known_share():
    outcomes = ["settled"] * 8 + ["escaped"] * 2
    found = outcome_shares(table([1.0] * 10, outcomes=outcomes))
    assert list(found.index) == ["settled", "escaped"]
    settled = found.loc["settled"]
    z, p, n = 1.959963984540054, 0.8, 10
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert_close(
        [settled["share_low"], settled["share_high"]], [middle - half, middle + half], rtol=1e-12
    )
    assert (settled["count"], settled["share"]) == (8, 0.8)


def test_a_share_of_all_has_an_interval_below_one():
    found = outcome_shares(table([1.0] * 10)).loc["settled"]
    assert found["share_low"] < 0.75
    assert found["share_high"] == 1.0


def test_groups_are_the_statistics_of_their_runs():
    runs = table([1.0, 2.0, 3.0, 4.0], **{"contact.friction": [0.2, 0.2, 0.5, 0.5]})
    found = grouped(runs, "contact.friction")
    assert found.index.names == ["contact.friction", "metric"]
    assert found.loc[(0.2, "time_s"), "mean"] == 1.5
    assert found.loc[(0.5, "time_s"), "mean"] == 3.5
    assert grouped_outcomes(runs, "contact.friction").loc[(0.5, "settled"), "count"] == 2


def test_an_unknown_column_to_group_by_is_told():
    with pytest.raises(HaptosError, match=r"contact\.friction"):
        grouped(table([1.0], **{"contact.friction": [0.1]}), "contact.frictoin")


def test_no_runs_have_no_groups():
    with pytest.raises(HaptosError, match="no rows"):
        grouped(table([], **{"contact.friction": []}), "contact.friction")


def test_metrics_are_what_the_scenario_reports_after_trusted():
    assert metric_columns(table([1.0], **{"contact.friction": [0.1]})) == ["time_s"]
