"""What each bullet weighs and is set to: angle, speed, delay, with the errors of the scenario."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream
from haptos.core.units import DEGREE
from haptos.dynamics.nets.shot import Shot, constant_pressure_shot, gas_generator_shot
from haptos.geometry.nets.net_nodes import NetNodes, bullet_mass
from haptos.scenarios.net.config import Config

Floats = NDArray[np.float64]
LEAST_SHARE = 0.01  # [-] of mass, angle or speed that an error leaves
RIGHT_ANGLE = 0.5 * np.pi


def bullet_masses(config: Config, nodes: NetNodes) -> Floats:
    """[kg], (b,), with their errors; refuses bullets too heavy for the net."""
    given = config.bullets
    if given.masses_kg is not None:
        masses = np.asarray(given.masses_kg, dtype=float)
    elif given.mass_kg is not None:
        masses = np.full(given.count, given.mass_kg)
    else:
        masses = np.full(
            given.count, bullet_mass(float(given.ratio or 0.0), nodes.mass, given.count)
        )
    masses = masses * _factors(config, "mass", config.errors.mass)
    _refuse_heavy(config, masses, nodes.mass)
    return masses


def _refuse_heavy(config: Config, masses: Floats, net_mass: float) -> None:
    """Refuse bullets [kg], (b,), beyond the largest ratio to a net [kg]."""
    most = config.bullets.largest_ratio
    ratio = float(masses.sum() / (masses.sum() + net_mass))
    if ratio > most * (1.0 + 1e-12):
        allowed = most * net_mass / ((1.0 - most) * len(masses))
        raise ConfigError(
            "[bullets]",
            f"bullets of {masses.sum():.4g} kg, a net of {net_mass:.4g} kg, a ratio of {ratio:.4g}",
            f"largest_ratio = {most:g}: {allowed:.4g} kg for each bullet",
            f"mass_kg = {allowed:.3g}, or a larger largest_ratio",
        )


def bullet_angles(config: Config) -> Floats:
    """Between each bullet's way and the shooting direction [rad], (b,)."""
    angles = _each(config.shot.angle_deg, config.shot.angles_deg, config.bullets.count) * DEGREE
    widest = float(angles.max()) * (1.0 + config.errors.angle)
    if widest >= RIGHT_ANGLE:
        found = f"angle = {config.errors.angle}, shots of up to {widest / DEGREE:.3g} deg"
        raise ConfigError("[errors]", found, "shots below 90 deg", "a smaller angle")
    return angles * _factors(config, "angle", config.errors.angle)


def bullet_speeds(config: Config) -> Floats:
    """Relative to the chaser [m/s], (b,); 0 for one that is not shot."""
    speeds = _each(config.shot.speed_m_per_s, config.shot.speeds_m_per_s, config.bullets.count)
    return speeds * _factors(config, "speed", config.errors.speed)


def bullet_delays(config: Config) -> Floats:
    """Of each shot [s], (b,); an error is a share of the time to fly the length of the net."""
    delays = _each(config.shot.delay_s, config.shot.delays_s, config.bullets.count)
    flight = max(config.net.width_m, config.net.height_m) / config.shot.speed_m_per_s
    late = _draws(config, "delay") if config.errors.delay else np.zeros(config.bullets.count)
    return delays + config.errors.delay * flight * late


def bullet_shots(config: Config, masses: Floats) -> tuple[Shot | None, ...]:
    """Of bullets with masses [kg], (b,); None for one that is not shot."""
    given, speeds = config.shot, bullet_speeds(config)
    area = given.area_m2 or math.pi * config.bullets.radius_m**2
    found: list[Shot | None] = []
    for mass, speed in zip(masses, speeds, strict=True):
        if speed == 0.0 or config.net.states_file is not None:
            found.append(None)
        elif given.system == "pressure":
            found.append(constant_pressure_shot(float(mass), float(speed), given.pressure_Pa, area))
        else:
            shot = gas_generator_shot(
                float(mass), float(speed), area, nominal_pressure=given.pressure_Pa,
                nominal_volume=given.volume_m3, chamber_volume=given.chamber_m3,
                heat_ratio=given.heat_ratio,
            )  # fmt: skip
            found.append(shot)
    return tuple(found)


def _each(one: float, each: tuple[float, ...] | None, count: int) -> Floats:
    """The list, or where there is none one number for all, (count,)."""
    return np.full(count, one) if each is None else np.asarray(each, dtype=float)


def _factors(config: Config, name: str, error: float) -> Floats:
    """1 + an even draw from -error to error for each bullet; exactly 1 without an error."""
    if error == 0.0:
        return np.ones(config.bullets.count)
    return np.maximum(1.0 + error * (2.0 * _draws(config, name) - 1.0), LEAST_SHARE)


def _draws(config: Config, name: str) -> Floats:
    """Even draws from 0 to 1, (b,), that depend on seed, draw and name alone."""
    generator = stream(config.seed, 0, name=f"bullet errors {name} {config.errors.draw!r}")
    return np.asarray(generator.random(config.bullets.count))
