"""The spacecraft until its harpoon is shot, and while the canister closes: it holds its place, or moves freely."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.harpoon.model import Model
from haptos.scenarios.phase_history import History

Floats = NDArray[np.float64]
TOLERANCE = 1e-12  # of the free motion


@dataclass(frozen=True, eq=False)
class SpacecraftMotion:
    """While it waits: times (n,) [s], places and velocities (n, 3), work of gravity over mass (n,) [J/kg].

    is_idle  nothing happens before the shot       is_down  it meets the ground before the wait is over
    impulse  [N s] that holding its place has taken
    """

    times: Floats
    places: Floats
    velocities: Floats
    works: Floats
    is_idle: bool
    is_down: bool
    impulse: float

    @property
    def place(self) -> Floats:
        return np.asarray(self.places[-1])

    @property
    def velocity(self) -> Floats:
        return np.asarray(self.velocities[-1])


def motion_before_shot(config: Config, model: Model) -> SpacecraftMotion:
    """What the spacecraft does until the shot."""
    craft, late = config.spacecraft, config.failures.late_s
    place = np.array([0.0, 0.0, craft.height_m])
    velocity = np.array([craft.drift_m_per_s, 0.0, craft.rise_m_per_s])
    is_idle = late == 0.0 and not velocity.any()
    found = spacecraft_motion(config, model, place, velocity, late, craft.mass_kg + model.mass)
    return replace(found, is_idle=is_idle)


def spacecraft_motion(
    config: Config, model: Model, place: Floats, velocity: Floats, span: float, mass: float
) -> SpacecraftMotion:
    """What a spacecraft of a mass [kg] at a place [m] with a velocity [m/s] does for a time [s]: it is held there, or moves freely."""
    times = np.unique(np.append(np.arange(0.0, span, config.run.output_interval_s), span))
    count = len(times)
    site = model.site
    down = np.array([0.0, 0.0, -model.shot.gravity])
    if config.spacecraft.holds_place or span == 0.0:
        pull = down if site is None else site.at(place)[2][0]
        impulse = mass * span * float(np.abs(pull).sum())
        return SpacecraftMotion(times, np.tile(place, (count, 1)), np.tile(velocity, (count, 1)), np.zeros(count), False, False, impulse)  # fmt: skip

    def rates(_: float, y: Floats) -> Floats:
        pull = down if site is None else site.pull(y[:3], y[3:6])
        return np.concatenate([y[3:6], pull, [pull @ y[3:6]]])

    slope = config.ground.slope_deg
    out = np.array([math.sin(math.radians(slope)), 0.0, math.cos(math.radians(slope))])

    def gap(_: float, y: Floats) -> float:
        return float(y[:3] @ out) if site is None else float(site.at(y[:3])[0][0])

    gap.terminal, gap.direction = True, -1.0  # type: ignore[attr-defined]
    done = solve_ivp(
        rates, (0.0, span), np.concatenate([place, velocity, [0.0]]), "DOP853", rtol=TOLERANCE,
        atol=TOLERANCE, events=gap, dense_output=True, max_step=max(0.02 * span, 1e-6),
    )  # fmt: skip
    end = float(done.t[-1])
    times = np.unique(np.append(times[times < end], end))
    rows = np.array(done.sol(times).T)
    rows[-1] = done.y[:, -1]
    return SpacecraftMotion(
        times, rows[:, :3], rows[:, 3:6], rows[:, 6], False, len(done.t_events[0]) > 0, 0.0
    )


def add_waiting(history: History, config: Config, model: Model, before: SpacecraftMotion) -> None:
    """The wait as a phase: spacecraft and harpoon move as one."""
    mass = config.spacecraft.mass_kg + model.mass
    motion = {
        "hull": before.places, "load": before.places, "hull_v": before.velocities, "load_v": before.velocities,
    }  # fmt: skip
    stores = {
        "kinetic": 0.5 * mass * (before.velocities**2).sum(axis=1),
        "potential": mass * model.shot.gravity * before.places[:, 2],
    }
    works = {} if model.site is None else {"weight": mass * before.works}
    history.add("waiting", before.times, motion, stores, works)


def add_closing(history: History, model: Model, during: SpacecraftMotion, mass: float) -> None:
    """The canister closes while a spacecraft of a mass [kg] is held where it is, or moves on freely."""
    last, count = history.parts[-1], len(during.times)
    motion = {
        "hull": during.places, "hull_v": during.velocities, "load": np.tile(last.motion["load"][-1], (count, 1)),
        "load_v": np.zeros((count, 3)),
    }  # fmt: skip
    squares = (during.velocities**2).sum(axis=1)
    risen = mass * model.shot.gravity * (during.places[:, 2] - during.places[0, 2])
    stores = {
        "kinetic": last.stores["kinetic"][-1] + 0.5 * mass * (squares - squares[0]),
        "potential": last.stores["potential"][-1] + risen,
    }
    works = {} if model.site is None else {"weight": mass * during.works}
    history.add("closing", history.time + during.times, motion, stores, works)
