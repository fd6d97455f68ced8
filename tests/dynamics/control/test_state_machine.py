"""Tables of states: order, hold times, time-outs, counts, states that cannot be reached."""

from __future__ import annotations

from haptos.dynamics.control.state_machine import StateMachine, Transition, after, unreachable

TABLE = (
    Transition(("wait", "go"), "stop", "alarm", lambda seen, _: seen["alarm"]),
    Transition(("wait",), "go", "ready", lambda seen, _: seen["ready"], hold=1.0),
    Transition(("wait",), "stop", "took too long", after(5.0)),
    Transition(("go",), "wait", "again", after(lambda: 2.0)),
)
QUIET = {"ready": False, "alarm": False}
READY = {"ready": True, "alarm": False}


def run(machine: StateMachine, seen: list[dict], step: float = 0.5) -> list[tuple[float, str]]:
    for k, one in enumerate(seen):
        machine.update(k * step, one)
    return [(change.time, change.target) for change in machine.changes]


def test_a_condition_must_hold_without_a_break():
    seen = [READY, READY, QUIET, READY, READY, READY, READY]
    assert run(StateMachine(TABLE, "wait"), seen) == [(2.5, "go")]


def test_the_first_of_the_table_wins():
    machine = StateMachine(TABLE, "wait")
    assert machine.update(9.0, {"ready": True, "alarm": True}).cause == "alarm"


def test_time_outs_count_from_the_entry_and_entries_are_counted():
    seen = [READY] * 8 + [QUIET] * 30
    found = run(StateMachine(TABLE, "wait"), seen)
    assert found == [(1.0, "go"), (3.0, "wait"), (8.0, "stop")]
    machine = StateMachine(TABLE, "wait")
    run(machine, seen)
    assert machine.count("wait") == 2
    assert machine.count("never") == 0


def test_states_without_a_way_in_or_out_are_named():
    assert unreachable(TABLE, "wait", ("stop",)) == []
    cut = tuple(one for one in TABLE if one.target != "go")
    assert unreachable(cut, "wait", ("stop",)) == ["go"]
    assert unreachable(TABLE, "wait", ()) == ["stop"]
