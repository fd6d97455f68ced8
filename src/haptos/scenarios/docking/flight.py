"""One docking carried out: sense, decide, act, move on, tick by tick; the phases of its ledger are the states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PressureMap
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.dynamics.joined.plant import Plant, PlantEnd
from haptos.dynamics.march.recorder import output_times
from haptos.results.phases import Phase
from haptos.scenarios.docking.clearance import Clearance
from haptos.scenarios.docking.control import Loops
from haptos.scenarios.docking.model import BRACKETS, CHASER, Model
from haptos.scenarios.docking.states import LOCK, RETRACT, STATES, Docking, Seen
from haptos.scenarios.docking.watch import DockingWatch
from haptos.scenarios.own_controller import WHERE, AskedController, cut, three_numbers

Floats = NDArray[np.float64]
STORES = ("kinetic", "wings", "boom", "elastic", "stick")
WORKS = (
    "boom drive", "crown drive", "spread drive", "wheels", "thrusters", "wing drives", "gravity", "light",
    "boom damping", "wing damping", "contact damping", "friction", "released", "remesh",
)  # fmt: skip
LOSSES = WORKS[8:13]
MOMENTA_EVERY = (
    0.5  # [s] between looks at the size of all momenta, the scale of what is missing of them
)
COMMANDS = ("force", "torque", "boom_speed", "stroke_speed", "spread_rate")


@dataclass(eq=False)
class Account:
    """Energy at one time: stores and works [J] by name, and what does not add up."""

    stores: dict[str, float]
    works: dict[str, float]
    remainder: float

    @property
    def total(self) -> float:
        return sum(self.stores.values())

    @property
    def lost(self) -> float:
        return -sum(self.works[name] for name in LOSSES)

    @property
    def given(self) -> float:
        return sum(work for name, work in self.works.items() if name not in LOSSES)


def account_of(plant: Plant) -> Account:
    """Energy now, by the names of this scenario."""
    found = plant.ledger()

    def all_of(kind: str) -> float:
        return sum(value for name, value in found.items() if name.startswith(f"{kind}:"))

    stores = (found["kinetic"], found["modes"], all_of("boom"), all_of("elastic"), all_of("stick"))
    works = (
        found["boom_drive"], found["stroke_drive"], found["spread_drive"], found["wheels"], found["thrusters"],
        found["wing_drives"], found["gravity"], found["light"], -found["boom_damping"], -found["mode_damping"],
        -all_of("damping") - all_of("viscous"), -all_of("friction"), -all_of("released"), all_of("remesh"),
    )  # fmt: skip
    return Account(
        dict(zip(STORES, stores, strict=True)),
        dict(zip(WORKS, works, strict=True)),
        found["remainder"],
    )


@dataclass(eq=False)
class Stage:
    """A phase while it lasts."""

    name: str
    start: float
    first: Account
    stored: float = 0.0
    resting: float = math.inf
    missing: float = 0.0

    def look(self, stored: float, resting: float, remainder: float) -> None:
        self.stored, self.resting = max(self.stored, stored), min(self.resting, resting)
        self.missing = max(self.missing, abs(remainder - self.first.remainder))

    def closed(self, end: float, account: Account) -> Phase:
        lost, given = account.lost - self.first.lost, account.given - self.first.given
        stored = self.stored - self.resting
        return Phase(self.name, self.start, end, stored, lost, given, self.missing, self.resting)


@dataclass(eq=False)
class DockingFlight:
    """A run: the plant, what watches and steers it, and what is kept of it.

    ticks    (time, state number, quantities seen) rows for the figures
    ledger   (time, Account) rows
    attitude_error  largest measured one [rad]
    maxima   part -> quantity -> largest value of all steps, per state too under (state, part)
    """

    model: Model
    asked: AskedController | None = None
    plant: Plant = field(init=False)
    watch: DockingWatch = field(init=False)
    loops: Loops = field(init=False)
    docking: Docking = field(init=False)
    seen: Seen = field(default_factory=Seen)
    phases: list[Phase] = field(default_factory=list)
    ledger: list[tuple[float, Account]] = field(default_factory=list)
    ticks: list[tuple[float, ...]] = field(default_factory=list)
    maxima: dict[str, dict[str, float]] = field(default_factory=dict)
    by_state: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    controls: list[tuple[float, str, Floats]] = field(default_factory=list)
    waiting: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    end: PlantEnd = PlantEnd.REACHED
    ended_at: float = math.inf
    momentum_scale: float = 0.0
    angular_scale: float = 0.0
    worst_remainder: float = 0.0
    attitude_error: float = 0.0
    first_touch: dict[str, float] = field(default_factory=dict)
    patches: dict[tuple[str, str], PressureMap] = field(default_factory=dict)
    stage: Stage = field(init=False)
    clearance: Clearance = field(init=False)

    def __post_init__(self) -> None:
        run = self.model.config.run
        self.plant = self.model.plant(output_times(run.duration_s, run.output_interval_s))
        self.watch = DockingWatch(self.model)
        self.loops = Loops(self.model, self.watch)
        self.docking = Docking(self.model.config)
        self.stage = Stage(self.docking.state, 0.0, account_of(self.plant))
        self.clearance = Clearance(self.model)

    def go(self, tell: Callable[[float], None]) -> None:
        """Carry the run out."""
        run = self.model.config.run
        count = math.ceil(run.duration_s / run.tick_s - 1e-9)
        next_output = next_momenta = 0.0
        for k in range(count):
            time = k * run.tick_s
            self.tick(time)
            if self.ended_at <= time or (self.asked is not None and self.asked.failure):
                break
            if time >= next_output - 1e-9:
                next_output += run.output_interval_s
                self._keep(time)
                tell(time / run.duration_s)
            if time >= next_momenta - 1e-9:
                next_momenta += MOMENTA_EVERY
                self._measure_momenta()
            self.end = self.plant.advance(min((k + 1) * run.tick_s, run.duration_s))
            self._look()
            if self.end is not PlantEnd.REACHED or self.clearance.struck:
                break
        self._finish()
        tell(1.0)

    def _look(self) -> None:
        """Ledger, first touches and what must not meet after a tick's motion."""
        self.clearance.look(self.plant)
        stored, remainder = self.plant.balance()
        self.stage.look(stored, self.plant.turning(), remainder)
        self.worst_remainder = max(self.worst_remainder, abs(remainder))
        for name in BRACKETS:
            if name not in self.first_touch and self.plant.contact(name).polygons > 0:
                self.first_touch[name] = self.plant.time

    def tick(self, time: float) -> None:
        """Sense, decide and act at a time [s]."""
        before = self.docking.state
        self.seen = self.watch.look(time, self.plant, self.loops.attitude_error, before == LOCK)
        self.attitude_error = max(self.attitude_error, self.seen.attitude_error)
        state = self.docking.update(time, self.seen)
        if state != before:
            self._change(time, before, state)
        self._faults(time)
        if self.asked is not None:
            self._ask(time)
        self.loops.act(time, state, self.seen, self.plant)

    def _change(self, time: float, before: str, state: str) -> None:
        self._close(time)
        self.stage = Stage(state, time, account_of(self.plant))
        self.loops.entered(state, before)
        if state == RETRACT:
            self._keep_patches("locked")
        if self.docking.is_over:
            config = self.model.config
            stay = 0.0 if config.sequence.until == "locked" else config.run.stay_s
            self.ended_at = min(self.ended_at, time + stay)

    def _close(self, time: float) -> None:
        """End a phase: its ledger, and its largest loads."""
        now = account_of(self.plant)
        self.stage.look(now.total, self.plant.turning(), now.remainder)
        self.phases.append(self.stage.closed(time, now))
        found = self.plant.extremes()
        self.plant.reset_extremes()
        merge(self.maxima, found)
        merge(self.by_state.setdefault(self.stage.name, {}), found)

    def _keep_patches(self, when: str) -> None:
        """Pressure on the polygons of pairs that touch now."""
        for contact in self.plant.contacts:
            if self.plant.contact(contact.name).polygons > 0:
                self.patches[(when, contact.name)] = self.plant.pressure_map(contact.name)

    def _keep(self, time: float) -> None:
        s, loops = self.seen, self.loops
        self.ledger.append((time, account_of(self.plant)))
        self.ticks.append((
            time, float(STATES.index(self.docking.state)), s.lateral, s.angle, s.off_axis, s.room, s.range, s.length,
            s.tension, s.side_force, s.crown_force, s.spread, s.moment, s.attitude_error, float(s.shoulder),
            float(s.bracket), *loops.given.force, *loops.given.torque,
        ))  # fmt: skip

    def _measure_momenta(self) -> None:
        """Sizes of the momenta of all bodies now."""
        bodies = [self.plant.body(b.name) for b in self.plant.bodies]
        sizes = [(np.linalg.norm(b.momentum), np.linalg.norm(b.angular_momentum)) for b in bodies]
        self.momentum_scale = max(self.momentum_scale, float(sum(size for size, _ in sizes)))
        self.angular_scale = max(self.angular_scale, float(sum(size for _, size in sizes)))

    def _faults(self, time: float) -> None:
        tick = self.model.config.run.tick_s
        for fault in self.model.config.faults.thrusters:
            if time - tick < fault.at_s <= time or (time == 0.0 and fault.at_s == 0.0):
                self.plant.stick_thruster(CHASER, fault.index, fault.state)

    def _finish(self) -> None:
        time = self.plant.time
        self._close(time)
        self._measure_momenta()
        self._keep_patches("at the end")
        if not self.ledger or time > self.ledger[-1][0]:
            self._keep(time)

    def _ask(self, time: float) -> None:
        """Ask the controller of the user when it is due, and let its answers act after their delay."""
        assert self.asked is not None
        if self.asked.is_due(time):
            answer = self.asked.ask(
                time, measured(self.docking.state, self.seen, self.watch), self._checked
            )
            if answer is not None:
                self.waiting.append((time + self.asked.controller.delay, answer))
                self.controls += [
                    (time, name, np.atleast_1d(value)) for name, value in answer.items()
                ]
        while self.waiting and self.waiting[0][0] <= time + 1e-9:
            self.loops.override = self.waiting.pop(0)[1]

    def _checked(self, answer: Any) -> dict[str, Any]:
        """Commands of an answer, with the limits of the actuators."""
        if answer is None:
            return {}
        if not isinstance(answer, Mapping) or not set(answer) <= set(COMMANDS):
            found = f"an answer {answer!r}"[:200]
            raise ConfigError(
                WHERE, found, f"a dict of {', '.join(COMMANDS)}", 'return {"force": (0, 0, 0)}'
            )
        assert self.asked is not None
        limits = self.asked.controller
        found_commands: dict[str, Any] = {}
        for name, value in answer.items():
            if name in ("force", "torque"):
                vector = three_numbers(value, name)
                longest = limits.largest_force if name == "force" else limits.largest_torque
                found_commands[name] = cut(vector, longest)
            elif not _is_number(value):
                raise ConfigError(WHERE, f"{name} = {value!r}", "a finite number", f"{name} = 0.0")
            else:
                found_commands[name] = float(value)
        return found_commands

    @property
    def outcome(self) -> Outcome:
        """How the run ended."""
        if self.asked is not None and self.asked.failure:
            return Outcome.CONTROLLER_FAILED
        if self.clearance.struck:
            return Outcome.STRUCK
        if self.end is PlantEnd.DEPTH:
            return Outcome.OVER_FORCE
        if self.end in (PlantEnd.FULL, PlantEnd.STALLED):
            return Outcome.STALLED
        if self.end is PlantEnd.STEPS_OVER:
            return Outcome.STEPS_OVER
        return self.docking.outcome


def _is_number(value: Any) -> bool:
    """Whether a value is a finite number, of Python or NumPy; True and False are none."""
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)


def measured(state: str, seen: Seen, watch: DockingWatch) -> dict[str, Any]:
    """What a controller of the user is given: measured quantities by name, SI units."""
    pose, rates = watch.estimate.at(watch.history[-1][0])
    return {
        "state": state, "pose": pose.copy(), "pose_rate": rates.copy(), "attitude": watch.attitude.copy(),
        "rate": watch.rate.copy(), "length": seen.length, "tension": seen.tension, "side_force": seen.side_force,
        "crown_force": seen.crown_force, "spread": seen.spread, "moment": seen.moment, "range": seen.range,
        "shoulder": watch.closed[0], "bracket": watch.closed[1], "pose_lost_s": seen.pose_lost_s,
    }  # fmt: skip


def merge(into: dict[str, dict[str, float]], found: dict[str, dict[str, float]]) -> None:
    """Keep the larger of each value; the least of those called least."""
    for part, values in found.items():
        kept = into.setdefault(part, {})
        for name, value in values.items():
            if not math.isfinite(value):
                continue
            best = min if name.startswith("least") else max
            kept[name] = best(kept.get(name, value), value)
