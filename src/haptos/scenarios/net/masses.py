"""Mass of a net and all that moves with it: as built by the file, and as the kernel moves it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.geometry.nets.net_closing import closing_lines
from haptos.geometry.nets.net_nodes import NetNodes
from haptos.geometry.nets.net_topology import NetMesh
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_extras import OwnTether
from haptos.scenarios.net.config_parts import NetTether
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
    all_of: list[tuple[NetTether | OwnTether, tuple[str | None, ...]]] = [
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
