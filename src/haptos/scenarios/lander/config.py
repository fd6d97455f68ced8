"""Scenario file of a lander: which probe, ground, gravity, spin, contact, release and run."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from haptos.core.units import LengthUnit
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    Quaternion,
    ScenarioConfig,
    Table,
    Text,
    Vector3,
    Whole,
    refused,
)

# Keys that state the same quantity in two ways; a table holds exactly one of each pair.
ALTERNATIVES = (
    ("attitude_quaternion", "attitude_yaw_pitch_roll_deg"),
    ("damping_N_s_per_m", "restitution"),
    ("edge_m", "density_kg_per_m3"),
    ("mu_m3_per_s2", "density_kg_per_m3"),
)
ROUNDING = 1e-9  # [-] a tensor typed with ten digits may miss symmetry and triangles by this much
SHORTEST = 1e-6  # [-] length of a direction or quaternion below which it points nowhere
MOST_OUTPUTS = 1_000_000  # rows of 256 bytes held in memory for one run
Matrix3 = tuple[Vector3, Vector3, Vector3]


def one_of(table: Table, first: str, second: str) -> PydanticCustomError:
    """Refusal of both or neither of two keys that say the same in two ways."""
    allowed = f"exactly one of {first} and {second}"
    if getattr(table, first) is None:
        return refused("neither of the two", allowed, f"give {first} or {second}")
    return refused("both of the two", allowed, f"remove {first} or {second}")


def no_length(key: str, given: tuple[float, ...]) -> PydanticCustomError:
    """Refusal of a direction or quaternion that points nowhere."""
    hint = "[1, 0, 0, 0] for no turn" if len(given) == 4 else "[0, 0, 1] for the z axis"
    return refused(f"{key} = {list(given)}", "some length", hint)


class Probe(Table):
    """What all probe shapes share. Vertices are held in B axes, from the centre of mass."""

    mass_kg: Positive
    inertia_kg_m2: PositiveVector3 | Matrix3 | None = Field(
        default=None,
        description="principal moments or full tensor about the centre of mass, in B axes; "
        "of the homogeneous shape if left out",
    )
    center_of_mass_m: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="centre of mass from the centroid of the shape, B axes"
    )
    tessellation: Annotated[Whole, Field(ge=0, le=6)] = Field(
        default=0, description="times each facet is split at its edge midpoints, 0 to 6"
    )

    @model_validator(mode="after")
    def _inertia_is_possible(self) -> Probe:
        if self.inertia_kg_m2 is None and any(self.center_of_mass_m):
            raise refused(
                "center_of_mass_m without inertia_kg_m2",
                "both, since a shifted centre of mass is no homogeneous shape",
                "give the tensor about that point",
            )
        if self.inertia_kg_m2 is not None:
            check_inertia(np.array(self.inertia_kg_m2, dtype=float), "inertia_kg_m2")
        return self


def check_inertia(given: np.ndarray, key: str) -> None:
    """Refuse tensors no mass distribution can have."""
    tensor = np.diag(given) if given.ndim == 1 else given
    if not np.allclose(tensor, tensor.T, rtol=ROUNDING, atol=0.0):
        raise refused(
            f"{key} that is not symmetric", "a symmetric tensor", "mirror the off-diagonals"
        )
    a, b, c = np.linalg.eigvalsh(tensor)
    if a <= 0.0:
        found = f"{key} with a principal moment of {a:.6g}"
        raise refused(found, "principal moments > 0", "check the signs of the tensor")
    if c > (a + b) * (1.0 + ROUNDING):
        raise refused(
            f"{key} with principal moments {a:.6g}, {b:.6g}, {c:.6g}",
            "each moment at most the sum of the other two (triangle inequality)",
            "give moments a body can have; for a solid ball all three are equal",
        )


class BoxProbe(Probe):
    shape: Literal["box"]
    size_m: PositiveVector3 = Field(description="full edge lengths along B axes")


class PlatonicProbe(Probe):
    shape: Literal["tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"]
    edge_m: Positive | None = Field(default=None, description="edge length")
    density_kg_per_m3: Positive | None = Field(
        default=None, description="bulk density that sets the edge, in place of edge_m"
    )

    @model_validator(mode="after")
    def _one_size(self) -> PlatonicProbe:
        if (self.edge_m is None) == (self.density_kg_per_m3 is None):
            raise one_of(self, "edge_m", "density_kg_per_m3")
        return self


class PrismProbe(Probe):
    shape: Literal["prism"]
    sides: Annotated[Whole, Field(ge=3, le=256)] = Field(description="sides of the base, 3 to 256")
    radius_m: Positive = Field(description="circumradius of the base")
    height_m: Positive = Field(description="length along B z")


class SphereProbe(Probe):
    shape: Literal["sphere"]
    radius_m: Positive = Field(description="radius; contact is that of the true sphere")


class MeshProbe(Probe):
    shape: Literal["mesh"]
    file: Text = Field(description="closed triangle mesh (OBJ, STL, PLY)")
    unit: LengthUnit = Field(description="length unit of the file")


AnyProbe = Annotated[
    BoxProbe | PlatonicProbe | PrismProbe | SphereProbe | MeshProbe, Field(discriminator="shape")
]


class PlaneSurface(Table):
    shape: Literal["plane"]
    point_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="a point of the plane, A axes")
    normal: Vector3 = Field(default=(0.0, 0.0, 1.0), description="outward direction, any length")

    @model_validator(mode="after")
    def _normal_has_length(self) -> PlaneSurface:
        if math.hypot(*self.normal) < SHORTEST:
            raise no_length("normal", self.normal)
        return self


class SphereSurface(Table):
    shape: Literal["sphere"]
    radius_m: Positive = Field(description="radius about the origin of A")


class EllipsoidSurface(Table):
    shape: Literal["ellipsoid"]
    semi_axes_m: PositiveVector3 = Field(description="semi-axes along A x, y, z")


AnySurface = Annotated[
    PlaneSurface | SphereSurface | EllipsoidSurface, Field(discriminator="shape")
]


class UniformGravity(Table):
    model: Literal["uniform"]
    acceleration_m_per_s2: Vector3 = Field(description="the same everywhere, A axes")


class PointGravity(Table):
    model: Literal["point"]
    mu_m3_per_s2: Positive = Field(description="gravitational parameter G M")


class EllipsoidGravity(Table):
    model: Literal["ellipsoid"]
    semi_axes_m: PositiveVector3 = Field(description="semi-axes along A x, y, z")
    mu_m3_per_s2: Positive | None = Field(default=None, description="gravitational parameter G M")
    density_kg_per_m3: Positive | None = Field(
        default=None, description="bulk density, in place of mu_m3_per_s2"
    )

    @model_validator(mode="after")
    def _one_strength(self) -> EllipsoidGravity:
        if (self.mu_m3_per_s2 is None) == (self.density_kg_per_m3 is None):
            raise one_of(self, "mu_m3_per_s2", "density_kg_per_m3")
        return self


AnyGravity = Annotated[
    UniformGravity | PointGravity | EllipsoidGravity, Field(discriminator="model")
]


class NoSpin(Table):
    kind: Literal["none"] = "none"


class UniformSpin(Table):
    kind: Literal["uniform"]
    period_h: Positive = Field(description="sidereal rotation period")
    pole: Vector3 = Field(default=(0.0, 0.0, 1.0), description="spin axis in A axes, any length")

    @model_validator(mode="after")
    def _pole_has_length(self) -> UniformSpin:
        if math.hypot(*self.pole) < SHORTEST:
            raise no_length("pole", self.pole)
        return self


class TumblingSpin(Table):
    kind: Literal["tumbling"]
    rate_rad_per_s: Vector3 = Field(description="spin of the body at the start, A axes")
    moment_ratios: PositiveVector3 = Field(
        description="principal moments of the body along A x, y, z, in any common unit"
    )

    @model_validator(mode="after")
    def _moments_are_possible(self) -> TumblingSpin:
        check_inertia(np.array(self.moment_ratios), "moment_ratios")
        return self


AnySpin = Annotated[NoSpin | UniformSpin | TumblingSpin, Field(discriminator="kind")]


class Contact(Table):
    """Compliant contact; the law's page is docs/models/compliant-contact.md."""

    stiffness_N_per_m: Positive = Field(description="spring of one vertex")
    damping_N_s_per_m: NotNegative | None = Field(default=None, description="damper of one vertex")
    restitution: Fraction | None = Field(
        default=None, description="of a central one-vertex impact, in place of damping_N_s_per_m"
    )
    friction: NotNegative = Field(description="Coulomb coefficient while slipping")
    static_friction: NotNegative | None = Field(
        default=None, description="Coulomb coefficient while sticking; friction if left out"
    )
    rolling_resistance_m: NotNegative = Field(default=0.0, description="C_RR, a length")
    stick_speed_m_per_s: Positive = Field(
        default=1e-4, description="v_s, slip below which friction turns into sticking"
    )
    stick_rate_rad_per_s: Positive = Field(
        default=1e-3, description="w_s, rate below which rolling turns into sticking"
    )

    depth_limit: Positive = Field(
        default=0.5, description="deepest vertex, in probe radii, the law is believed for"
    )

    @model_validator(mode="after")
    def _one_damping(self) -> Contact:
        if (self.damping_N_s_per_m is None) == (self.restitution is None):
            raise one_of(self, "damping_N_s_per_m", "restitution")
        if self.static_friction is not None and self.static_friction < self.friction:
            found = f"static_friction = {self.static_friction} below friction = {self.friction}"
            raise refused(found, "static_friction >= friction", "raise it, or leave it out")
        return self


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
        description="largest trusted ledger remainder, as a share of the initial energy",
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
        if self.output_interval_s > 0.0 and self.duration_s > MOST_OUTPUTS * self.output_interval_s:
            raise refused(
                f"output_interval_s = {self.output_interval_s} over {self.duration_s} s",
                f"at most {MOST_OUTPUTS} stored times",
                f"output_interval_s = {self.duration_s / MOST_OUTPUTS:.3g}, or 0 for every step",
            )
        return self


class Config(ScenarioConfig):
    """A lander scenario."""

    scenario: Literal["lander"]
    probe: AnyProbe
    surface: AnySurface
    gravity: AnyGravity
    spin: AnySpin = NoSpin()
    contact: Contact
    release: Release
    settle: Settle = Settle()
    run: Run
