"""Phases of the ledger of lines are judged over all steps, whatever is stored."""

from __future__ import annotations

from typing import Any

import pytest

import haptos
from haptos.results.result import Result
from haptos.scenarios.files import parse, read_named
from haptos.scenarios.merging import laid_over


def run(name: str, **settings: Any) -> Result:
    table, where = read_named(name)
    return haptos.simulate(parse(laid_over(table, {"run": settings}), where))


@pytest.mark.parametrize("name", ["tether", "slingshot"])
def test_a_run_of_which_only_the_ends_are_stored_is_judged_like_any_other(name: str) -> None:
    """Phases without a stored row had no remainder: a bad run was trusted if nothing of it was stored."""
    fine, coarse = (run(name, tolerance=1e-3, output_interval_s=step) for step in (0.5, 1e5))
    assert len(coarse.ledger.time) == 2
    assert coarse.ledger.phases == fine.ledger.phases
    assert coarse.ledger.relative_remainder == fine.ledger.relative_remainder > 0.0
    assert coarse.trusted == fine.trusted
    if name == "tether":
        assert not coarse.trusted


def test_phases_of_a_run_agree_with_its_stored_rows() -> None:
    """At every step as at rows that lie close: a largest of all steps is no less, and not much more."""
    ledger = run("tether", output_interval_s=2.0).ledger
    total = sum(ledger.stores.values())
    for phase in ledger.phases:
        inside = (ledger.time >= phase.start) & (ledger.time <= phase.end)
        stored = float(total[inside].max()) - phase.resting
        assert phase.stored == pytest.approx(stored, rel=1e-2)
        assert phase.stored >= stored * (1.0 - 1e-4)  # a row may lie within a step
    assert ledger.max_remainder >= max(phase.remainder for phase in ledger.phases)


def test_the_largest_remainder_holds_all_phases_together() -> None:
    ledger = run("tether-spin", tolerance=1e-5).ledger
    assert len(ledger.phases) > 1
    assert 0.0 < ledger.max_remainder <= 2.0 * sum(phase.remainder for phase in ledger.phases)
