"""Mass of a net and all that moves with it: as built by the file, and as the kernel moves it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.system import (
    LOAD_AFTER_TOUCH,
    LOAD_AXES,
    LOAD_FORCE,
    LOAD_FORCE_END,
    LOAD_REACTION,
    LOAD_START,
    LOAD_STOP,
    NODE,
    STEPS,
    TOUCHED_AT,
    WIND_DENSITY,
    WIND_POINT,
)
from haptos.dynamics.totals import simulated_mass
from haptos.geometry.nets.net_closing import closing_lines
from haptos.geometry.nets.net_nodes import NetNodes
from haptos.geometry.nets.net_topology import NetMesh
from haptos.results.balances import mass_check, momentum_check
from haptos.results.checks import Check
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_extras import OwnTether
from haptos.scenarios.net.config_parts import Tether
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.tethers import tether_thread, thread_of

Floats = NDArray[np.float64]


def built_mass(config: Config, mesh: NetMesh, nodes: NetNodes, bullet_masses: Floats) -> float:
    """[kg] of all bodies that can move, and of all threads but what is tied to a body that cannot."""
    parts = [nodes.mass, *bullet_masses, *(body.mass_kg for body in config.bodies)]
    if not config.chaser.holds_place:
        parts.append(config.chaser.mass_kg)
    if config.target is not None and not config.target.holds_place:
        boxes = [box.mass_kg for box in config.target.boxes]
        parts += boxes or [float(config.target.mass_kg or 0.0)]
    return math.fsum([*parts, *_link_ends(config), *_tethers(config), *_closing(config, mesh, nodes),
                      -_held_knot(config, nodes)])  # fmt: skip


def _link_ends(config: Config) -> list[float]:
    """Halves of the last elements of the links to bullets [kg], which no knot has."""
    given = config.bullets
    strong = config.threads.reinforced_diameter_m or config.threads.diameter_m
    half = 0.5 * given.link_length_m / (config.net.nodes_per_link + 1)
    return [thread_of(config, strong).linear_density * half] * given.count


def _tethers(config: Config) -> list[float]:
    """Of [tether] and [[tethers]] [kg], without the halves of elements tied to a body that is held."""
    held = _held(config)
    found = []
    all_of: list[tuple[Tether | OwnTether, tuple[str | None, ...]]] = [
        (tether, (tether.first_body, tether.body)) for tether in config.tethers
    ]
    if config.tether is not None:
        all_of.append((config.tether, ("chaser",)))
    for tether, ends in all_of:
        whole = tether_thread(config, tether).linear_density * tether.length_m
        lost = sum(end in held for end in ends) * 0.5 / (tether.nodes + 1)
        found.append(whole * (1.0 - lost))
    return found


def _closing(config: Config, mesh: NetMesh, nodes: NetNodes) -> list[float]:
    """Of the closing lines [kg]."""
    if config.closing is None:
        return []
    kind = "free" if config.closing.kind == "free" else "interlaced"
    lengths = closing_lines(mesh, nodes.bullet_knots, kind).lengths
    return list(thread_of(config, config.closing.diameter_m).linear_density * lengths)


def _held(config: Config) -> set[str]:
    """Names of the bodies that are held in place."""
    held = {"chaser"} if config.chaser.holds_place else set()
    return held | ({"target"} if config.target is not None and config.target.holds_place else set())


def _held_knot(config: Config, nodes: NetNodes) -> float:
    """Of the knot in the middle [kg], where it is tied to a chaser that is held."""
    is_tied = config.tether is not None and config.tether.length_m == 0.0
    return float(nodes.masses[nodes.tether_knot]) if is_tied and "chaser" in _held(config) else 0.0


def mass_of_run(config: Config, model: Model, first: float) -> Check:
    """Check of the masses at the start, `first` [kg], and now, at the end.

    Thread that a winch takes up on a body that is held has left what moves: then the start alone counts.
    """
    built = built_mass(config, model.mesh, model.nodes, model.bullet_masses)
    net, motion = model.net, model.motion
    takers = net.orders.winds[net.orders.winds[:, WIND_DENSITY] != 0.0, WIND_POINT].astype(int)
    owners = net.points.owner[takers[takers >= 0]]
    is_taken = bool((motion.inverse_mass[owners[owners >= 0]] == 0.0).any())
    transfers = int(motion.clock[STEPS]) * len(takers)
    return mass_check(built, [first] if is_taken else [first, simulated_mass(model)], transfers)


def momentum_of_run(config: Config, model: Model, totals: Floats, end: float) -> Check | None:
    """Check of the momentum of all that moves; None where forces from outside are not known in advance.

    That is in gravity, air or light, with bodies that are held, and with burns in axes that turn.
    totals  (n, 6) of `momenta`      end  time of the last of them [s]
    """
    net, motion = model.net, model.motion
    burns = [row for row in net.orders.loads if row[LOAD_REACTION] < 0.0]
    is_open = config.surroundings != "free" or net.air.has_drag or net.air.has_light
    if is_open or (motion.inverse_mass == 0.0).any() or any(row[LOAD_AXES] >= 0.0 for row in burns):
        return None
    touched = float(motion.clock[TOUCHED_AT])
    impulses = [_impulse(row, touched, end) for row in burns]
    masses = 1.0 / motion.inverse_mass
    n = int((net.points.owner == NODE).sum())
    scale = float(masses @ np.linalg.norm(motion.speed, axis=1))
    scale += float(motion.mass[:n] @ np.linalg.norm(motion.v[:n], axis=1))
    scale += sum(float(np.linalg.norm(impulse)) for impulse in impulses)
    scale += float(np.linalg.norm(totals[0, :3]))
    scale += float(model.thrown_masses @ np.abs(model.muzzle_speeds))
    given = np.sum(impulses, axis=0) if impulses else np.zeros(3)
    return momentum_check(totals[-1, :3] - totals[0, :3], given, scale)


def _impulse(row: Floats, touched: float, end: float) -> Floats:
    """Impulse [N s], (3,), of a load in N axes until a time [s]."""
    late = touched if row[LOAD_AFTER_TOUCH] else 0.0
    if not math.isfinite(late):
        return np.zeros(3)
    start, stop = row[LOAD_START] + late, row[LOAD_STOP] + late
    share = float(np.clip((end - start) / (stop - start), 0.0, 1.0))
    first = row[LOAD_FORCE : LOAD_FORCE + 3]
    last = row[LOAD_FORCE_END : LOAD_FORCE_END + 3]
    return np.asarray((stop - start) * (share * first + 0.5 * share**2 * (last - first)))
