"""Keys of [closing]: how winches draw the mouth of a net together."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import NotNegative, Number, Positive, Table, Whole, refused


class NetClosing(Table):
    """Winches at the bullets' knots that draw the mouth together after the first touch."""

    kind: Literal["free", "interlaced", "running"] = Field(
        default="free",
        description="straight from winch to winch; in pieces between the mouth's knots; or one "
        "line that runs through rings at these knots",
    )
    area_reduction: Annotated[Number, Field(ge=1e-6, lt=1.0)] = Field(
        default=0.99, description="of the mouth"
    )
    duration_s: Positive = Field(default=1.0, description="of winding")
    delay_s: NotNegative = Field(default=0.0, description="after the first touch")
    winding_times_s: tuple[NotNegative, ...] = Field(
        default=(), description="of a profile after the first touch, in place of delay and duration"
    )
    winding_shares: tuple[Annotated[Number, Field(ge=0.0, le=1.0)], ...] = Field(
        default=(), description="of the way to the final length at these times, from 0 on"
    )
    limited: bool = Field(
        default=True,
        description="winches have a stall force and a power; false: they hold their speed whatever "
        "the tension",
    )
    stall_force_N: Positive | None = Field(
        default=None,
        description="tension at which a winch stops until it falls; if left out, twice the pull of "
        "its line as it draws the two bullets at its ends together",
    )
    power_W: Positive | None = Field(
        default=None,
        description="of one winch; if left out, enough for full speed at half the stall force",
    )
    failed: tuple[Whole, ...] = Field(
        default=(), description="winches that do not work, from 0; -1 for none"
    )
    diameter_m: Positive = Field(default=1.0e-3, description="of the closing line")
    nodes: Annotated[Whole, Field(ge=0, le=1000)] = Field(
        default=0,
        description="masses along each straight line; without, its mass is with its two winches",
    )
    carries_mass: bool = Field(
        default=True, description="whether thread that is wound adds to winches"
    )

    @property
    def start_s(self) -> float:
        """When winding begins, after the first touch."""
        return self.winding_times_s[0] if self.winding_times_s else self.delay_s

    @model_validator(mode="after")
    def _nodes_have_a_place(self) -> NetClosing:
        if self.nodes and self.kind != "free":
            found = f"nodes = {self.nodes} with kind = '{self.kind}'"
            raise refused(found, "nodes of lines straight from winch to winch", "kind = 'free'")
        return self

    @model_validator(mode="after")
    def _profile_fits(self) -> NetClosing:
        times, shares = self.winding_times_s, self.winding_shares
        if not times and not shares:
            return self
        if len(times) != len(shares) or len(times) < 2:
            found = f"{len(times)} winding_times_s and {len(shares)} winding_shares"
            raise refused(found, "two or more, as many of each", "count them")
        if shares[0] != 0.0 or any(b <= a for a, b in pairwise(times)):
            found = f"winding_times_s = {list(times)}, winding_shares = {list(shares)}"
            raise refused(found, "rising times, and a first share of 0", "winding_shares = [0, 1]")
        if self.delay_s > 0.0:
            found = "winding_times_s beside delay_s"
            raise refused(found, "a profile that begins with the delay", "remove delay_s")
        return self

    @model_validator(mode="after")
    def _limits_are_those_of_limited_winches(self) -> NetClosing:
        if not self.limited and (self.stall_force_N is not None or self.power_W is not None):
            found = "stall_force_N or power_W beside limited = false"
            raise refused(found, "one of them", "remove limited = false")
        return self
