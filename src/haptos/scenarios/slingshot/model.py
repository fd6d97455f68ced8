"""A sling-shot put together: spacecraft with its reel, an anchor that does not move, the line between them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_build import ReelParts, brake, constant_tension, hold
from haptos.dynamics.cable.spun_tether import spun_tension
from haptos.dynamics.cable.tether_reel import BRAKE_TEMPERATURE, Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import REEL
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem, Watch
from haptos.scenarios.slingshot.config import Config, Hitchhike, Leave, Turn
from haptos.scenarios.slingshot.line import Line, line_of

Floats = NDArray[np.float64]
NAMES = ("spacecraft", "anchor")
STOPS = ("supercritical pay-out", "tether end reached", "tether broke")


def check(config: Config) -> None:
    """Refuse what only shows when it is put together."""
    started(config)


def hull_mass(config: Config) -> float:
    """Mass [kg] of the spacecraft without line and harpoon."""
    return config.spacecraft.mass_kg - config.spacecraft.harpoon_mass_kg


def started(config: Config) -> TetherRun:
    """A run at its start."""
    line = line_of(config)
    natural = natural_length(config, line)
    craft = EndBody(hull_mass(config), position=config.start, velocity=(config.speed, 0.0, 0.0))
    anchor = EndBody(1.0, position=config.anchor.position_m, is_fixed=True)
    is_cut = config.tether.breaking == "cut"
    system = TetherSystem(
        bodies=(craft, anchor),
        line=TetherLine(
            config.tether.length_m, line.density, line.stiffness, config.tether.damping_N_s,
            line.breaking if is_cut else math.inf, line.diameter,
        ),
        cells=config.run.cells,
        reels=(_reel(config), hold()),
        stored=(config.tether.length_m - natural, 0.0),
        watches=_watches(config, line),
        stops=STOPS,
        tangle=(0.05, 0.1),
    )  # fmt: skip
    run = TetherRun(
        system, tolerance=config.run.tolerance, scheme=config.run.scheme,
        cells=_cells(config, line, natural),
    )  # fmt: skip
    run.state[REEL + BRAKE_TEMPERATURE] = config.reel.brake_start_K
    return run


def natural_length(config: Config, line: Line) -> float:
    """Line off the reel at the start [m], without load."""
    if config.tether.start == "unstretched":
        return config.distance
    if isinstance(config.manoeuvre, Leave):
        return config.distance / (1.0 + config.reel.tension_N / line.stiffness)
    shorter = config.distance
    for _ in range(60):  # a fixed point: the strain is small
        shorter += config.distance - _stretched(config, line, shorter)[-1]
    if not (math.isfinite(shorter) and shorter > 0.0):
        found = f"{config.speed:g} m/s on {config.distance:g} m"
        hint = "a slower pass, a longer line, or start = 'unstretched'"
        raise ConfigError("[tether] start", found, "a turn that stretches the line a little", hint)
    return shorter


def _stretched(config: Config, line: Line, natural: float, count: int = 400) -> Floats:
    """Distances [m] from the anchor of even shares of a line that turns with the spacecraft."""
    turning = _tangential(config) / config.distance
    along = (np.arange(count) + 0.5) / count * natural
    pull = spun_tension(
        along, payload=hull_mass(config) + line.density * (config.tether.length_m - natural),
        speed=max(turning * natural, 1e-30), tip=natural, linear_density=line.density,
    )  # fmt: skip
    return np.concatenate([[0.0], np.cumsum((1.0 + pull / line.stiffness) * natural / count)])


def _tangential(config: Config) -> float:
    """Speed of the spacecraft across the line at the start [m/s]."""
    return config.speed * config.spacecraft.offset_m / config.distance


def _cells(config: Config, line: Line, natural: float) -> tuple[Floats, Floats] | None:
    """Places and velocities of the cells of a stretched start; none for the usual straight one."""
    if config.tether.start == "unstretched":
        return None
    if isinstance(config.manoeuvre, Leave):  # at rest, under the tension of the reel all along
        return None
    count = config.run.cells
    middle = ((np.arange(count) + 0.5) / count)[::-1] * 400  # cells are counted from the spacecraft
    share = np.interp(middle, np.arange(401), _stretched(config, line, natural)) / config.distance
    anchor = np.array(config.anchor.position_m)
    places = anchor + share[:, None] * (np.array(config.start) - anchor)
    return places, share[:, None] * np.array([config.speed, 0.0, 0.0])


def _reel(config: Config) -> Reel:
    """The reel of the spacecraft for its manoeuvre."""
    given = config.reel
    parts = ReelParts(
        fastest=given.largest_speed_m_per_s or math.inf,
        force=given.largest_force_N or math.inf,
        power=given.largest_power_W or math.inf,
        is_drum=given.feed == "drum",
        generator=(given.generator_efficiency, given.generator_power_W),
        motor=given.motor_efficiency,
        brake=(given.brake_mass_kg, given.brake_heat_J_per_kg_K),
    )
    if isinstance(config.manoeuvre, Turn):
        return hold(parts)
    make = brake if isinstance(config.manoeuvre, Hitchhike) else constant_tension
    return make(given.tension_N, ramp=given.ramp_s, parts=parts)


def _watches(config: Config, line: Line) -> list[Watch]:
    """What ends the manoeuvre, and a tension that would break a line that is not cut."""
    found = []
    if isinstance(config.manoeuvre, Hitchhike):
        found.append(Watch("range rate below", 0.0))
    if isinstance(config.manoeuvre, Leave):
        found.append(Watch("distance below", config.manoeuvre.release_distance_m))
    if config.tether.breaking == "report":
        found.append(Watch("tension above", line.breaking, stops=False))
    return found
