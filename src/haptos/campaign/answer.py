"""What came out of a campaign, in two or three sentences: how often each end, and the main numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from haptos.core.number_text import short_number as number
from haptos.core.units import split_unit

if TYPE_CHECKING:
    import pandas as pd

    from haptos.campaign.statistics import Statistics

MOST_ENDS = 3  # outcomes that are named; the report has them all


def campaign_answer(found: Statistics, main_metrics: tuple[str, ...]) -> str:
    """Shares of the outcomes with 95 % intervals, then median and spread of the main metrics."""
    parts = [_ends(found.outcomes, found.runs)]
    parts += [_metric(found.metrics, name) for name in main_metrics if name in found.metrics.index]
    return " ".join(filter(None, parts))


def _ends(outcomes: pd.DataFrame, runs: int) -> str:
    words = [
        f"{int(row['count'])} end as {label} ({row['share']:.1%}, 95 % interval "
        f"{row['share_low']:.1%} to {row['share_high']:.1%})"
        for label, row in outcomes.head(MOST_ENDS).iterrows()
    ]
    return f"Of {runs} runs {', '.join(words)}."


def _metric(metrics: pd.DataFrame, name: str) -> str:
    row = metrics.loc[name].to_dict()
    if not row["count"]:
        return ""
    words, unit = split_unit(name)
    unit = f" {unit}" if unit else ""
    return (
        f"The {words.replace('_', ' ')} is {number(row['median'])}{unit} in the median, "
        f"{number(row['q05'])} to {number(row['q95'])}{unit} in nine of ten runs."
    )
