"""Scenario file of a lander: the probe."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from haptos.core.units import LengthUnit
from haptos.scenarios.schema import (
    Positive,
    PositiveVector3,
    Table,
    Text,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import Matrix3, check_inertia, one_of


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
