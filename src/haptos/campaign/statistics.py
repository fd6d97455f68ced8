"""Numbers about many runs: metrics with confidence, outcome shares with confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from haptos.campaign.failures import failed_runs
from haptos.campaign.intervals import (
    QUANTILES,
    mean_interval,
    quantile_intervals,
    share_interval,
)
from haptos.core.errors import HaptosError
from haptos.core.name_lists import listed
from haptos.results.campaign_summary import STATISTICS


@dataclass(frozen=True)
class Statistics:
    """Summary of a table of runs.

    metrics       one row per metric, columns STATISTICS, over trusted runs
    outcomes      one row per outcome, columns count, share, share_low, share_high, over all runs
    runs          number of runs
    not_trusted   number of runs left out of `metrics` because they are not trusted
    failed        number of those that raised an error and so have no numbers
    """

    metrics: pd.DataFrame
    outcomes: pd.DataFrame
    runs: int
    not_trusted: int
    failed: int = 0


def statistics(runs: pd.DataFrame) -> Statistics:
    """Statistics of a table of runs, as `Campaign.runs` holds it."""
    not_trusted = int((~runs["trusted"].astype(bool)).sum())
    shares, failed = outcome_shares(runs), len(failed_runs(runs))
    return Statistics(metric_statistics(runs), shares, len(runs), not_trusted, failed)


def metric_columns(runs: pd.DataFrame) -> list[str]:
    """Columns the scenario reports as numbers: those after `trusted`."""
    after = list(runs.columns).index("trusted") + 1
    return [str(name) for name in runs.columns[after:]]


def metric_statistics(runs: pd.DataFrame) -> pd.DataFrame:
    """Statistics of every metric over trusted runs; a value that is not finite is not counted."""
    trusted = runs[runs["trusted"].astype(bool)]
    names = metric_columns(runs)
    rows = [described(trusted[name].to_numpy(dtype=float)) for name in names]
    index = pd.Index(names, name="metric")
    frame = pd.DataFrame(rows, index=index, columns=list(STATISTICS))
    return frame.astype({"count": "int64"})


def described(values: np.ndarray) -> dict[str, float]:
    """Moments, quantiles, and the 95 % interval of the mean and of each quantile."""
    finite = values[np.isfinite(values)]
    count = len(finite)
    result: dict[str, float] = dict.fromkeys(STATISTICS, float("nan")) | {"count": count}
    if count == 0:
        return result
    shares = list(QUANTILES.values())
    result |= dict(zip(QUANTILES, np.quantile(finite, shares).tolist(), strict=True))
    result |= {"min": float(finite.min()), "max": float(finite.max()), "mean": float(finite.mean())}
    if count > 1:
        result["std"] = float(finite.std(ddof=1))
    ends = [mean_interval(finite), *quantile_intervals(finite, shares)]
    for name, (low, high) in zip(("mean", *QUANTILES), ends, strict=True):
        result[f"{name}_low"], result[f"{name}_high"] = low, high
    return result


def outcome_shares(runs: pd.DataFrame) -> pd.DataFrame:
    """Share of each outcome among all runs, with its Wilson interval; the most frequent first."""
    counts = runs["outcome"].astype(str).value_counts()
    labels = sorted(counts.index, key=lambda label: (-int(counts[label]), str(label)))
    rows = []
    for label in labels:
        count = int(counts[label])
        rows.append((count, count / len(runs), *share_interval(count, len(runs))))
    columns = ["count", "share", "share_low", "share_high"]
    return pd.DataFrame(rows, index=pd.Index(labels, name="outcome"), columns=columns)


def grouped(runs: pd.DataFrame, key: str) -> pd.DataFrame:
    """Metric statistics for each value of a column; index (value, metric)."""
    return _by_value(runs, key, metric_statistics)


def grouped_outcomes(runs: pd.DataFrame, key: str) -> pd.DataFrame:
    """Outcome shares for each value of a column; index (value, outcome)."""
    return _by_value(runs, key, outcome_shares)


def _by_value(runs: pd.DataFrame, key: str, summary: Any) -> pd.DataFrame:
    if key not in runs.columns:
        columns = listed(map(str, runs.columns), key, "list(runs.columns)")
        raise HaptosError("table of runs", f"no column {key!r}", columns, "name one of these")
    if runs.empty:
        raise HaptosError("table of runs", "no rows", "at least one run", "give Campaign.runs")
    parts = {value: summary(part) for value, part in runs.groupby(key, sort=True)}
    frame: pd.DataFrame = pd.concat(parts, names=[key])
    return frame
