"""Air of a scenario file: its table, and the density against altitude that kernels read."""

from __future__ import annotations

import importlib.util
from typing import Literal

from pydantic import Field

from haptos.environment.atmosphere import AirTable, isothermal_table, msis_table, standard_table
from haptos.scenarios.schema import NotNegative, Positive, Table, Text, Vector3


class Atmosphere(Table):
    """Density of the air by altitude, made before the run."""

    model: Literal["auto", "msis", "standard", "isothermal"] = Field(
        default="auto",
        description="auto: NRLMSIS in orbit where the package pymsis is installed, else the "
        "standard of 1976",
    )
    date: Text = Field(default="2014-01-01", description="of NRLMSIS, UTC")
    f107: NotNegative = Field(
        default=150.0, description="solar radio flux [1e-22 W/(m^2 Hz)]; mean Sun"
    )
    f107_mean: NotNegative = Field(default=150.0, description="its mean over 81 days")
    ap: NotNegative = Field(default=4.0, description="magnetic index; 4 is a quiet day")
    surface_density_kg_per_m3: Positive = Field(default=1.225, description="of isothermal air")
    scale_height_m: Positive = Field(default=7110.0, description="of isothermal air")
    turns: bool = Field(default=False, description="whether it turns with the Earth; in orbit")
    wind_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="N axes; not in orbit")
    site_altitude_m: NotNegative = Field(
        default=0.0, description="of the ground at the start, or that of the cabin's pressure"
    )


def density_table(given: Atmosphere, *, is_orbit: bool) -> AirTable:
    """Density of the air against altitude, as a file asks for it."""
    model = given.model
    if model == "auto":
        has_library = importlib.util.find_spec("pymsis") is not None
        model = "msis" if is_orbit and has_library else "standard"
    if model == "msis":
        return msis_table(given.date, given.f107, given.f107_mean, given.ap)
    if model == "isothermal":
        return isothermal_table(given.surface_density_kg_per_m3, given.scale_height_m)
    return standard_table()
