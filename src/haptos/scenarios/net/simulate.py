"""Run a net: shoot, fly, touch, close, tow; stored at even times, judged at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
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
from haptos.contact.laws import foundation
from haptos.core.outcome import Outcome
from haptos.dynamics.cable import beam_element, elements, thread_link, winches
from haptos.dynamics.contacts import glue, point_point, point_point_search
from haptos.dynamics.march import dormand_prince, splitting
from haptos.dynamics.march.recorder import output_times, record
from haptos.dynamics.march.snapshots import Stored, together
from haptos.dynamics.march.stepper import stepper
from haptos.dynamics.nets import capture, opening_quality, shot
from haptos.dynamics.nets.capture import is_captured, net_triangles
from haptos.dynamics.rigid import rigid_turn
from haptos.dynamics.system import WORK_KINDS
from haptos.dynamics.totals import simulated_mass
from haptos.geometry.nets import net_folding, net_mesh
from haptos.materials import threads
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.net.body_numbers import TARGET
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.ground_metrics import ground_laws, outcome_on_ground
from haptos.scenarios.net.masses import built_mass
from haptos.scenarios.net.metrics import metrics
from haptos.scenarios.net.model import Model, build
from haptos.scenarios.net.phases import ledger_phases
from haptos.scenarios.net.pressing import depth_checks
from haptos.scenarios.net.repeats import disturbed
from haptos.scenarios.net.striking import contact_speed_checks, turning_checks
from haptos.scenarios.net.tables import events_table, tables, trajectory_table
from haptos.scenarios.net.weather import laws_of
from haptos.scenarios.net.windows import Windows, window
from haptos.scenarios.own_controller import Controller
from haptos.scenarios.system_checks import mass_of_run, momentum_of_run, surface_checks
from haptos.scenarios.system_control import Controlled, controlled

Floats = NDArray[np.float64]
OUTCOMES = (  # ways a run can end
    Outcome.DEPLOYED, Outcome.CAPTURED, Outcome.SLIPPED, Outcome.MISSED, Outcome.STEPS_OVER,
    Outcome.STALLED, Outcome.SETTLED, Outcome.TIME_OVER, Outcome.CONTROLLER_FAILED,
)  # fmt: skip
ALWAYS = (
    threads,
    net_mesh,
    net_folding,
    shot,
    thread_link,
    elements,
    rigid_turn,
    splitting,
    opening_quality,
)


def check(config: Config) -> None:
    """Refuse what only shows when the net is put together."""
    model = build(config)
    stepper(config.run, model.system, model.motion)


def simulate(
    config: Config, *, progress: Callable[[float], None] | None = None,
    controller: Callable[..., Any] | Controller | None = None, control_interval: float | None = None,
    disturbance: np.random.Generator | None = None,
) -> Result:  # fmt: skip
    """One run; `progress` gets the share of the time done.

    controller   function of the user that pushes bodies, see `scenarios/system_control.py`; asked every
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
        settings = config.run
        hand = controlled(
            model, controller, control_interval, settings.output_interval_s, settings.duration_s, config.seed
        )  # fmt: skip
        model = hand.model
    stored, windows, is_complete = run(config, model, progress or (lambda share: None), hand)
    extra = {}
    if hand is not None:
        model, extra = hand.finished(), {"control": hand.table()}
    failure = "" if hand is None else hand.failure
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
            works={name: stored.work[:, n] for n, name in enumerate(WORK_KINDS)},
            bound=config.run.ledger_bound,
            max_remainder=float(model.motion.ledger.energy.largest),
            phases=ledger_phases(config, model.system, model.motion),
        ),
        ended=Outcome.CONTROLLER_FAILED if failure else outcome(config, model, is_complete),
        metrics=metrics(config, model, stored, windows),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        tables={**tables(config, model, stored), **extra},
        checks=checks(config, model, stored, first_mass, hand is not None),
        traceback=failure,
    )


def run(
    config: Config, model: Model, tell: Callable[[float], None], hand: Controlled | None = None
) -> tuple[Stored, Windows, bool]:
    """(what is stored, what metrics are taken from, whether the time asked for was reached)."""
    settings = config.run
    stored, windows, is_complete = record(
        stepper(settings, model.system, model.motion), model,
        output_times(settings.duration_s, settings.output_interval_s), tell=tell,
        window=lambda: window(model), span=settings.force_window_s,
        next_stop=None if hand is None else hand.next_stop,
    )  # fmt: skip
    return stored, together(Windows, windows), is_complete


def checks(
    config: Config, model: Model, stored: Stored, first_mass: float, is_controlled: bool
) -> tuple[Check, ...]:
    """What a run must meet besides its ledger: surfaces, how fast they turn, mass, and momentum where nothing unknown pushes.

    first_mass  in the kernel's arrays at the start [kg]
    """
    built = built_mass(config, model.mesh, model.nodes, model.bullet_masses)
    found = [*surface_checks(model), mass_of_run(model, built, first_mass)]
    found += depth_checks(config, model.system.polygons, model.names)
    found += turning_checks(config, model, stored) + contact_speed_checks(config, model)
    if not is_controlled:
        momentum = momentum_of_run(
            model, stored.totals, float(stored.time[-1]),
            float(model.thrown_masses @ np.abs(model.muzzle_speeds)),
        )  # fmt: skip
        found += [] if momentum is None else [momentum]
    return tuple(found)


def stores(config: Config, stored: Stored) -> dict[str, Floats]:
    """Where energy is kept [J]; that of bending and twist of their own where threads are beams."""
    kinetic, held, pressed, bent, twisted = stored.energy.T
    found = {"kinetic": kinetic, "threads": held, "contacts": pressed}
    if config.threads.model == "beam":
        found |= {"threads": held - bent - twisted, "bending": bent, "twist": twisted}
    return found


def outcome(config: Config, model: Model, is_complete: bool) -> Outcome:
    """How the run ended."""
    motion = model.motion
    if not math.isfinite(motion.ledger.energy.kinetic):
        return Outcome.STALLED
    if not is_complete:
        return Outcome.STEPS_OVER
    if model.surface is None and config.site is not None:
        return outcome_on_ground(motion, config.site.rest_speed_m_per_s)
    if model.surface is None:
        return Outcome.DEPLOYED
    if not math.isfinite(motion.step.touched_at):
        return Outcome.MISSED
    vertices = model.surface[0]
    knots = motion.points.x[model.knots]
    triangles = net_triangles(model.mesh.knots)
    sides = np.ptp(vertices, axis=0)
    held = is_captured(knots, triangles, model.mesh.mouth_knots, motion.bodies.place[TARGET], sides)
    return Outcome.CAPTURED if held else Outcome.SLIPPED


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws this run uses, as their files state them."""
    laws, given = [*ALWAYS], config.contact
    has_pairs = given.touches_itself or given.bullets_net or given.bullets
    is_touching = has_pairs or given.chaser or config.target is not None
    wanted = {
        contact_flow: is_touching, hertz: is_touching, impact_damping: is_touching,
        ball_flow: config.contact.touches_itself, point_point: has_pairs, point_point_search: has_pairs,
        slip_friction: not given.remembers, stick_slip: given.remembers,
        glue: given.model == "sticky", foundation: given.foundation is not None,
        material_pairs: config.contact.series is not None, capture: config.target is not None,
        beam_element: config.threads.model == "beam",
        dormand_prince: config.run.scheme == "dormand-prince",
        winches: config.closing is not None or config.tether is not None,
        **laws_of(config),
    }  # fmt: skip
    laws += [law for law, is_used in wanted.items() if is_used] + ground_laws(config)
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
