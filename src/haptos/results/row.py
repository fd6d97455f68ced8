"""One run as a flat row of a table: verdict, metrics, ledger. The same for one run and a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from haptos.core.outcome import Outcome
from haptos.results.checks import Check, first_failure
from haptos.results.ledger import closes
from haptos.results.phases import Phase, worst

# Ends at which the numbers mean nothing, or are those of a motion cut off where nobody asked for it.
NEVER_TRUSTED = (Outcome.STALLED, Outcome.SUNK, Outcome.STEPS_OVER, Outcome.CONTROLLER_FAILED)


def distrust(ended: Outcome, is_closed: bool, checks: Sequence[Check]) -> str:
    """Why the numbers of a run may not be used, in a word or two; "" if they may."""
    return ended.label if ended in NEVER_TRUSTED else first_failure(is_closed, checks)


def summary_row(
    ended: Outcome,
    metrics: Mapping[str, float],
    *,
    phases: Sequence[Phase],
    bound: float,
    change: float,
    works: Mapping[str, float],
    remainder: float,
    checks: Sequence[Check] = (),
) -> dict[str, Any]:
    """Columns of text, then `trusted`, then numbers: the metrics and ledger_* in joules.

    phases     of the ledger; the columns tell of the one that misses the largest share
    remainder  largest of all steps [J]
    """
    reason, found = distrust(ended, closes(phases, bound), checks), worst(phases)
    return {
        "outcome": Outcome.NOT_TRUSTED.label if reason else ended.label,
        "ended": ended.label,
        "not_trusted_because": reason,
        "ledger_phase": found.phase.name,
        "trusted": not reason,
        **metrics,
        "ledger_scale_J": found.scale,
        "ledger_change_J": change,
        **{f"ledger_{name}_J": work for name, work in works.items()},
        "ledger_remainder_J": remainder,
        "ledger_phase_remainder_J": found.phase.remainder,
        "ledger_relative_remainder": found.share,
    }
