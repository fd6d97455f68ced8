"""What happens where a harpoon meets the ground: which law, how deep, what is left of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.contact.laws.anchor import PushedIn
from haptos.contact.laws.penetration import depth_per_length, layers_along
from haptos.core.outcome import Outcome
from haptos.dynamics.cable.line_shot import ANGLE, PAID, RATE, LineFlight, ShotMotion
from haptos.dynamics.rigid import axial_entry as axial
from haptos.dynamics.rigid import oblique_entry as oblique
from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import Model
from haptos.scenarios.worlds.site import Site

Floats = NDArray[np.float64]
STRAIGHT = math.radians(0.5)  # incidence and attack below which entry is axial
ENDS = {
    oblique.STUCK: None,
    oblique.RICOCHET: Outcome.RICOCHET,
    oblique.BROADSIDE: Outcome.BROADSIDE,
}


@dataclass(frozen=True, eq=False)
class HarpoonImpact:
    """Velocity and axis where the tip meets the ground: speed [m/s], angles [rad], rate [rad/s], mass [kg].

    downward  cosine of the angle between velocity and gravity
    lean      angle of gravity from the inward normal, towards the way along the ground [rad]
    gravity   there [m/s^2]      planar  its part in the plane of the entry, which alone weighs there [m/s^2]
    out, along  of the ground and of the way along it, axes of the run     place  where it hits [m]
    sideways  angle of the axis out of the plane of velocity and normal [rad], which the entry leaves out
    """

    speed: float
    incidence: float
    attack: float
    rate: float
    mass: float
    downward: float
    lean: float
    gravity: float
    out: Floats
    along: Floats
    place: Floats
    planar: float
    sideways: float = 0.0


@dataclass(frozen=True, eq=False)
class Entered:
    """How it entered.

    outcome  None if it is stuck                depth, length  of the tip below ground, of the rod within it [m]
    tilt     of its axis from the normal [rad]  time, peak     until rest [s], largest deceleration [m/s^2]
    rows     times, depth of the tip, kinetic energy, that of turning, angle of the axis; works  name -> (n,) [J]
    pushed   what a load did after it; depth and length are those after it
    """

    outcome: Outcome | None
    depth: float
    length: float
    tilt: float
    time: float
    peak: float
    speed_left: float
    law: str
    times: Floats
    depths: Floats
    kinetic: Floats
    turned: Floats
    works: dict[str, Floats]
    turning: Floats
    pushed: PushedIn | None = None


def impact(model: Model, flight: LineFlight) -> HarpoonImpact:
    """Angles of a hit, mirrored so that the incidence is not negative."""
    y = flight.last
    slope = model.shot.slope
    out, along = (math.sin(slope), math.cos(slope)), (math.cos(slope), -math.sin(slope))
    v = (float(y[6]), float(y[7]))
    axis = (math.sin(y[ANGLE]), -math.cos(y[ANGLE]))
    inward = math.atan2(v[0] * along[0] + v[1] * along[1], -(v[0] * out[0] + v[1] * out[1]))
    pointed = math.atan2(
        axis[0] * along[0] + axis[1] * along[1], -(axis[0] * out[0] + axis[1] * out[1])
    )
    side = -1.0 if inward < 0.0 else 1.0
    mass = model.mass - model.shot.density * float(y[PAID])
    return HarpoonImpact(
        math.hypot(*v), side * inward, side * (pointed - inward), side * float(y[RATE]), mass,
        -v[1] / math.hypot(*v), side * slope, model.shot.gravity,
        np.array([out[0], 0.0, out[1]]), side * np.array([along[0], 0.0, along[1]]), np.array([y[4], 0.0, y[5]]),
        model.shot.gravity,
    )  # fmt: skip


def site_impact(model: Model, site: Site, motion: ShotMotion, paid: float) -> HarpoonImpact:
    """Angles of a hit on the ground of a world: in the plane of velocity and normal there."""
    place, v, tip = motion.body[-1], motion.body_v[-1], motion.tip[-1]
    _, normals, pulls = site.at(place)
    out, pull = normals[0], pulls[0]
    along = v - (v @ out) * out
    if np.linalg.norm(along) < 1e-9 * np.linalg.norm(v):
        along = np.eye(3)[0] - out[0] * out
    along = along / np.linalg.norm(along)
    speed, size = float(np.linalg.norm(v)), float(np.linalg.norm(pull))
    incidence = math.atan2(float(v @ along), -float(v @ out))
    pointed = math.atan2(float(tip @ along), -float(tip @ out))
    across = np.cross(out, along)
    forward = math.cos(pointed) * along + math.sin(pointed) * out
    turning = float(np.cross(motion.turning[-1], tip) @ forward)
    mass = model.mass - model.shot.density * paid
    return HarpoonImpact(
        speed, incidence, pointed - incidence, turning, mass, float(pull @ v) / (size * speed) if size > 0.0 else 0.0,
        math.atan2(float(pull @ along), -float(pull @ out)) if size > 0.0 else 0.0, size, out, along, place, math.hypot(float(pull @ along), float(pull @ out)),
        math.asin(max(min(float(tip @ across), 1.0), -1.0)),
    )  # fmt: skip


def enter(config: Config, model: Model, hit: HarpoonImpact) -> Entered:
    """Follow the harpoon into the ground by the law the file asks for."""
    straight = hit.incidence < STRAIGHT and abs(hit.attack) < STRAIGHT
    wanted = config.ground.entry
    if wanted == "axial" or (wanted == "auto" and straight):
        return _axial(config, model, hit)
    return _oblique(config, model, hit)


def _axial(config: Config, model: Model, hit: HarpoonImpact) -> Entered:
    g = hit.gravity
    tilt = hit.incidence
    found = axial.axial_entry(
        hit.mass, hit.speed, model.body, layers_along(model.layers, tilt), gravity=g * depth_per_length(tilt),
        along=g * hit.downward, depth_limit=config.run.depth_limit_m,
    )  # fmt: skip
    rows = found.rows
    turning = 0.5 * model.inertia * hit.rate**2
    kinetic = 0.5 * hit.mass * rows[:, 2] ** 2
    kinetic[0] += turning
    works = {
        "soil drag": rows[:, 3].copy(), "soil strength": rows[:, 4].copy(), "soil friction": rows[:, 5].copy(),
        "overburden": rows[:, 6].copy(), "soil viscosity": rows[:, 7].copy(), "weight": rows[:, 8].copy(),
    }  # fmt: skip
    works["soil strength"][1:] -= turning  # the ground takes what was left of turning
    outcome = Outcome.SUNK if found.ended == axial.TOO_DEEP else None
    depth = found.depth * math.cos(tilt)
    return Entered(
        outcome, depth, found.depth, tilt, found.time, found.peak_deceleration, 0.0, "axial", rows[:, 0],
        rows[:, 1] * math.cos(tilt), kinetic, np.full(len(rows), tilt), works, np.zeros(len(rows)),
    )  # fmt: skip


def _oblique(config: Config, model: Model, hit: HarpoonImpact) -> Entered:
    found = oblique.oblique_entry(
        hit.mass, hit.speed, model.body, model.layers, incidence=hit.incidence, attack=hit.attack,
        rate=hit.rate, gravity=hit.planar, lean=hit.lean, elements=config.ground.elements,
        inertia=model.inertia * hit.mass / model.mass, centre=model.centre,
    )  # fmt: skip
    rows = found.rows
    inertia = model.inertia * hit.mass / model.mass
    spin = 0.5 * inertia * rows[:, 6] ** 2
    kinetic = 0.5 * hit.mass * (rows[:, 4] ** 2 + rows[:, 5] ** 2) + spin
    works = {
        "soil strength": rows[:, 7].copy(), "soil drag": rows[:, 8].copy(), "soil friction": rows[:, 9].copy(),
        "overburden": rows[:, 10].copy(), "weight": rows[:, 11].copy(), "soil viscosity": rows[:, 12].copy(),
    }  # fmt: skip
    # the mass of the line that left is gone from the inertia too
    works["soil strength"] += 0.5 * (inertia - model.inertia) * hit.rate**2
    depths = model.centre * np.cos(rows[:, 3]) - rows[:, 2]
    outcome = ENDS[found.ended]
    if outcome is None:
        works["soil strength"][-1] -= kinetic[-1]  # below the speed at which it counts as stopped
        kinetic[-1] = spin[-1] = 0.0
    tilt = float(rows[-1, 3])
    whole = model.body.cone_height + model.body.shaft_length
    buried = found.last_depth / depth_per_length(tilt)
    return Entered(
        outcome, found.depth, buried if outcome is None else min(buried, whole), tilt, found.time,
        found.peak_deceleration, found.speed if outcome else 0.0, "elements", rows[:, 0], depths, kinetic,
        rows[:, 3], works, spin,
    )  # fmt: skip
