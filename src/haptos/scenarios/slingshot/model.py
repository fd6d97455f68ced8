"""A sling-shot put together: spacecraft with its reel, an anchor that does not move, the line between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_build import ReelParts, brake, constant_tension, hold
from haptos.dynamics.cable.spun_tether import spun_tension
from haptos.dynamics.cable.tether_reel import BRAKE_TEMPERATURE, Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import REEL
from haptos.dynamics.cable.tether_system import (
    EndBody,
    TetherLine,
    TetherSystem,
    TetherWatch,
    no_air,
    no_ground,
)
from haptos.dynamics.field import body_field, no_field
from haptos.environment import gravity as gravities
from haptos.geometry.distance.surface import ellipsoid
from haptos.scenarios.line_surroundings import (
    LineSun,
    air_of,
    ground_of,
    heat_of,
    light_of,
    thermal_numbers,
    third_of,
)
from haptos.scenarios.slingshot.config import Config, Leave, SlingshotHitchhike, Turn
from haptos.scenarios.slingshot.line import SlingshotLine, line_of

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
    given = config.spacecraft
    craft = EndBody(
        hull_mass(config), position=config.start, velocity=(config.speed, 0.0, 0.0), radius=given.radius_m,
        drag_area=given.drag_coefficient * given.drag_area_m2, light_area=(1.0 + given.reflectivity) * given.light_area_m2,
    )  # fmt: skip
    anchor = EndBody(1.0, position=config.anchor.position_m, is_fixed=True)
    is_cut = config.tether.breaking == "cut"
    system = TetherSystem(
        bodies=(craft, anchor),
        line=TetherLine(
            config.tether.length_m, line.density, line.stiffness, config.tether.damping_N_s,
            line.breaking if is_cut else math.inf, line.diameter,
            **({} if config.heat is None else thermal_numbers(config.heat, config.tether.material)),
        ),
        cells=config.run.cells,
        reels=(_reel(config), hold()),
        stored=(config.tether.length_m - natural, 0.0),
        watches=_watches(config, line),
        stops=STOPS,
        tangle=(0.05, 0.1),
        **surroundings(config),
    )  # fmt: skip
    run = TetherRun(
        system, tolerance=config.run.tolerance, scheme=config.run.scheme,
        cells=_cells(config, line, natural),
        temperatures=None if config.heat is None else np.full(config.run.cells, config.heat.start_K),
    )  # fmt: skip
    run.state[REEL + BRAKE_TEMPERATURE] = config.reel.brake_start_K
    return run


def surroundings(config: Config) -> dict[str, Any]:
    """Keys of `TetherSystem`: field, air, light, heat, ground, third."""
    target, sun, still = config.target, config.sun or LineSun(), np.zeros(3)
    radius, ground, field = 0.0, no_ground(), no_field()
    if target is not None:
        radius, arm = min(target.semi_axes_m), -np.array(target.centre_m)
        ground = ground_of(config.contact, ellipsoid(target.semi_axes_m), arm)
        pull = gravities.ellipsoid(target.semi_axes_m, target.mu_m3_per_s2 or 0.0)
        if (
            target.mu_m3_per_s2 is not None
            or config.third_body is not None
            or config.sun is not None
        ):
            field = body_field(pull, still, arm=arm, axes=np.eye(3))
    return {
        "field": field,
        "air": air_of(config.air, np.array([0.0, 1.0, 0.0]), is_orbit=False) or no_air(),
        "light": light_of(sun, radius, still),
        "heat": heat_of(config.heat, sun, config.tether.material, radius, is_orbit=False),
        "ground": ground,
        "third": third_of(config.third_body, still),
    }


def flight_time(config: Config) -> float:
    """Time [s] from the shot to the anchoring; NaN for a line that is there already."""
    speed = config.spacecraft.harpoon_speed_m_per_s
    return math.nan if speed is None else config.distance / speed


def natural_length(config: Config, line: SlingshotLine) -> float:
    """Line off the reel at the start [m], without load."""
    if config.tether.start != "stretched":
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


def _stretched(config: Config, line: SlingshotLine, natural: float, count: int = 400) -> Floats:
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


def _cells(config: Config, line: SlingshotLine, natural: float) -> tuple[Floats, Floats] | None:
    """Places and velocities of the cells of a stretched start; none for the usual straight one."""
    if config.tether.start == "unstretched":
        return None
    if (
        config.tether.start == "flight"
    ):  # what left the spool of the harpoon moves with the spacecraft
        anchor, count = np.array(config.anchor.position_m), config.run.cells
        share = ((np.arange(count) + 0.5) / count)[:, None]
        way = anchor - np.array(config.start)
        return np.array(config.start) + share * way, np.tile([config.speed, 0.0, 0.0], (count, 1))
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
        fade=(given.brake_fade_K, given.brake_fade_span_K, given.brake_fade_share),
    )
    if isinstance(config.manoeuvre, Turn):
        return hold(parts)
    make = brake if isinstance(config.manoeuvre, SlingshotHitchhike) else constant_tension
    return make(given.tension_N, ramp=given.ramp_s, parts=parts)


def _watches(config: Config, line: SlingshotLine) -> list[TetherWatch]:
    """What ends the manoeuvre, and a tension that would break a line that is not cut."""
    found = []
    if isinstance(config.manoeuvre, SlingshotHitchhike):
        found.append(TetherWatch("range rate below", 0.0))
    if isinstance(config.manoeuvre, Leave):
        found.append(TetherWatch("distance below", config.manoeuvre.release_distance_m))
    if config.tether.breaking == "report":
        found.append(TetherWatch("tension above", line.breaking, stops=False))
    return found
