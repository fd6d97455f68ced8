"""Run a net: shoot, fly, touch, close, tow; stored at even times, judged at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.contact import (
    ball_flow,
    contact_flow,
    hertz,
    impact_damping,
    material_pairs,
    slip_friction,
    stick_slip,
)
from haptos.core.outcome import Outcome
from haptos.dynamics import (
    beam_element,
    dormand_prince,
    net_capture,
    net_glue,
    net_pairs,
    net_pairs_search,
    net_quality,
    net_step,
    net_threads,
    net_winding,
    rigid_turn,
    shot,
    thread_link,
)
from haptos.dynamics.net_capture import is_captured, net_triangles
from haptos.dynamics.net_layout import (
    BOOKS,
    ELASTIC,
    KINETIC,
    LARGEST,
    PRESSED,
    TIME,
    TOUCHED_AT,
)
from haptos.geometry import net_folding, net_mesh
from haptos.materials import threads
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.net.assembly import TARGET
from haptos.scenarios.net.beams import bending_energies
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.controller import Controlled, Controller, controlled
from haptos.scenarios.net.histories import momenta
from haptos.scenarios.net.masses import mass_of_run, momentum_of_run, simulated_mass
from haptos.scenarios.net.metrics import metrics
from haptos.scenarios.net.model import Model, build
from haptos.scenarios.net.phases import ledger_phases
from haptos.scenarios.net.repeats import disturbed
from haptos.scenarios.net.schemes import stepper
from haptos.scenarios.net.tables import events_table, tables, trajectory_table
from haptos.scenarios.net.weather import laws_of

Floats = NDArray[np.float64]
OUTCOMES = (  # ways a run can end
    Outcome.DEPLOYED, Outcome.CAPTURED, Outcome.SLIPPED, Outcome.MISSED, Outcome.STEPS_OVER,
    Outcome.STALLED,
)  # fmt: skip
ALWAYS = (
    threads,
    net_mesh,
    net_folding,
    shot,
    thread_link,
    net_threads,
    rigid_turn,
    net_step,
    net_quality,
)


@dataclass(frozen=True, eq=False)
class Stored:
    """What is kept at each output time, first axis time.

    x (n, p, 3) [m]      tension (n, m) [N]
    place, speed, momentum (n, k, 3), attitude (n, k, 4)  of bodies, as in `Motion`
    energy (n, 5) kinetic, threads, contacts [J], of threads that of bending and twist
    books (n, b) works [J]      whole (n, m)
    length (n, m), line_length (n, q)  without load [m]
    line_tension (n, q)  of running lines [N]
    origin (n, 6)  where the N origin is in its orbit [m] and its velocity [m/s], zeros elsewhere
    pushes (n, kinds, 3)  forces of air and light [N]
    met (n, k, 4)  sum of the impulses of contacts on each body [N s], largest force of one [N]
    totals (n, 6)  momentum [N s] and angular momentum about the origin [N m s] of all that moves
    """

    time: Floats
    x: Floats
    tension: Floats
    place: Floats
    speed: Floats
    attitude: Floats
    momentum: Floats
    energy: Floats
    books: Floats
    whole: Floats
    length: Floats
    line_length: Floats
    line_tension: Floats
    totals: Floats
    origin: Floats
    pushes: Floats
    met: Floats


def check(config: Config) -> None:
    """Refuse what only shows when the net is put together."""
    stepper(config, build(config))


def simulate(
    config: Config, *, progress: Callable[[float], None] | None = None,
    controller: Controller | None = None, control_interval: float | None = None,
    disturbance: np.random.Generator | None = None,
) -> Result:  # fmt: skip
    """One run; `progress` gets the share of the time done.

    controller   function of the user that pushes bodies, see `controller.py`; asked every
    control_interval  [s], the output interval if left out
    disturbance  random numbers that disturb the start, for repeats
    """
    began = time.perf_counter()
    model = build(config)
    if disturbance is not None:
        model = disturbed(config, model, disturbance)
    first_mass = simulated_mass(model)
    hand = None
    if controller is not None:
        hand = controlled(config, model, controller, control_interval)
        model = hand.model
    stored, is_complete = run(config, model, progress or (lambda share: None), hand)
    extra = {}
    if hand is not None:
        model, extra = hand.finished(), {"control": hand.table()}
    clock = model.motion.clock
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=trajectory_table(config, model, stored),
        events=events_table(config, model),
        ledger=EnergyLedger(
            time=stored.time,
            stores=stores(config, stored),
            works={name: stored.books[:, n] for n, name in enumerate(BOOKS)},
            bound=config.run.ledger_bound,
            max_remainder=float(clock[LARGEST]),
            phases=ledger_phases(config, model.net, model.motion),
        ),
        ended=outcome(model, is_complete),
        metrics=metrics(config, model, stored),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables={**tables(config, model, stored), **extra},
        checks=checks(config, model, stored, first_mass, hand is not None),
    )


def checks(
    config: Config, model: Model, stored: Stored, first_mass: float, is_controlled: bool
) -> tuple[Check, ...]:
    """What a run must meet besides its ledger: mass, and momentum where nothing unknown pushes.

    first_mass  in the kernel's arrays at the start [kg]
    """
    found = [mass_of_run(config, model, first_mass)]
    if not is_controlled:
        momentum = momentum_of_run(config, model, stored.totals, float(stored.time[-1]))
        found += [] if momentum is None else [momentum]
    return tuple(found)


def stores(config: Config, stored: Stored) -> dict[str, Floats]:
    """Where energy is kept [J]; that of bending and twist of their own where threads are beams."""
    kinetic, held, pressed, bent, twisted = stored.energy.T
    found = {"kinetic": kinetic, "threads": held, "contacts": pressed}
    if config.threads.model == "beam":
        found |= {"threads": held - bent - twisted, "bending": bent, "twist": twisted}
    return found


def run(
    config: Config, model: Model, tell: Callable[[float], None], hand: Controlled | None = None
) -> tuple[Stored, bool]:
    """(what is stored, whether the time asked for was reached)."""
    motion, settings = model.motion, config.run
    reached = stepper(config, model)
    count = max(math.ceil(settings.duration_s / settings.output_interval_s * (1.0 - 1e-12)), 1)
    times = np.minimum(np.arange(count + 1) * settings.output_interval_s, settings.duration_s)
    rows = [_row(model)]
    reached(0.0)
    rows[0] = _row(model)
    for until in times[1:]:
        is_there = _reached(reached, float(motion.clock[TIME]), float(until), hand)
        rows.append(_row(model))
        tell(float(until) / settings.duration_s)
        if not is_there or not math.isfinite(motion.clock[KINETIC]):
            break
    parts = [np.array([row[n] for row in rows]) for n in range(len(rows[0]))]
    return Stored(*parts), bool(motion.clock[TIME] >= settings.duration_s)


def _reached(
    reached: Callable[[float], bool], begin: float, until: float, hand: Controlled | None
) -> bool:
    """March from begin to a time [s], asking the controller on the way; whether it got there."""
    if hand is None:
        return reached(until)
    hand.ask(begin)
    for stop in hand.times(begin, until):
        if not reached(stop):
            return False
        if stop < until:
            hand.ask(stop)
    return True


def _row(model: Model) -> tuple[Any, ...]:
    """What is kept of now, in the order of `Stored`."""
    motion = model.motion
    clock = motion.clock
    return (
        float(clock[TIME]), motion.x.copy(), motion.tension.copy(), motion.place.copy(),
        motion.speed.copy(), motion.attitude.copy(), motion.momentum.copy(),
        np.append(clock[[KINETIC, ELASTIC, PRESSED]], bending_energies(motion)),
        motion.books.copy(), motion.whole.copy(),
        motion.length.copy(), motion.line_length.copy(), motion.line_tension.copy(),
        momenta(model), model.net.field.origin.copy(), motion.tally[:, :3].copy(),
        motion.met.copy(),
    )  # fmt: skip


def outcome(model: Model, is_complete: bool) -> Outcome:
    """How the run ended."""
    motion = model.motion
    if not math.isfinite(motion.clock[KINETIC]):
        return Outcome.STALLED
    if not is_complete:
        return Outcome.STEPS_OVER
    if model.surface is None:
        return Outcome.DEPLOYED
    if not math.isfinite(motion.clock[TOUCHED_AT]):
        return Outcome.MISSED
    vertices = model.surface[0]
    knots = motion.x[model.knots]
    triangles = net_triangles(model.mesh.knots)
    sides = np.ptp(vertices, axis=0)
    held = is_captured(knots, triangles, model.mesh.mouth_knots, motion.place[TARGET], sides)
    return Outcome.CAPTURED if held else Outcome.SLIPPED


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws this run uses, as their files state them."""
    laws, given = [*ALWAYS], config.contact
    has_pairs = given.touches_itself or given.bullets_net or given.bullets
    is_touching = has_pairs or given.chaser or config.target is not None
    wanted = {
        contact_flow: is_touching, hertz: is_touching, impact_damping: is_touching,
        ball_flow: config.contact.touches_itself, net_pairs: has_pairs, net_pairs_search: has_pairs,
        slip_friction: not given.remembers, stick_slip: given.remembers,
        net_glue: given.model == "sticky",
        material_pairs: config.contact.series is not None, net_capture: config.target is not None,
        beam_element: config.threads.model == "beam",
        dormand_prince: config.run.scheme == "dormand-prince",
        net_winding: config.closing is not None or config.tether is not None,
        **laws_of(config),
    }  # fmt: skip
    laws += [law for law, is_used in wanted.items() if is_used]
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
