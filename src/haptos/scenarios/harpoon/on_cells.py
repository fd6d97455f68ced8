"""Flight and retrieval of a harpoon on the tether of cells, as phases of the run."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from haptos.dynamics.cable import retrieval_run as back
from haptos.dynamics.cable.line_shot_tether import (
    CellFlight,
    LineOfCells,
    ShotPlace,
    cell_potential,
    flight_on_tether,
)
from haptos.dynamics.cable.retrieval_run import RetrievalCase
from haptos.dynamics.cable.retrieval_tether import (
    LineCamera,
    LineRetrieved,
    retrieve_on_tether,
    velocities,
)
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, CELLS, PROPELLANT, SERIES, STORED
from haptos.results.checks import Check
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import Model
from haptos.scenarios.line_results import LineRows, line_checks, line_rows
from haptos.scenarios.phase_history import History
from haptos.scenarios.worlds.site import Site

Floats = NDArray[np.float64]
WORKS = {
    "thrust": "thrust", "propellant": "propellant", "motor": "winch_0", "series damper": "series",
    "line damping": "damping", "grid": "transport", "weight": "gravity", "line break": "breakage",
}  # fmt: skip


def shot_on_cells(config: Config, model: Model, start: Floats, velocity: Floats) -> CellFlight:
    """Fly on the tether of cells; start [m], velocity [m/s]  of the spacecraft before the shot."""
    line, site = config.line, model.site
    place = None
    if site is not None:
        ground = site.ground(stiffness=1.0, friction=0.0)
        place = ShotPlace(site.field(), ground, site.at(start)[2][0])
    made = LineOfCells(line.stiffness_N, line.damping_N_s, line.breaking_N, line.cells)
    return flight_on_tether(
        model.shot, made, float(start[2]), config.muzzle[0],
        aim=math.radians(config.shot.aim_deg), tip_off=math.radians(config.shot.tip_off_deg_per_s),
        interval=config.run.output_interval_s, tolerance=config.run.cell_tolerance,
        aside=(float(start[0]), float(start[1])), velocity=tuple(velocity.tolist()), place=place,
    )  # fmt: skip


def flight_energies(model: Model, flown: CellFlight) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """(stores, works) [J] along the rows of a flight."""
    rows = line_rows(flown.run)
    stores = {
        "kinetic": rows.energy[:, 0],
        "potential": cell_potential(model.shot, flown.run),
        "elastic": rows.energy[:, 1] + rows.energy[:, 2],
    }
    works = {
        "shot": np.full(len(rows.time), rows.energy[0, 0]), "line brake": rows.work("shaft_1"),
        "feed loss": rows.work("feed_loss_1"), "line damping": rows.work("damping"), "grid": rows.work("transport"),
    }  # fmt: skip
    if model.site is not None:  # no uniform gravity: its work is counted, not an energy of place
        stores["potential"] = np.zeros(len(rows.time))
        works["weight"] = rows.work("gravity")
    return stores, works


def flight_check(model: Model, flown: CellFlight) -> tuple[Check, ...]:
    """Mass and momentum of hull, line and harpoon."""
    built = model.shot.hull + model.shot.body
    return line_checks(flown.run, built, (flown.start, np.zeros(3), built))


def along_line(run: TetherRun, rows: LineRows) -> dict[str, Floats]:
    """Columns of the line: its cells, its tensions, its length."""
    n = run.system.cells
    length = run.system.line.total - rows.state[:, STORED] - rows.state[:, STORED + 1]
    if n == 0:
        return {"length": length}
    cells = rows.state[:, CELLS : CELLS + 3 * n].reshape(-1, n, 3)
    return {"cells": cells, "tensions": rows.tension, "length": length}


def retrieval_on_cells(
    config: Config, case: RetrievalCase, origin: Floats, site: Site | None
) -> LineRetrieved:
    """Follow the canister on the tether of cells from where it lay [m]."""
    wanted = config.retrieval
    assert wanted is not None
    surroundings = (
        None if site is None else (site.field(origin), site.ground(origin, is_felt=False))
    )
    return retrieve_on_tether(
        case, density=config.line.linear_density_kg_per_m if config.line.cells else 0.0, cells=config.line.cells,
        tolerance=config.run.cell_tolerance,
        camera=LineCamera(math.radians(wanted.camera_noise_deg), config.seed), surroundings=surroundings,
    )  # fmt: skip


def add_cell_phases(
    config: Config,
    history: History,
    found: LineRetrieved,
    start: float,
    origin: Floats,
    load: float,
    site: Site | None,
) -> tuple[Check, ...]:
    """Rows between the marks of the run, then the fly-away with the load on board; checks of mass and momentum."""
    run, rows = found.run, line_rows(found.run)
    marks = [*(mark[0] for mark in run.marks[1:]), math.inf]
    hull_v, load_v = velocities(run, rows.state)
    motion = {
        "hull": origin + rows.state[:, 0:3], "hull_v": hull_v, "load_v": load_v,
        "load": origin + rows.state[:, BODY : BODY + 3], "damper": rows.state[:, SERIES],
        "tension": rows.tension[:, 0], **along_line(run, rows),
    }  # fmt: skip
    if "cells" in motion:
        motion["cells"] = motion["cells"] + origin
    away = motion["hull"] - motion["load"]
    motion["swing"] = np.arccos(np.clip(away[:, 2] / np.linalg.norm(away, axis=1), -1.0, 1.0))
    stores = {
        "kinetic": rows.energy[:, 0],
        "potential": np.full(len(rows.time), history.parts[-1].stores["potential"][-1]),
        "elastic": rows.energy[:, 1] + rows.energy[:, 2],
    }
    every = config.run.output_interval_s
    kept = np.append(np.diff(np.floor(rows.time / every + 1e-9)) > 0.0, True)
    for (begin, name, *_), end in zip(run.marks, marks, strict=True):
        inside = (rows.time >= begin - 1e-9) & (rows.time <= min(end, found.time) + 1e-9)
        places = np.flatnonzero(inside)
        first = int(places[0])
        inside = np.union1d(places[kept[places]], [first, places[-1]])
        works = {key: rows.work(of)[inside] - rows.work(of)[first] for key, of in WORKS.items()}
        history.add(
            name, start + rows.time[inside], {k: v[inside] for k, v in motion.items()},
            {k: v[inside] for k, v in stores.items()}, works,
        )  # fmt: skip
    if found.ended == back.CAPTURED:
        _add_held(config, history, found, origin, site)
    built = run.system.bodies[0].mass + run.system.bodies[0].propellant + load
    built += run.system.line.density * run.system.line.total
    first_momentum = _momentum_at_start(run)
    checks = line_checks(run, built, (first_momentum, np.zeros(3), built))
    return tuple(replace(check, name=f"{check.name}_of_retrieval") for check in checks)


def _momentum_at_start(run: TetherRun) -> Floats:
    """[N s] of hull, line and load at ejection."""
    fresh = TetherRun(run.system, tolerance=run.tolerance)
    return fresh.momentum()[0]


def _add_held(
    config: Config, history: History, found: LineRetrieved, origin: Floats, site: Site | None
) -> None:
    """The load is taken in at once; hull, line and load fly on by the rocket equation, on a site in its field."""
    assert config.retrieval is not None
    run, before = found.run, history.parts[-1]
    y, span = run.state, config.retrieval.fly_away_s
    momentum, mass = run.momentum()[0], float(run.momentum()[2])
    thrust, exhaust = config.retrieval.thrust_N, config.spacecraft.specific_impulse_s * back.STANDARD_GRAVITY  # fmt: skip
    if found.time >= (config.failures.thrust_off_s or math.inf):
        thrust = 0.0
    stuck = config.failures.thruster_stuck_s
    aside = config.failures.stuck_thrust_N if stuck is not None and stuck <= found.time else 0.0
    push = np.array([aside, 0.0, thrust])
    flow = (thrust + aside) / exhaust
    burns = min(span, float(y[PROPELLANT]) / flow) if flow > 0.0 else span
    t = np.linspace(0.0, burns, 61)
    down = np.array([0.0, 0.0, -config.ground.gravity_m_per_s2])
    left = mass - flow * t
    v0 = momentum / mass
    if site is None:
        gained = np.log(mass / left) / flow if flow > 0.0 else t / mass
        v = v0 + np.outer(gained, push) + np.outer(t, down)
        way = (t - left / flow * np.log(mass / left)) / flow if flow > 0.0 else 0.5 * t * t / mass
        place = y[0:3] + np.outer(t, v0) + np.outer(way, push) + np.outer(0.5 * t * t, down)
        pulled = _integral(t, left * (v @ down))
    else:
        place, v, pulled = _flown_on(site, origin, y[0:3], v0, push, mass, flow, t)
    place = origin + place
    kinetic = 0.5 * left * (v * v).sum(axis=1)
    total = before.stores["kinetic"][-1] + before.stores["elastic"][-1]
    lost = float(kinetic[0] - total)
    motion = {"hull": place, "load": place, "hull_v": v, "load_v": v}
    stores = {"kinetic": kinetic, "potential": np.full(len(t), before.stores["potential"][-1])}
    carried = -0.5 * flow * _integral(t, (v * v).sum(axis=1))
    works = {
        "capture": np.full(len(t), lost), "thrust": _integral(t, v @ push), "propellant": carried, "weight": pulled,
    }  # fmt: skip
    history.add("held", history.time + t, motion, stores, works)


def _flown_on(
    site: Site, origin: Floats, place: Floats, velocity: Floats, push: Floats, mass: float, flow: float, t: Floats
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """(places from the origin, velocities, work of the field [J]) of a mass that loses `flow` [kg/s] under a push [N], at times [s]."""

    def rates(when: float, y: Floats) -> Floats:
        pull, left = site.pull(origin + y[:3], y[3:6]), mass - flow * when
        return np.concatenate([y[3:6], push / left + pull, [left * (pull @ y[3:6])]])

    start = np.concatenate([place, velocity, [0.0]])
    done = solve_ivp(rates, (0.0, float(t[-1])), start, "DOP853", t_eval=t, rtol=1e-12, atol=1e-12)
    return done.y[:3].T, done.y[3:6].T, done.y[6]


def _integral(t: Floats, f: Floats) -> Floats:
    """Running integral of smooth samples, by a cubic spline."""
    if t[-1] <= t[0]:
        return np.zeros(len(t))
    return np.asarray(CubicSpline(t, f).antiderivative()(t))
