"""Scenario file of the contact bench: two bodies, the law between them, how they move."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.core.units import LengthUnit
from haptos.scenarios.schema import (
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
from haptos.scenarios.worlds.config_foundation import FoundationLawTable

Levels = Annotated[Whole, Field(ge=0, le=6)]
Point = tuple[Number, Number]
HalfAngle = Annotated[Number, Field(gt=0.0, lt=90.0)]
LEVELS = "times a face that may touch is split by the middles of its edges"
CHORD = "of faces and the true section, sets how many there are"


class HalfSpace(Table):
    shape: Literal["half_space"]
    normal: Vector3 = Field(
        default=(0.0, 0.0, 1.0), description="out of it; its plane holds the origin"
    )


class Box(Table):
    shape: Literal["box"]
    edges_m: PositiveVector3 = Field(description="along x, y, z")


class Ball(Table):
    shape: Literal["ball"]
    radius_m: Positive = Field(description="of the ball")


class Cylinder(Table):
    shape: Literal["cylinder"]
    radius_m: Positive = Field(description="about the x axis")
    length_m: Positive = Field(description="along the x axis")


class Capsule(Table):
    shape: Literal["capsule"]
    radius_m: Positive = Field(description="of the cylinder and its round ends")
    length_m: Positive = Field(description="of the cylinder between the ends, along x")


class Cone(Table):
    shape: Literal["cone"]
    half_angle_deg: HalfAngle = Field(description="between axis x and wall; the tip is the origin")
    length_m: Positive = Field(description="from tip to base")


class Funnel(Table):
    """A hollow cone: solid outside of its wall."""

    shape: Literal["funnel"]
    half_angle_deg: HalfAngle = Field(description="between axis x and wall; the tip is the origin")
    length_m: Positive = Field(description="after which the wall goes on straight")


class Torus(Table):
    shape: Literal["torus"]
    ring_radius_m: Positive = Field(description="of the middle of the tube about the x axis")
    tube_radius_m: Positive = Field(description="of the tube")
    spread_ring_radius_m: Positive | None = Field(
        default=None, description='ring radius at the end of motion.kind = "spread"'
    )


class FoundationNozzle(Table):
    """Inner wall of a 400 N apogee engine; docs/models/elastic-foundation.md."""

    shape: Literal["nozzle"]


class SectionBody(Table):
    """A body of revolution about x, from points of its section."""

    shape: Literal["section"]
    points_m: tuple[Point, ...] = Field(description="x and r of the points of the section, r >= 0")
    solid: Literal["inside", "outside"] = Field(default="inside", description="side of the section")
    is_spline: bool = Field(default=False, description="a smooth curve through the points")
    chord_error_m: Positive = Field(default=1e-5, description="of the pieces of a spline")


class MeshBody(Table):
    shape: Literal["mesh"]
    file: Text = Field(description="closed triangle mesh of one or more parts (OBJ, STL, PLY)")
    unit: LengthUnit = Field(description="length unit of the file")
    is_curved: bool = Field(
        default=True, description="faces follow the vertex normals; edges above 40 deg stay sharp"
    )
    thickness_m: Positive | None = Field(
        default=None, description="of an open, one-sided plate; closed meshes have none"
    )


class HeightGrid(Table):
    """Ground from a grid of heights: closed, with walls and a floor."""

    shape: Literal["height_grid"]
    file: Text = Field(
        description="heights, a row along x on each line, rows along y; text or .npy"
    )
    unit: LengthUnit = Field(description="length unit of the heights")
    spacing_m: Positive = Field(
        description="of the nodes along x and y; their middle is the origin"
    )
    below_m: Positive = Field(description="of the floor under the lowest height")
    is_curved: bool = Field(
        default=True, description="faces follow the vertex normals; edges above 40 deg stay sharp"
    )


AnyReference = Annotated[
    HalfSpace
    | Box
    | Ball
    | Cylinder
    | Capsule
    | Cone
    | Funnel
    | Torus
    | FoundationNozzle
    | SectionBody
    | MeshBody
    | HeightGrid,
    Field(discriminator="shape"),
]
AnySampled = Annotated[
    Ball | Box | Cylinder | Capsule | Cone | Torus | SectionBody | MeshBody,
    Field(discriminator="shape"),
]


class Faces(Table):
    """Faces of the sampled body."""

    levels: Levels = Field(default=3, description=LEVELS)
    splits: Annotated[Whole, Field(ge=0, le=6)] = Field(
        default=3, description="of a ball: 8 x 4^splits faces"
    )
    chord_error_m: Positive = Field(default=1e-4, description=CHORD)
    refinement: Literal["fixed", "adaptive"] = Field(
        default="fixed", description="fixed leaves keep energy; adaptive ones are fewer"
    )
    linearity: Positive = Field(
        default=1e-3, description="of depth on an adaptive leaf, as a share of the depth"
    )
    border_m: Positive | None = Field(
        default=None, description="longest edge of adaptive leaves at the border"
    )
    two_pass: bool = Field(
        default=False,
        description="each body is sampled on the other in turn; forces are the mean of both",
    )


class Placement(Table):
    """Where the sampled body starts, in axes of the reference."""

    position_m: Vector3 = Field(description="of its origin")
    yaw_pitch_roll_deg: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="turns about z, the new y, the new x"
    )


class FoundationPress(Table):
    """Driven into the reference and back."""

    kind: Literal["press"]
    direction: Vector3 = Field(default=(0.0, 0.0, -1.0), description="of the way in")
    depth_m: Positive = Field(description="beyond first touch")
    speed_m_per_s: Positive = Field(default=1e-3, description="of the drive")


class FoundationSlide(Table):
    """Pressed to a depth, then moved to and fro."""

    kind: Literal["slide"]
    direction: Vector3 = Field(default=(0.0, 0.0, -1.0), description="of the way in")
    depth_m: Positive = Field(description="beyond first touch")
    along: Vector3 = Field(default=(1.0, 0.0, 0.0), description="direction of the slide")
    amplitude_m: Positive = Field(description="to either side")
    cycles: Annotated[Whole, Field(ge=1, le=100)] = Field(
        default=1, description="after the first quarter"
    )
    speed_m_per_s: Positive = Field(default=1e-3, description="of the drive")


class Drop(Table):
    """Moves freely; the reference too if it has a mass."""

    kind: Literal["drop"]
    mass_kg: Positive = Field(description="of the sampled body")
    inertia_kg_m2: PositiveVector3 | None = Field(
        default=None, description="about its own axes; of a uniform solid if left out"
    )
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="at the start")
    rate_rad_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="at the start")
    gravity_m_per_s2: Vector3 = Field(default=(0.0, 0.0, 0.0), description="uniform")
    duration_s: Positive = Field(description="of the run")
    reference_mass_kg: Positive | None = Field(default=None, description="fixed if left out")
    reference_inertia_kg_m2: PositiveVector3 | None = Field(
        default=None, description="about its own axes, with reference_mass_kg"
    )

    @model_validator(mode="after")
    def _both_or_none(self) -> Drop:
        if (self.reference_mass_kg is None) != (self.reference_inertia_kg_m2 is None):
            found = "one of reference_mass_kg, reference_inertia_kg_m2"
            raise refused(found, "both or neither", "leave out both for a fixed body")
        return self


class Spread(Table):
    """The sampled torus spreads where it is; both bodies are held."""

    kind: Literal["spread"]
    duration_s: Positive = Field(description="from the first to the second ring radius")


AnyMotion = Annotated[
    FoundationPress | FoundationSlide | Drop | Spread, Field(discriminator="kind")
]


class Run(Table):
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-3)] = Field(
        default=1e-8, description="of a step, as a share of energy and length"
    )
    steps: Annotated[Whole, Field(ge=1, le=100_000_000)] = Field(
        default=1_000_000, description="at most"
    )
    leaves: Annotated[Whole, Field(ge=64, le=5_000_000)] = Field(
        default=200_000, description="at most"
    )
    ledger_bound: Positive = Field(default=1e-4, description="largest trusted remainder of a phase")
    remesh_bound: Positive = Field(
        default=1e-3,
        description="largest trusted energy of changing leaves, over the largest elastic energy",
    )
    depth_bound: Annotated[Number, Field(gt=0.0, le=0.5)] = Field(
        default=0.25, description="largest trusted depth over the thickness of the reference there"
    )
    leaf_bound: Positive = Field(
        default=0.1, description="largest trusted error of the elastic energy by leaves"
    )
    hidden_bound: Positive = Field(
        default=4.0,
        description="largest trusted depth of the reference's points in the sampled body, over that of polygons",
    )


class Config(ScenarioConfig):
    """A bench for polygonal contact."""

    scenario: Literal["foundation"]
    reference: AnyReference
    sampled: AnySampled
    faces: Faces = Faces()
    placement: Placement
    contact: FoundationLawTable
    motion: AnyMotion
    run: Run = Run()

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        spreads = isinstance(self.sampled, Torus) and self.sampled.spread_ring_radius_m is not None
        if isinstance(self.motion, Spread) and not spreads:
            found = 'motion.kind = "spread" of a shape that does not'
            raise refused(found, "a torus with spread_ring_radius_m", "spread_ring_radius_m = 0.01")
        if self.faces.two_pass and isinstance(self.reference, HalfSpace):
            found = "faces.two_pass = true with a half-space, which has no faces"
            raise refused(found, "a reference with a surface of its own", 'shape = "box"')
        for key in ("direction", "along"):
            way = getattr(self.motion, key, (1.0, 0.0, 0.0))
            if max(abs(part) for part in way) < 1e-12:
                raise refused(f"motion.{key} = {list(way)}", "a direction", "[0, 0, -1]")
        return self
