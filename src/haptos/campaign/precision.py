"""Run until precise: a campaign that stops by itself when one statistic is known well enough.

    [campaign]
    runs = 100000                                    # at most
    until = { metric = "settle_time_s", statistic = "mean", half_width = 10.0 }

Half the width of the 95 % interval is looked at after every shard, over all runs up to its end in order, so the
stop depends on the file alone: not on threads, machines or interruptions. Looking often makes the interval
a little too narrow; as the width goes to zero its coverage is right again.
Validity: one design point; a width that needs some hundred runs. Source: [Chow1965].
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from haptos.campaign.intervals import (
    QUANTILES,
    mean_interval,
    quantile_intervals,
    share_interval,
)
from haptos.core.errors import ConfigError
from haptos.core.name_lists import listed
from haptos.core.outcome import Outcome
from haptos.scenarios.registry import scenario as scenario_named
from haptos.scenarios.schema import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

CITES: tuple[str, ...] = ("Chow1965",)

ANY_RUN = (Outcome.NOT_TRUSTED, Outcome.FAILED)  # outcomes of runs of any scenario
FEWEST_VALUES = 100  # [-] assumed; before, the width itself is not known
LOOKED_AT = ("outcome", "trusted")  # columns, besides that of the metric


class Until(Table):
    """Keys of `until`: what must be known, and how well."""

    metric: str = Field(
        min_length=1, description="column of the table of runs; with share, an outcome"
    )
    statistic: Literal["mean", "median", "q05", "q25", "q75", "q95", "share"] = Field(
        default="mean", description="mean, quantile, or share of runs with the outcome `metric`"
    )
    half_width: Annotated[float, Field(gt=0.0, allow_inf_nan=False)] = Field(
        description="half the 95 % interval to reach, in the unit of the metric"
    )

    @property
    def words(self) -> str:
        """'mean of settle_time_s known to 10'"""
        return f"{self.statistic} of {self.metric} known to {self.half_width:g}"


def check_goal(until: Until | None, scenario: str, where: str) -> None:
    """Refuse, before any run, an outcome or a metric that runs of the scenario never have."""
    if until is None:
        return
    running = scenario_named(scenario).running
    if until.statistic == "share":
        known = [outcome.label for outcome in (*running.outcomes.value, *ANY_RUN)]
    else:
        known = [] if running.metric_names is None else list(running.metric_names())
    if known and until.metric not in known:
        raise _unknown(until, where, known)


def _unknown(until: Until, where: str, known: Sequence[str]) -> ConfigError:
    close = difflib.get_close_matches(until.metric, known, n=1, cutoff=0.5)
    hint = f"metric = '{close[0]}'" if close else "name one of these"
    place = f"{where} [campaign] until"
    return ConfigError(place, f"metric = {until.metric!r}", listed(known, str(until.metric)), hint)


class Goal:
    """Takes shards in any order, looks at them in the order of their runs."""

    def __init__(self, until: Until, where: str) -> None:
        self.until, self.where = until, where
        self.shards: int | None = None  # how many make up the campaign, once that is known
        self._waiting: dict[int, np.ndarray] = {}
        self._values: list[np.ndarray] = []

    @property
    def is_reached(self) -> bool:
        return self.shards is not None

    def take(self, shard: int, rows: pa.Table) -> bool:
        """Add a shard; whether the goal is reached by the runs up to some shard."""
        self._waiting[shard] = self._read(rows)
        while not self.is_reached and len(self._values) in self._waiting:
            self._values.append(self._waiting.pop(len(self._values)))
            if is_met(self.until, np.concatenate(self._values)):
                self.shards = len(self._values)
        return self.is_reached

    def _read(self, rows: pa.Table) -> np.ndarray:
        after = rows.schema.names.index("trusted") + 1
        metrics = rows.schema.names[after:]
        if not metrics and self.until.statistic != "share":
            return np.zeros(0)  # all runs of the shard failed
        if self.until.statistic != "share" and self.until.metric not in metrics:
            raise _unknown(self.until, self.where, metrics)
        return looked_at(self.until, rows.select([*LOOKED_AT, *_column(self.until)]).to_pandas())


def _column(until: Until) -> list[str]:
    return [] if until.statistic == "share" else [until.metric]


def looked_at(until: Until, runs: pd.DataFrame) -> np.ndarray:
    """Values of trusted runs that have one; with share, 1 or 0 of every run."""
    if until.statistic == "share":
        return np.asarray(runs["outcome"].astype(str) == until.metric, dtype=float)
    values = runs[until.metric].to_numpy(dtype=float)
    return np.asarray(values[runs["trusted"].to_numpy(dtype=bool) & np.isfinite(values)])


def is_met(until: Until, values: np.ndarray) -> bool:
    """Whether so many values know the statistic well enough."""
    return len(values) >= FEWEST_VALUES and half_width(until, values) <= until.half_width


def half_width(until: Until, values: np.ndarray) -> float:
    """Half of the 95 % interval of the statistic; infinite where it cannot be known."""
    if until.statistic == "share":
        low, high = share_interval(int(values.sum()), len(values))
    elif until.statistic == "mean":
        low, high = mean_interval(values)
    else:
        low, high = quantile_intervals(values, [QUANTILES[until.statistic]])[0]
    half = 0.5 * (high - low)
    return half if np.isfinite(half) else float("inf")
