"""The sequence of a docking with written-down measurements: every transition, abort and time-out is reached."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from haptos.core.outcome import Outcome
from haptos.dynamics.control.state_machine import unreachable
from haptos.scenarios.docking import states
from haptos.scenarios.docking.states import (
    ABORT,
    DOCKED,
    ENDS,
    HOLD,
    HOLD_MATED,
    INSERT,
    LOCK,
    RELEASE,
    RETRACT,
    RETREAT,
    SAFE,
    STATES,
    TENSION,
    THROAT,
    TOUCHDOWN,
    Docking,
    Seen,
)
from haptos.scenarios.files import default

TICK = 0.25
CALM = Seen(
    pose_valid_s=1.0,
    lateral=0.1,
    length=1.0,
    folded=False,
    past_throat=False,
    clear=False,
    range=0.3,
    angle=0.01,
)


def docking(state: str, **sequence: object) -> Docking:
    one = Docking(default("docking", {"sequence": {"start": "hold", **sequence}}))
    if state != HOLD:
        one.machine.go(0.0, state, "set")
        one.machine.changes.clear()
    return one


def passed(one: Docking, seen: Seen, seconds: float, start: float = 0.0) -> list[str]:
    """States entered while a measurement stays the same."""
    before = len(one.machine.changes)
    for k in range(round(seconds / TICK) + 1):
        one.update(start + k * TICK, seen)
        if len(one.machine.changes) > before:
            break
    return [change.target for change in one.machine.changes[before:]]


S = default("docking").sequence
STOP = 200.0
# state, what is seen, how long it takes at most, where it leads, outcome of the cause or None
ROWS: list[tuple[str, dict, float, str, str | None]] = [
    (HOLD, {"pose_valid_s": 5.0, "lateral": 0.014, "angle": 0.03, "speed": 1e-3, "rate": 5e-4}, 0.0, INSERT, None),
    (HOLD, {}, 600.0, ABORT, "timed out"),
    (HOLD, {"attitude_error": 0.27}, 0.0, ABORT, "control lost"),
    (INSERT, {"to_throat": 0.019}, 0.0, THROAT, None),
    (INSERT, {}, 80.0, ABORT, "timed out"),
    (INSERT, {"off_axis": 0.02, "room": 0.03}, 2.0, ABORT, "missed"),
    (INSERT, {"side_force": 61.0}, 0.0, ABORT, "over-force"),
    (INSERT, {"pose_lost_s": 5.1}, 0.0, ABORT, "sensor lost"),
    (INSERT, {"has_touched": True, "opening": 0.0021}, 2.0, ABORT, "rebounded"),
    (INSERT, {"attitude_error": 0.27}, 0.0, ABORT, "control lost"),
    (INSERT, {"overload": "nozzle, pressure"}, 0.0, RELEASE, "over-force"),
    (THROAT, {"has_touched": True, "opening": 0.0021}, 2.0, ABORT, "rebounded"),
    (THROAT, {"attitude_error": 0.27}, 0.0, ABORT, "control lost"),
    (THROAT, {"past_by_stroke": 0.0121, "agreeing": 2}, 0.0, LOCK, None),
    (THROAT, {}, 30.0, RETREAT, "timed out"),
    (THROAT, {"advanced": 1e-4, "drive_force": 41.0}, 5.0, RETREAT, "wedged"),
    (THROAT, {"overload": "nozzle, pressure"}, 0.0, RELEASE, "over-force"),
    (LOCK, {"spread": 0.99, "crown_force": 96.0, "shoulder": 3}, 1.0, RETRACT, None),
    (LOCK, {"spread": 0.99, "crown_force": 96.0, "shoulder": 2}, 1.0, RELEASE, "released"),
    (LOCK, {"spread": 0.5, "is_stalled": True}, 0.0, RELEASE, "released"),
    (LOCK, {"spread": 0.95, "crown_force": 151.0}, 0.0, RELEASE, "released"),
    (LOCK, {"spread": 0.95}, 20.0, RELEASE, "released"),
    (LOCK, {"overload": "boom, moment"}, 0.0, RELEASE, "over-force"),
    (RETRACT, {"bracket": 1}, 0.0, TOUCHDOWN, None),
    (RETRACT, {"length": 0.214}, 0.0, TOUCHDOWN, None),
    (RETRACT, {"tension": 151.0}, 0.0, HOLD_MATED, None),
    (RETRACT, {"angle": math.radians(4.1)}, 0.0, HOLD_MATED, None),
    (RETRACT, {}, 230.0, HOLD_MATED, None),
    (RETRACT, {"overload": "boom, force"}, 0.0, RELEASE, "over-force"),
    (TOUCHDOWN, {"bracket": 3}, 0.5, TENSION, None),
    (TOUCHDOWN, {"bracket": 2}, 30.0, HOLD_MATED, None),
    (TOUCHDOWN, {"overload": "boom, force"}, 0.0, RELEASE, "over-force"),
    (TENSION, {"spring_force": STOP}, 2.0, DOCKED, "docked"),
    (TENSION, {"spring_force": 150.0}, 20.0, HOLD_MATED, None),
    (TENSION, {"overload": "boom, force"}, 0.0, RELEASE, "over-force"),
    (HOLD_MATED, {"overload": "boom, force"}, 0.0, RELEASE, "over-force"),
    (RELEASE, {"folded": True, "past_throat": True}, 0.0, RETREAT, None),
    (RELEASE, {}, 60.0, SAFE, "wedged"),
    (RETREAT, {"clear": True}, 0.0, HOLD, None),
    (RETREAT, {}, 120.0, ABORT, "timed out"),
    (ABORT, {"boom_in": True, "opening": 0.011, "range": 1.01}, 0.0, SAFE, None),
    (ABORT, {}, 300.0, SAFE, None),
]  # fmt: skip


@pytest.mark.parametrize(("state", "seen", "seconds", "target", "cause"), ROWS)
def test_a_transition_is_taken_when_its_condition_has_held(state, seen, seconds, target, cause):
    one = docking(state)
    shown = replace(CALM, **seen)
    if seconds > TICK:
        assert passed(one, shown, seconds - 2.0 * TICK) == []
    assert passed(one, shown, 3.0 * TICK, max(seconds - 1.5 * TICK, 0.0)) == [target]
    if cause is not None and target not in (HOLD,):
        assert (one.cause or "docked") == cause


@pytest.mark.parametrize(("state", "seen", "seconds", "target", "cause"), ROWS)
def test_without_its_condition_nothing_happens(state, seen, seconds, target, cause):
    one = docking(state)
    assert passed(one, CALM, min(max(seconds, 1.0), 15.0)) == []


def test_what_is_held_mated_goes_on_when_the_moment_has_halved():
    one = docking(HOLD_MATED)
    assert passed(one, replace(CALM, moment=8.0), 10.0) == []
    assert passed(one, replace(CALM, moment=4.1), 5.0, 10.25) == []
    assert passed(one, replace(CALM, moment=3.9, tension=160.0), 5.0, 16.0) == []
    assert passed(one, replace(CALM, moment=3.9), 5.0, 22.0) == [RETRACT]


def test_what_never_calms_is_released():
    one = docking(HOLD_MATED)
    assert passed(one, replace(CALM, moment=8.0), 301.0) == [RELEASE]
    assert one.cause == "released"


def test_the_fourth_entry_of_hold_mated_releases():
    one = docking(RETRACT)
    pull = replace(CALM, tension=151.0)
    for k in range(4):
        time = 1000.0 * k
        assert passed(one, pull, 0.0, time) == [HOLD_MATED]
        if k < 3:
            passed(one, replace(CALM, moment=8.0), 10.0, time)
            assert passed(one, replace(CALM, moment=1.0), 5.0, time + 11.0) == [RETRACT]
    assert passed(one, CALM, 0.0, 3001.0) == [RELEASE]


def test_a_second_touchdown_that_fails_is_released():
    one = docking(TOUCHDOWN)
    two = replace(CALM, bracket=2)
    assert passed(one, two, 31.0) == [HOLD_MATED]
    one.machine.go(50.0, TOUCHDOWN, "again")
    assert passed(one, two, 31.0, 50.0) == [RELEASE]


def test_tries_are_counted_and_the_cause_is_the_last_failure():
    one = docking(THROAT, tries=1)
    stuck = replace(CALM, advanced=1e-4, drive_force=50.0)
    assert passed(one, stuck, 6.0) == [RETREAT]
    assert passed(one, replace(CALM, clear=True), 0.0, 10.0) == [HOLD]
    one.machine.go(20.0, THROAT, "again")
    assert passed(one, stuck, 6.0, 20.0) == [RETREAT]
    assert passed(one, replace(CALM, clear=True), 0.0, 30.0) == [ABORT]
    assert passed(one, replace(CALM, boom_in=True, opening=0.02, range=2.0), 0.0, 40.0) == [SAFE]
    assert one.outcome is Outcome.WEDGED


def test_a_retreat_without_pose_waits():
    one = docking(RETREAT)
    assert passed(one, replace(CALM, clear=True, pose_valid_s=0.0), 10.0) == []


def test_every_outcome_of_the_sequence_is_one_of_a_row():
    named = {row[4] for row in ROWS} - {None}
    assert named == set(states.OUTCOMES)


def test_every_transition_of_the_table_is_in_a_row_or_a_test():
    """Rows and tests above cover each line of the table: none can be taken out unnoticed."""
    one = docking(HOLD)
    lines = {(s, line.target) for line in one.machine.table for s in line.sources}
    covered = {(row[0], row[3]) for row in ROWS}
    covered |= {
        (HOLD_MATED, RETRACT),
        (HOLD_MATED, RELEASE),
        (TOUCHDOWN, RELEASE),
        (RETREAT, ABORT),
    }
    assert lines <= covered, lines - covered


def test_every_state_can_be_reached_and_left():
    assert unreachable(docking(HOLD).machine.table, HOLD, ENDS) == []
    assert set(itertools.chain(*(line.sources for line in docking(HOLD).machine.table))) | set(
        ENDS
    ) == set(STATES)


def test_a_run_that_ends_on_the_way_is_timed_out():
    assert docking(RETRACT).outcome is Outcome.TIMED_OUT


def test_a_run_until_the_lock_ends_as_captured():
    one = docking(LOCK, until="locked")
    locked = replace(CALM, spread=1.0, crown_force=99.0, shoulder=3)
    assert not one.is_over
    assert passed(one, locked, 1.0) == [RETRACT]
    assert one.is_over
    assert one.outcome is Outcome.CAPTURED
    other = docking(INSERT, until="locked")
    passed(other, replace(CALM, side_force=70.0, room=1.0), 0.0)
    assert other.is_over
    assert other.outcome is Outcome.OVER_FORCE
    assert not docking(RETRACT).is_over
