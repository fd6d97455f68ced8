"""What came out of a campaign, in two or three sentences: how often each end, and the main numbers.

Of a sweep each swept value answers for itself: what all runs together would say depends on which values were chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from haptos.core.number_text import short_number as number
from haptos.core.units import split_unit

if TYPE_CHECKING:
    import pandas as pd

    from haptos.campaign.statistics import Statistics

MOST_ENDS = 3  # outcomes that are named; the report has them all
MOST_VALUES = 6  # swept values that are named; of more the least and the largest share


def campaign_answer(
    found: Statistics,
    main_metrics: tuple[str, ...],
    parts: Mapping[str, pd.DataFrame] | None = None,
    outcome: str | tuple[str, ...] = "",
) -> str:
    """Shares of the outcomes with 95 % intervals, then median and spread of the main metrics.

    parts    runs of each swept value, by that in words; none without a sweep
    outcome  whose share is given at each of them (of several, those that occur together); the most frequent if left out
             or never seen
    """
    if parts:
        said = [_counts(found, len(parts)), _shares(found, parts, outcome)]
        said += [_medians(parts, name) for name in main_metrics if name in found.metrics.index]
        return " ".join(filter(None, said))
    said = [_ends(found.outcomes, found.runs)]
    said += [_metric(found.metrics, name) for name in main_metrics if name in found.metrics.index]
    return " ".join(filter(None, said))


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
    words, unit = _words(name)
    return (
        f"The {words} is {number(row['median'])}{unit} in the median, "
        f"{number(row['q05'])} to {number(row['q95'])}{unit} in nine of ten runs."
    )


def _counts(found: Statistics, points: int) -> str:
    words = [
        f"{int(row['count'])} end as {label}"
        for label, row in found.outcomes.head(MOST_ENDS).iterrows()
    ]
    return f"Of {found.runs} runs at {points} swept values {', '.join(words)}."


def _shares(
    found: Statistics, parts: Mapping[str, pd.DataFrame], wanted: str | tuple[str, ...]
) -> str:
    """Share of one outcome, or of several together, at each swept value, or the span of them."""
    seen = found.outcomes.index
    asked = (wanted,) if isinstance(wanted, str) else wanted
    labels = [label for label in asked if label in seen] or [str(seen[0])]
    outcome = " or ".join(labels)
    shares = {
        value: float(part["outcome"].astype(str).isin(labels).mean())
        for value, part in parts.items()
    }
    if len(shares) <= MOST_VALUES:
        listed = ", ".join(f"{share:.0%} at {value}" for value, share in shares.items())
        return f"The share of {outcome} is {listed}."
    low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    if shares[low] == shares[high]:
        return f"The share of {outcome} is {shares[low]:.0%} at each of them."
    return f"The share of {outcome} lies between {shares[low]:.0%} (at {low}) and {shares[high]:.0%} (at {high})."


def _medians(parts: Mapping[str, pd.DataFrame], name: str) -> str:
    """Least and largest median of a metric over swept values."""
    medians = {
        value: float(part.loc[part["trusted"].astype(bool), name].astype(float).median())
        for value, part in parts.items()
    }
    medians = {value: median for value, median in medians.items() if median == median}
    if not medians:
        return ""
    low, high = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    words, unit = _words(name)
    if medians[low] == medians[high]:
        return f"The {words} is {number(medians[low])}{unit} in the median of each."
    return (
        f"The median {words} lies between {number(medians[low])}{unit} (at {low}) "
        f"and {number(medians[high])}{unit} (at {high})."
    )


def _words(name: str) -> tuple[str, str]:
    """A metric in words, and its unit after a space."""
    words, unit = split_unit(name)
    return words.replace("_", " "), f" {unit}" if unit else ""
