"""Outcomes at each swept value: over a whole sweep shares depend on which values were chosen, and are those of no population.

Runs are grouped by the keys that a list or a grid changes. Keys of a latin hypercube, of Sobol and of Saltelli designs sample a range, as
random ones do: their runs stay together.
"""

from __future__ import annotations

from itertools import starmap
from typing import TYPE_CHECKING

import pandas as pd

from haptos.campaign.intervals import share_interval
from haptos.core.number_text import short_number
from haptos.core.units import label, split_unit
from haptos.results.campaign_summary import Finding

if TYPE_CHECKING:
    from haptos.campaign.plan import CampaignPlan

VALUE_BY_VALUE = ("list", "grid")  # other sweeps change all their keys from point to point
MOST_ROWS = 60  # that a reader can follow; with more each swept key has a table of its own
TITLE = "Outcomes at each swept value"
NOTE = "Shares of the runs there, with their 95 % intervals."
MARGINAL = "Shares of the runs with that value, whatever the other swept keys are, so that no interval is given."


def swept_columns(plan: CampaignPlan) -> list[str]:
    """Columns of the keys that are swept value by value."""
    return [
        column
        for key, sweep in plan.template.sweeps.items()
        if sweep.kind in VALUE_BY_VALUE
        for column in plan.columns_of(key)
    ]


def swept_parts(plan: CampaignPlan, runs: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Runs of each combination of swept values, by names, values and units; empty if there are less than two."""
    columns = swept_columns(plan)
    if not columns or len(runs) == 0:
        return {}
    grouped = runs.groupby(columns, sort=True, dropna=False)
    parts = {
        ", ".join(starmap(named_value, zip(columns, values, strict=True))): part
        for values, part in grouped
    }
    return parts if len(parts) > 1 else {}


def swept_outcomes(plan: CampaignPlan, runs: pd.DataFrame) -> tuple[Finding, ...]:
    """How often each outcome came at each combination of swept values; empty without a sweep.

    With more combinations than a reader can follow, at each value of each key.
    """
    columns = swept_columns(plan)
    if not swept_parts(plan, runs):
        return ()
    parts = _parts(runs, columns)
    if len(parts) <= MOST_ROWS:
        return (_finding(TITLE, parts, _names(columns), NOTE),)
    keys = [key for key in columns if 1 < runs[key].nunique(dropna=False) <= MOST_ROWS]
    note = NOTE if len(columns) == 1 else MARGINAL
    return tuple(
        _finding(f"Outcomes at each {_names([key])}", _parts(runs, [key]), _names([key]), note)
        for key in keys
    )


def _parts(runs: pd.DataFrame, columns: list[str]) -> dict[str, pd.DataFrame]:
    grouped = runs.groupby(columns, sort=True, dropna=False)
    return {", ".join(map(value_text, values)): part for values, part in grouped}


def value_text(value: object) -> str:
    """A swept value as a reader would write it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return short_number(float(value), 6)
    return str(value)


def named_value(column: str, value: object) -> str:
    """A swept value with its name and unit: 'thrust 10 N'."""
    key, _, element = column.partition("[")
    name, unit = split_unit(key.rsplit(".", 1)[-1])
    words = name.replace("_", " ") + (f"[{element}" if element else "")
    return f"{words} {value_text(value)}" + (f" {unit}" if unit not in ("", "-") else "")


def _names(columns: list[str]) -> str:
    """Names and units of swept columns, also of one element of a vector."""
    return ", ".join(map(column_words, columns))


def column_words(column: str) -> str:
    """Name and unit of a swept column, also of one element of a vector."""
    key, _, element = column.partition("[")
    return label(key) + (f" of element {element.rstrip(']')}" if element else "")


def _finding(title: str, parts: dict[str, pd.DataFrame], name: str, note: str) -> Finding:
    """One row per group: its runs, and the share of each outcome with its interval."""
    every = pd.concat([part["outcome"].astype(str) for part in parts.values()])
    labels = list(every.value_counts().index)
    shown, numbers = [], []
    for part in parts.values():
        counts, total = part["outcome"].astype(str).value_counts(), len(part)
        cells: dict[str, str] = {"runs [-]": str(total)}
        row: dict[str, float] = {"runs": total}
        for outcome in labels:
            count = int(counts.get(outcome, 0))
            low, high = share_interval(count, total)
            has_interval = note == NOTE
            digits = 0 if total < 200 else 1  # an interval of a large sample is not of no width
            interval = f" [{low:.{digits}%}, {high:.{digits}%}]" if has_interval else ""
            cells[outcome] = f"{count} ({count / total:.0%}){interval}"
            row |= {outcome: count, f"{outcome}_share": count / total}
            row |= {f"{outcome}_low": low, f"{outcome}_high": high} if has_interval else {}
        shown.append(cells)
        numbers.append(row)
    index = pd.Index(list(parts), name=name)
    return Finding(
        title, pd.DataFrame(shown, index=index), note, numbers=pd.DataFrame(numbers, index=index)
    )
