"""Tables of the two satellites, the orbit they are on, and how they stand to each other at the start."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    Table,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import check_inertia

Share = Annotated[Number, Field(ge=0.0, lt=1.0)]


class WingMode(Table):
    """One mode of a wing clamped at its root, of unit modal mass."""

    frequency_Hz: Positive = Field(description="of the clamped wing")
    damping: Share = Field(default=0.005, description="share of critical damping")
    translation_sqrt_kg: Vector3 = Field(
        description="integral of the mode over the mass: along the wing, across it (normal x along), normal to the panel"
    )
    rotation_sqrt_kg_m: Vector3 = Field(
        description="integral of its place from the root times the mode, the same axes"
    )


class Wings(Table):
    """Two equal wings along +y and -y."""

    mass_kg: Positive = Field(description="of one wing")
    length_m: Positive = Field(description="of one wing, along y")
    width_m: Positive = Field(description="of one wing")
    root_m: Positive = Field(description="distance of its root from the centre of mass")
    out_of_plane_Hz: Positive | None = Field(
        default=None, description="first bending of the clamped wing"
    )
    in_plane_Hz: NotNegative = Field(default=0.0, description="in its plane; 0 leaves the mode out")
    torsion_Hz: NotNegative = Field(default=0.0, description="first twist; 0 leaves the mode out")
    damping: Share = Field(default=0.005, description="share of critical damping of each mode")
    model: Literal["beam", "hinge"] = Field(
        default="beam", description="modes of a cantilever, or a rigid wing on a torsion spring"
    )
    angle_deg: Number = Field(default=0.0, description="of the drive; 0 faces x")
    rate_deg_per_s: Number = Field(
        default=0.0, description="of the drive: one turn a day is 0.0042"
    )
    modes: tuple[WingMode, ...] = Field(
        default=(),
        description="table of modes in place of the frequencies; of both wings, each in its own axes",
    )

    @model_validator(mode="after")
    def _one_kind_of_modes(self) -> Wings:
        given = self.out_of_plane_Hz is not None
        if given == bool(self.modes):
            found = (
                "both out_of_plane_Hz and modes" if given else "neither out_of_plane_Hz nor modes"
            )
            raise refused(found, "one of them", "out_of_plane_Hz = 0.12")
        if self.modes and (
            self.in_plane_Hz > 0.0 or self.torsion_Hz > 0.0 or self.model == "hinge"
        ):
            found = "modes beside in_plane_Hz, torsion_Hz or a hinge"
            raise refused(found, "a table with all modes of the wing", "put them into modes")
        return self


class HullBox(Table):
    """A box of a satellite's hull, edges along its axes: watched for what it meets, it is no contact pair."""

    box_m: PositiveVector3 = Field(description="edges along x, y, z")
    centre_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the box from the centre of mass"
    )


MOST_BOXES = 16  # of a hull: all are asked for at every look


def _vehicle_is_whole(
    mass: float, inertia: tuple[float, ...], wings: Wings | None, hull: tuple[HullBox, ...]
) -> None:
    """Refuse a mass that its wings leave nothing of, inertia no body has, and more boxes than are watched."""
    check_inertia(np.array(inertia), "inertia_kg_m2")
    if wings is not None and not mass > 2.0 * wings.mass_kg:
        found = f"mass_kg = {mass:.4g} with two wings of {wings.mass_kg:.4g}"
        raise refused(found, "more than both wings, which are part of it", "a larger mass_kg")
    if len(hull) > MOST_BOXES:
        raise refused(f"a hull of {len(hull)} boxes", f"at most {MOST_BOXES}", "larger boxes")


class DockingWheels(Table):
    """Four reaction wheels on the edges of a pyramid about x."""

    torque_N_m: Positive = Field(default=0.2, description="limit of one wheel")
    momentum_N_m_s: Positive = Field(default=12.0, description="limit of one wheel")
    lag_s: NotNegative = Field(default=0.05, description="first-order lag of the torque")
    noise_N_m: NotNegative = Field(default=1e-4, description="of the torque, with each command")


class DockingThrusters(Table):
    """Twelve thrusters, two on each side of a box: pure forces and torques."""

    thrust_N: Positive = Field(default=1.0, description="of one thruster")
    minimum_on_s: Positive = Field(default=0.01, description="shortest pulse")
    delay_s: NotNegative = Field(default=0.01, description="from command to thrust")
    rise_s: NotNegative = Field(default=0.0, description="to full thrust, and back")
    noise: NotNegative = Field(default=0.03, description="of the thrust of each pulse, as a share")
    specific_impulse_s: Positive = Field(default=200.0, description="of the propellant")
    box_m: PositiveVector3 = Field(
        default=(2.0, 1.8, 1.8), description="edges of the box they sit on"
    )
    propellant_kg: Positive | None = Field(
        default=None, description="in the tank; left out: a twentieth of the chaser's mass"
    )
    tank_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the propellant, a point, from the centre of mass"
    )


