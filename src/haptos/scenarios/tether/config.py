"""Scenario file of a tether: where it is, two bodies, the line between them, and what the reels do."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    ScenarioConfig,
    Table,
    Text,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import SHORTEST, check_inertia, no_length

Angle = Annotated[Number, Field(ge=-360.0, le=360.0)]


class FreeSpace(Table):
    """No gravity; N axes do not turn."""

    kind: Literal["free"]


class Orbit(Table):
    """Along a Kepler orbit from six elements. Axes of the file are ORF: x along flight, y orbit normal, z up."""

    kind: Literal["orbit"]
    semi_major_axis_km: Positive = Field(description="of the orbit of the centre of mass")
    eccentricity: Annotated[Number, Field(ge=0.0, le=0.9)] = Field(
        default=0.0, description="below 0.9"
    )
    inclination_deg: Annotated[Number, Field(ge=0.0, le=180.0)] = Field(
        default=0.0, description="to the equator"
    )
    node_deg: Angle = Field(default=0.0, description="of the ascending node")
    periapsis_deg: Angle = Field(default=0.0, description="argument of periapsis")
    true_anomaly_deg: Angle = Field(default=0.0, description="at the start")
    mu_m3_per_s2: Positive = Field(default=3.986004418e14, description="G M of the primary")
    primary_radius_km: Positive = Field(default=6378.137, description="for eclipses")
    has_gradient_torque: bool = Field(default=True, description="on bodies with an inertia")


class SmallBody(Table):
    """Over a small body, in axes that turn with it; the origin is the start of the first body."""

    kind: Literal["small_body"]
    mu_m3_per_s2: Positive = Field(description="G M of the body")
    semi_axes_m: PositiveVector3 = Field(description="of the homogeneous ellipsoid that pulls")
    period_h: Positive = Field(description="of its spin about z")
    position_m: Vector3 = Field(description="of the first body from the centre, axes of the body")


AnyPlace = Annotated[FreeSpace | Orbit | SmallBody, Field(discriminator="kind")]


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


class Body(Table):
    """An end body; a point mass without an inertia."""

    mass_kg: Positive = Field(description="dry, without line")
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
    def _turns(self) -> Body:
        if self.inertia_kg_m2 is None and (any(self.attachment_m) or any(self.rate_deg_per_s)):
            raise refused(
                "attachment_m or rate_deg_per_s of a point mass",
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


class Line(Table):
    """The line; numbers of its own, or a fibre and a diameter."""

    length_m: Positive = Field(description="of all of it, natural")
    material: Text | None = Field(
        default=None, description="a fibre of the table of threads, with diameter_m"
    )
    diameter_m: Positive = Field(default=1.0e-3, description="outer")
    linear_density_kg_per_m: Positive | None = Field(
        default=None, description="of the material if left out"
    )
    stiffness_N: Positive | None = Field(
        default=None, description="EA, of the material if left out"
    )
    breaking_tension_N: Positive | None = Field(
        default=None, description="of the material if left out; never without one"
    )
    damping_N_s: NotNegative = Field(default=0.0, description="tension per strain rate")
    damper: Literal["none", "tuned"] = Field(
        default="none", description="in series at the first body, tuned to the bounce at the start"
    )
    breaking: Literal["cut", "report"] = Field(
        default="cut", description="what happens at the breaking tension"
    )

    @model_validator(mode="after")
    def _numbers_or_material(self) -> Line:
        own = (self.linear_density_kg_per_m, self.stiffness_N)
        if self.material is None and None in own:
            raise refused(
                "neither material nor linear_density_kg_per_m and stiffness_N",
                "one of both",
                'material = "dyneema"',
            )
        if self.material is not None and own != (None, None):
            raise refused(
                "material and numbers of its own", "one of both", "leave out the material"
            )
        return self


class Start(Table):
    """How the line begins: straight from the first body to the second, in ORF, own axes of the place, or N."""

    distance_m: Positive = Field(description="between the attachments")
    direction: Vector3 = Field(
        default=(0.0, 0.0, 1.0), description="from the first to the second body"
    )
    relative_velocity_m_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0),
        description="of the second body to the first, in axes that turn with the orbit",
    )
    spin_deg_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the pair about its centre of mass"
    )
    tension_N: NotNegative = Field(default=0.0, description="that the line is stretched by")
    second_reel_m: NotNegative = Field(
        default=0.0, description="of the stored line on the second body; the rest on the first"
    )


class Step(Table):
    """One thing the reels do."""

    kind: Literal["deploy", "hold", "retrieve", "jam", "cut"]
    duration_s: Positive | None = Field(default=None, description="of deploy, hold, retrieve, jam")
    length_m: Positive | None = Field(
        default=None, description="paid out or taken in; place of a cut from the first body"
    )
    reel: Literal["first", "second"] = Field(default="first", description="which one")
    shape: Literal["cosine", "linear"] = Field(
        default="cosine", description="of the speed over time"
    )

    @model_validator(mode="after")
    def _complete(self) -> Step:
        moves = self.kind in ("deploy", "retrieve")
        if (moves or self.kind == "cut") and self.length_m is None:
            raise refused(f"{self.kind} without length_m", "length_m above 0", "length_m = 100.0")
        if self.kind != "cut" and self.duration_s is None:
            raise refused(
                f"{self.kind} without duration_s", "duration_s above 0", "duration_s = 60.0"
            )
        if self.kind == "cut" and self.duration_s is not None:
            hint = "leave it out; a hold after the cut takes time"
            raise refused("duration_s of cut", "none: a cut takes no time", hint)
        if not (moves or self.kind == "cut") and self.length_m is not None:
            raise refused(f"length_m of {self.kind}", "none", "leave it out")
        return self


class Run(Table):
    cells: Annotated[Whole, Field(ge=3, le=1000)] = Field(default=20, description="of the line")
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-3)] = Field(
        default=1e-8, description="of a step"
    )
    scheme: Literal["implicit", "explicit"] = Field(
        default="implicit", description="half of the pair of order 5"
    )
    output_interval_s: Positive = Field(
        default=1.0, description="of stored rows; the motion does not depend on it"
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**9)] = Field(
        default=300_000, description="steps allowed, rejected ones included"
    )
    max_speed_m_per_s: Positive = Field(default=100.0, description="that the reels can do")
    tangle_share: NotNegative = Field(
        default=0.05, description="slack over the line from which a tangle is looked for; 0 never"
    )
    tangle_gap_m: Positive = Field(default=0.1, description="between cells that are no neighbours")
    collision_m: NotNegative = Field(
        default=0.0, description="distance of the attachments at which the run ends; 0 for none"
    )
    ledger_bound: Positive = Field(default=1e-5, description="largest trusted remainder of a phase")


class Config(ScenarioConfig):
    """Two spacecraft on a line."""

    scenario: Literal["tether"]
    place: AnyPlace
    first: Body
    second: Body
    line: Line
    start: Start
    steps: tuple[Step, ...] = Field(description="what the reels do, one after the other")
    run: Run = Run()

    @property
    def duration(self) -> float:
        """Time of all steps [s]."""
        return float(sum(step.duration_s or 0.0 for step in self.steps))

    @model_validator(mode="after")
    def _parts_fit(self) -> Config:
        if not self.steps or self.duration == 0.0:
            raise refused(
                "no steps that take time",
                "one step or more",
                'steps = [{ kind = "hold", duration_s = 60.0 }]',
            )
        if max(abs(c) for c in self.start.direction) < 1e-12:
            raise refused(
                f"start.direction = {list(self.start.direction)}", "a direction", "[0.0, 0.0, 1.0]"
            )
        if self.start.distance_m > self.line.length_m * 1.2:
            raise refused(
                f"start.distance_m = {self.start.distance_m:g}",
                f"at most line.length_m = {self.line.length_m:g}",
                "a longer line",
            )
        if self.duration / self.run.output_interval_s > 100_000:
            found = f"{self.duration / self.run.output_interval_s:.3g} rows"
            raise refused(
                found, "at most 100000", f"output_interval_s = {self.duration / 2000.0:.3g}"
            )
        for step in self.steps:
            if step.kind == "cut" and (step.length_m or 0.0) > self.line.length_m:
                found = f"a cut at {step.length_m:g} m"
                raise refused(
                    found, f"at most line.length_m = {self.line.length_m:g}", "a place on the line"
                )
            if (
                step.kind in ("deploy", "retrieve")
                and step.length_m is not None
                and step.duration_s is not None
            ):
                peak = (
                    step.length_m / step.duration_s * (1.5707963 if step.shape == "cosine" else 1.0)
                )
                if peak > self.run.max_speed_m_per_s:
                    found = f"{step.kind} at {peak:.4g} m/s"
                    raise refused(
                        found, f"at most {self.run.max_speed_m_per_s:g} m/s", "a longer duration_s"
                    )
        return self
