"""Tables of a net scenario for what the user adds: rigid bodies of his own, and more tethers."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from haptos.scenarios.net.config_parts import AXES, Attitude, TetherThread
from haptos.scenarios.schema import (
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


class RigidBody(Table):
    """A box of the user's own: weight, place, motion; what ties it to others is [[tethers]]."""

    name: Annotated[Text, Field(min_length=1, max_length=40)] = Field(
        description="by which tethers, profiles and controllers name it"
    )
    mass_kg: Positive = Field(description="of the body")
    size_m: PositiveVector3 = Field(description="along its axes")
    inertia_kg_m2: PositiveVector3 | None = Field(
        default=None, description="principal moments along its axes; that of the cuboid if left out"
    )
    position_m: Vector3 = Field(description="of its centre of mass, N axes")
    velocity_m_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="N axes")
    attitude_quaternion: Attitude = Field(default=AXES, description="quat_NB, scalar first")
    rate_deg_per_s: Vector3 = Field(default=(0.0, 0.0, 0.0), description="its own axes")
    touches: bool = Field(default=False, description="whether net and bullets touch it")
    modulus_Pa: Positive = Field(default=7.0e10, description="of its skin, where it is touched")
    friction: NotNegative = Field(default=0.3, description="of net and bullets on it; assumed")
    drag_coefficient: NotNegative = Field(default=2.2, description="of all its faces; assumed")
    reflection: Annotated[Number, Field(ge=0.0, le=2.0)] = Field(
        default=1.3, description="of light: 1 black, 2 a mirror; assumed"
    )

    @model_validator(mode="after")
    def _has_a_name_and_moments(self) -> RigidBody:
        if self.name in ("chaser", "target") or self.name.startswith("bullet"):
            allowed = "a name of its own, not chaser, target or bullet ..."
            raise refused(f"name = '{self.name}'", allowed, f"my {self.name}")
        if self.inertia_kg_m2 is not None:
            a, b, c = sorted(self.inertia_kg_m2)
            if a + b < c * (1.0 - 1e-9):
                found = f"inertia_kg_m2 = {list(self.inertia_kg_m2)}"
                raise refused(found, "two moments that add up to the third or more", f"{a + b:g}")
        return self


class OwnTether(TetherThread):
    """One more tether: from a knot of the net, or a point of a body, to a point of a body."""

    knot: Annotated[Whole, Field(ge=0)] | None = Field(
        default=None, description="of the net, from 0, in the order of its table"
    )
    corner: Annotated[Whole, Field(ge=0)] | None = Field(
        default=None, description="knot of this bullet, from 0, in place of knot"
    )
    first_body: Text | None = Field(default=None, description="in place of a knot: body it is from")
    first_point_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of that body, its axes")
    body: Text = Field(default="chaser", description="it leads to; the reel is there")
    point_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of that body, its axes")
    length_m: Positive = Field(description="without load")

    @model_validator(mode="after")
    def _one_first_end(self) -> OwnTether:
        ends = {"knot": self.knot, "corner": self.corner, "first_body": self.first_body}
        given = [key for key, value in ends.items() if value is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none of knot, corner, first_body"
            raise refused(found, "exactly one of them", "corner = 0")
        if self.first_body == self.body:
            raise refused(f"both ends on '{self.body}'", "two bodies", "another first_body")
        return self
