"""A run is trusted only if every check holds, whatever its energy ledger says."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import pytest

from haptos.core.errors import HaptosError
from haptos.results.checks import Check, first_failure
from haptos.results.result import open_result
from tests.results.hop import hop

CROSSED = Check("surface", 0.5, 1e-9, "m", "Deepest vertex below the ground", "at 3 s")
HELD = Check("mass", 0.0, 1e-12, "", "Mass left out")


def test_a_closed_ledger_does_not_save_a_run_that_crossed_a_surface() -> None:
    result = dataclasses.replace(hop(), checks=(HELD, CROSSED))
    assert hop().trusted
    assert result.ledger.closes
    assert not result.trusted
    assert result.outcome.label == "not trusted"
    assert result.verdict.startswith(
        "Deepest vertex below the ground: 0.5 m, at 3 s; the bound is 1e-09 m."
    )
    assert result.as_row()["not_trusted_because"] == "surface"
    assert result.as_json()["checks"]["surface"]["holds"] is False


def test_checks_that_hold_change_nothing() -> None:
    result = dataclasses.replace(hop(), checks=(HELD,))
    assert result.trusted
    assert result.verdict == hop().verdict
    assert result.as_row()["not_trusted_because"] == ""


@pytest.mark.parametrize("value", [math.nan, math.inf, 2e-12])
def test_a_value_that_is_no_number_or_too_large_never_holds(value: float) -> None:
    assert not dataclasses.replace(HELD, value=value).holds


def test_a_check_is_named_before_the_ledger() -> None:
    assert first_failure(False, (CROSSED,)) == "surface"
    assert first_failure(False, (HELD,)) == "ledger"
    assert first_failure(True, (HELD,)) == ""


def test_two_checks_of_one_name_are_refused() -> None:
    with pytest.raises(HaptosError, match="one check of a name"):
        dataclasses.replace(hop(), checks=(HELD, dataclasses.replace(HELD, value=1.0)))


def test_checks_are_stored_with_the_result(tmp_path: Path) -> None:
    result = dataclasses.replace(hop(), checks=(HELD, CROSSED))
    again = open_result(result.save(tmp_path))
    assert again.checks == result.checks
    assert again.equals(result)


def test_infinity_is_within_no_bound() -> None:
    assert not Check("surface", float("inf"), float("inf"), "m", "The deepest vertex").holds
    assert Check("surface", 0.0, float("inf"), "m", "The deepest vertex").holds
