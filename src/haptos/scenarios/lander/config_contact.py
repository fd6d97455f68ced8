"""Scenario file of a lander: how probe and ground act on each other."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, model_validator

from haptos.contact.laws.normal_choice import LinearName
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    Table,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import one_of
from haptos.scenarios.worlds.config import GroundCoefficients, RockSizes, Share
from haptos.scenarios.worlds.config_foundation import FoundationLawTable


class CompliantContact(Table):
    """Spring-dampers at the vertices; the law's page is docs/models/compliant-contact.md."""

    law: Literal["compliant"] = Field(default="compliant", description="springs and dampers")
    normal: LinearName = Field(
        default="spring-damper",
        description="law of the normal force: damper on the way in only, or both ways",
    )
    stiffness_N_per_m: Positive = Field(description="spring of one vertex")
    damping_N_s_per_m: NotNegative | None = Field(default=None, description="damper of one vertex")
    restitution: Fraction | None = Field(
        default=None,
        description="of a central one-vertex impact, 0.002 to 1, in place of damping_N_s_per_m",
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
    def _one_damping(self) -> CompliantContact:
        if (self.damping_N_s_per_m is None) == (self.restitution is None):
            raise one_of(self, "damping_N_s_per_m", "restitution")
        if self.static_friction is not None and self.static_friction < self.friction:
            found = f"static_friction = {self.static_friction} below friction = {self.friction}"
            raise refused(found, "static_friction >= friction", "raise it, or leave it out")
        return self


class Regolith(Table):
    """Restitution that falls with the angle of impact; docs/models/regolith.md."""

    normal_restitution: Share = Field(description="e0, of steep impacts: the hard ground below")
    grazing_restitution: Share = Field(description="e1, of grazing impacts")
    critical_angle_deg: Annotated[Number, Field(ge=1e-6, le=90.0)] = Field(
        description="angle of impact above which restitution is that of steep impacts"
    )


class ImpulsiveContact(Table):
    """Impacts without duration, then sliding and rolling; docs/models/collision-stronge.md."""

    law: Literal["impulsive"] = Field(description="impacts in no time")
    restitution: Share = Field(description="e of an impact, 0 to 1")
    friction: NotNegative = Field(description="Coulomb coefficient")
    restitution_law: Literal["energetic", "kinematic", "kinetic"] = Field(
        default="energetic", description="what e is the ratio of: energies, speeds or impulses"
    )
    rolling_resistance_m: NotNegative = Field(default=0.0, description="C_RR R, a length")
    rolling_axes: tuple[Share, Share, Share] = Field(
        default=(1.0, 1.0, 1.0), description="share of it about B x, y, z"
    )
    stick_speed_m_per_s: Positive = Field(
        default=1e-5, description="v_s, slip below which sliding turns into sticking; assumed"
    )
    stick_rate_rad_per_s: Positive = Field(
        default=1e-4, description="w_s, rate below which rolling turns into locking; assumed"
    )
    contact_motion: bool = Field(
        default=True, description="slide, roll and rest once impacts are slow; else bounce on"
    )
    contact_speed_m_per_s: Positive = Field(
        default=1e-4, description="impacts slower than this end in contact or at rest; assumed"
    )
    lying_depth: Annotated[Number, Field(ge=1e-6, le=0.05)] = Field(
        default=1e-2,
        description="sink, in probe radii, of a probe that lies on its vertices under its weight; "
        "smaller is stiffer and slower; assumed",
    )
    regolith: Regolith | None = None
    rocks: GroundCoefficients | None = Field(default=None, description="coefficients of rocks")
    stochastic_rocks: RockSizes | None = Field(
        default=None, description="virtual rocks struck by chance, for comparison"
    )

    depth_limit: Positive = Field(
        default=0.5, description="deepest vertex, in probe radii, the law is believed for"
    )


class Foot(Table):
    """A foot fixed to the probe, which touches in its place."""

    shape: Literal["ball", "pad"] = Field(description="a ball, or a round pad along B z")
    position_m: Vector3 = Field(description="its centre from the centroid of the probe, B axes")
    radius_m: Positive = Field(description="of the ball or the pad")
    height_m: Positive | None = Field(default=None, description="of a pad; its radius if left out")

    @model_validator(mode="after")
    def _only_pads_have_height(self) -> Foot:
        if self.shape == "ball" and self.height_m is not None:
            raise refused("height_m of a ball", "radius_m alone", 'shape = "pad"')
        return self


class FoundationContact(FoundationLawTable):
    """Polygons of the probe or its feet on an elastic foundation; docs/models/elastic-foundation.md."""

    law: Literal["foundation"] = Field(description="pressure over the area in contact")
    feet: tuple[Foot, ...] = Field(default=(), description="that touch; the whole probe if none")
    levels: Annotated[Whole, Field(ge=0, le=6)] = Field(
        default=3, description="times a face that may touch is split by the middles of its edges"
    )
    splits: Annotated[Whole, Field(ge=0, le=6)] = Field(
        default=2, description="of a sphere: 8 x 4^splits faces"
    )
    depth_limit: Positive = Field(
        default=0.1, description="deepest contact, in probe radii, if max_depth_m is left out"
    )
    tolerance: Annotated[Number, Field(ge=1e-11, le=1e-4)] = Field(
        default=1e-8,
        description="of a step, as a share of the energy and of the probe's radius; those of [run] are of other laws",
    )
    ledger_bound: Positive = Field(default=1e-6, description="in place of that of [run]")


def _law(given: Any) -> str:
    """Which table a [contact] is; compliant if it does not say."""
    if isinstance(given, dict):
        return str(given.get("law", "compliant"))
    return str(getattr(given, "law", "compliant"))


AnyContact = Annotated[
    Annotated[CompliantContact, Tag("compliant")]
    | Annotated[ImpulsiveContact, Tag("impulsive")]
    | Annotated[FoundationContact, Tag("foundation")],
    Discriminator(_law),
]
