"""End bodies of a tether in its file: mass, inertia, attachment, thrusters, wheels, what air, light and ground act on."""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field, model_validator

from haptos.scenarios.schema import NotNegative, Positive, PositiveVector3, Table, Vector3, refused
from haptos.scenarios.table_rules import SHORTEST, check_inertia, no_length
from haptos.scenarios.worlds.config import Share


class ThrusterTable(Table):
    """A thruster that burns between two times."""

    place_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="own axes")
    direction: Vector3 = Field(description="of the force, own axes")
    force_N: Positive = Field(description="of the thruster")
    isp_s: Positive = Field(default=220.0, description="specific impulse")
    start_s: NotNegative = Field(default=0.0, description="burns from")
    stop_s: Positive = Field(description="burns until")

    @model_validator(mode="after")
    def _burns(self) -> ThrusterTable:
        if math.hypot(*self.direction) < SHORTEST:
            raise no_length("direction", self.direction)
        if self.stop_s <= self.start_s:
            found = f"stop_s = {self.stop_s:g} with start_s = {self.start_s:g}"
            raise refused(found, "a stop after the start", f"stop_s = {self.start_s + 60.0:g}")
        return self


class TetherBody(Table):
    """An end body; a point mass without an inertia."""

    mass_kg: Positive = Field(description="dry, without line")
    radius_m: Positive = Field(
        default=0.5, description="of the ball that touches the ground; assumed"
    )
    drag_area_m2: NotNegative = Field(default=0.0, description="that the air acts on")
    drag_coefficient: Positive = Field(default=2.2, description="of that area; assumed")
    light_area_m2: NotNegative = Field(default=0.0, description="that sunlight acts on")
    reflectivity: Share = Field(default=0.3, description="of that area, 0 absorbs; assumed")
    pressure_centre_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="where air and light push, own axes"
    )
    inertia_kg_m2: PositiveVector3 | None = Field(
        default=None, description="about its own axes; a point mass if left out"
    )
    attachment_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="where the line leaves it, own axes"
    )
    rate_deg_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="at the start, own axes")
    propellant_kg: NotNegative = Field(default=0.0, description="at the start")
    thrusters: tuple[ThrusterTable, ...] = Field(default=(), description="burns")
    wheel_torque_N_m: NotNegative = Field(
        default=0.0, description="largest per axis; 0 for no wheels"
    )
    wheel_momentum_N_m_s: Positive = Field(default=20.0, description="largest per axis")
    hold_gain_N_m: NotNegative = Field(
        default=0.0, description="of the wheels on the angle to the first attitude"
    )
    hold_damping_N_m_s: NotNegative = Field(default=0.0, description="of the wheels on the rate")

    @model_validator(mode="after")
    def _turns(self) -> TetherBody:
        levers = (*self.attachment_m, *self.rate_deg_per_s, *self.pressure_centre_m)
        if self.inertia_kg_m2 is None and any(levers):
            raise refused(
                "attachment_m, rate_deg_per_s or pressure_centre_m of a point mass",
                "none without inertia_kg_m2",
                "inertia_kg_m2 = [300.0, 300.0, 200.0]",
            )
        if self.inertia_kg_m2 is not None:
            check_inertia(np.array(self.inertia_kg_m2), "inertia_kg_m2")
        if self.thrusters and self.propellant_kg == 0.0:
            raise refused(
                "thrusters without propellant_kg", "propellant_kg above 0", "propellant_kg = 20.0"
            )
        return self
