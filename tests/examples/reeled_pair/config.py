"""Keys of a file with scenario = "reeled-pair"; the world's tables are those every scenario shares."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.run_settings import SystemConfig
from haptos.scenarios.schema import NotNegative, Positive, Table, Vector3, Whole
from haptos.scenarios.worlds.config import (
    AnyGravity,
    AnySpin,
    AnySurface,
    NoSpin,
    Regions,
    TerrainTable,
    check_world,
)


class End(Table):
    """A ball at one end of the cable; place and velocity in axes fixed to the small body."""

    mass_kg: Positive = Field(description="of the ball")
    radius_m: Positive = Field(description="of the ball, the cable is tied to its centre")
    position_m: Vector3 = Field(description="of its centre at the start")
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="at the start")


class Cable(Table):
    """The cable between them, and its reel in the first body."""

    material: Literal["nylon 66", "kevlar 29", "technora braid"] = Field(
        description="of the fibres"
    )
    diameter_m: Positive = Field(description="of the cable")
    length_m: Positive = Field(description="without load, at the start")
    elements: Annotated[Whole, Field(ge=1, le=200)] = Field(default=8, description="it is cut into")
    reel_to_m: Positive | None = Field(default=None, description="length after reeling")
    reel_start_s: NotNegative = Field(default=0.0, description="of reeling")
    reel_duration_s: Positive = Field(default=100.0, description="of reeling")
    reel_stall_N: Positive = Field(default=50.0, description="largest tension it winds against")


class Contact(Table):
    """The balls on the ground."""

    stiffness_N_per_m1p5: Positive = Field(default=1.0e4, description="of Hertz's law; assumed")
    restitution: Annotated[Positive, Field(le=1.0)] = Field(default=0.4, description="nominal")
    friction: NotNegative = Field(default=0.5, description="Coulomb coefficient; assumed")


class Config(SystemConfig):
    """Two balls on a cable over a small body."""

    scenario: Literal["reeled-pair"]
    surface: AnySurface
    terrain: TerrainTable = TerrainTable()
    regions: Regions = ()
    gravity: AnyGravity
    spin: AnySpin = NoSpin()
    first: End
    second: End
    cable: Cable
    contact: Contact = Contact()

    @model_validator(mode="after")
    def _the_world_fits(self) -> Config:
        check_world(self)
        return self
