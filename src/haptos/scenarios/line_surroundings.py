"""What is around a line with end bodies, from scenario files: Sun, heat, third body, air, ground to touch."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from haptos.contact import slip_friction
from haptos.contact.laws.normal import NORMAL_LAWS
from haptos.contact.laws.normal_choice import NormalName
from haptos.core.units import HOUR
from haptos.dynamics.cable.tether_heat import TetherHeat
from haptos.dynamics.cable.tether_loads import TetherAir, TetherGround, TetherLight, ThirdBody
from haptos.dynamics.cable.tether_system import (
    ground_under,
    no_heat,
    no_third,
    sun_light,
    third_body,
)
from haptos.environment import atmosphere, gravity_terms, thread_drag
from haptos.environment import heat as heat_law
from haptos.environment.atmosphere import EARTH_RATE
from haptos.environment.gravity_terms import ASTRONOMICAL_UNIT, SOLAR_PRESSURE
from haptos.environment.heat import EARTH_ALBEDO, EARTH_INFRARED, SOLAR_CONSTANT
from haptos.materials.thread_heat import HEATS, ThreadHeat
from haptos.materials.threads import thread_material
from haptos.scenarios.schema import NotNegative, Number, Positive, Table, Vector3, refused
from haptos.scenarios.table_rules import SHORTEST, no_length
from haptos.scenarios.worlds.air import Atmosphere, density_table
from haptos.scenarios.worlds.config import Share

Floats = NDArray[np.float64]
BODY_ALBEDO = 0.1  # [-] of a small body if left out; assumed, of rocky ones
STILL = (0.0, 0.0, 0.0)


class LineSun(Table):
    """Where the Sun is; it warms, casts shadows, and presses where that is asked for."""

    direction: Vector3 = Field(
        default=(1.0, 0.0, 0.0),
        description="to the Sun, inertial axes (those of the body at time zero over a site)",
    )
    distance_au: Positive = Field(default=1.0, description="from the Sun, in astronomical units")
    pushes: bool = Field(default=False, description="whether its light presses on bodies and line")
    line_reflectivity: Share = Field(default=0.3, description="0 absorbs, 1 sends back; assumed")

    @model_validator(mode="after")
    def _points_somewhere(self) -> LineSun:
        if math.hypot(*self.direction) < SHORTEST:
            raise no_length("direction", self.direction)
        return self


class ThirdBodyTable(Table):
    """A body that pulls besides the one that is orbited: Moon, Sun, planet. It rests or circles."""

    mu_m3_per_s2: Positive = Field(description="gravitational parameter G M")
    position_m: Vector3 = Field(description="at time zero from the centre of what is orbited")
    period_h: Positive | None = Field(
        default=None, description="of its circle; it rests in inertial axes if left out"
    )
    normal: Vector3 = Field(default=(0.0, 0.0, 1.0), description="of its circle, any length")

    @model_validator(mode="after")
    def _is_elsewhere(self) -> ThirdBodyTable:
        for name in ("position_m", "normal"):
            if math.hypot(*getattr(self, name)) < SHORTEST:
                raise no_length(name, getattr(self, name))
        return self


class LineHeat(Table):
    """Temperature of the line; numbers that are left out are those of its material, or assumed."""

    start_K: Positive = Field(default=293.15, description="of the deployed line at time zero")
    reel_K: Positive = Field(default=293.15, description="of line that leaves a reel")
    unstretched_K: Positive = Field(default=293.15, description="at which lengths are given")
    specific_heat_J_per_kg_K: Positive | None = Field(default=None, description="1000 without a material")  # fmt: skip
    expansion_per_K: Number | None = Field(default=None, description="0 without a material")
    absorptance: Share | None = Field(default=None, description="of sunlight; 0.5 assumed")
    emissivity: Share | None = Field(default=None, description="0.8 assumed")
    albedo: Share | None = Field(
        default=None, description="of planet or body; 0.3 in orbit, 0.1 over a site"
    )
    infrared_W_per_m2: NotNegative | None = Field(
        default=None,
        description="of planet or body; 239.7 in orbit, over a site what a ball radiates that absorbs the rest",
    )
    joule_W_per_m: NotNegative = Field(default=0.0, description="of a current in the line")
    damping_share: Share = Field(default=1.0, description="of the damping that warms the line")


class GroundContact(Table):
    """How end bodies (as balls) and cells of the line (as points) touch the ground."""

    law: NormalName = Field(default="spring-damper", description="of the normal force")
    stiffness_N_per_m: Positive = Field(default=1.5e4, description="of the linear laws; assumed")
    damping_N_s_per_m: NotNegative = Field(default=300.0, description="of the linear laws; assumed")
    stiffness_N_per_m1p5: Positive | None = Field(default=None, description="of hertz")
    loss_s_per_m: NotNegative = Field(default=0.0, description="of hertz")
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient; assumed")
    slip_speed_m_per_s: Positive = Field(default=1e-3, description="of full friction; assumed")

    @model_validator(mode="after")
    def _has_stiffness(self) -> GroundContact:
        if (self.law == "hertz") != (self.stiffness_N_per_m1p5 is not None):
            found = f"law = '{self.law}' " + ("without" if self.law == "hertz" else "with")
            raise refused(
                f"{found} stiffness_N_per_m1p5", "both or none", "stiffness_N_per_m1p5 = 1e6"
            )
        return self


class LineAir(Atmosphere):
    """Air that bodies and line fly through."""

    line_drag_coefficient: Positive = Field(default=2.2, description="of the line; assumed")


def line_laws(
    air: LineAir | None, sun: LineSun | None, heat: LineHeat | None, third: ThirdBodyTable | None,
    contact: GroundContact | None,
) -> list[ModuleType]:  # fmt: skip
    """Laws of the surroundings that a run uses."""
    used = {
        gravity_terms: third is not None or (sun is not None and sun.pushes),
        atmosphere: air is not None, thread_drag: air is not None, heat_law: heat is not None,
        slip_friction: contact is not None,
    }  # fmt: skip
    return [law for law, is_used in used.items() if is_used]


def light_of(sun: LineSun, shadow: float, spin: Floats) -> TetherLight:
    """Sunlight in N axes that turn at a spin [rad/s]; shadow [m] of a ball, 0 for none."""
    pressure = SOLAR_PRESSURE / sun.distance_au**2 if sun.pushes else 0.0
    axis, rate = turning(spin)
    return sun_light(
        sun.direction, pressure=pressure, reflection=1.0 + sun.line_reflectivity,
        distance=ASTRONOMICAL_UNIT * sun.distance_au, shadow=shadow, axis=axis, rate=-rate,
    )  # fmt: skip


def turning(spin: Floats) -> tuple[tuple[float, float, float], float]:
    """(axis, rate [rad/s]) of axes that turn."""
    rate = float(np.linalg.norm(spin))
    x, y, z = (float(c) for c in spin) if rate > 0.0 else (0.0, 0.0, 1.0)
    return (x, y, z), rate


def third_of(table: ThirdBodyTable | None, spin: Floats) -> ThirdBody:
    """The third body in N axes that turn at a spin [rad/s]; it rests in inertial ones then."""
    if table is None:
        return no_third()
    axis, rate = turning(spin)
    if rate > 0.0:
        return third_body(table.mu_m3_per_s2, table.position_m, axis=axis, rate=-rate)
    turn = 0.0 if table.period_h is None else 2.0 * math.pi / (HOUR * table.period_h)
    return third_body(table.mu_m3_per_s2, table.position_m, axis=table.normal, rate=turn)


def air_of(table: LineAir | None, up: Floats, *, is_orbit: bool) -> TetherAir | None:
    """Air as the kernels know it; up (3,) where nothing orbits; None for none."""
    if table is None:
        return None
    made = density_table(table, is_orbit=is_orbit)
    return TetherAir(
        True, table.line_drag_coefficient, made.log_density, made.spacing, table.site_altitude_m,
        np.array(up, dtype=float), np.array(table.wind_m_per_s), EARTH_RATE if table.turns else 0.0,
    )  # fmt: skip


def thermal_numbers(heat: LineHeat, material: str | None) -> dict[str, Any]:
    """Keys of `TetherLine` that heat needs."""
    fibre = _fibre(material)
    capacity, expansion = heat.specific_heat_J_per_kg_K, heat.expansion_per_K
    if capacity is None:
        capacity = 1000.0 if fibre is None else fibre.specific_heat
    if expansion is None:
        expansion = 0.0 if fibre is None else fibre.expansion
    return {
        "expansion": expansion, "reference_temperature": heat.unstretched_K, "heat_capacity": capacity,
        "heat_share": heat.damping_share,
    }  # fmt: skip


def _fibre(material: str | None) -> ThreadHeat | None:
    return None if material is None else HEATS.get(thread_material(material).name)


def heat_of(
    heat: LineHeat | None, sun: LineSun, material: str | None, radius: float, *, is_orbit: bool
) -> TetherHeat:
    """Heat as the kernels know it; radius [m] of planet or body, 0 for none."""
    if heat is None:
        return no_heat()
    fibre, flux = _fibre(material), SOLAR_CONSTANT / sun.distance_au**2
    albedo = heat.albedo
    if albedo is None:
        albedo = EARTH_ALBEDO if is_orbit else BODY_ALBEDO
    infrared = heat.infrared_W_per_m2
    if infrared is None:
        infrared = EARTH_INFRARED if is_orbit else 0.25 * (1.0 - albedo) * flux
    taken, given = heat.absorptance, heat.emissivity
    if taken is None:
        taken = 0.5 if fibre is None else fibre.absorptance
    if given is None:
        given = 0.8 if fibre is None else fibre.emissivity
    return TetherHeat(
        1.0, taken, given, flux, albedo, infrared, radius, heat.joule_W_per_m, heat.reel_K
    )


def ground_of(
    contact: GroundContact | None, surface: Any, arm: Floats, axes: Floats | None = None
) -> TetherGround:
    """Ground under the line: felt with a contact table, only looked for without."""
    if contact is None:
        return ground_under(surface, arm=arm, axes=axes, is_felt=False)
    is_hertz = contact.law == "hertz"
    return ground_under(
        surface, arm=arm, axes=axes, law=NORMAL_LAWS[contact.law], friction=contact.friction,
        stiffness=float(contact.stiffness_N_per_m1p5 or 0.0) if is_hertz else contact.stiffness_N_per_m,
        loss=contact.loss_s_per_m if is_hertz else contact.damping_N_s_per_m, fade=contact.slip_speed_m_per_s,
    )  # fmt: skip
