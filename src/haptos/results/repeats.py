"""How far the numbers of a run repeat: the same scenario with its start disturbed, and with finer steps.

    scatter of a metric = max over the further runs of |its value there - its value in the run|

A closed energy ledger says that a motion was integrated well. It does not say that the motion is the
only one: where contacts follow each other, a disturbance of one part in 10^9 may grow until it shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

NOT_ALWAYS = math.inf  # scatter of what happened in some of the runs only


@dataclass(frozen=True)
class Repeats:
    """Further runs of one scenario: first those with a disturbed start, at last the one with finer steps.

    outcomes   label of each further run
    metrics    name -> value in each further run
    """

    outcomes: tuple[str, ...]
    metrics: dict[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", tuple(self.outcomes))
        values = {name: tuple(map(float, found)) for name, found in self.metrics.items()}
        object.__setattr__(self, "metrics", values)

    @property
    def disturbed(self) -> int:
        """Number of runs with a disturbed start."""
        return len(self.outcomes) - 1

    def scatter(self, name: str, value: float) -> float:
        """Largest difference from a value of the run; NaN where it never happened."""
        others = self.metrics[name]
        known = [not math.isnan(other) for other in (value, *others)]
        if not any(known):
            return math.nan
        if not all(known):
            return NOT_ALWAYS
        return max(abs(other - value) if other != value else 0.0 for other in others)

    def agreement(self, outcome: str) -> str:
        """One sentence: how many of the further runs ended as the run did."""
        same, total = self.outcomes.count(outcome), len(self.outcomes)
        sentence = f"Repeats: {same} of {total} further runs ended as this one, {outcome}"
        others = {label: self.outcomes.count(label) for label in self.outcomes if label != outcome}
        if others:
            sentence += "; " + ", ".join(f"{count} {label}" for label, count in others.items())
        return f"{sentence}. {self.disturbed} had a disturbed start, one finer steps."

    def as_json(self, outcome: str, metrics: Mapping[str, float]) -> dict[str, Any]:
        """Mapping for JSON."""
        return {
            "disturbed": self.disturbed,
            "outcomes": list(self.outcomes),
            "same_outcome": self.outcomes.count(outcome),
            "scatter": {name: self.scatter(name, value) for name, value in metrics.items()},
            "metrics": {name: list(values) for name, values in self.metrics.items()},
        }


def scatter_text(scatter: float) -> str:
    """A scatter for people: '± 0.003', or that it did not happen in every run."""
    if math.isnan(scatter):
        return ""
    return "not in all runs" if scatter == NOT_ALWAYS else f"± {scatter:.2g}"
