"""Sizes of tethers by material and speed: spun ones, those that stop a fly-by and those that turn one, as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType

from haptos.core.errors import ConfigError, require_positive
from haptos.core.name_lists import named
from haptos.dynamics.cable.hitchhike import fly_by_turn, hitchhike
from haptos.dynamics.cable.spun_tether import (
    characteristic_speed,
    ejection_speed,
    largest_speed,
    payload_per_tether,
    tapered_tether_per_payload,
)
from haptos.materials.thread_heat import HEATS
from haptos.materials.threads import MATERIALS, ThreadMaterial

CITES: tuple[str, ...] = ("Quadrelli2017",)
COLUMNS = (
    "material", "speed_m_per_s", "working_stress_Pa", "characteristic_speed_m_per_s",
    "largest_speed_m_per_s", "payload_per_tether", "section_m2", "tapered_tether_per_payload",
    "root_over_tip_section", "ejection_speed_m_per_s", "stop_start_mass_kg", "stop_tension_N",
    "stop_length_m", "stop_time_s", "stop_acceleration_m_per_s2", "turn_force_N", "turn_time_s",
    "turn_speed_change_m_per_s", "turn_carries_line",
)  # fmt: skip
MATERIAL_COLUMNS = ("material", "quantity", "value", "unit", "source")
# No such cable is made: strength, modulus and density assumed, for what it would mean.
NANOTUBES = ThreadMaterial(
    "carbon nanotube", 500e9, 1340.0, 50e9,
    {"modulus": "[Quadrelli2017]", "density": "assumed", "breaking_stress": "assumed", "damping_ratio": "assumed"},
)  # fmt: skip
# Sound at 10 km/s and strains of 0.01 working, 0.02 breaking: E = rho C^2, sigma_b = 0.02 E.
KEVLAR = ThreadMaterial(
    "kevlar of 10 km/s", 144e9, 1440.0, 2.88e9,
    {"modulus": "[Quadrelli2017], speed of sound", "density": "[DuPont2017] Table II-1",
     "breaking_stress": "[Quadrelli2017], breaking strain", "damping_ratio": "assumed"},
)  # fmt: skip
SIZED = MappingProxyType({**MATERIALS, KEVLAR.name: KEVLAR, NANOTUBES.name: NANOTUBES})
LARGEST_POWER = (
    500.0  # [-] x^2 beyond which no tether is meant: exp would leave the range of a float
)


def tether_sizes(
    speeds: Sequence[float], materials: Sequence[str] = (), *, share: float | None = None,
    strain: float | None = None, mass: float = 1000.0, length: float = 100e3,
    section: float = 5.34e-6, turn: float = math.radians(60.0),
) -> list[dict[str, float | str]]:  # fmt: skip
    """One row of COLUMNS for each material and speed [m/s]; NaN where no tether does it.

    share   working over breaking stress [-], 0.5 if neither it nor strain is given
    strain  working strain [-] in place of it: stress = E strain; never both
    mass    [kg] at the tip, left after a stop, or turned      length  [m] of a spun or turning tether
    section [m^2] of the line that ejects, stops or turns      turn    angle of a turn [rad]
    """
    require_positive(mass=mass, length=length, section=section, turn=turn)
    if share is not None and strain is not None:
        found = f"share = {share:g} and strain = {strain:g}"
        raise ConfigError(
            "working stress", found, "one of share, strain", "strain contradicts the strength"
        )
    if not speeds:
        raise ConfigError("speed", "none", "one speed [m/s] or more", "--speed 1000")
    rows: list[dict[str, float | str]] = []
    for made in [_sized(name) for name in materials or SIZED]:
        stress = working_stress(made, share, strain)
        for speed in speeds:
            require_positive(speed=speed)
            spun = _spun(made.density, stress, speed, mass, length, section)
            stop = _stop(made.density, stress, speed, mass, section)
            turned = _turn(made.density, stress, speed, mass, length, section, turn)
            numbers = (speed, stress, *spun, *stop, *turned)
            rows.append(dict(zip(COLUMNS, (made.name, *numbers), strict=True)))
    return rows


def working_stress(made: ThreadMaterial, share: float | None, strain: float | None) -> float:
    """Stress [Pa] at a share [-] of the breaking stress, or at a strain [-] below the breaking one."""
    if strain is None:
        part = 0.5 if share is None else share
        require_positive(share=part)
        if part > 1.0:
            raise ConfigError("share", f"{part:g}", "at most 1, the breaking stress", "share = 0.5")
        return part * made.breaking_stress
    require_positive(strain=strain)
    largest = made.breaking_stress / made.modulus
    if strain > largest:
        found = f"{strain:g} of {made.name}"
        allowed = f"at most {largest:.4g}, its breaking stress over its modulus"
        raise ConfigError("strain", found, allowed, f"strain = {0.5 * largest:.3g}")
    return made.modulus * strain


def material_table(names: Sequence[str] = ()) -> list[dict[str, float | str]]:
    """One row of MATERIAL_COLUMNS for each value of each material, with where it comes from."""
    units = {
        "modulus": "Pa", "density": "kg/m^3", "breaking_stress": "Pa", "specific_heat": "J/kg/K",
        "expansion": "1/K", "absorptance": "-", "emissivity": "-",
    }  # fmt: skip
    rows: list[dict[str, float | str]] = []
    for name in names or SIZED:
        made = _sized(name)
        heat = HEATS.get(made.name)
        for quantity, unit in units.items():
            part = made if quantity in ("modulus", "density", "breaking_stress") else heat
            if part is None:
                continue
            found = (made.name, quantity, getattr(part, quantity), unit, part.sources[quantity])
            rows.append(dict(zip(MATERIAL_COLUMNS, found, strict=True)))
    return rows


def _sized(name: str) -> ThreadMaterial:
    """A material of SIZED by its name; refuses the others with all names of the table."""
    return named(SIZED, name, "--material", "haptos size materials")


def _spun(
    density: float, stress: float, speed: float, mass: float, length: float, section: float
) -> tuple[float, ...]:
    """Speeds of the fibre, payload per tether, section, taper, and the fastest ejection with a section."""
    straight = payload_per_tether(speed, stress, density)
    power = speed**2 * density / (2.0 * stress)
    tapered = root = math.nan
    if power <= LARGEST_POWER:
        tapered, root = tapered_tether_per_payload(speed, stress, density), math.exp(power)
    needed = mass / straight / (density * length) if straight > 0.0 else math.nan
    return (
        characteristic_speed(stress, density), largest_speed(stress, density), straight, needed, tapered,
        root, ejection_speed(stress, density, mass, section, length),
    )  # fmt: skip


def _stop(
    density: float, stress: float, speed: float, mass: float, section: float
) -> tuple[float, ...]:
    """Mass at the start, tension, length, time and largest acceleration of a stop that leaves a mass [kg]."""
    share = 1.0 - speed**2 * density / stress
    if share <= 0.0:
        return (math.nan,) * 5
    start, tension = mass / math.sqrt(share), stress * section
    stop = hitchhike(start, speed, tension, density * section)
    return start, tension, stop.length, stop.time, stop.largest_acceleration


def _turn(
    density: float, stress: float, speed: float, mass: float, length: float, section: float,
    angle: float,
) -> tuple[float, ...]:  # fmt: skip
    """Tip force, time and change of velocity of a turn; 1 if the line carries the force and itself, else 0."""
    force, time, change = fly_by_turn(mass, speed, length, angle)
    root = force + 0.5 * density * section * speed**2
    return force, time, change, float(root <= stress * section)
