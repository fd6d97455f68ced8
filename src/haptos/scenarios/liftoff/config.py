"""Scenario file of a lift-off map: which body, gravity, spin and primary, and what to map on it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.bodies import FACETS, BuiltInBody, Level, MeshFile
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    ScenarioConfig,
    Table,
    Text,
    Whole,
    refused,
)
from haptos.scenarios.worlds.config import (
    BodyGravity,
    Latitude,
    Longitude,
    NoSpin,
    Primary,
    UniformSpin,
)

# Keys that state the same quantity in two ways; a table holds exactly one of each pair.
ALTERNATIVES = (("mu_m3_per_s2", "density_kg_per_m3"),)

Degree = Annotated[Whole, Field(ge=1, le=120)]


class LiftoffSphere(Table):
    shape: Literal["sphere"]
    radius_m: Positive = Field(description="radius about the centre")
    level: Level = Field(default=5, description="of the mesh of places: 10 x 4^level + 2 of them")


class LiftoffEllipsoid(Table):
    shape: Literal["ellipsoid"]
    semi_axes_m: PositiveVector3 = Field(description="semi-axes along A x, y, z")
    level: Level = Field(default=5, description="of the mesh of places: 10 x 4^level + 2 of them")


class LiftoffBody(BuiltInBody):
    level: Level = Field(default=5, description=FACETS)


class HarmonicsSurface(Table):
    shape: Literal["harmonics"]
    file: Text = Field(description="coefficients of spherical harmonics, as haptos writes them")
    level: Level = Field(default=5, description="of the mesh of places: 10 x 4^level + 2 of them")


AnySurface = Annotated[
    LiftoffSphere | LiftoffEllipsoid | LiftoffBody | MeshFile | HarmonicsSurface,
    Field(discriminator="shape"),
]


class LiftoffGravity(BodyGravity):
    """Homogeneous body: closed forms of sphere and ellipsoid, a polyhedron for the others."""

    facets: Annotated[Whole, Field(ge=100)] = Field(
        default=5_000, description="of the mesh gravity is computed from, if the body has more"
    )


class Harmonics(Table):
    """A series fitted to the mesh, for curvature or beside that of the mesh."""

    degree: Degree | None = Field(
        default=None, description="of the series; the best of `degrees` if left out"
    )
    degrees: tuple[Degree, ...] = Field(
        default=(4, 8, 12, 16, 20, 24), description="tried, each with vertices held out"
    )
    use: bool = Field(default=False, description="take curvature from the series, not the mesh")


class Map(Table):
    mode: Literal["normal", "plane_gravity", "plane_net"] = Field(
        default="normal", description="projection: exact, or one of the two published planes"
    )
    azimuth_step_deg: Annotated[Number, Field(ge=0.01, le=30.0)] = Field(
        default=2.0, description="between directions tried; extremes are refined between"
    )
    object_radius_m: NotNegative = Field(
        default=0.0, description="of a ball; speeds are those of its centre"
    )
    latitude_step_deg: Annotated[Number, Field(ge=0.25, le=30.0)] = Field(
        default=3.0, description="of the grid for latitudes of release"
    )
    kept_energy: tuple[Fraction, ...] = Field(
        default=(1.0, 0.5, 0.2, 0.1), description="shares of released energy kept on the way"
    )


class LiftoffPlace(Table):
    """Where curves over azimuth and flights are made; the place of least speed if left out."""

    latitude_deg: Latitude = Field(description="of the place; the nearest vertex is taken")
    longitude_deg: Longitude = Field(description="of the place")
    azimuth_deg: Number | None = Field(
        default=None, description="of the flights, from east over north; of least speed if left out"
    )


class LiftoffFlight(Table):
    shares: tuple[Positive, ...] = Field(
        default=(0.9, 1.0, 1.1), description="of the speed of lift-off, one free flight each"
    )
    duration_s: Positive | None = Field(
        default=None, description="a tenth of the radius of curvature long if left out"
    )
    ledger_bound: Positive = Field(
        default=1e-6,
        description="largest trusted energy remainder, as a share of what a flight stores",
    )


class Vehicle(Table):
    """For the speed limits; docs/models/lift-off.md."""

    wheel_radius_m: Positive = Field(default=0.1, description="of the wheels")
    friction: Positive = Field(default=0.5, description="of wheels on the ground; assumed")
    margin: Fraction = Field(default=0.5, description="share of each limit that is used; assumed")


class Config(ScenarioConfig):
    """A lift-off scenario."""

    scenario: Literal["liftoff"]
    surface: AnySurface
    gravity: LiftoffGravity
    spin: Annotated[NoSpin | UniformSpin, Field(discriminator="kind")] = NoSpin()
    primary: Primary | None = None
    harmonics: Harmonics | None = None
    map: Map = Map()
    place: LiftoffPlace | None = None
    flight: LiftoffFlight = LiftoffFlight()
    vehicle: Vehicle = Vehicle()

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        if self.harmonics is not None and self.surface.shape not in ("body", "mesh"):
            found = f"[harmonics] with surface.shape = '{self.surface.shape}'"
            raise refused(found, "a surface with a mesh: body or mesh", "leave out [harmonics]")
        if not self.map.kept_energy or not self.flight.shares:
            raise refused("an empty list", "at least one number", "leave out the key")
        return self
