"""Tables of scenario files on the world: ground, terrain, regions, gravity, spin, primary, sunlight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

import numpy as np
from pydantic import Field, model_validator

from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.geometry.terrain.regions import MOST_REGIONS
from haptos.scenarios.bodies import BuiltInBody, MeshFile
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    Table,
    Text,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import SHORTEST, check_inertia, no_length, one_of

Share = Annotated[Number, Field(ge=0.0, le=1.0)]
Latitude = Annotated[Number, Field(ge=-90.0, le=90.0)]
Longitude = Annotated[Number, Field(ge=-360.0, le=360.0)]


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


class CapsuleSurface(Table):
    shape: Literal["capsule"]
    radius_m: Positive = Field(description="of the cylinder and of its round ends")
    length_m: Positive = Field(description="of the cylinder along A x, without its ends")


class GridSurface(Table):
    """What grounds made from a triangle mesh share."""

    grid_spacing_m: Positive | None = Field(
        default=None,
        description="of the distance grid; if left out the mean side of a facet, or less where the body is thin",
    )


class BodySurface(BuiltInBody, GridSurface):
    pass


class MeshSurface(MeshFile, GridSurface):
    recentre: bool = Field(
        default=True, description="move the origin to the centre of mass, and say by how much"
    )


AnySurface = Annotated[
    PlaneSurface | SphereSurface | EllipsoidSurface | CapsuleSurface | BodySurface | MeshSurface,
    Field(discriminator="shape"),
]


class NoiseTerrain(Table):
    """Fractal relief; the law's page is docs/models/noise.md."""

    relief_m: Positive = Field(description="from the deepest trough to the highest peak")
    longest_m: Positive = Field(description="spacing of the widest features")
    octaves: Annotated[Whole, Field(ge=1, le=24)] = Field(default=6, description="1 to 24")
    increment: Annotated[Number, Field(ge=1e-6, le=2.0)] = Field(
        default=0.8, description="H; larger is smoother"
    )
    lacunarity: Annotated[Number, Field(ge=1.01, le=4.0)] = Field(
        default=2.0 * math.pi / 3.0, description="frequency ratio of two octaves, irrational"
    )
    kind: Literal["plain", "ridged"] = Field(default="plain", description="plain or ridged")


class RockSizes(Table):
    """What both rock models share: how many of which size."""

    rocks_per_m2: Positive = Field(description="K, rocks larger than smallest_m per area")
    power: Annotated[Number, Field(ge=1.001, le=6.0)] = Field(
        default=2.8, description="alpha of the size law"
    )
    smallest_m: Positive = Field(default=0.05, description="diameter of the smallest rock")
    largest_m: Positive = Field(default=0.5, description="diameter of the largest rock")

    @model_validator(mode="after")
    def _sizes_are_ordered(self) -> RockSizes:
        if not self.largest_m > self.smallest_m:
            found = f"smallest_m = {self.smallest_m} and largest_m = {self.largest_m}"
            raise refused(found, "largest_m > smallest_m", "swap them")
        return self


class SeededRocksTerrain(RockSizes):
    """Procedurally seeded rocks; the law's page is docs/models/rocks-seeded.md."""

    model: Literal["seeded"]
    rock_shape: Literal[
        "octahedron", "icosahedron", "truncated icosahedron", "dodecahedron",
        "truncated octahedron",
    ] = Field(default="icosahedron", description="of the generalised distance")  # fmt: skip
    sharpness: Annotated[Number, Field(ge=2.0, le=200.0)] = Field(
        default=20.0, description="p of the generalised distance; 2 is round, 100 sharp"
    )
    fillet: Annotated[Number, Field(ge=0.0, le=0.1)] = Field(
        default=0.02,
        description="of the creases between rocks and ground, in smallest rocks; 0 none, and slow; assumed",
    )


class PolyhedralRocksTerrain(RockSizes):
    """Icosahedra seeded on every facet; the law's page is docs/models/rocks-polyhedral.md."""

    model: Literal["polyhedral"]
    jitter: Annotated[Number, Field(ge=0.0, le=0.1)] = Field(
        default=0.05, description="of each vertex, as a share of the size; assumed"
    )
    sink: tuple[Number, Number] = Field(
        default=(-0.4, 0.25), description="least and most sinking, as shares of the size"
    )


AnyRocks = Annotated[SeededRocksTerrain | PolyhedralRocksTerrain, Field(discriminator="model")]


class TerrainTable(Table):
    """What lies on the ground finer than its shape; the same for the same seed."""

    noise: NoiseTerrain | None = None
    rocks: AnyRocks | None = None
    seed: Annotated[Whole, Field(ge=0, lt=2**63)] = Field(
        default=0, description="of noise and rocks; not that of the runs"
    )


