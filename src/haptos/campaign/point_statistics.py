"""Means at every design point of a sweep: statistics over all points tell nothing of what was swept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from haptos.campaign.intervals import mean_interval, share_interval
from haptos.campaign.swept_outcomes import column_words
from haptos.core.number_text import short_number
from haptos.core.units import label
from haptos.results.campaign_summary import Finding
from haptos.scenarios.registry import scenario

if TYPE_CHECKING:
    from haptos.campaign.plan import CampaignPlan

MOST_POINTS = 60  # rows a reader can follow; `Campaign.runs` and `grouped` serve the rest
NOTE = (
    "Means over trusted runs; brackets are 95 % intervals. "
    "Statistics above are over all points together."
)


def point_statistics(plan: CampaignPlan, runs: pd.DataFrame) -> tuple[Finding, ...]:
    """Share of an outcome and means of metrics at each design point; empty without a sweep.

    Which ones is for the scenario to say (`Studying`).
    """
    asked = scenario(plan.scenario).studying
    outcome, words = asked.share
    swept = [column for key in plan.template.sweeps for column in plan.columns_of(key)]
    metrics = [name for name in asked.point_metrics if name in runs]
    if not metrics or not 1 < plan.points <= MOST_POINTS or plan.settings.runs < 2:
        return ()
    numbers = pd.DataFrame(
        [
            _numbers(part, swept, metrics, asked.share)
            for _, part in runs.groupby("point", sort=True)
        ]
    )
    shown = pd.DataFrame({"runs [-]": numbers["runs"].astype(str)})
    if outcome:
        shown[f"{words} [-]"] = _bracketed(numbers, _column(words))
    for name in metrics:
        shown[label(name)] = _bracketed(numbers, name)
    note = f"Share of runs {words}. {NOTE}" if outcome else NOTE
    shown.index = pd.Index(
        [", ".join(_reported(row[key]) for key in swept) for _, row in numbers.iterrows()],
        name=", ".join(map(column_words, swept)),
    )
    return (
        Finding("Each design point", shown, note, numbers=numbers.rename_axis("point")),
    )  # fmt: skip


def _numbers(
    part: pd.DataFrame,
    swept: list[str],
    metrics: list[str],
    share: tuple[str | tuple[str, ...], str],
) -> dict[str, object]:
    """One row: the swept values, the number of runs, and each number with its interval."""
    row: dict[str, object] = {key: part[key].iloc[0] for key in swept} | {"runs": len(part)}
    outcome, words = share
    if outcome:
        labels = [outcome] if isinstance(outcome, str) else list(outcome)
        count = int(part["outcome"].astype(str).isin(labels).sum())
        row |= _with_interval(_column(words), count / len(part), share_interval(count, len(part)))
    trusted = part[part["trusted"].astype(bool)]
    for name in metrics:
        values = trusted[name].to_numpy(dtype=float)
        values = values[np.isfinite(values)]
        mean = float(values.mean()) if len(values) else float("nan")
        row |= _with_interval(name, mean, mean_interval(values))
    return row


def _column(words: str) -> str:
    return words.replace(" ", "_")


def _with_interval(name: str, value: float, ends: tuple[float, float]) -> dict[str, float]:
    return {name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]}


def _bracketed(numbers: pd.DataFrame, name: str) -> list[str]:
    columns = (numbers[name], numbers[f"{name}_low"], numbers[f"{name}_high"])
    return [
        f"{_reported(value)} [{_reported(low)}, {_reported(high)}]"
        if low == low
        else _reported(value)
        for value, low, high in zip(*columns, strict=True)
    ]


def _reported(value: object) -> str:
    """Numbers with three digits, a dash for what is not known; anything else as it is."""
    return short_number(float(value)) if isinstance(value, float | np.floating) else str(value)
