"""Sizes of tethers by material and speed: spun ones and those that stop a fly-by, as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from haptos.core.errors import ConfigError, require_positive
from haptos.dynamics.cable.hitchhike import hitchhike
from haptos.dynamics.cable.spun_tether import (
    characteristic_speed,
    largest_speed,
    payload_per_tether,
    tapered_tether_per_payload,
)
from haptos.materials.threads import MATERIALS, ThreadMaterial, thread_material

COLUMNS = (
    "material", "speed_m_per_s", "working_stress_Pa", "characteristic_speed_m_per_s",
    "largest_speed_m_per_s", "payload_per_tether", "section_m2", "tapered_tether_per_payload",
    "root_over_tip_section", "stop_start_mass_kg", "stop_acceleration_m_per_s2",
)  # fmt: skip
# No such cable is made: strength, modulus and density assumed, for what it would mean.
NANOTUBES = ThreadMaterial(
    "carbon nanotube", 500e9, 1340.0, 50e9,
    dict.fromkeys(("modulus", "density", "breaking_stress", "damping_ratio"), "assumed"),
)  # fmt: skip
LARGEST_POWER = (
    500.0  # [-] x^2 beyond which no tether is meant: exp would leave the range of a float
)


def tether_sizes(
    speeds: Sequence[float], materials: Sequence[str] = (), *, share: float = 0.5,
    mass: float = 1000.0, length: float = 100e3,
) -> list[dict[str, float | str]]:  # fmt: skip
    """One row of COLUMNS for each material and speed [m/s]; NaN where no tether does it.

    share  working over breaking stress [-]     mass  [kg] at the tip, or left after a stop
    length [m] of a spun tether, for its section; the section of a stop does not matter: its line weighs
           what stops it
    """
    require_positive(share=share, mass=mass, length=length)
    if share > 1.0:
        raise ConfigError("share", f"{share:g}", "at most 1, the breaking stress", "share = 0.5")
    if not speeds:
        raise ConfigError("speed", "none", "one speed [m/s] or more", "--speed 1000")
    names = materials or [*MATERIALS, NANOTUBES.name]
    chosen = [NANOTUBES if name == NANOTUBES.name else thread_material(name) for name in names]
    rows = []
    for made in chosen:
        for speed in speeds:
            require_positive(speed=speed)
            rows.append(
                _row(made.name, made.density, share * made.breaking_stress, speed, mass, length)
            )
    return rows


def _row(
    name: str, density: float, stress: float, speed: float, mass: float, length: float
) -> dict[str, float | str]:
    """Numbers of one material at one speed."""
    straight = payload_per_tether(speed, stress, density)
    power = speed**2 * density / (2.0 * stress)
    tapered = root = math.nan
    if power <= LARGEST_POWER:
        tapered, root = tapered_tether_per_payload(speed, stress, density), math.exp(power)
    start = acceleration = math.nan
    share = 1.0 - speed**2 * density / stress
    if share > 0.0:
        start = mass / math.sqrt(share)
        linear = (start - mass) / length  # any line: tension and linear density go together
        stop = hitchhike(start, speed, stress / density * linear, linear)
        acceleration = stop.largest_acceleration
    section = mass / straight / (density * length) if straight > 0.0 else math.nan
    numbers = (
        speed, stress, characteristic_speed(stress, density), largest_speed(stress, density),
        straight, section, tapered, root, start, acceleration,
    )  # fmt: skip
    return dict(zip(COLUMNS, (name, *numbers), strict=True))