class GroundCoefficients(Table):
    """Contact coefficients of a kind of ground; those of [contact] where left out."""

    restitution: Share | None = Field(default=None, description="0 to 1")
    friction: NotNegative | None = Field(default=None, description="Coulomb coefficient")
    rolling_resistance_m: NotNegative | None = Field(default=None, description="C_RR, a length")


class Region(GroundCoefficients):
    """Ground of its own: drawn by one of the three kinds of limit."""

    name: Text = ""
    latitude_deg: tuple[Latitude, Latitude] | None = Field(
        default=None, description="south and north limit of a box"
    )
    longitude_deg: tuple[Longitude, Longitude] | None = Field(
        default=None, description="west and east limit of a box, going east"
    )
    polygon_deg: tuple[tuple[Longitude, Latitude], ...] | None = Field(
        default=None, description="corners (longitude, latitude) joined by great circles"
    )
    geopotential_above_m2_per_s2: Number | None = Field(
        default=None, description="ground where U + |Omega x r|^2/2 is above this: lowlands"
    )
    geopotential_share: Fraction | None = Field(
        default=None, description="this share of the facets, the lowest in geopotential height"
    )
    relief_share: NotNegative = Field(default=1.0, description="of the noise, here")
    rock_share: Share = Field(default=1.0, description="of the rocks, here, 0 to 1")

    @model_validator(mode="after")
    def _one_outline(self) -> Region:
        box = self.latitude_deg is not None or self.longitude_deg is not None
        given = [box, self.polygon_deg is not None, self.geopotential_above_m2_per_s2 is not None]
        given.append(self.geopotential_share is not None)
        if sum(given) != 1:
            raise refused(
                f"{sum(given)} outlines",
                "one of: latitude_deg and longitude_deg, polygon_deg, "
                "geopotential_above_m2_per_s2, geopotential_share",
                "latitude_deg = [60, 90] for a polar cap",
            )
        if self.latitude_deg is not None and self.latitude_deg[0] >= self.latitude_deg[1]:
            found = f"latitude_deg = {list(self.latitude_deg)}"
            raise refused(found, "south limit below north limit", "swap them")
        if self.longitude_deg is not None and self.longitude_deg[0] == self.longitude_deg[1]:
            found = f"longitude_deg = {list(self.longitude_deg)}"
            raise refused(found, "two limits that differ", "[-180, 180] for all of them")
        if self.polygon_deg is not None and not 3 <= len(self.polygon_deg) <= 10_000:
            found = f"polygon_deg with {len(self.polygon_deg)} corners"
            raise refused(found, "3 to 10000 corners", "give (longitude, latitude) pairs")
        return self


Regions = tuple[Region, ...]


class UniformGravity(Table):
    model: Literal["uniform"]
    acceleration_m_per_s2: Vector3 = Field(description="the same everywhere, A axes")


class PointGravity(Table):
    model: Literal["point"]
    mu_m3_per_s2: Positive = Field(description="gravitational parameter G M")


class BodyGravity(Table):
    """What homogeneous bodies share: their strength, given in one of two ways."""

    mu_m3_per_s2: Positive | None = Field(default=None, description="gravitational parameter G M")
    density_kg_per_m3: Positive | None = Field(
        default=None, description="bulk density, in place of mu_m3_per_s2"
    )

    @model_validator(mode="after")
    def _one_strength(self) -> BodyGravity:
        if (self.mu_m3_per_s2 is None) == (self.density_kg_per_m3 is None):
            raise one_of(self, "mu_m3_per_s2", "density_kg_per_m3")
        return self


class EllipsoidGravity(BodyGravity):
    model: Literal["ellipsoid"]
    semi_axes_m: PositiveVector3 = Field(description="semi-axes along A x, y, z")


class PolyhedronGravity(BodyGravity):
    """Homogeneous body of the surface's mesh, tabulated; docs/models/gravity-table.md."""

    model: Literal["polyhedron"]
    facets: Annotated[Whole, Field(ge=100)] = Field(
        default=5_000, description="of the mesh gravity is computed from; fewer is faster to fill"
    )
    table_spacing_m: Positive | None = Field(
        default=None, description="of the table; a fortieth of the body's radius if left out"
    )


