"""Table of a net scenario whose rigid bodies touch by polygons on an elastic foundation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from haptos.scenarios.schema import Positive, Whole
from haptos.scenarios.worlds.config_foundation import FoundationLawTable


class BodiesFoundation(FoundationLawTable):
    """Chaser, target and [[bodies]] against each other and the ground; docs/models/body-polygons.md."""

    levels: Annotated[Whole, Field(ge=0, le=6)] = Field(
        default=4, description="times a face that may touch is split by the middles of its edges"
    )
    two_pass: bool = Field(
        default=True, description="mean of both bodies as the one with faces; else the smaller one"
    )
    depth_limit: Positive = Field(
        default=0.05,
        description="deepest contact over the smaller body's size, if max_depth_m is left out",
    )
