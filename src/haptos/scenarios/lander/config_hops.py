"""Scenario file of a lander: the device that makes it hop again after it has come to rest."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import NotNegative, Number, Positive, Table, Vector3, Whole
from haptos.scenarios.table_rules import SHORTEST, no_length, one_of

MOST_HOPS = 1000
PulseTime = Annotated[Number, Field(ge=1e-6, le=1e6)]  # shorter ones vanish in the time of a run


class Hops(Table):
    """What both devices share; docs/models/momentum-device.md."""

    count: Annotated[Whole, Field(ge=0, le=MOST_HOPS)] = Field(description="hops, 0 for none")
    wait_s: NotNegative = Field(default=0.0, description="pause at rest before each hop")
    duration_s: PulseTime = Field(description="how long the device acts in one hop")
    axis: Vector3 | None = Field(
        default=None, description="direction of the torque on the hull, B axes, any length"
    )
    toward_m: Vector3 | None = Field(
        default=None,
        description="place, A axes, to hop toward, in place of axis: the torque is level with the "
        "ground and rolls the probe that way; takes three wheels",
    )

    @model_validator(mode="after")
    def _one_direction(self) -> Hops:
        if (self.axis is None) == (self.toward_m is None):
            raise one_of(self, "axis", "toward_m")
        if self.axis is not None and math.hypot(*self.axis) < SHORTEST:
            raise no_length("axis", self.axis)
        return self


class TorquePulse(Hops):
    """A motor turns a wheel at rest, and the hull the other way."""

    device: Literal["torque pulse"]
    torque_N_m: Positive = Field(description="on the hull, constant while the device acts")

    @property
    def impulse(self) -> float:
        """Angular momentum [N m s] given to the hull in one hop."""
        return self.torque_N_m * self.duration_s

    @property
    def first_momentum(self) -> float:
        """Angular momentum [N m s] of the wheel before a hop."""
        return 0.0


class FlywheelBrake(Hops):
    """A running wheel is braked to a stop, and takes the hull along."""

    device: Literal["flywheel brake"]
    wheel_inertia_kg_m2: Positive = Field(description="of the wheel about its axis")
    wheel_speed_rad_per_s: Positive = Field(description="of the wheel before it is braked")

    @property
    def impulse(self) -> float:
        """Angular momentum [N m s] given to the hull in one hop."""
        return self.wheel_inertia_kg_m2 * self.wheel_speed_rad_per_s

    @property
    def first_momentum(self) -> float:
        """Angular momentum [N m s] of the wheel before a hop."""
        return self.impulse


AnyHops = Annotated[TorquePulse | FlywheelBrake, Field(discriminator="device")]
