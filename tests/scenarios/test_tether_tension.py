"""Lines beyond their law: too long for it, taken in faster than their waves, or broken parts that would break again."""

from __future__ import annotations

from typing import Any

import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.files import parse
from tests.scenarios.test_tether import changed


def run(**tables: Any) -> Result:
    return hp.simulate(parse(changed("tether-spin", **tables), "tether.toml"))


def check(result: Result, name: str) -> float:
    return next(one.value for one in result.checks if one.name == name)


def retrieve(length: float, duration: float) -> list[dict[str, Any]]:
    return [{"kind": "retrieve", "duration_s": duration, "length_m": length, "shape": "linear"}]


def test_line_is_not_taken_in_faster_than_its_waves():
    soft = {"stiffness_N": 1.0, "damping_N_s": 0.1}  # waves at 4.472 m/s
    with pytest.raises(ConfigError, match=r"retrieve at 4\.48 m/s") as refusal:
        run(line=soft, steps=retrieve(44.8, 10.0))
    assert "4.472 m/s" in refusal.value.allowed
    assert run(line=soft, steps=retrieve(2.0, 10.0)).trusted


def test_a_line_of_more_than_twice_its_length_is_not_trusted():
    """A spin in which a line of 0.5 N grows beyond twice its length; of 50 N it stretches by a few percent."""
    hold = [{"kind": "hold", "duration_s": 100.0}]
    start = {"spin_deg_per_s": [0.0, 3.0, 0.0]}
    wide = run(line={"stiffness_N": 0.5, "damping_N_s": 1.0}, start=start, steps=hold)
    assert check(wide, "strain") > 1.0
    assert wide.outcome is Outcome.NOT_TRUSTED
    assert wide.ledger.closes
    firm = run(line={"stiffness_N": 50.0, "damping_N_s": 100.0}, start=start, steps=hold)
    assert 0.01 < check(firm, "strain") < 0.5
    assert firm.trusted


def test_parts_of_a_broken_line_that_would_break_again_are_not_trusted():
    """A line that breaks while a pair spins up: its longer part whips. A line that stands the whip is trusted."""
    steps = [
        {"kind": "retrieve", "duration_s": 60.0, "length_m": 60.0},
        {"kind": "hold", "duration_s": 60.0},
    ]
    whips = run(line={"breaking_tension_N": 9.0}, steps=steps)
    assert whips.ended is Outcome.TETHER_BROKE
    assert check(whips, "parts") > 1.0
    assert whips.outcome is Outcome.NOT_TRUSTED
    steps = [{"kind": "hold", "duration_s": 5.0}, {"kind": "cut", "length_m": 60.0}, steps[1]]
    calm = run(line={"breaking_tension_N": 50.0}, steps=steps)
    assert calm.ended is Outcome.TETHER_BROKE
    assert 0.0 < check(calm, "parts") < 1.0
    assert calm.trusted