AnyGravity = Annotated[
    UniformGravity | PointGravity | EllipsoidGravity | PolyhedronGravity,
    Field(discriminator="model"),
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


class Primary(Table):
    """A larger body that rests in A axes: the small body always shows it the same side."""

    mu_m3_per_s2: Positive = Field(description="gravitational parameter G M of the primary")
    position_m: Vector3 = Field(description="from the centre of the small body, A axes")

    @model_validator(mode="after")
    def _is_elsewhere(self) -> Primary:
        if math.hypot(*self.position_m) < 1.0:
            raise no_length("position_m", self.position_m)
        return self


class Sunlight(Table):
    """Pressure of sunlight on the probe as on a ball; docs/models/gravity-terms.md."""

    direction: Vector3 = Field(description="to the Sun, inertial axes (A axes at time zero)")
    distance_au: Positive = Field(default=1.0, description="from the Sun, in astronomical units")
    area_m2: Positive = Field(description="cross-section of the probe")
    reflectivity: Share = Field(default=0.3, description="0 absorbs, 1 mirrors back; assumed")

    @model_validator(mode="after")
    def _points_somewhere(self) -> Sunlight:
        if math.hypot(*self.direction) < SHORTEST:
            raise no_length("direction", self.direction)
        return self


class Air(Table):
    """Air that turns with the ground, and its drag as on a ball; docs/models/drag.md."""

    density_kg_per_m3: Positive = Field(
        description="at altitude 0: a plane's, or the body's radius"
    )
    scale_height_m: Positive | None = Field(
        default=None, description="in which it falls by e; the same density everywhere if left out"
    )
    wind_m_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the air over the ground, A axes"
    )
    drag_coefficient: Positive = Field(default=1.0, description="c_d; assumed")
    area_m2: Positive = Field(description="cross-section that drag acts on")


class WorldTables(Protocol):
    """The tables of a scenario file that describe its world."""

    @property
    def surface(self) -> AnySurface: ...
    @property
    def terrain(self) -> TerrainTable: ...
    @property
    def regions(self) -> Regions: ...
    @property
    def gravity(self) -> AnyGravity: ...
    @property
    def spin(self) -> AnySpin: ...


class OpenTables(Protocol):
    """The tables of a scenario file that may name a ground."""

    @property
    def surface(self) -> AnySurface | None: ...
    @property
    def terrain(self) -> TerrainTable: ...
    @property
    def gravity(self) -> AnyGravity | None: ...
    @property
    def spin(self) -> AnySpin: ...


@dataclass(frozen=True)
class SiteWorld:
    """The tables that describe the world under a scenario which may also be without a ground."""

    surface: AnySurface
    terrain: TerrainTable
    gravity: AnyGravity
    spin: AnySpin
    regions: Regions = ()

    @classmethod
    def of(cls, config: OpenTables) -> SiteWorld | None:
        """The world of a scenario file; None without a ground."""
        if config.surface is None or config.gravity is None:
            return None
        return cls(config.surface, config.terrain, config.gravity, config.spin)


def check_world(tables: WorldTables) -> None:
    """Refuse tables that do not fit together."""
    shape = tables.surface.shape
    on_mesh = isinstance(tables.surface, BodySurface | MeshSurface)
    if isinstance(tables.gravity, PolyhedronGravity) and not on_mesh:
        raise refused(
            f"gravity.model = 'polyhedron' with surface.shape = '{shape}'",
            "a surface with a mesh: body or mesh",
            "uniform, point or ellipsoid gravity, or another surface",
        )
    if isinstance(tables.terrain.rocks, PolyhedralRocksTerrain) and not on_mesh:
        raise refused(
            f"terrain.rocks.model = 'polyhedral' with surface.shape = '{shape}'",
            "a surface with facets: body or mesh",
            "model = 'seeded'",
        )
    if len(tables.regions) > MOST_REGIONS:
        found = f"{len(tables.regions)} tables [[regions]]"
        raise refused(found, f"up to {MOST_REGIONS}", "join those with the same coefficients")
    if tables.regions and shape == "plane":
        raise refused("regions on a plane", "a closed body", "sphere, ellipsoid, body or mesh")


def fall_speeds(gravity: AnyGravity, surface: AnySurface, place: Vector3) -> dict[str, float]:
    """Words -> speed [m/s] that gravity explains at a place of A axes [m]; none where that takes a mesh."""
    if isinstance(gravity, UniformGravity):
        if not isinstance(surface, PlaneSurface):
            return {}
        rise = (p - q for p, q in zip(place, surface.point_m, strict=True))
        up = math.hypot(*surface.normal)
        height = sum(r * n for r, n in zip(rise, surface.normal, strict=True)) / up
        strength = math.hypot(*gravity.acceleration_m_per_s2)
        return {"a fall from there": math.sqrt(2.0 * strength * abs(height))}
    mu, far = gravity.mu_m3_per_s2, math.hypot(*place)
    if mu is None and isinstance(gravity, EllipsoidGravity):
        volume = 4.0 / 3.0 * math.pi * math.prod(gravity.semi_axes_m)
        mu = GRAVITATIONAL_CONSTANT * (gravity.density_kg_per_m3 or 0.0) * volume
    return (
        {} if mu is None or far == 0.0 else {"the speed of escape there": math.sqrt(2.0 * mu / far)}
    )
