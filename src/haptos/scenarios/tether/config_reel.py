"""Reels of a tether in its file: what they follow, and what limits them."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field, model_validator

from haptos.dynamics.cable.reel_build import ReelParts
from haptos.scenarios.schema import NotNegative, Positive, Table, refused

BY_TENSION = ("tension", "brake")
NEEDS = {
    "tension": ("tension_N",),
    "brake": ("tension_N",),
    "clutch": ("tension_N", "slope_N_s_per_m"),
    "servo": ("drum_mass_kg",),
}


class ReelTable(Table):
    """A reel: by the steps of the file, or by the tension of the line."""

    law: Literal["prescribed", "tension", "brake", "clutch", "servo"] = Field(
        default="prescribed",
        description="prescribed, clutch, servo follow the steps; tension holds one both ways; brake never reels in",
    )
    tension_N: Positive | None = Field(
        default=None, description="held by tension and brake; above which a clutch slips"
    )
    ramp_s: NotNegative = Field(default=0.0, description="over which tension and brake rise from 0")
    slope_N_s_per_m: Positive | None = Field(
        default=None,
        description="tension over slip speed of a clutch; of tension and brake on a line without damping",
    )
    drum_mass_kg: Positive | None = Field(default=None, description="J/R^2 of a servo's drum")
    feed: Literal["drum", "coil"] = Field(default="drum", description="how the line leaves")
    largest_speed_m_per_s: Positive | None = Field(default=None, description="none if left out")
    largest_force_N: Positive | None = Field(
        default=None, description="at which the reel slips; none if left out"
    )
    largest_power_W: Positive | None = Field(
        default=None, description="of brake and motor; none if left out"
    )
    largest_acceleration_m_per_s2: Positive | None = Field(
        default=None, description="none if left out"
    )
    stall_N: Positive | None = Field(
        default=None, description="at which its motor takes no more in; none if left out"
    )

    @model_validator(mode="after")
    def _complete(self) -> ReelTable:
        for name in NEEDS.get(self.law, ()):
            if getattr(self, name) is None:
                raise refused(
                    f"law = '{self.law}' without {name}", f"{name} above 0", f"{name} = 2.0"
                )
        return self

    def parts(self, fastest: float) -> ReelParts:
        """Limits; fastest [m/s] that reels of the run can do."""
        return ReelParts(
            fastest=fastest if self.largest_speed_m_per_s is None else self.largest_speed_m_per_s,
            force=self.largest_force_N or math.inf,
            power=self.largest_power_W or math.inf,
            stall=self.stall_N or math.inf,
            acceleration=self.largest_acceleration_m_per_s2 or math.inf,
            is_drum=self.feed == "drum",
        )
