"""The shell of a scenario of bodies and cables: march what was built, judge it, hand back a `Result`.

A scenario builds a `Built` and says what of it is of interest; outputs, energy ledger, phases, checks of
surfaces, mass and momentum, controllers and provenance are the same for all.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray

from haptos.core.outcome import Outcome
from haptos.dynamics.build import Built
from haptos.dynamics.march.recorder import output_times, record
from haptos.dynamics.march.snapshots import Stored
from haptos.dynamics.march.stepper import stepper
from haptos.dynamics.system import WORK_KINDS
from haptos.dynamics.totals import simulated_mass
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.phases import phases_of
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.own_controller import Controller
from haptos.scenarios.run_settings import SystemConfig, SystemRun
from haptos.scenarios.system_checks import mass_of_run, momentum_of_run, surface_checks
from haptos.scenarios.system_control import controlled
from haptos.scenarios.system_tables import (
    broken_table,
    element_table,
    event_table,
    motion_table,
    touched_at,
)


@dataclass(frozen=True, eq=False)
class Marched:
    """A run that has ended.

    built        as it is at the end             stored  states at output times
    is_complete  whether the time asked for was reached
    """

    built: Built
    stored: Stored
    is_complete: bool


@dataclass(frozen=True, eq=False)
class Shown:
    """What a scenario takes from a run.

    outcome   how it ended, if the march did      metrics  name ending in its unit -> number
    events    (time [s], kind) besides the first touch
    series    further variables of the trajectory
    kinds     names of the element classes        tables   further tables
    """

    outcome: Outcome
    metrics: dict[str, float]
    events: tuple[tuple[float, str], ...] = ()
    series: dict[str, xarray.Variable] = field(default_factory=dict)
    kinds: tuple[str, ...] = ("cable",)
    tables: dict[str, xarray.Dataset] = field(default_factory=dict)


def simulate_system(
    config: SystemConfig, built: Built, *, mass: float, shown: Callable[[Marched], Shown],
    cites: tuple[str, ...], progress: Callable[[float], None] | None = None,
    controller: Callable[..., Any] | Controller | None = None, control_interval: float | None = None,
) -> Result:  # fmt: skip
    """March a system through the times of its [run] and judge it.

    mass    of all that can move, as the file says [kg]: the check of mass is against it
    shown   what the scenario takes from the run        cites  sources of its laws
    """
    began = time.perf_counter()
    settings, table = config.run, config.as_table()
    first = simulated_mass(built)
    hand = None
    if controller is not None:
        hand = controlled(
            built, controller, control_interval, settings.output_interval_s, settings.duration_s, config.seed
        )  # fmt: skip
        built = hand.model
    stored, _, is_complete = record(
        stepper(settings, built.system, built.motion), built,
        output_times(settings.duration_s, settings.output_interval_s),
        tell=progress or (lambda share: None),
        next_stop=None if hand is None else hand.next_stop,
    )  # fmt: skip
    tables: dict[str, xarray.Dataset] = {}
    if hand is not None:
        built, tables = hand.finished(), {"control": hand.table()}
    failure = "" if hand is None else hand.failure
    run = Marched(built, stored, is_complete)
    seen = shown(run)
    events = ((touched_at(built), "first touch"), *seen.events)
    words = ", ".join(dict.fromkeys(kind for _, kind in events))
    return Result(
        scenario=config.scenario, name=config.name, config=table,
        trajectory=motion_table(built, stored, seen.series), events=event_table(events, words),
        ledger=ledger_of(settings, built, stored), ended=ended(built, is_complete, seen.outcome, failure),
        metrics=seen.metrics,
        provenance=provenance(table, config.seed, time.perf_counter() - began), cites=cites,
        tables={**_elements(run, seen), **seen.tables, **tables},
        checks=_checks(run, (mass, first), hand is not None), traceback=failure,
    )  # fmt: skip


def _elements(run: Marched, seen: Shown) -> dict[str, xarray.Dataset]:
    """Tables of the elements and of those that broke."""
    kinds = np.array([seen.kinds[kind] for kind in run.built.element_class], dtype=object)
    return {
        "elements": element_table(run.built, kinds, ", ".join(seen.kinds)),
        "broken": broken_table(run.built, kinds),
    }


def _checks(run: Marched, masses: tuple[float, float], is_controlled: bool) -> tuple[Check, ...]:
    """Surfaces, mass, and momentum where nothing unknown pushes; masses: built, and at the start [kg]."""
    found = [*surface_checks(run.built), mass_of_run(run.built, *masses)]
    momentum = None
    if not is_controlled:
        momentum = momentum_of_run(run.built, run.stored.totals, float(run.stored.time[-1]))
    return (*found, *([] if momentum is None else [momentum]))


def check_system(config: SystemConfig, built: Built) -> None:
    """Refuse what the scheme of a file cannot do with what was built."""
    stepper(config.run, built.system, built.motion)


def ledger_of(settings: SystemRun, built: Built, stored: Stored) -> EnergyLedger:
    """Energies and works over time, judged phase by phase."""
    kinetic, held, pressed, _, _ = stored.energy.T
    motion = built.motion
    return EnergyLedger(
        time=stored.time,
        stores={"kinetic": kinetic, "threads": held, "contacts": pressed},
        works={name: stored.work[:, n] for n, name in enumerate(WORK_KINDS)},
        bound=settings.ledger_bound,
        max_remainder=float(motion.ledger.energy.largest),
        phases=phases_of(motion.ledger.phases, int(motion.ledger.energy.phase_count), lambda event: built.phases[event]),
    )  # fmt: skip


def ended(built: Built, is_complete: bool, outcome: Outcome, failure: str = "") -> Outcome:
    """How the march ended, or the outcome of a scenario if it reached its time.

    failure  traceback of a controller that ended it
    """
    if not math.isfinite(built.motion.ledger.energy.kinetic):
        return Outcome.STALLED
    if failure:
        return Outcome.CONTROLLER_FAILED
    return outcome if is_complete else Outcome.STEPS_OVER
