"""Soils of small bodies, moons and test beds: strength, density, friction; a source for each value.

    sigma = c N_c  where only the cohesion c is known (overburden apart), N_c = (N_q - 1) cot phi

    sigma  strength against a penetrating tip [Pa]     c    cohesion [Pa]      rho  density [kg/m^3]
    phi    angle of internal friction [rad]            mu_f friction of soil on metal [-]
    n, k_c, k_phi, K  pressure-sinkage exponent [-], moduli [N/m^(n+1)], [N/m^(n+2)] and shear modulus [m] of
           wheels and feet (Bekker); NaN where nobody gave them
Validity: dry granular soil or weak ice, quasi-static strength; strengths of comets span decades: vary them.
Source: beside each value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from haptos.core.name_lists import named

CITES: tuple[str, ...] = ("Quadrelli2017", "Biele2015")

_SEED = "[Quadrelli2017] section 5"
_DENSITY = "assumed within 500 (comet) to 2000 kg/m^3, [Quadrelli2017] section 5"
_FRICTION = "assumed 0.2, metal on dry soil"
_ANGLE = "assumed 35 deg, dry granular soil"


@dataclass(frozen=True, slots=True)
class Soil:
    """A soil.

    strength  sigma [Pa]; NaN where it follows from the cohesion      cohesion  c [Pa]; NaN: sigma/N_c
    density   rho [kg/m^3]      friction_angle  phi [rad]             friction  mu_f [-]
    sinkage_exponent, cohesive_modulus, frictional_modulus, shear_modulus   of wheels and feet; NaN if unknown
    sources   where each value comes from, or the word assumed
    """

    name: str
    strength: float
    cohesion: float
    density: float
    friction_angle: float
    friction: float
    sources: Mapping[str, str] = field(repr=False)
    sinkage_exponent: float = math.nan
    cohesive_modulus: float = math.nan
    frictional_modulus: float = math.nan
    shear_modulus: float = math.nan


def _soil(
    name: str,
    *,
    strength: tuple[float, str] = (math.nan, "from the cohesion"),
    cohesion: tuple[float, str] = (math.nan, "strength over N_c"),
    density: tuple[float, str],
    degrees: tuple[float, str] = (35.0, _ANGLE),
    friction: tuple[float, str] = (0.2, _FRICTION),
) -> tuple[str, Soil]:
    sources = {
        "strength": strength[1], "cohesion": cohesion[1], "density": density[1],
        "friction_angle": degrees[1], "friction": friction[1],
    }  # fmt: skip
    made = Soil(name, strength[0], cohesion[0], density[0], math.radians(degrees[0]), friction[0],
                MappingProxyType(sources))  # fmt: skip
    return name, made


SOILS: Mapping[str, Soil] = MappingProxyType(
    dict(
        [
            _soil(
                "loose simulant",
                cohesion=(40.0, _SEED),
                density=(1500.0, _DENSITY),
                degrees=(25.0, _SEED),
            ),
            _soil(
                "dense simulant",
                cohesion=(10e3, _SEED),
                density=(1800.0, _DENSITY),
                degrees=(60.0, _SEED),
            ),
            _soil(
                "weak comet",
                strength=(7e3, f"{_SEED}, compressive strength 7 to 10 kPa"),
                density=(500.0, _DENSITY),
            ),
            _soil(
                "comet",
                strength=(100e3, "assumed within 1 to 100 kPa and above, " + _SEED),
                density=(500.0, _DENSITY),
            ),
            _soil(
                "agilkia",
                strength=(1e3, "[Biele2015]: compressive strength 1 kPa over 20 cm at Agilkia"),
                density=(470.0, "assumed: bulk density of comet 67P"),
            ),
            _soil("ice", strength=(1e6, f"{_SEED}, ice-like"), density=(920.0, "assumed: solid ice")),
            _soil(
                "hard ice",
                strength=(10e6, f"{_SEED}, hard limit of Deep Space 4"),
                density=(1200.0, _DENSITY),
            ),
            _soil(
                "rock",
                strength=(100e6, "assumed: compressive strength of weak rock"),
                density=(2500.0, "assumed"),
            ),
        ]
    )
)  # fmt: skip


def soil(name: str) -> Soil:
    """A soil of the table by its name, in any case; refuses the others with the nearest name."""
    return named(SOILS, name, "soil", "choose one, or give the numbers")
