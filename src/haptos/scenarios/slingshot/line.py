"""The line of a sling-shot from its table: numbers that agree, a tension that it bears, a speed that it can stop."""

from __future__ import annotations

import math
from dataclasses import dataclass

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.hitchhike import stopping_limit
from haptos.materials.threads import thread_material
from haptos.scenarios.slingshot.config import Config, SlingshotHitchhike, SlingshotTether, Turn

AGREEMENT = 1e-3  # [-] within which strength, modulus and strain of a file must agree
NUMBERS = ("youngs_modulus_Pa", "density_kg_per_m3", "breaking_stress_Pa", "breaking_strain")


@dataclass(frozen=True, slots=True)
class SlingshotLine:
    """Linear density mu [kg/m], stiffness EA [N], breaking tension [N], diameter of a full circle [m]."""

    density: float
    stiffness: float
    breaking: float
    diameter: float


def line_of(config: Config) -> SlingshotLine:
    """Numbers of the line; refuses those that contradict each other, or the manoeuvre."""
    modulus, density, stress = fibre_of(config.tether)
    section = config.tether.section_m2
    line = SlingshotLine(
        density * section, modulus * section, stress * section, math.sqrt(4.0 * section / math.pi)
    )
    _check_tension(config, line)
    return line


def fibre_of(tether: SlingshotTether) -> tuple[float, float, float]:
    """(modulus [Pa], density [kg/m^3], breaking stress [Pa])."""
    given = [name for name in NUMBERS if getattr(tether, name) is not None]
    if tether.material is not None:
        if given:
            found, hint = f"material and {', '.join(given)}", "leave out one of them"
            raise ConfigError("[tether]", found, "a material, or numbers of its own", hint)
        made = thread_material(tether.material)
        return made.modulus, made.density, made.breaking_stress
    modulus, density = tether.youngs_modulus_Pa, tether.density_kg_per_m3
    stress, strain = tether.breaking_stress_Pa, tether.breaking_strain
    if modulus is None or density is None or (stress is None and strain is None):
        allowed = "material; or youngs_modulus_Pa, density_kg_per_m3 and breaking_stress_Pa or breaking_strain"
        raise ConfigError(
            "[tether]", ", ".join(given) or "neither", allowed, 'material = "zylon hm"'
        )
    if stress is None:
        stress = modulus * (strain or 0.0)
    elif strain is not None and abs(modulus * strain / stress - 1.0) > AGREEMENT:
        found = (
            f"E x breaking_strain = {modulus * strain:.4g} Pa and breaking_stress_Pa = {stress:.4g}"
        )
        hint = f"leave out breaking_strain, or breaking_strain = {stress / modulus:.4g}"
        raise ConfigError("[tether]", found, "numbers that agree", hint)
    return modulus, density, stress


def _check_tension(config: Config, line: SlingshotLine) -> None:
    """The reel's tension against the line's strength, and the speed against the hitchhike equation."""
    tension = config.reel.tension_N
    if (
        tension > line.breaking
        and config.tether.breaking != "report"
        and not isinstance(config.manoeuvre, Turn)
    ):
        found, allowed = f"{tension:g} N", f"at most the breaking tension, {line.breaking:.6g} N"
        hint = 'a lower tension, or [tether] breaking = "report"'
        raise ConfigError("[reel] tension_N", found, allowed, hint)
    limit = stopping_limit(tension, line.density, line.stiffness)
    if isinstance(config.manoeuvre, SlingshotHitchhike) and config.speed >= limit:
        found = f"{config.speed:g} m/s"
        allowed = f"below {limit:.6g} m/s: (m_f/M_0)^2 = 1 - v_0^2/(V_c^2 (1 + T/EA)), V_c^2 = T/mu"
        hint = "a higher tension, or a lighter line: by the hitchhike equation no length stops it"
        raise ConfigError("[spacecraft] speed_m_per_s", found, allowed, hint)
