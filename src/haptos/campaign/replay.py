"""One run of a finished campaign, simulated again with everything stored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from haptos.campaign.failures import failed_runs
from haptos.core.errors import StorageError
from haptos.scenarios.registry import scenario

if TYPE_CHECKING:
    from haptos.campaign.campaign import Campaign
    from haptos.results.result import Result

COMPARED = "ledger_change_J"  # a number every run has, and none has twice


def replayed(campaign: Campaign, run: int) -> Result:
    """Result of one run, by its index; IndexError if the campaign has no such run.

    A run that failed is refused with its message: it would fail again.
    """
    config = campaign.plan.config(run)
    failed = failed_runs(campaign.runs)
    if run in failed["run"].to_numpy():
        message = failed.loc[failed["run"] == run, "message"].iloc[0]
        where, hint = f"{campaign.directory} run {run}", "choose a run that did not fail"
        raise StorageError(where, f"a run that failed ({message})", "a run with numbers", hint)
    result: Result = scenario(config.scenario).running.simulate(config)
    return result


def difference(campaign: Campaign, run: int, result: Result) -> str | None:
    """What differs between a run simulated again and its stored row; None if nothing does."""
    rows = campaign.runs[campaign.runs["run"] == run]
    if len(rows) != 1:
        raise StorageError(str(campaign.directory), f"no row of run {run}", "one", "haptos report")
    stored, again = rows.iloc[0], result.as_row()
    if stored["outcome"] != again["outcome"]:
        return f"the stored outcome is {stored['outcome']}, now it is {again['outcome']}"
    if COMPARED in rows.columns and not _is_same(stored[COMPARED], again[COMPARED]):
        return "its energy differs from the stored one: the program has changed since"
    return None


def _is_same(stored: float, again: float) -> bool:
    """Equal to the last bit; NaN is NaN."""
    return float(stored) == float(again) or (math.isnan(stored) and math.isnan(again))


def spread(campaign: Campaign, most: int) -> Sequence[int]:
    """At most so many run indices, evenly out of all, and at least one of each outcome.

    Runs that failed are left out.
    """
    runs = campaign.runs.drop(index=failed_runs(campaign.runs).index)
    index = runs["run"].to_numpy(dtype=int)
    if len(index) <= most:
        return [int(run) for run in index]
    first = runs.drop_duplicates("outcome")["run"].to_numpy(dtype=int)[:most]
    even = index[np.linspace(0, len(index) - 1, most - len(first)).astype(int)]
    return sorted({*first.tolist(), *even.tolist()})
