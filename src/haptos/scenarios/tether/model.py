"""A tether put together from its file: bodies, line, reels and what they do."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_build import (
    brake,
    clutch,
    constant_tension,
    hold,
    prescribed,
    servo,
)
from haptos.dynamics.cable.tether_loads import end_gap
from haptos.dynamics.cable.tether_march import look_at_ground
from haptos.dynamics.cable.tether_reel import Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, POSITION
from haptos.dynamics.cable.tether_system import (
    EndBody,
    EndThruster,
    TetherLine,
    TetherSystem,
    TetherWatch,
)
from haptos.materials.threads import thread_material
from haptos.scenarios.line_surroundings import thermal_numbers
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.config_body import TetherBody
from haptos.scenarios.tether.config_place import TetherSite
from haptos.scenarios.tether.config_reel import BY_TENSION, ReelTable
from haptos.scenarios.tether.surroundings import axes_of, surroundings

Floats = NDArray[np.float64]
NAMES = ("first", "second")
SNATCH = "tension above"  # of what is watched
STOPS = ("tether end reached", "slack tangle", "supercritical pay-out")
DAMPER_RATIO = (
    0.9  # [-] of a tuned damper, [Quadrelli2017]; its spring is as stiff as the line, assumed
)
LEAST_LENGTH = 0.01  # [-] of the whole line that has to stay deployed


def line_of(config: Config) -> TetherLine:
    """The line, of a fibre or of its own numbers; its damper in series tuned to the bounce."""
    made = config.line
    breaking = math.inf if made.breaking_tension_N is None else made.breaking_tension_N
    if made.material is not None:
        fibre = thread_material(made.material)
        section = math.pi / 4.0 * made.diameter_m**2
        density, stiffness = fibre.density * section, fibre.modulus * section
        breaking = min(breaking, fibre.breaking_stress * section)
    else:
        density, stiffness = made.linear_density_kg_per_m or 0.0, made.stiffness_N or 0.0
    series: tuple[tuple[float, float] | None, None] = (None, None)
    if made.damper == "tuned":
        k = stiffness / natural_length(config, stiffness)
        m = (
            config.first.mass_kg
            * config.second.mass_kg
            / (config.first.mass_kg + config.second.mass_kg)
        )
        series = ((k, 2.0 * DAMPER_RATIO * math.sqrt(k * m)), None)
    return TetherLine(
        made.length_m, density, stiffness, made.damping_N_s, breaking if made.breaking == "cut" else math.inf,
        made.diameter_m, series=series,
        **({} if config.heat is None else thermal_numbers(config.heat, made.material)),
    )  # fmt: skip


def natural_length(config: Config, stiffness: float) -> float:
    """Length of line between the bodies at the start [m], without its stretch."""
    return config.start.distance_m / (1.0 + config.start.tension_N / stiffness)


def _body(table: TetherBody, place: Floats, velocity: Floats) -> EndBody:
    thrusters = tuple(
        EndThruster(t.place_m, t.direction, t.force_N, t.isp_s, t.start_s, t.stop_s)
        for t in table.thrusters
    )
    x, y, z = (math.radians(r) for r in table.rate_deg_per_s)
    rate = (x, y, z)
    arm = np.array(table.attachment_m)
    place, velocity = place - arm, velocity - np.cross(rate, arm)
    return EndBody(
        table.mass_kg, inertia=table.inertia_kg_m2, attachment=table.attachment_m, position=tuple(place),
        velocity=tuple(velocity), rate=rate, propellant=table.propellant_kg, thrusters=thrusters,
        wheels=(table.wheel_torque_N_m, table.wheel_momentum_N_m_s) if table.wheel_torque_N_m else None,
        hold=(table.hold_gain_N_m, table.hold_damping_N_m_s), radius=table.radius_m,
        drag_area=table.drag_coefficient * table.drag_area_m2, pressure_centre=table.pressure_centre_m,
        light_area=(1.0 + table.reflectivity) * table.light_area_m2,
    )  # fmt: skip


def bodies_of(config: Config, natural: float, density: float) -> tuple[EndBody, EndBody]:
    """Both bodies; N axes, origin in the centre of mass (over a site at the first attachment)."""
    axes, start = axes_of(config), config.start
    way = np.array(start.direction) / np.linalg.norm(start.direction)
    apart = start.distance_m * axes.rows.T @ way
    turn = axes.rate + axes.rows.T @ np.radians(start.spin_deg_per_s)
    stored = config.line.length_m - natural
    m_1 = (
        config.first.mass_kg + config.first.propellant_kg + density * (stored - start.second_reel_m)
    )
    m_2 = config.second.mass_kg + config.second.propellant_kg + density * start.second_reel_m
    m_l = density * natural
    whole = m_1 + m_2 + m_l
    middle = (m_2 + 0.5 * m_l) / whole * apart
    centre = np.zeros(3) if isinstance(config.place, TetherSite) else middle
    slide = axes.rows.T @ np.array(start.relative_velocity_m_per_s)
    places = (-centre, apart - centre)
    mean = (m_2 + 0.5 * m_l) / whole * slide
    speeds = (np.cross(turn, -middle) - mean, np.cross(turn, apart - middle) + slide - mean)
    return _body(config.first, places[0], speeds[0]), _body(config.second, places[1], speeds[1])


def reels_of(config: Config) -> tuple[Reel, Reel]:
    """Both reels: lengths paid out along the steps."""
    corners: dict[str, tuple[list[float], list[float]]] = {name: ([0.0], [0.0]) for name in NAMES}
    shapes, when = set(), 0.0
    for step in config.steps:
        when += step.duration_s or 0.0
        for name, (times, paid) in corners.items():
            if step.duration_s is None:
                continue
            moved = 0.0
            if step.reel == name and step.length_m is not None:
                moved = step.length_m if step.kind == "deploy" else -step.length_m
                shapes.add(step.shape)
            times.append(when)
            paid.append(paid[-1] + moved)
    if len(shapes) > 1:
        raise ConfigError("steps", "cosine and linear", "one shape for all", 'shape = "cosine"')
    smooth = shapes != {"linear"}
    tables = (config.first_reel, config.second_reel)
    first, second = (
        _reel(config, table, times, paid, smooth=smooth)
        for table, (times, paid) in zip(tables, corners.values(), strict=True)
    )
    return first, second


def _reel(
    config: Config, table: ReelTable, times: list[float], paid: list[float], *, smooth: bool
) -> Reel:
    """One reel that pays out lengths [m] by times [s], or follows the tension of the line."""
    parts = table.parts(config.run.max_speed_m_per_s)
    if table.law in BY_TENSION:
        make = brake if table.law == "brake" else constant_tension
        slope = table.slope_N_s_per_m or 0.0
        return make(table.tension_N or 0.0, ramp=table.ramp_s, slope=slope, parts=parts)
    if table.law == "clutch":
        return clutch(
            times, paid, table.tension_N or 0.0, table.slope_N_s_per_m or 0.0, parts=parts
        )
    if table.law == "servo":
        return servo(times, paid, table.drum_mass_kg or 0.0, parts=parts)
    return prescribed(times, paid, smooth=smooth, parts=parts) if any(paid) else hold(parts)


def waves_pass(config: Config, line: TetherLine) -> None:
    """Refuse reels that take line in faster than its waves run: the line would not feel them, and stretch without limit."""
    for number, step in enumerate(config.steps, start=1):
        law = (config.first_reel if step.reel == "first" else config.second_reel).law
        if step.kind == "retrieve" and law == "prescribed" and step.peak_speed >= line.wave_speed:
            found = f"retrieve at {step.peak_speed:.4g} m/s in step {number}"
            allowed = f"below {line.wave_speed:.4g} m/s, the speed sqrt(EA/mu) of waves in the line"
            raise ConfigError("steps", found, allowed, "a longer duration_s, or a stiffer line")


def lengths_fit(config: Config, natural: float) -> None:
    """Refuse a start with more line than there is, and steps that leave next to none; a reel that runs empty is an outcome."""
    stored = {"second": config.start.second_reel_m}
    stored["first"] = config.line.length_m - natural - stored["second"]
    if min(stored.values()) < -1e-9 * config.line.length_m:
        raise ConfigError(
            "start", f"{natural:g} m deployed and {stored['second']:g} m on the second reel",
            f"line.length_m = {config.line.length_m:g} m together", "a longer line",
        )  # fmt: skip
    deployed = natural
    for number, step in enumerate(config.steps, start=1):
        if step.kind not in ("deploy", "retrieve") or step.length_m is None:
            continue
        moved = step.length_m if step.kind == "deploy" else -step.length_m
        deployed += moved
        if deployed < LEAST_LENGTH * config.line.length_m:
            found = f"{deployed:g} m deployed after step {number}"
            raise ConfigError(
                "steps",
                found,
                f"{LEAST_LENGTH * config.line.length_m:g} m or more",
                "retrieve less",
            )


def started(config: Config) -> TetherRun:
    """The run at its start."""
    line = line_of(config)
    natural = natural_length(config, line.stiffness)
    lengths_fit(config, natural)
    waves_pass(config, line)
    if config.start.tension_N >= line.breaking:
        raise ConfigError(
            "start.tension_N",
            f"{config.start.tension_N:g} N",
            f"below {line.breaking:g} N",
            "less tension",
        )
    stored = (
        max(config.line.length_m - natural - config.start.second_reel_m, 0.0),
        config.start.second_reel_m,
    )
    bounds = []
    if config.run.collision_m > 0.0:
        bounds.append(TetherWatch("distance below", config.run.collision_m))
    if config.line.snatch_N is not None:
        bounds.append(TetherWatch(SNATCH, config.line.snatch_N, stops=False))
    system = TetherSystem(
        bodies_of(config, natural, line.density), line, config.run.cells, reels=reels_of(config), stored=stored,
        watches=bounds, stops=STOPS, **surroundings(config),
        tangle=(config.run.tangle_share, config.run.tangle_gap_m),
    )  # fmt: skip
    warm = None if config.heat is None else np.full(config.run.cells, config.heat.start_K)
    run = TetherRun(
        system, tolerance=config.run.tolerance, scheme=config.run.scheme, temperatures=warm
    )
    _above_ground(run)
    return run


def _above_ground(run: TetherRun) -> None:
    """Refuse a start with a body or the line in the ground."""
    look_at_ground(run.tether, run.time, run.state, run.guard)
    depth = run.deepest[0]
    for k in (0, 1):
        if run.tether.ground.is_on:
            place = run.state[BODY * k + POSITION : BODY * k + POSITION + 3]
            depth = max(depth, -float(end_gap(run.tether, k, tuple(place.tolist()))))
    if depth > 0.0:
        found = f"a body or the line {depth:.3g} m inside of what it is over"
        raise ConfigError("start", found, "all of it outside", "a shorter distance_m, or go higher")


def check(config: Config) -> None:
    """Refuse what only shows when it is put together."""
    started(config)
