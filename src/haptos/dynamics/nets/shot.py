"""Shooting bullets: a constant force on each for a short time, the same backwards on the chaser.

constant pressure    F = P A,   dt = m v / F                                     Eqs. (2.68), (2.69)
gas generator        P V^g = const,   P1 = Pn (Vn / V1)^g
                     W = P1 V1 ((V2/V1)^(1-g) - 1) / (1 - g) = N m v^2 / 2       Eqs. (2.71), (2.73)
                     F = (P1 + P2) A / 2,   dt = m v / F                         Eqs. (2.75), (2.76)
barrel              v^2 = 2 P A L M / (m (m + M)): constant pressure over a barrel of length L on a free body of mass M

    P       pressure [Pa]               A   section of the pressure chamber [m^2]
    m, v    mass [kg] and speed [m/s] of a bullet            N   bullets fed by one generator
    Pn, Vn  nominal pressure and volume of the generator     V1, V2  gas before and after [m^3]
    g       ratio of specific heats [-], > 1
    F, dt   force on a bullet [N], how long it acts [s]      W   work on all bullets [J]
The mass of gas drops out of all of these. F dt = m v holds exactly, so a free bullet leaves at v;
the stroke v dt / 2 under the mean force and the stroke (V2 - V1) / (N A) that the gas needs differ,
and both are reported. The printed P1 = Pn (V1 / Vn)^g is the wrong way round.
Frame: the force acts along the axis of the barrel, fixed to the chaser, which takes -F there.
Validity: isentropic gas, no friction, no leak; a bullet that threads hold back leaves slower.
Source: [Salvi2014] section 2.7; N > 1 is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shot:
    """One bullet's push.

    force     F [N]              duration    dt [s]
    stroke    v dt / 2 [m]       gas_stroke  way the bullet frees for the gas [m]
    pressure  (first, last) [Pa]
    """

    force: float
    duration: float
    stroke: float
    gas_stroke: float
    pressure: tuple[float, float]


@device
def shot_force(t, delay, force, duration):
    """Force [N] on a bullet at a time [s]: `force` from the delay on, for the duration; else 0."""
    return force if delay <= t < delay + duration else 0.0


def constant_pressure_shot(mass: float, speed: float, pressure: float, area: float) -> Shot:
    """Shot by regulated gas of constant pressure [Pa]; mass [kg], speed [m/s], area [m^2]."""
    _require("constant-pressure shot", mass=mass, speed=speed, pressure=pressure, area=area)
    force = pressure * area  # Eq. (2.68)
    duration = mass * speed / force  # Eq. (2.69)
    stroke = 0.5 * speed * duration
    return Shot(force, duration, stroke, stroke, (pressure, pressure))


def barrel_shot(mass: float, pressure: float, area: float, length: float, hull: float = math.inf) -> tuple[float, Shot]:  # fmt: skip
    """(muzzle speed [m/s], shot) of a constant pressure [Pa] on an area [m^2] along a barrel [m]; hull  free mass that recoils [kg].

    The way along the barrel is that of the body from the hull, so a free hull takes its share of the work.
    """
    _require("shot from a barrel", mass=mass, pressure=pressure, area=area, length=length)
    speed = math.sqrt(2.0 * pressure * area * length / (mass * (1.0 + mass / hull)))
    return speed, replace(constant_pressure_shot(mass, speed, pressure, area), gas_stroke=length)


def gas_generator_shot(
    mass: float,
    speed: float,
    area: float,
    *,
    nominal_pressure: float,
    nominal_volume: float,
    chamber_volume: float,
    heat_ratio: float = 1.4,
    bullets: int = 1,
) -> Shot:
    """Shot by a cold-gas generator that feeds `bullets` bullets at once; refuses a lack of energy.

    mass, speed, area  of one bullet [kg], [m/s], [m^2]
    chamber_volume     V1 [m^3], of all chambers together
    nominal_pressure, nominal_volume  Pn [Pa], Vn [m^3]        heat_ratio  g [-]
    """
    where = "gas-generator shot"
    _require(
        where, mass=mass, speed=speed, area=area, nominal_pressure=nominal_pressure,
        nominal_volume=nominal_volume, chamber_volume=chamber_volume, bullets=bullets,
    )  # fmt: skip
    if not (math.isfinite(heat_ratio) and heat_ratio > 1.0):
        found = f"heat_ratio = {heat_ratio}"
        raise ConfigError(where, found, "a number above 1", "1.4 for nitrogen, 1.667 for argon")
    first = (
        nominal_pressure * (nominal_volume / chamber_volume) ** heat_ratio
    )  # Eq. (2.72), corrected
    work = 0.5 * bullets * mass * speed**2  # Eq. (2.73)
    most = first * chamber_volume / (heat_ratio - 1.0)
    if not work < most:
        found = f"{work:.4g} J for {bullets} bullets of {mass:g} kg at {speed:g} m/s"
        allowed = f"below {most:.4g} J, all the gas can give"
        raise ConfigError(where, found, allowed, "more gas, lighter bullets or a lower speed")
    power = 1.0 / (1.0 - heat_ratio)
    expansion = (1.0 - work / most) ** power  # V2 / V1
    last = first * expansion**-heat_ratio
    force = 0.5 * (first + last) * area  # Eq. (2.75)
    duration = mass * speed / force  # Eq. (2.76)
    gas_stroke = chamber_volume * (expansion - 1.0) / (bullets * area)
    return Shot(force, duration, 0.5 * speed * duration, gas_stroke, (first, last))


def shot_axes(divergence: ArrayLike, azimuth: ArrayLike) -> Floats:
    """Unit vectors of the barrels, (b, 3), in N axes (x: shooting direction).

    divergence  angle [rad] from x, per bullet       azimuth  angle [rad] about x from y to z
    """
    tilt, turn = np.broadcast_arrays(np.asarray(divergence, float), np.asarray(azimuth, float))
    if not (np.isfinite(turn).all() and (np.abs(tilt) < 0.5 * math.pi).all()):
        found = "divergence outside (-90, 90) degrees, or no number"
        raise ConfigError("shot axes", found, "less than 90 degrees", "30 degrees is common")
    across = np.sin(tilt)
    return np.stack([np.cos(tilt), across * np.cos(turn), across * np.sin(turn)], axis=-1)


def recoil_velocity(masses: ArrayLike, velocities: ArrayLike, chaser_mass: float) -> Floats:
    """Velocity change [m/s], (3,), of a free chaser of a mass [kg] by its shots, N axes.

    masses  of the bullets [kg], (b,)       velocities  they leave with [m/s], (b, 3)
    -sum m v / M: bullet speeds are those over ground, not relative to the recoiling chaser.
    """
    _require("recoil", chaser_mass=chaser_mass)
    return -np.asarray(masses, float) @ np.asarray(velocities, float) / chaser_mass


def shot_times(delays: ArrayLike, durations: ArrayLike) -> Floats:
    """Times [s], rising, at which some force jumps: integrators must step onto them."""
    start = np.asarray(delays, dtype=float)
    if not (np.isfinite(start).all() and (start >= 0.0).all()):
        raise ConfigError("shot delays", f"{start}", "finite, 0 or more seconds", "delay = 0")
    return np.unique(np.concatenate([start, start + np.asarray(durations, dtype=float)]))


def _require(where: str, **values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            found, hint = f"{name} = {value}", f"give {name} in SI units"
            raise ConfigError(where, found, "a finite number above zero", hint)