class DockingChaser(Table):
    mass_kg: Positive = Field(description="with wings, without tool and half the boom")
    inertia_kg_m2: PositiveVector3 = Field(description="of the hub, about its own axes")
    root_m: Vector3 = Field(
        description="root of the boom from the centre of mass; x out of the docking face"
    )
    wings: Wings | None = Field(default=None, description="left out: none")
    hull: tuple[HullBox, ...] = Field(
        default=(), description="boxes; left out: what meets the hull goes unseen"
    )
    wheels: DockingWheels = DockingWheels()
    thrusters: DockingThrusters = DockingThrusters()

    @model_validator(mode="after")
    def _is_whole(self) -> DockingChaser:
        _vehicle_is_whole(self.mass_kg, self.inertia_kg_m2, self.wings, self.hull)
        tank, wings = self.thrusters.propellant_kg, self.wings
        dry = self.mass_kg - (2.0 * wings.mass_kg if wings is not None else 0.0)
        if tank is not None and tank >= dry:
            found = f"thrusters.propellant_kg = {tank:.4g}"
            raise refused(
                found,
                f"less than mass_kg without its wings, {dry:.4g}: it is in it",
                "a smaller tank",
            )
        return self


class Client(Table):
    mass_kg: Positive = Field(description="with wings")
    inertia_kg_m2: PositiveVector3 = Field(description="of the hub, about its own axes")
    throat_m: Vector3 = Field(description="centre of the nozzle's throat from the centre of mass")
    wings: Wings | None = Field(default=None, description="left out: none")
    hull: tuple[HullBox, ...] = Field(
        default=(), description="boxes; left out: what meets the hull goes unseen"
    )
    wheel_momentum_N_m_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="bias of its momentum wheel"
    )
    holds: bool = Field(default=False, description="its own wheels hold its attitude")
    hold_frequency_rad_per_s: Positive = Field(default=0.03, description="of that loop")
    hold_damping: Positive = Field(default=0.7, description="of that loop")
    hold_torque_N_m: Positive = Field(default=0.2, description="limit of that loop, each axis")

    @model_validator(mode="after")
    def _is_whole(self) -> Client:
        _vehicle_is_whole(self.mass_kg, self.inertia_kg_m2, self.wings, self.hull)
        return self


class DockingStart(Table):
    """How the client stands to the chaser; azimuths about the boom's axis from y to z."""

    distance_m: Positive = Field(
        description="from the tip of the boom to the throat, along the boom"
    )
    offset_m: NotNegative = Field(default=0.0, description="of the throat from the boom's axis")
    offset_azimuth_deg: Number = Field(default=0.0, description="direction of the offset")
    tilt_deg: Annotated[Number, Field(ge=0.0, le=60.0)] = Field(
        default=0.0, description="of the nozzle's axis from the boom's"
    )
    tilt_azimuth_deg: Number = Field(
        default=0.0, description="direction in which the exit leans away from the throat"
    )
    velocity_m_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the client's centre relative to the chaser's"
    )
    rate_deg_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the client, its own axes"
    )
    chaser_rate_deg_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="its own axes")


class OrbitTable(Table):
    """A circular orbit about the Earth; the chaser looks along x of axes that do not turn."""

    radius_m: Annotated[Number, Field(ge=6.5e6, le=1e9)] = Field(
        default=42164.17e3, description="of the orbit: geostationary if left out"
    )
    angle_deg: Number = Field(default=90.0, description="of the pair on its orbit, from x to y")
    gravity_gradient: bool = Field(default=True, description="torques of the Earth's pull")
    sun: Vector3 | None = Field(
        default=None,
        description="direction to the Sun: radiation pressure with eclipses, and glare",
    )
    plume: bool = Field(default=False, description="thrusters of the chaser blow on the client")

    @model_validator(mode="after")
    def _sun_is_a_direction(self) -> OrbitTable:
        if self.sun is not None and max(abs(x) for x in self.sun) < 1e-6:
            raise refused(f"sun = {list(self.sun)}", "a direction", "sun = [0, 1, 0]")
        return self


class ThrusterFault(Table):
    index: Annotated[Whole, Field(ge=0, le=11)] = Field(description="of the thruster")
    state: Literal["on", "off"] = Field(description="what it stays")
    at_s: NotNegative = Field(default=0.0, description="from this time on")
