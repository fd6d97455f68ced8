"""A tether run: state, march, rows, events, ledger."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable import tether_events, tether_extremes, tether_steps
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_energy import momenta
from haptos.dynamics.cable.tether_events import EVENT_NAMES, GAPS, MOST_WATCHES
from haptos.dynamics.cable.tether_guard import DEPTH, DEPTH_AT, FIRST_AT, GUARD
from haptos.dynamics.cable.tether_march import ask_rates, march_tether
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    CELLS,
    ENERGY_ENTRIES,
    EXCHANGED,
    IMPULSE,
    MOMENTUM,
    POSITION,
    PROPELLANT,
    RATE,
    STORED,
    WORK_NAMES,
    WORKS,
)
from haptos.dynamics.cable.tether_steps import Output, Plan, Room, TetherMarch
from haptos.dynamics.cable.tether_system import TetherSystem, TetherWatch
from haptos.dynamics.march.implicit import STAGES

Floats = NDArray[np.float64]
WATCHES = {
    "distance below": tether_events.DISTANCE_BELOW, "range rate below": tether_events.RANGE_RATE_BELOW,
    "tension above": tether_events.TENSION_ABOVE, "distance above": tether_events.DISTANCE_ABOVE,
    "stored below": tether_events.STORED_BELOW, "deployed below": tether_events.DEPLOYED_BELOW,
    "deployed above": tether_events.DEPLOYED_ABOVE, "rate above": tether_events.RATE_ABOVE,
}  # fmt: skip
MOST_EVENTS = 2000
# Extremes of the ledger since the last mark
PHASE = slice(tether_extremes.HIGHEST, tether_extremes.EXTREMES)


def straight_start(system: TetherSystem) -> tuple[Floats, Floats]:
    """(positions (N, 3) [m], velocities (N, 3) [m/s]) of cells on the straight line between the attachments.

    The line runs at the speed of its ends, linear between them; line that reels feed at the start is not in it.
    """
    (p_0, v_0), (p_1, v_1) = (body.feed for body in system.bodies)
    xi = ((np.arange(system.cells) + 0.5) / max(system.cells, 1))[:, None]
    return p_0 + xi * (p_1 - p_0), v_0 + xi * (v_1 - v_0)


def first_state(system: TetherSystem, cells: tuple[ArrayLike, ArrayLike] | None) -> Floats:
    """The state at the start."""
    n, line = system.cells, system.line
    y = np.zeros(CELLS + 7 * n + system.extra)
    for k, body in enumerate(system.bodies):
        at = BODY * k
        y[at + POSITION : at + POSITION + 3] = body.position
        feed = body.feed[1]
        reel = line.density * system.stored[k]
        hull = body.mass + body.propellant
        y[at + MOMENTUM : at + MOMENTUM + 3] = (
            hull * np.asarray(body.velocity, dtype=float) + reel * feed
        )
        q = np.asarray(body.attitude, dtype=float)
        y[at + ATTITUDE : at + ATTITUDE + 4] = q / np.linalg.norm(q)
        y[at + RATE : at + RATE + 3] = (0.0, 0.0, 0.0) if body.inertia is None else body.rate
        y[at + PROPELLANT] = body.propellant
        y[STORED + k] = system.stored[k]
    if n:
        positions, velocities = (
            straight_start(system) if cells is None else (np.asarray(c, dtype=float) for c in cells)
        )
        y[CELLS : CELLS + 3 * n] = positions.ravel()
        y[CELLS + 3 * n : CELLS + 6 * n] = (line.density * system.deployed / n) * velocities.ravel()
        y[CELLS + 6 * n : CELLS + 7 * n] = line.reference_temperature
    return y


@dataclass(frozen=True)
class Ended:
    """How a march ended: code of `tether_steps`, time [s], name of the event if one stopped it, which watch it was."""

    code: int
    time: float
    event: str = ""
    watch: int = -1


class TetherRun:
    """State of a tether and its march; `advance` carries it on."""

    def __init__(
        self, system: TetherSystem, *, tolerance: float = 1e-8, scheme: str = "implicit",
        cells: tuple[ArrayLike, ArrayLike] | None = None, temperatures: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        if scheme not in ("implicit", "explicit"):
            raise ConfigError("scheme", scheme, "implicit, explicit", 'scheme = "implicit"')
        if not 1e-13 <= tolerance <= 1e-2:
            raise ConfigError("tolerance", f"{tolerance:g}", "1e-13 to 1e-2", "tolerance = 1e-8")
        self.system, self.tolerance, self.scheme = system, tolerance, scheme
        self.tether = system.record()
        self.state = first_state(system, cells)
        n = system.cells
        if temperatures is not None and n:
            self.state[CELLS + 6 * n : CELLS + 7 * n] = temperatures
        self.first_temperature = (
            float(self.state[CELLS + 6 * n : CELLS + 7 * n].mean()) if n else 0.0
        )
        size = len(self.state)
        self._room = Room._make(
            [
                np.zeros(size),
                np.zeros((STAGES, size)),
                *np.zeros((4, size)),
                *np.zeros((2, GAPS)),
                np.zeros(size),
                np.zeros(tether_steps.TRIAL),
            ]
        )
        self._clock = np.array([0.0, 1e-3, math.inf])
        self._counts = np.zeros(tether_steps.COUNTS, dtype=np.int64)
        self._events = np.zeros((MOST_EVENTS, 4))
        self.extremes = np.zeros(tether_extremes.EXTREMES)
        self.extremes[
            [tether_extremes.SIDE, tether_extremes.SHORTEST, tether_extremes.LEAST_DISTANCE]
        ] = math.inf
        self.guard = np.zeros(GUARD)
        self.guard[FIRST_AT] = math.inf
        self.watch_for(system.watches)
        times = [t for hull in self.tether.hulls for r in hull.thrusters for t in (r[8], r[9])]
        times += [t for reel in self.tether.reels for t in reel.times if reel.kind != 0]
        pauses = {float(t) for t in (*times, *system.pauses) if 0.0 < t < math.inf}
        self._pauses = np.array(sorted(pauses), dtype=float)
        self.row_times: Floats = np.zeros(0)
        self.rows: Floats = np.zeros((0, size))
        self.marks: list[tuple[float, str, Floats, tuple[float, float, float]]] = []
        self.refresh()
        self.tether.springs.mode[:] = self.tether.springs.gap > 0.0
        self.ended_phases: list[Floats] = []
        self.mark("start")

    @property
    def time(self) -> float:
        return float(self._clock[0])

    @property
    def commands(self) -> Floats:
        """(2, 6) forces [N] and torques [N m] asked for, B axes."""
        return self.tether.commands

    def watch_for(self, watches: Sequence[TetherWatch]) -> None:
        """Look for other things from now on."""
        if len(watches) > MOST_WATCHES:
            raise ConfigError("watches", f"{len(watches)}", f"at most {MOST_WATCHES}", "fewer")
        self.system = self.system.changed(watches=tuple(watches))
        self._watches = np.array(
            [[WATCHES[w.what], w.bound] for w in watches], dtype=float
        ).reshape(-1, 2)
        self._stops = np.zeros(GAPS + 3, dtype=np.int64)
        for e, name in enumerate(EVENT_NAMES):
            self._stops[e] = name in self.system.stops
        for i, watch in enumerate(watches):
            self._stops[tether_events.WATCHES + i] = watch.stops

    def advance(
        self, until: float, rows: ArrayLike | None = None, *, most_steps: int = 10_000_000, longest: float = math.inf
    ) -> Ended:  # fmt: skip
        """March to a time [s], rows at output times [s]; ends earlier at an event that stops."""
        times = np.zeros(0) if rows is None else np.ascontiguousarray(rows, dtype=float)
        table = np.full((len(times), len(self.state)), math.nan)
        self._counts[tether_steps.ROW] = 0
        least = 1e-13 * max(abs(until), 1.0)
        share, gap = self.system.tangle
        plan = Plan(
            float(until), float(longest), least, int(most_steps), float(self.tolerance), self.scheme == "explicit",
            float(share), float(gap),
        )  # fmt: skip
        output = Output(
            times,
            table,
            self._counts,
            self._events,
            self.extremes,
            self._stops,
            self._pauses,
            self._watches,
            self.guard,
        )
        code = march_tether(
            TetherMarch(self.tether, self._clock, self.state, self._room, plan, output)
        )
        done = int(self._counts[tether_steps.ROW])
        self.row_times = np.concatenate([self.row_times, times[:done]])
        self.rows = np.concatenate([self.rows, table[:done]])
        if code != tether_steps.EVENT:
            return Ended(int(code), self.time)
        event = int(self._events[self._counts[tether_steps.EVENTS] - 1, 1])
        watch = event - tether_events.WATCHES
        is_watch = 0 <= watch < len(self.system.watches)
        return Ended(int(code), self.time, EVENT_NAMES[event], watch if is_watch else -1)

    @property
    def counts(self) -> dict[str, int]:
        names = ("rows", "events", "steps", "rejected", "rates", "mode_stops", "side_steps")
        return {name: int(self._counts[i]) for i, name in enumerate(names)}

    @property
    def events(self) -> list[tuple[float, str, int, float]]:
        """(time [s], name, spring or end, number beside it) of all events so far."""
        found = self._events[: self._counts[tether_steps.EVENTS]]
        return [(float(t), EVENT_NAMES[int(e)], int(p), float(x)) for t, e, p, x in found]

    def watched(self, what: str) -> list[float]:
        """Times [s] at which something that is watched fell through its bound."""
        found = self._events[: self._counts[tether_steps.EVENTS]]
        codes = [
            tether_events.WATCHES + i for i, w in enumerate(self.system.watches) if w.what == what
        ]
        return [float(row[0]) for row in found if int(row[1]) in codes]

    def refresh(self) -> tuple[float, float, float]:
        """Springs of now; (kinetic, elastic, series) energy [J]."""
        totals = np.zeros(3)
        ask_rates(self.tether, self.time, self.state, self._room.work, totals)
        return float(totals[0]), float(totals[1]), float(totals[2])

    def attachments(self) -> tuple[Floats, Floats]:
        """Places [m] of the two attachments, N axes."""
        return tuple(np.array(end_of(self.tether, self.state, k).attachment) for k in (0, 1))  # type: ignore[return-value]

    def adopt(self, other: TetherRun) -> None:
        """Take over time, events, extremes, commands and phases of a run with another grid."""
        self._clock[:] = other._clock
        self._counts[:] = other._counts
        self._events[:] = other._events
        self.extremes[:] = other.extremes
        self.guard[:] = other.guard
        self.tether.commands[:] = other.tether.commands
        self.tether.status[:] = other.tether.status
        self.marks, self.ended_phases = list(other.marks), list(other.ended_phases)
        self.first_temperature = other.first_temperature

    @property
    def below_ground_at(self) -> float:
        """First time [s] at which a hull's centre or the line was more than a millimetre below ground; inf for never."""
        return float(self.guard[FIRST_AT])

    @property
    def deepest(self) -> tuple[float, float]:
        """(largest depth [m] of hulls' centres and line below the ground so far, when [s])."""
        return float(self.guard[DEPTH]), float(self.guard[DEPTH_AT])

    def works(self) -> dict[str, float]:
        return dict(zip(WORK_NAMES, (float(w) for w in self.state[WORKS:CELLS]), strict=True))

    def mark(self, name: str) -> None:
        """Begin a phase here, with extremes of its own."""
        if self.marks:
            self.ended_phases.append(self.extremes[PHASE].copy())
        self.marks.append((self.time, name, self.state[WORKS:CELLS].copy(), self.refresh()))
        self.extremes[PHASE] = (-math.inf, math.inf, math.inf, -math.inf)
        tether_extremes.note_energy(self.tether, self.state, self.extremes)

    def phase_extremes(self) -> list[Floats]:
        """Of every phase (largest energy, least of the turns, least and largest missing) [J], over all steps."""
        return [*self.ended_phases, self.extremes[PHASE].copy()]

    def balance(self, first: int = 0) -> dict[str, float]:
        """Ledger since a mark: change of the energy, entries, remainder, exchanged energy [J], relative remainder."""
        _, _, works, energies = self.marks[first]
        now = self.refresh()
        put_in = self.state[WORKS:CELLS] - works
        change = sum(now) - sum(energies)
        entries = {name: float(put_in[WORK_NAMES.index(name)]) for name in ENERGY_ENTRIES}
        remainder = change - sum(entries.values())
        exchanged = float(put_in[EXCHANGED]) + abs(change)
        ratio = remainder / exchanged if exchanged > 0.0 else 0.0
        return {
            "change": change,
            **entries,
            "remainder": remainder,
            "exchanged": exchanged,
            "relative": ratio,
        }

    def momentum(self) -> tuple[Floats, Floats, float]:
        """(momentum [N s], angular momentum about the N origin [N m s], mass [kg]) of bodies, reels and line."""
        p, h, m = momenta(self.tether, self.state)
        return np.array(p), np.array(h), float(m)

    def impulse(self) -> Floats:
        """Impulse of all forces from outside so far [N s]; what propellant carries away counts as one."""
        return self.state[WORKS + IMPULSE : WORKS + IMPULSE + 3].copy()


def start(system: TetherSystem, **options: Any) -> TetherRun:
    """A run of a system; options as those of `TetherRun`."""
    return TetherRun(system, **options)
