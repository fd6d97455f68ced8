"""A sequence of states with conditions, time-outs and limited entries, from a table.

In each state the conditions are looked at in the order of the table; the first that has held for its hold time
leads on. A time-out leads on when the state has lasted too long. What a condition sees is a record of the measured
quantities, so a machine can be tested with written-down measurements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Transition(Generic[Seen]):
    """One way out of one or more states.

    sources  names of the states            target  name of the state it leads to
    when     (seen, seconds in the state) -> whether the condition holds
    hold     [s] it must hold without a break        cause  why, in a few words
    """

    sources: tuple[str, ...]
    target: str
    cause: str
    when: Callable[[Seen, float], bool]
    hold: float = 0.0


@dataclass(frozen=True)
class Change:
    """A transition that was taken."""

    time: float
    source: str
    target: str
    cause: str


@dataclass
class StateMachine(Generic[Seen]):
    """A machine in a run; `changes` is its log.

    table     transitions in the order they are looked at
    state     name of the state now          entered  time [s] it was entered
    """

    table: tuple[Transition[Seen], ...]
    state: str
    entered: float = 0.0
    held_since: dict[int, float] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.entries[self.state] = 1

    def count(self, state: str) -> int:
        """Times a state was entered."""
        return self.entries.get(state, 0)

    def update(self, time: float, seen: Seen) -> Change | None:
        """Look at the conditions at a time [s]; the change, if one was made."""
        lasted = time - self.entered
        for number, one in enumerate(self.table):
            if self.state not in one.sources:
                continue
            if not one.when(seen, lasted):
                self.held_since.pop(number, None)
                continue
            since = self.held_since.setdefault(number, time)
            if time - since >= one.hold - 1e-9:
                return self.go(time, one.target, one.cause)
        return None

    def go(self, time: float, target: str, cause: str) -> Change:
        """Enter a state."""
        change = Change(time, self.state, target, cause)
        self.changes.append(change)
        self.state, self.entered = target, time
        self.entries[target] = self.count(target) + 1
        self.held_since.clear()
        return change


def after(limit: float | Callable[[], float]) -> Callable[[object, float], bool]:
    """Condition of a time-out [s]."""
    return lambda _, lasted: lasted >= (limit() if callable(limit) else limit) - 1e-9


def unreachable(
    table: tuple[Transition[Seen], ...], start: str, ends: tuple[str, ...]
) -> list[str]:
    """States that no way leads to from the start, and states other than ends that no way leads out of."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for one in table:
            if here in one.sources and one.target not in reached:
                reached.add(one.target)
                waiting.append(one.target)
    known = {name for one in table for name in (*one.sources, one.target)} | set(ends)
    left = {name for one in table for name in one.sources} | set(ends)
    return sorted((known - reached) | (reached - left))
