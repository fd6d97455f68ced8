"""Units at the door: the unit is the end of a configuration key, inside everything is SI."""

from __future__ import annotations

import math
from typing import Literal

DEGREE = math.pi / 180.0  # [rad]
HOUR = 3600.0  # [s]
GRAVITATIONAL_CONSTANT = 6.67430e-11  # [m^3/(kg s^2)], CODATA 2018, [Tiesinga2021]

# End of a key -> unit as shown in tables and plots. Longest match wins.
UNIT_OF_SUFFIX = {
    "_m": "m",
    "_m2": "m^2",
    "_s": "s",
    "_h": "h",
    "_kg": "kg",
    "_J": "J",
    "_N": "N",
    "_rad": "rad",
    "_deg": "deg",
    "_m_per_s": "m/s",
    "_rad_per_s": "rad/s",
    "_m_per_s2": "m/s^2",
    "_m2_per_s2": "m^2/s^2",
    "_m3_per_s2": "m^3/s^2",
    "_kg_m2": "kg m^2",
    "_kg_per_m3": "kg/m^3",
    "_N_per_m": "N/m",
    "_N_s_per_m": "N s/m",
    "_N_per_s": "N/s",
    "_N_per_m1p5": "N/m^1.5",
    "_N_m": "N m",
    "_Pa": "Pa",
    "_Pa_per_m": "Pa/m",
    "_Pa_s_per_m": "Pa s/m",
    "_m3": "m^3",
    "_s_per_m": "s/m",
    "_kg_per_m": "kg/m",
    "_deg_per_s": "deg/s",
    "_percent": "%",
    "_N_s": "N s",
    "_N_m_s": "N m s",
    "_W": "W",
    "_K": "K",
    "_J_per_kg_K": "J/(kg K)",
    "_W_per_m3_K": "W/(m^3 K)",
    "_per_K": "1/K",
    "_MPa": "MPa",
    "_per_m2": "1/m^2",
    "_N_m2": "N m^2",
    "_deg_per_s2": "deg/s^2",
    "_N_s_per_m2p5": "N s/m^2.5",
    "_Hz": "Hz",
    "_per_s": "1/s",
    "_per_m": "1/m",
    "_N_m_per_rad": "N m/rad",
    "_arcsec": "arcsec",
    "_deg_per_h": "deg/h",
    "_deg_per_sqrt_h": "deg/sqrt(h)",
    "_deg_per_h_per_sqrt_s": "deg/h/sqrt(s)",
}
LengthUnit = Literal["m", "km", "cm", "mm"]
LENGTH_UNITS: dict[LengthUnit, float] = {"m": 1.0, "km": 1.0e3, "cm": 1.0e-2, "mm": 1.0e-3}  # [m]


def split_unit(key: str) -> tuple[str, str]:
    """(name without unit, unit) of a key such as `settle_time_s`; ('name', '-') if it has none."""
    for suffix in sorted(UNIT_OF_SUFFIX, key=len, reverse=True):
        if key.endswith(suffix) and len(key) > len(suffix):
            return key[: -len(suffix)], UNIT_OF_SUFFIX[suffix]
    return key, "-"


def label(key: str) -> str:
    """Words and unit for a plot axis: `settle_time_s` -> 'settle time [s]'."""
    name, unit = split_unit(key.rsplit(".", 1)[-1])
    return f"{name.replace('_', ' ')} [{unit}]"
