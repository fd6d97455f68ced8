"""Run a tether file: deploy, hold, retrieve, jam, cut, with phases, checks, tables and a time line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.dynamics.cable import tether, tether_cells, tether_ends, tether_reel
from haptos.dynamics.cable.tether_events import cut_spring
from haptos.dynamics.cable.tether_grid import GriddedRun
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import CUT, JAMMED, STORED
from haptos.dynamics.cable.tether_steps import EVENT, STALLED, STEPS_OVER
from haptos.dynamics.march import implicit
from haptos.dynamics.rigid import end_body
from haptos.environment import (
    gravity_ellipsoid,
    gravity_polyhedron,
    orbit_frames,
    orbital_origin,
)
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.line_results import (
    all_rows,
    ground_checks,
    line_checks,
    line_elements,
    line_events,
    line_ledger,
    line_motion,
    line_points,
)
from haptos.scenarios.line_surroundings import line_laws
from haptos.scenarios.tether.config import Config, Step
from haptos.scenarios.tether.config_place import TetherOrbit
from haptos.scenarios.tether.control import Steering, steering
from haptos.scenarios.tether.metrics import metrics
from haptos.scenarios.tether.model import NAMES, SNATCH, started
from haptos.scenarios.worlds.config import EllipsoidGravity, PolyhedronGravity

Floats = NDArray[np.float64]
OUTCOMES = (
    Outcome.COMPLETED,
    Outcome.TETHER_BROKE,
    Outcome.TETHER_END,
    Outcome.SUPERCRITICAL,
    Outcome.TANGLED,
    Outcome.REEL_JAMMED,
    Outcome.PROPELLANT_OUT,
    Outcome.COLLIDED,
    Outcome.STEPS_OVER,
    Outcome.STALLED,
    Outcome.CONTROLLER_FAILED,
)
BY_EVENT = {
    "tether end reached": Outcome.TETHER_END,
    "slack tangle": Outcome.TANGLED,
    "supercritical pay-out": Outcome.SUPERCRITICAL,
    "watch": Outcome.COLLIDED,
}
LOOKS = 2000  # times of a run, besides stored ones, at which the swing is looked at
LAWS = (tether, tether_cells, tether_ends, tether_reel, end_body, implicit)


class Programme:
    """A run on its way through the steps of its file."""

    def __init__(self, config: Config, progress: Callable[[float], None] | None) -> None:
        self.config, self.progress = config, progress
        self.grid = GriddedRun(started(config), regrids=config.run.regrid)
        self.ended: Outcome | None = None
        self.time_line: list[tuple[float, str]] = []
        self.cut_at = math.inf
        self.stored: set[float] = set()
        self.steering: Steering | None = None

    @property
    def run(self) -> TetherRun:
        return self.grid.run

    def looked(self) -> tuple[Floats, Floats]:
        """(times, both attachments (n, 2, 3) [m]) of all looks and the end; leaves runs with their stored rows.

        Stored times do not count, so that what comes of it is the same for any output interval.
        """
        times, ends = [], []
        looks = self.looks()
        for run in self.grid.parts:
            seen = np.isin(run.row_times, looks)
            when, states = run.row_times[seen], run.rows[seen]
            if run is self.run:
                when, states = np.append(when, run.time), np.vstack([states, run.state])
            times.append(when)
            ends.append(line_points(run, states, run.system.cells)[:, [0, -1]])
            kept = np.isin(run.row_times, list(self.stored))
            run.row_times, run.rows = run.row_times[kept], run.rows[kept]
        return np.concatenate(times), np.concatenate(ends)

    def looks(self) -> Floats:
        """Times [s] at which the swing is looked at, whatever is stored."""
        return np.asarray(self.config.duration / LOOKS * np.arange(LOOKS))

    def to(self, until: float) -> bool:
        """March to a time [s], with stops where a controller is asked or acts; whether it goes on."""
        steering = self.steering
        while steering is not None and self.ended is None and self.run.time < until:
            steering.act()
            if steering.has_failed:
                self.ended = Outcome.CONTROLLER_FAILED
            elif steering.stop() < until:
                self._march(steering.stop())
            else:
                break
        return self.ended is None and self._march(until)

    def _march(self, until: float) -> bool:
        """March to a time [s] with the commands as they are; whether it goes on."""
        now, every = self.run.time, self.config.run.output_interval_s
        first = math.floor(now / every)
        times = every * np.arange(first, math.floor(until / every) + 1)
        self.stored.update(times.tolist())
        times = np.union1d(times, self.looks())
        done = [part.row_times[-1] for part in self.grid.parts if len(part.row_times)]
        times = times[(times > max(done, default=-1.0)) & (times >= now) & (times < until)]
        found = self.grid.advance(until, rows=times, most_steps=self.config.run.max_steps)
        if self.progress is not None:
            self.progress(min(self.run.time / self.config.duration, 1.0))
        if found.code == EVENT:
            self.ended = BY_EVENT[found.event]
        elif found.code in (STALLED, STEPS_OVER):
            self.ended = Outcome.STALLED if found.code == STALLED else Outcome.STEPS_OVER
        return self.ended is None

    def carry_out(self, step: Step) -> bool:
        """One step of the file; whether the run goes on."""
        run = self.run
        name = (
            step.kind
            if step.kind in ("jam", "cut", "hold")
            else f"{step.kind} from the {step.reel}"
        )
        self.time_line.append((run.time, f"{name} begins" if step.kind != "cut" else "cut"))
        if step.kind == "cut":
            self._cut(step)
            return True
        if run.time > 0.0:
            run.mark(name)
        else:
            run.marks[0] = (0.0, name, *run.marks[0][2:])
        if step.kind == "jam":
            run.tether.status[JAMMED : JAMMED + 2] = 1.0
        return self.to(run.time + float(step.duration_s or 0.0))

    def _cut(self, step: Step) -> None:
        """Cut the spring nearest to a natural length from the first body."""
        run = self.run
        if run.tether.status[CUT] >= 0.0:
            return
        n, deployed = (
            run.system.cells,
            run.system.line.total - run.state[STORED] - run.state[STORED + 1],
        )
        spring = round(min(max(float(step.length_m or 0.0) / deployed, 0.0), 1.0) * n)
        run.refresh()
        cut_spring(run.tether, run.state, spring)
        self.cut_at = run.time

    @property
    def outcome(self) -> Outcome:
        """How the run ended, the gravest first."""
        names = {name for _, name, *_ in self.run.events}
        if self.ended is not None:
            return self.ended
        if "tether broke" in names or math.isfinite(self.cut_at):
            return Outcome.TETHER_BROKE
        if any(step.kind == "jam" for step in self.config.steps):
            return Outcome.REEL_JAMMED
        return Outcome.PROPELLANT_OUT if "propellant out" in names else Outcome.COMPLETED


def simulate(
    config: Config, *, progress: Callable[[float], None] | None = None,
    controller: Any = None, control_interval: float | None = None,
) -> Result:  # fmt: skip
    """One run; `progress` gets the share of the time done; a controller pushes by thrusters and wheels (control.py)."""
    began = time.perf_counter()
    programme = Programme(config, progress)
    if controller is not None:
        if config.run.regrid:
            found = "a controller with run.regrid = true"
            raise ConfigError("[run] regrid", found, "one of both", "regrid = false")
        programme.steering = steering(
            programme.run, NAMES, controller, control_interval, config.run.output_interval_s, config.duration, config.seed
        )  # fmt: skip
    first = programme.run.momentum()
    line = programme.run.system.line
    bodies = (config.first, config.second)
    built = sum(b.mass_kg + b.propellant_kg for b in bodies) + line.density * line.total
    for step in config.steps:
        if not programme.carry_out(step):
            break
    if progress is not None:
        progress(1.0)
    run, looked = programme.run, programme.looked()
    rows = all_rows(programme.grid, programme.cut_at)
    programme.time_line += [
        (when, f"{before} to {after} cells") for when, before, after in programme.grid.changes
    ]
    programme.time_line += [(when, "snatch") for when in run.watched(SNATCH)]
    motion = line_motion(run, rows, NAMES)
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=motion,
        events=line_events(run, programme.time_line),
        ledger=line_ledger(run, rows, config.run.ledger_bound),
        ended=programme.outcome,
        metrics=metrics(config, run, *looked),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables={"elements": line_elements(rows)} | _control_table(programme.steering),
        checks=(*line_checks(run, built, first), *ground_checks(run)),
        traceback="" if programme.steering is None else programme.steering.asked.failure,
    )


def _control_table(steering: Steering | None) -> dict[str, xarray.Dataset]:
    return {} if steering is None else {"control": steering.table()}


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    laws = [*LAWS]
    if isinstance(config.place, TetherOrbit):
        laws += [orbital_origin, orbit_frames]
    used = {
        gravity_ellipsoid: isinstance(config.gravity, EllipsoidGravity),
        gravity_polyhedron: isinstance(config.gravity, PolyhedronGravity),
    }
    laws += line_laws(config.air, config.sun, config.heat, config.third_body, config.contact)
    laws += [law for law, is_used in used.items() if is_used]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
