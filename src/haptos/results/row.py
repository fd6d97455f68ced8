"""One run as a flat row of a table: verdict, metrics, ledger. The same for one run and a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from haptos.core.outcome import Outcome
from haptos.results.checks import Check, first_failure
from haptos.results.ledger import closes

# Ends at which the numbers mean nothing, or are those of a motion cut off where nobody asked for it.
NEVER_TRUSTED = (Outcome.STALLED, Outcome.SUNK, Outcome.STEPS_OVER)


def distrust(ended: Outcome, is_closed: bool, checks: Sequence[Check]) -> str:
    """Why the numbers of a run may not be used, in a word or two; "" if they may."""
    return ended.label if ended in NEVER_TRUSTED else first_failure(is_closed, checks)


def summary_row(
    ended: Outcome,
    metrics: Mapping[str, float],
    *,
    scale: float,
    bound: float,
    change: float,
    works: Mapping[str, float],
    remainder: float,
    checks: Sequence[Check] = (),
) -> dict[str, Any]:
    """Columns of text, then `trusted`, then numbers: the metrics and ledger_* in joules."""
    reason = distrust(ended, closes(remainder, scale, bound), checks)
    return {
        "outcome": Outcome.NOT_TRUSTED.label if reason else ended.label,
        "ended": ended.label,
        "not_trusted_because": reason,
        "trusted": not reason,
        **metrics,
        "ledger_scale_J": scale,
        "ledger_change_J": change,
        **{f"ledger_{name}_J": work for name, work in works.items()},
        "ledger_remainder_J": remainder,
    }
