"""A tether put together from its file: field, bodies, line, reels and what they do."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_reel import Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_system import (
    EndBody,
    TetherLine,
    TetherSystem,
    Thruster,
    Watch,
    hold,
    no_light,
    prescribed,
)
from haptos.dynamics.field import ORBIT, body_field, no_field
from haptos.dynamics.system import Field
from haptos.environment.gravity import ellipsoid
from haptos.environment.orbit_frames import KeplerElements, state_from_elements
from haptos.environment.orbital_origin import origin_path, origin_state
from haptos.materials.threads import thread_material
from haptos.scenarios.line_results import line_points
from haptos.scenarios.tether.config import Body, Config, Orbit, SmallBody

Floats = NDArray[np.float64]
NAMES = ("first", "second")
STOPS = ("tether end reached", "slack tangle")
DAMPER_RATIO = (
    0.9  # [-] of a tuned damper, [Quadrelli2017]; its spring is as stiff as the line, assumed
)
LEAST_LENGTH = 0.01  # [-] of the whole line that has to stay deployed


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the file at the start: rows are its x, y, z in N axes, and their rate [rad/s] in N axes."""

    rows: Floats
    rate: Floats


def elements_of(place: Orbit) -> KeplerElements:
    """Six elements in SI units."""
    angles = (place.inclination_deg, place.node_deg, place.periapsis_deg, place.true_anomaly_deg)
    i, node, periapsis, anomaly = (math.radians(a) for a in angles)
    return KeplerElements(
        1e3 * place.semi_major_axis_km, place.eccentricity, i, node, periapsis, anomaly
    )


def axes_of(config: Config) -> Axes:
    """ORF at the start in orbit (x along flight, y normal, z up); else the axes themselves."""
    if not isinstance(config.place, Orbit):
        return Axes(np.eye(3), np.zeros(3))
    r, v = state_from_elements(elements_of(config.place), config.place.mu_m3_per_s2)
    h = np.cross(r, v)
    up, normal = r / np.linalg.norm(r), h / np.linalg.norm(h)
    return Axes(np.stack([np.cross(normal, up), normal, up]), h / float(r @ r))


def field_of(config: Config) -> Field:
    """Field of `dynamics/field.py`."""
    place = config.place
    if isinstance(place, Orbit):
        if place.semi_major_axis_km * (1.0 - place.eccentricity) <= place.primary_radius_km:
            found = f"periapsis at {place.semi_major_axis_km * (1.0 - place.eccentricity):g} km"
            raise ConfigError(
                "place",
                found,
                f"above {place.primary_radius_km:g} km",
                "semi_major_axis_km = 7000.0",
            )
        return no_field()._replace(
            kind=ORBIT, mu=place.mu_m3_per_s2, path=origin_path(elements_of(place), place.mu_m3_per_s2),
            has_gradient=place.has_gradient_torque,
        )  # fmt: skip
    if isinstance(place, SmallBody):
        level = sum((p / a) ** 2 for p, a in zip(place.position_m, place.semi_axes_m, strict=True))
        if level <= 1.0:
            raise ConfigError(
                "place.position_m",
                f"{list(place.position_m)}",
                "outside of the ellipsoid",
                "go higher",
            )
        spin = np.array([0.0, 0.0, 2.0 * math.pi / (3600.0 * place.period_h)])
        gravity = ellipsoid(place.semi_axes_m, place.mu_m3_per_s2)
        return body_field(gravity, spin, arm=np.array(place.position_m), axes=np.eye(3))
    return no_field()


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
    )  # fmt: skip


def natural_length(config: Config, stiffness: float) -> float:
    """Length of line between the bodies at the start [m], without its stretch."""
    return config.start.distance_m / (1.0 + config.start.tension_N / stiffness)


def _body(table: Body, place: Floats, velocity: Floats) -> EndBody:
    thrusters = tuple(
        Thruster(t.place_m, t.direction, t.force_N, t.isp_s, t.start_s, t.stop_s)
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
        hold=(table.hold_gain_N_m, table.hold_damping_N_m_s),
    )  # fmt: skip


def bodies_of(config: Config, natural: float, density: float) -> tuple[EndBody, EndBody]:
    """Both bodies; N axes, origin in the centre of mass (over a small body at the first attachment)."""
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
    centre = np.zeros(3) if isinstance(config.place, SmallBody) else middle
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
    first, second = (
        prescribed(times, paid, smooth=smooth) if any(paid) else hold()
        for times, paid in corners.values()
    )
    return first, second


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
    if config.start.tension_N >= line.breaking:
        raise ConfigError(
            "start.tension_N",
            f"{config.start.tension_N:g} N",
            f"below {line.breaking:g} N",
            "less tension",
        )
    light = no_light()
    if isinstance(config.place, Orbit):
        light = light._replace(radius=1e3 * config.place.primary_radius_km)
    stored = (
        max(config.line.length_m - natural - config.start.second_reel_m, 0.0),
        config.start.second_reel_m,
    )
    bounds = (
        [Watch("distance below", config.run.collision_m)] if config.run.collision_m > 0.0 else []
    )
    system = TetherSystem(
        bodies_of(config, natural, line.density), line, config.run.cells, reels=reels_of(config), stored=stored,
        field=field_of(config), light=light, watches=bounds, stops=STOPS,
        tangle=(config.run.tangle_share, config.run.tangle_gap_m),
    )  # fmt: skip
    run = TetherRun(system, tolerance=config.run.tolerance, scheme=config.run.scheme)
    ground = deepest(config, np.zeros(1), line_points(run, run.state[None]))[0]
    if ground > 0.0:
        found = f"a body or the line {ground:.3g} m inside of what it is over"
        raise ConfigError("start", found, "all of it outside", "a shorter distance_m, or go higher")
    return run


def deepest(config: Config, time: Floats, points: Floats) -> tuple[float, float]:
    """(how far [m] any of the points (n, k, 3) gets below the ground, when [s]); 0 without a ground.

    Under a small body's ellipsoid depths count along the ray from its centre.
    """
    place = config.place
    if isinstance(place, Orbit):
        path = origin_path(elements_of(place), place.mu_m3_per_s2)
        origin = np.array([origin_state(path, float(t))[0] for t in time])
        axes = np.full(3, 1e3 * place.primary_radius_km)
    elif isinstance(place, SmallBody):
        origin = np.broadcast_to(np.array(place.position_m), (len(time), 3))
        axes = np.array(place.semi_axes_m)
    else:
        return 0.0, 0.0
    at = points + origin[:, None]
    level = np.linalg.norm(at / axes, axis=2)
    size = np.linalg.norm(at, axis=2)
    below = np.where(level < 1.0, size * (1.0 / np.maximum(level, 1e-12) - 1.0), 0.0).max(axis=1)
    worst = int(np.argmax(below))
    return float(below[worst]), float(time[worst])


def check(config: Config) -> None:
    """Refuse what only shows when it is put together."""
    started(config)
