"""Run a docking file: flight, energy ledger by states, checks, tables."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from haptos.contact import coulomb, stick_slip
from haptos.contact.laws import foundation, foundation_modulus
from haptos.contact.sets import polygons
from haptos.core import counter_random
from haptos.core.outcome import Outcome
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.control import attitude_loop, pulse_selection, translation_loop
from haptos.dynamics.flexible import appendages, boom
from haptos.dynamics.march import dormand_prince
from haptos.dynamics.rigid import thrusters
from haptos.dynamics.sensing import alpha_beta, pose_camera, quantised, star_tracker
from haptos.environment import orbit_frames, orbital_origin, radiation_pressure
from haptos.geometry.distance import box_gap, section
from haptos.geometry.distance.reference import gaps_of
from haptos.geometry.mesh import curved_faces
from haptos.results.balances import MOMENTUM_BOUND
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.flight import STORES, WORKS, DockingFlight
from haptos.scenarios.docking.metrics import layer_strain, metrics
from haptos.scenarios.docking.model import CROWN, NOZZLE_PAIRS, build
from haptos.scenarios.docking.start_checks import outline_nodes
from haptos.scenarios.docking.states import OUTCOMES as BY_CAUSE
from haptos.scenarios.docking.tables import events, tables, trajectory
from haptos.scenarios.own_controller import AskedController, as_controller

OUTCOMES = (
    *BY_CAUSE.values(), Outcome.CAPTURED, Outcome.STEPS_OVER, Outcome.STALLED, Outcome.CONTROLLER_FAILED,
    Outcome.STRUCK,
)  # fmt: skip
LAYER_BOUND = 0.3  # [-] of a layer's thickness up to which an elastic foundation is meant
LAWS = (
    foundation, foundation_modulus, coulomb, stick_slip, polygons, section, curved_faces, dormand_prince, boom,
    appendages, thrusters, counter_random, attitude_loop, translation_loop, pulse_selection, alpha_beta, pose_camera,
    quantised, star_tracker, box_gap,
)  # fmt: skip
SURFACE_BOUND = (
    2e-5  # [m] depth at the end that the contact may not know of: the chord error of its faces
)


def simulate(
    config: Config, *, progress: Callable[[float], None] | None = None,
    controller: Any = None, control_interval: float | None = None,
) -> Result:  # fmt: skip
    """One docking; `progress` gets the share of the time done.

    controller  function of the user, (time, measured) -> commands: force, torque, boom_speed, stroke_speed,
                spread_rate take the place of those of the loops (`flight.measured` says what it is given)
    """
    began = time.perf_counter()
    asked = None
    if controller is not None:
        usual = config.control.period_s
        asked = AskedController(
            as_controller(controller, control_interval, usual, config.run.duration_s)
        )
    flight = DockingFlight(build(config), asked)
    flight.go(progress or (lambda share: None))
    table = config.as_table()
    return Result(
        scenario=config.scenario, name=config.name, config=table, trajectory=trajectory(flight),
        events=events(flight), ledger=ledger(flight), ended=flight.outcome, metrics=metrics(flight),
        provenance=provenance(table, config.seed, time.perf_counter() - began), cites=sources(config),
        tables=tables(flight), checks=checks(flight), traceback="" if asked is None else asked.failure,
    )  # fmt: skip


def ledger(flight: DockingFlight) -> EnergyLedger:
    """Energy over time, judged state by state."""
    rows = flight.ledger
    return EnergyLedger(
        time=np.array([t for t, _ in rows]),
        stores={name: np.array([a.stores[name] for _, a in rows]) for name in STORES},
        works={name: np.array([a.works[name] for _, a in rows]) for name in WORKS},
        bound=flight.model.config.run.ledger_bound,
        max_remainder=flight.worst_remainder,
        phases=tuple(flight.phases),
    )


def checks(flight: DockingFlight) -> tuple[Check, ...]:
    """Momentum of all bodies, surfaces at the end."""
    linear, angular = flight.plant.momentum_error()
    scale = max(flight.momentum_scale, 1e-12)
    turn = max(flight.angular_scale, 1e-12)
    return (
        Check(
            name="momentum", value=linear / scale, bound=MOMENTUM_BOUND, unit="",
            subject="Momentum of all bodies that no impulse from outside explains, as a share of all momentum",
            place=f"{linear:.3g} N s",
        ),
        Check(
            name="angular momentum", value=angular / turn, bound=MOMENTUM_BOUND, unit="",
            subject="Angular momentum of all bodies that no impulse from outside explains, as a share of all of it",
            place=f"{angular:.3g} N m s",
        ),
        surfaces(flight),
        *((layers(flight),) if flight.model.slides else ()),
    )  # fmt: skip


def surfaces(flight: DockingFlight) -> Check:
    """Depth of all faces at the end by exact distances, beyond what the contacts report."""
    worst, place = 0.0, "none"
    for contact in flight.plant.contacts:
        r, q, _, _ = flight.plant.relative(contact.reference_place, contact.faces_place)
        spread = 0.0
        if contact.slide == CROWN:
            slide = flight.plant.slide(CROWN)
            r = r - _x_axis(q) * slide.stroke
            spread = slide.spread**2 * (3.0 - 2.0 * slide.spread)
        nodes = outline_nodes(flight.model.shapes, contact, spread)
        points = nodes @ rotation_matrices(q[None])[0].T + r
        depth = -float(gaps_of(contact.reference, points)[0].min())
        unseen = depth - flight.plant.contact(contact.name).depth
        if unseen > worst:
            worst, place = unseen, contact.name
    return Check(
        name="surfaces", value=worst, bound=SURFACE_BOUND, unit="m",
        subject="Depth at the end that no contact reports", place=place,
    )  # fmt: skip


def layers(flight: DockingFlight) -> Check:
    """Compression of the layers of nozzle and tool: a foundation describes small ones."""
    deepest = max(NOZZLE_PAIRS, key=lambda name: flight.maxima.get(name, {}).get("depth", 0.0))
    return Check(
        name="layers", value=layer_strain(flight), bound=LAYER_BOUND, unit="",
        subject="Largest compression of the layer of nozzle or tool, over its thickness", place=deepest,
    )  # fmt: skip


def _x_axis(q: np.ndarray) -> np.ndarray:
    return np.asarray(rotation_matrices(q[None])[0][:, 0])


def sources(config: Config) -> tuple[str, ...]:
    """Bibliography keys of the laws a run uses."""
    laws = list(LAWS)
    if config.orbit is not None:
        laws += [orbital_origin, orbit_frames]
        laws += [radiation_pressure] if config.orbit.sun is not None else []
    return tuple(dict.fromkeys(key for law in laws for key in law.CITES))
