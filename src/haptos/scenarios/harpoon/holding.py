"""What the anchor holds: capacities, a pull of the spacecraft on its line, a lander on feet and several harpoons."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.anchor import Anchor, PushedIn, anchor, pushed_in
from haptos.core.outcome import Outcome
from haptos.dynamics.rigid.stance import AnchorLine, weakest_load
from haptos.scenarios.harpoon.config import Config, Stance
from haptos.scenarios.harpoon.entry import Entered
from haptos.scenarios.harpoon.model import Model
from haptos.scenarios.worlds.site import Site

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pulled:
    """A pull: outcome (None if it holds), peak force [N], slip [m], time to the end [s], energies [J]."""

    outcome: Outcome | None
    peak: float
    slip: float
    time: float
    given: float
    stored: float
    dissipated: float
    speed_left: float


def anchored(config: Config, model: Model, entered: Entered, gravity: float) -> Anchor:
    """Capacities of the harpoon where it rests."""
    return anchor(
        model.body, model.layers, entered.length, tilt=entered.tilt, gravity=gravity, cohesion=model.cohesion,
        barb_area=model.barb_area, residual_grip=config.harpoon.residual_grip,
        adhesion=config.hold.adhesion_N, stiffness=config.hold.stiffness_N_per_m,
    )  # fmt: skip


def pushed(config: Config, model: Model, entered: Entered, gravity: float) -> PushedIn:
    """The harpoon pushed on along its axis by the load of the file."""
    return pushed_in(
        model.body, model.layers, entered.length, config.hold.push_N, tilt=entered.tilt, gravity=gravity,
        deepest=config.run.depth_limit_m,
    )  # fmt: skip


def pull(config: Config, held: Anchor, length: float) -> Pulled:
    """The spacecraft moves away at a speed until line and ground have stopped it, the anchor slips out, or the line breaks.

    One degree of freedom: springs of line and ground in series until capacity, then slip at that force.
    """
    mass, speed = config.spacecraft.mass_kg, config.hold.pull_speed_m_per_s
    angle = math.radians(config.hold.pull_angle_deg)
    soft = length / config.line.stiffness_N + 1.0 / held.stiffness
    energy = 0.5 * mass * speed**2
    capacity, breaking = held.capacity(angle), config.line.breaking_N
    free = speed * math.sqrt(mass / soft)  # [N] peak without slip
    rhythm = math.sqrt(mass * soft)
    if breaking < min(free, capacity):
        stored = 0.5 * breaking**2 * soft
        left = math.sqrt(max(2.0 * (energy - stored) / mass, 0.0))
        when = rhythm * math.asin(breaking / free)
        return Pulled(Outcome.TETHER_BROKE, breaking, 0.0, when, energy, 0.0, stored, left)
    if free <= capacity:
        return Pulled(None, free, 0.0, 0.5 * math.pi * rhythm, energy, energy, 0.0, 0.0)
    stored = 0.5 * capacity**2 * soft
    begins = rhythm * math.asin(capacity / free)
    at = math.sqrt(2.0 * (energy - stored) / mass)  # [m/s] where slip begins
    way = (energy - stored) / capacity if capacity > 0.0 else math.inf
    out = held.depth / max(math.cos(angle), 1e-6)  # slip at which it is out
    if way < out:
        return Pulled(Outcome.SLIPPED, capacity, way, begins + at * mass / capacity, energy, stored, capacity * way, 0.0)  # fmt: skip
    left = math.sqrt(max(at**2 - 2.0 * capacity * out / mass, 0.0))
    when = begins + (at - left) * mass / capacity if capacity > 0.0 else begins
    return Pulled(
        Outcome.PULLED_OUT, capacity, out, when, energy, 0.0, stored + capacity * out, left
    )


def stance_limit(config: Config, wanted: Stance, held: Anchor, site: Site | None = None) -> float:
    """Least load [N] in the worst direction that a lander with such harpoons holds; on a site its feet stand on the ground there."""
    feet = [
        _around(k, wanted.foot_count, wanted.foot_radius_m, 0.0) for k in range(wanted.foot_count)
    ]
    normals = None
    if site is not None:
        feet = [tuple(foot) for foot in site.dropped(feet).tolist()]
        normals = site.at(feet)[1]
    tilt = math.radians(wanted.harpoon_tilt_deg)
    capacity = held.capacity(tilt)
    lines = []
    for k in range(wanted.harpoon_count):
        x, y, _ = _around(k, wanted.harpoon_count, 1.0, 0.5)
        point = (wanted.harpoon_radius_m * x, wanted.harpoon_radius_m * y, 0.0)
        way = (math.sin(tilt) * x, math.sin(tilt) * y, -math.cos(tilt))
        lines.append(AnchorLine(point, way, capacity))
    weight: float | Floats = config.spacecraft.mass_kg * config.ground.gravity_m_per_s2
    centre, place = (0.0, 0.0, wanted.centre_height_m), (0.0, 0.0, wanted.load_height_m)
    if site is not None:
        weight = config.spacecraft.mass_kg * site.at(centre)[2][0]
    friction = wanted.foot_friction
    return weakest_load(feet, friction, lines, weight, centre, place, normals=normals)[0]


def _around(k: int, count: int, radius: float, offset: float) -> tuple[float, float, float]:
    angle = 2.0 * math.pi * (k + offset) / count
    return radius * math.cos(angle), radius * math.sin(angle), 0.0
