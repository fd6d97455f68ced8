"""Small bodies as scenario files name them, alike in every scenario: built in, or a mesh file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from haptos.core.units import LengthUnit
from haptos.scenarios.schema import Table, Text, Whole

Level = Annotated[Whole, Field(ge=2, le=8)]
FACETS = "times an icosahedron is split: 20 x 4^level facets, 2 to 8"


class BuiltInBody(Table):
    """A body made by code; docs/models/procedural-bodies.md."""

    shape: Literal["body"]
    body: Literal["bilobe", "top", "spinner", "comet", "potato"] = Field(
        description="built-in body: Itokawa-like, Bennu-like, KW4-like, 67P-like, Phobos-like"
    )
    level: Level = Field(default=6, description=FACETS)
    relief_seed: Annotated[Whole, Field(ge=0, lt=2**63)] = Field(
        default=0, description="of the body's own relief"
    )


class MeshFile(Table):
    """A body read from a file; docs/models/shape-files.md."""

    shape: Literal["mesh"]
    file: Text = Field(description="closed triangle mesh (OBJ, STL, PLY, PDS .tab, ICQ)")
    unit: LengthUnit = Field(description="length unit of the file")
    repair: bool = Field(
        default=False, description="join doubled vertices, drop empty facets, unify winding"
    )
