"""Scenario file: the elastic foundation as a contact law, for every scenario that takes it."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.contact.laws.foundation import FoundationLaw
from haptos.contact.laws.foundation_modulus import layer_modulus, series_modulus, shear_modulus
from haptos.contact.sets.polygons_pair import foundation_law
from haptos.scenarios.schema import NotNegative, Number, Positive, Table, refused

SHEAR_SHARE = 0.3  # [-] of K, if neither a shear modulus nor a layer is given: a layer of nu 0.29


class ElasticLayer(Table):
    """An elastic layer of one of the bodies."""

    youngs_modulus_Pa: Positive = Field(description="of the layer")
    poisson: Annotated[Number, Field(ge=0.0, lt=0.5)] = Field(
        description="at most 0.45 if confined"
    )
    thickness_m: Positive = Field(description="of the layer")
    model: Literal["confined", "unconfined", "bonded_pad"] = Field(
        default="confined", description="how the layer is held"
    )
    shape_factor: Positive | None = Field(
        default=None, description="of a bonded pad: loaded area over free side area"
    )


class FoundationLawTable(Table):
    """Numbers of the elastic foundation; its page is docs/models/elastic-foundation.md."""

    modulus_Pa_per_m: Positive | None = Field(
        default=None, description="foundation modulus K; or layers"
    )
    layers: tuple[ElasticLayer, ...] = Field(default=(), description="of both bodies, in series")
    damping_Pa_s_per_m: NotNegative = Field(default=0.0, description="D")
    damping_depth_m: NotNegative = Field(default=0.0, description="over which damping fades in")
    expansion: Literal["no_tension", "no_expansion_damping", "full"] = Field(
        default="no_tension", description="damping while the bodies part"
    )
    friction: NotNegative = Field(default=0.0, description="while slipping")
    friction_at_rest: NotNegative | None = Field(
        default=None, description="as friction if left out"
    )
    shear_modulus_Pa_per_m: Positive | None = Field(
        default=None, description="K_T; that of the first layer, or 0.3 K, if left out"
    )
    shear_damping_Pa_s_per_m: NotNegative = Field(default=0.0, description="of sticking")
    stick_speed_m_per_s: Positive = Field(
        default=1e-3, description="from which friction falls to its slipping value"
    )
    max_depth_m: Positive | None = Field(
        default=None, description="deepest contact followed; deeper ends the run"
    )
    integral: Literal["clipped", "centres", "seed"] = Field(
        default="clipped",
        description="over a leaf: closed form, its middle, middles of leaves inside",
    )
    resets_anchors: bool = Field(
        default=False, description="a slip lets go of the stretch, as published"
    )

    @model_validator(mode="after")
    def _one_modulus(self) -> FoundationLawTable:
        if (self.modulus_Pa_per_m is None) == (not self.layers):
            found = "no modulus" if not self.layers else "modulus_Pa_per_m and layers"
            raise refused(found, "one of modulus_Pa_per_m, layers", "modulus_Pa_per_m = 1e9")
        if self.damping_Pa_s_per_m > 0.0 and self.damping_depth_m == 0.0:
            found = "damping_Pa_s_per_m without damping_depth_m"
            raise refused(found, "damping_depth_m above 0", "a tenth of the depth")
        return self


def law_of(contact: FoundationLawTable) -> FoundationLaw:
    """The law as kernels read it."""
    layers = [
        layer_modulus(
            one.youngs_modulus_Pa, one.poisson, one.thickness_m, one.model, one.shape_factor
        )
        for one in contact.layers
    ]
    modulus = contact.modulus_Pa_per_m or series_modulus(*layers)
    poisson = contact.layers[0].poisson if contact.layers else math.nan
    own = shear_modulus(modulus, poisson) if contact.layers else SHEAR_SHARE * modulus
    return foundation_law(
        modulus,
        damping=contact.damping_Pa_s_per_m,
        damping_depth=contact.damping_depth_m,
        expansion=contact.expansion,
        shear=contact.shear_modulus_Pa_per_m or own,
        shear_damping=contact.shear_damping_Pa_s_per_m,
        friction=contact.friction,
        friction_at_rest=contact.friction_at_rest,
        stick_speed=contact.stick_speed_m_per_s,
        integral=contact.integral,
        resets=contact.resets_anchors,
    )
