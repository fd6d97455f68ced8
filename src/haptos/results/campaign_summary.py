"""What a report of many runs needs to know, and nothing of how they were run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.results.checks import LEDGER
from haptos.results.row import NEVER_TRUSTED

if TYPE_CHECKING:
    import numpy
    import pandas

    from haptos.results.places import Places

# Columns of the log of impacts that are shown.
IMPACTS = ("aspect_angle_rad", "impact_angle_rad", "closing_speed_m_per_s", "loss_J")
KINDS = ("random", "swept")
STATISTICS = (
    "count",
    "mean",
    "std",
    "min",
    "q05",
    "q25",
    "median",
    "q75",
    "q95",
    "max",
    "mean_low",
    "mean_high",
    "q05_low",
    "q05_high",
    "q25_low",
    "q25_high",
    "median_low",
    "median_high",
    "q75_low",
    "q75_high",
    "q95_low",
    "q95_high",
)

REASONS = {  # words of a report for the reason of a run, where the reason alone says too little
    LEDGER: "with an energy ledger that does not close",
    "surface": "that crossed a surface unseen",
    "passed through": "in which something passed through a body",
    "momentum": "whose momentum does not add up",
    "mass": "whose mass does not add up",
}


@dataclass(frozen=True, eq=False)
class Curve:
    """Means of a metric against a key, with 95 % intervals, and the curve fitted through them.

    x, mean, low, high   of every value of the key      fit_x, fit_y   of the curve, along x
    """

    label: str
    x: numpy.ndarray
    mean: numpy.ndarray
    low: numpy.ndarray
    high: numpy.ndarray
    fit_x: numpy.ndarray
    fit_y: numpy.ndarray


@dataclass(frozen=True, eq=False)
class Finding:
    """What the runs say beyond their statistics: a table, a note, and curves against a key.

    numbers   the table with all its digits, where `table` holds texts      files   that hold it
    """

    title: str
    table: pandas.DataFrame
    note: str = ""
    key: str = ""
    metric: str = ""
    curves: tuple[Curve, ...] = ()
    numbers: pandas.DataFrame | None = None
    files: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class CampaignView:
    """A campaign ready to be shown.

    question    what the campaign asks, or the scenario answers; answer: what came out, in two or three sentences
    config      the scenario all runs share, before the varied keys are put in
    varied      one mapping per varied key: key (dotted), kind (random or swept), description
    runs        one row per run: outcome, ended, trusted, metrics, varied keys by their dotted name
    statistics  one row per metric, columns STATISTICS; NAME_low to NAME_high is the 95 % interval
    outcomes    one row per outcome: count, share, share_low to share_high its 95 % interval
    reproduce   the command that gives the same runs again
    impacts     one row per impact of all runs, columns IMPACTS; None if they were not stored
    places      where the runs end, if all share one body that has a mesh
    swept_values  at how many values a list or grid had runs; 0 if all runs are of one population
    findings    sensitivity and fits, where the campaign allows them
    files       that hold the statistics, beside the report
    """

    title: str
    scenario: str
    config: dict[str, Any]
    varied: list[dict[str, Any]]
    runs: pandas.DataFrame
    statistics: pandas.DataFrame
    provenance: dict[str, Any]
    reproduce: str
    outcomes: pandas.DataFrame | None = None
    question: str = ""
    answer: str = ""
    cites: tuple[str, ...] = field(default=())
    impacts: pandas.DataFrame | None = None
    places: Places | None = None
    findings: tuple[Finding, ...] = ()
    swept_values: int = 0
    files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for entry in self.varied:
            if not {"key", "kind", "description"} <= set(entry) or entry["kind"] not in KINDS:
                allowed = f"key, description and kind, one of {', '.join(KINDS)}"
                hint = "give a mapping with these three keys for each varied key"
                raise HaptosError("campaign varied keys", repr(entry), allowed, hint)
        missing = [name for name in STATISTICS if name not in self.statistics.columns]
        if missing:
            found = f"no column {', '.join(missing)}"
            hint = "make it with campaign.statistics.metric_statistics"
            raise HaptosError("campaign statistics", found, ", ".join(STATISTICS), hint)

    @property
    def keys_by_kind(self) -> dict[str, list[str]]:
        """{'random': [keys], 'swept': [keys]}"""
        return {
            kind: [str(entry["key"]) for entry in self.varied if entry["kind"] == kind]
            for kind in KINDS
        }

    @property
    def trusted_count(self) -> int:
        return int(self.runs["trusted"].sum()) if "trusted" in self.runs else 0

    @property
    def doubts(self) -> dict[str, int]:
        """Why runs are not trusted -> how many: how the motion ended, a failed check, or the ledger."""
        if "trusted" not in self.runs:
            return {}
        doubtful = self.runs[~self.runs["trusted"].astype(bool)]
        if "not_trusted_because" in doubtful:
            reasons = doubtful["not_trusted_because"].astype(str).tolist()
        else:  # a table of before this column: only the ending says why
            labels = {outcome.label for outcome in NEVER_TRUSTED}
            ended = doubtful.get("ended", [""] * len(doubtful))
            reasons = [label if label in labels else LEDGER for label in map(str, ended)]
        often_first = sorted(set(reasons), key=lambda reason: (-reasons.count(reason), reason))
        return {REASONS.get(reason, reason): reasons.count(reason) for reason in often_first}

    @property
    def failures(self) -> pandas.DataFrame:
        """Rows of the runs that raised an error, with its message."""
        if "message" not in self.runs:
            return self.runs.head(0)
        return self.runs[self.runs["outcome"].astype(str) == Outcome.FAILED.label]

    @property
    def outcome_counts(self) -> dict[str, int]:
        """Outcome label -> number of runs, most frequent first."""
        if "outcome" not in self.runs:
            return {}
        counts = self.runs["outcome"].astype(str).value_counts()
        return {str(label): int(count) for label, count in counts.items()}
