"""Scenario file of a lander: which probe, ground, gravity, spin, contact, release and run."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.dynamics.touching.stored_limit import MOST_ROWS
from haptos.scenarios.lander.config_contact import AnyContact, FoundationContact, ImpulsiveContact
from haptos.scenarios.lander.config_hops import AnyHops
from haptos.scenarios.lander.config_probe import AnyProbe
from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    Quaternion,
    ScenarioConfig,
    Table,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import SHORTEST, no_length, one_of
from haptos.scenarios.worlds.config import (
    Air,
    AnyGravity,
    AnySpin,
    AnySurface,
    NoSpin,
    Primary,
    Regions,
    Sunlight,
    TerrainTable,
    check_world,
)

# Keys that state the same quantity in two ways; a table holds exactly one of each pair.
ALTERNATIVES = (
    ("attitude_quaternion", "attitude_yaw_pitch_roll_deg"),
    ("axis", "toward_m"),
    ("damping_N_s_per_m", "restitution"),
    ("edge_m", "density_kg_per_m3"),
    ("mu_m3_per_s2", "density_kg_per_m3"),
)


class Release(Table):
    """State at time zero, when the A axes and the inertial axes coincide."""

    position_m: Vector3 = Field(description="centre of mass from the origin of A, A axes")
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="A axes")
    attitude_quaternion: Quaternion | None = Field(
        default=None, description="quat_AB, scalar first, any length"
    )
    attitude_yaw_pitch_roll_deg: Vector3 | None = Field(
        default=None, description="turns about z, new y, new x, in place of the quaternion"
    )
    rate_rad_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="spin of the probe, B axes"
    )
    frame: Literal["rotating", "inertial"] = Field(
        default="rotating", description="what velocity and rate are relative to"
    )

    @model_validator(mode="after")
    def _one_attitude(self) -> Release:
        if self.attitude_quaternion is not None:
            if self.attitude_yaw_pitch_roll_deg is not None:
                raise one_of(self, "attitude_quaternion", "attitude_yaw_pitch_roll_deg")
            if math.hypot(*self.attitude_quaternion) < SHORTEST:
                raise no_length("attitude_quaternion", self.attitude_quaternion)
        return self


class Settle(Table):
    """Rest: slower than both thresholds, in contact, for `hold_s` without a break."""

    speed_m_per_s: Positive = Field(default=1e-6, description="rest is slower than this")
    rate_rad_per_s: Positive = Field(default=1e-5, description="rest turns slower than this")
    hold_s: NotNegative = Field(default=2.0, description="how long rest must last")
    place_share: Positive = Field(
        default=0.01,
        description="in place: the centre moves less than this, in probe radii; assumed",
    )
    place_hold_s: NotNegative = Field(
        default=1800.0,
        description="in place for so long without rest, a probe counts as spinning, or as settled if it "
        "turns slower than rate_rad_per_s; 0 never; assumed",
    )
    balance: bool = Field(
        default=True,
        description="impulsive contact: rest is also when forces at the contact points can hold a "
        "probe slower than contact_speed_m_per_s",
    )


class Run(Table):
    duration_s: Positive = Field(description="time allowed")
    output_interval_s: NotNegative = Field(
        default=0.0, description="spacing of the stored trajectory; 0 stores every step"
    )
    relative_tolerance: Annotated[Number, Field(ge=1e-13, le=1e-2)] = Field(
        default=1e-10, description="error of one step as a share of each part of the state"
    )
    position_tolerance_m: Positive = Field(
        default=1e-10, description="error of the position in one step besides its share; assumed"
    )
    velocity_tolerance_m_per_s: Positive = Field(
        default=1e-11, description="error of the velocity in one step besides its share; assumed"
    )
    rate_tolerance_rad_per_s: Positive = Field(
        default=1e-11, description="error of the rate in one step besides its share; assumed"
    )
    attitude_tolerance: Positive = Field(
        default=1e-10, description="error of the quaternion in one step besides its share; assumed"
    )
    energy_tolerance: Positive = Field(
        default=1e-10, description="of the work integrals, as a share of the initial energy"
    )
    ledger_bound: Positive = Field(
        default=1e-6,
        description="largest trusted ledger remainder of a phase, as a share of what the phase "
        "stores and dissipates",
    )
    repeats: Annotated[Whole, Field(ge=0, le=1000)] = Field(
        default=0,
        description="further runs with the start disturbed by 1e-9, and one with half the tolerances",
    )
    escape_distance_m: Positive | None = Field(
        default=None,
        description="distance from the origin that counts as escaped; none if left out",
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**12)] = Field(
        default=5_000_000, description="steps allowed; minutes of work, a guard against no end"
    )

    @model_validator(mode="after")
    def _output_fits_in_memory(self) -> Run:
        if self.output_interval_s > 0.0 and self.duration_s > MOST_ROWS * self.output_interval_s:
            raise refused(
                f"output_interval_s = {self.output_interval_s} over {self.duration_s} s",
                f"at most {MOST_ROWS} stored times",
                f"output_interval_s = {self.duration_s / MOST_ROWS:.3g}, or 0 for every step",
            )
        return self


class Config(ScenarioConfig):
    """A lander scenario."""

    scenario: Literal["lander"]
    probe: AnyProbe
    surface: AnySurface
    terrain: TerrainTable = TerrainTable()
    regions: Regions = ()
    gravity: AnyGravity
    primary: Primary | None = None
    sunlight: Sunlight | None = None
    air: Air | None = None
    spin: AnySpin = NoSpin()
    contact: AnyContact
    release: Release
    settle: Settle = Settle()
    hops: AnyHops | None = None
    run: Run

    @model_validator(mode="after")
    def _world_fits_together(self) -> Config:
        check_world(self)
        if isinstance(self.contact, FoundationContact):
            self._foundation_can_serve()
        is_compliant = self.contact.law == "compliant"
        if is_compliant and any(region.restitution == 0.0 for region in self.regions):
            raise refused(
                "regions.restitution = 0 with contact.law = 'compliant'",
                "above 0, up to 1",
                "contact.law = 'impulsive'",
            )
        is_bouncing = isinstance(self.contact, ImpulsiveContact) and not self.contact.contact_motion
        if self.hops is not None and is_bouncing:
            raise refused(
                "hops with contact.contact_motion = false",
                "contact_motion = true, since a hop begins in contact",
                "leave contact_motion out",
            )
        return self

    def _foundation_can_serve(self) -> None:
        """Refuse what a run on an elastic foundation does not follow."""
        given = {
            "terrain": self.terrain.noise is not None or self.terrain.rocks is not None,
            "regions": bool(self.regions),
            "hops": self.hops is not None,
            "surface.shape = 'capsule'": self.surface.shape == "capsule",
            "spin.kind = 'tumbling'": self.spin.kind == "tumbling",
        }
        for name, is_given in given.items():
            if is_given:
                raise refused(
                    f"{name} with contact.law = 'foundation'",
                    "a plane, sphere, ellipsoid, body or mesh without terrain, its gravity and even spin, a primary, air, sunlight",
                    "leave it out, or contact.law = 'compliant'",
                )
