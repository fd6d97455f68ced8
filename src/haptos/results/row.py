"""One run as a flat row of a table: verdict, metrics, books. The same for one run and a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from haptos.core.outcome import Outcome
from haptos.results.ledger import closes

# Ends at which the numbers mean nothing, or are those of a motion cut off where nobody asked for it.
NEVER_TRUSTED = (Outcome.STALLED, Outcome.SUNK, Outcome.STEPS_OVER)


def judged(ended: Outcome, is_closed: bool) -> Outcome:
    """How a run ended, or NOT_TRUSTED where its numbers may not be used."""
    return ended if is_closed and ended not in NEVER_TRUSTED else Outcome.NOT_TRUSTED


def summary_row(
    ended: Outcome,
    metrics: Mapping[str, float],
    *,
    scale: float,
    bound: float,
    change: float,
    works: Mapping[str, float],
    remainder: float,
) -> dict[str, Any]:
    """Columns outcome, ended, trusted, the metrics, then ledger_* in joules."""
    outcome = judged(ended, closes(remainder, scale, bound))
    return {
        "outcome": outcome.label,
        "ended": ended.label,
        "trusted": outcome is not Outcome.NOT_TRUSTED,
        **metrics,
        "ledger_scale_J": scale,
        "ledger_change_J": change,
        **{f"ledger_{name}_J": work for name, work in works.items()},
        "ledger_remainder_J": remainder,
    }
