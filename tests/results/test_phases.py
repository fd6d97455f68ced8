"""Trust by phase: what is put in does not dilute what is missed, and small phases have a floor."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from haptos.dynamics.ledger.phase_ledger import LEAST_PHASE
from haptos.results.ledger import EnergyLedger, closes
from haptos.results.phases import FLOOR, RESTING, Phase, judged, worst
from haptos.results.result import Result, open_result
from tests.close import assert_close
from tests.results.hop import hop

FLIGHT = Phase("flight", 0.0, 2.0, stored=8.0, dissipated=0.0, put_in=0.0, remainder=1e-9)
TOW = Phase("tow", 2.0, 9.0, stored=1.5, dissipated=0.5, put_in=700.0, remainder=0.3)


def with_phases(*phases: Phase, bound: float = 1e-2) -> Result:
    result = hop()
    return replace(result, ledger=replace(result.ledger, phases=phases, bound=bound))


def test_the_scale_is_what_a_phase_stores_and_dissipates():
    flight, tow = judged([FLIGHT, TOW])
    assert (flight.scale, tow.scale) == (8.0, 2.0)
    assert_close(tow.share, 0.15, rtol=1e-15)


def test_work_put_in_does_not_dilute_what_is_missing():
    much = replace(TOW, put_in=1e9)
    assert judged([FLIGHT, much])[1].share == judged([FLIGHT, TOW])[1].share
    assert not closes([FLIGHT, much], 0.1)
    assert closes([FLIGHT, much], 0.15)


def test_a_phase_with_next_to_nothing_is_measured_by_the_floor():
    quiet = replace(TOW, stored=1e-9, dissipated=0.0, remainder=4e-6)
    assert judged([FLIGHT, quiet])[1].scale == FLOOR * 8.0
    assert_close(judged([FLIGHT, quiet])[1].share, 5e-4, rtol=1e-15)


def test_what_rests_in_bodies_does_not_dilute_what_is_missing():
    """The box at 36,000 deg/s: 1.7 J left over of 3.5 J dissipated were a share of its 59 kJ."""
    spun = Phase("touch", 0.0, 1.0, 3.4, dissipated=3.5, put_in=0.0, remainder=1.7, resting=59e3)
    assert judged([spun])[0].scale == 3.4 + 3.5
    assert not closes([spun], 1e-2)


def test_a_body_that_only_spins_is_not_judged_by_rounding():
    spun = replace(TOW, stored=1e-13, dissipated=0.0, remainder=1e-12, resting=100.0)
    assert judged([spun])[0].scale == RESTING * 100.0
    assert closes([spun], 1e-6)


def test_energy_that_a_law_gives_is_no_part_of_the_scale():
    assert judged([replace(TOW, dissipated=-0.5)])[0].scale == 1.5


@pytest.mark.parametrize("bad", [{"remainder": math.nan}, {"stored": math.nan}])
def test_a_phase_that_is_no_number_is_the_worst_and_does_not_close(bad):
    found = [FLIGHT, replace(TOW, name="spoiled", **bad), replace(TOW, remainder=1e9)]
    assert worst(found).phase.name == "spoiled"
    assert not closes(found, 1e12)


@pytest.mark.parametrize("remainder", [0.0, 1.0, math.inf])
def test_an_infinite_energy_closes_nothing(remainder):
    """Anything is a small share of it, of this phase and by the floor of all others."""
    endless = replace(TOW, name="endless", stored=math.inf, remainder=remainder)
    assert not closes([endless], 1e-6)
    assert not closes([FLIGHT, endless], 1e-6)
    assert math.isnan(worst([FLIGHT, endless]).share)


def test_no_energy_at_all_closes_only_if_nothing_is_missing():
    nothing = replace(FLIGHT, stored=0.0, remainder=0.0)
    assert closes([nothing], 1e-6)
    assert not closes([replace(nothing, remainder=1e-30)], 1e-6)
    assert worst([replace(nothing, remainder=1e-30)]).share == math.inf


def test_the_verdict_names_the_worst_phase_and_its_joules():
    result = with_phases(FLIGHT, TOW)
    assert not result.trusted
    assert result.verdict == (
        "The energy ledger does not close: the largest remainder is 0.15 in the phase 'tow', "
        "0.3 J of 2 J; the bound is 0.01."
    )
    assert with_phases(FLIGHT, TOW, bound=0.2).trusted


def test_a_row_tells_the_worst_phase():
    row = with_phases(FLIGHT, TOW).as_row()
    assert row["ledger_phase"] == "tow"
    assert (row["ledger_scale_J"], row["ledger_phase_remainder_J"]) == (2.0, 0.3)
    assert_close(row["ledger_relative_remainder"], 0.15, rtol=1e-15)
    assert list(row).index("ledger_phase") < list(row).index("trusted")


def test_phases_come_back_from_a_file(tmp_path):
    result = with_phases(FLIGHT, replace(TOW, remainder=math.nan))
    again = open_result(result.save(tmp_path))
    assert again.equals(result)
    assert [phase.name for phase in again.ledger.phases] == ["flight", "tow"]


def test_json_and_summary_tell_every_phase():
    result = with_phases(FLIGHT, TOW)
    reported = json.loads(json.dumps(result.as_json()))["ledger"]
    assert reported["worst_phase"] == "tow"
    assert reported["phases"][1]["put_in_J"] == 700.0
    assert "tow" in result.summary()


def test_a_ledger_without_phases_is_judged_as_one():
    ledger: EnergyLedger = hop(error=1e-7).ledger
    assert ledger.phases == ()
    assert [one.phase.name for one in ledger.judged] == ["run"]
    assert_close(ledger.relative_remainder, 1e-7, rtol=1e-12)


def test_equality_sees_a_phase():
    first, second = with_phases(FLIGHT, TOW), with_phases(FLIGHT, replace(TOW, put_in=700.1))
    assert not first.ledger.equals(second.ledger)


def test_the_kernels_know_the_same_floor():
    assert FLOOR == LEAST_PHASE
