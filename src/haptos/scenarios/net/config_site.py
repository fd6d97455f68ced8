"""Table of a net over a small body: where it starts there and which way it is shot; and what does not fit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from haptos.scenarios.schema import Positive, Table, Vector3
from haptos.scenarios.table_rules import SHORTEST, no_length
from haptos.scenarios.worlds.config import (
    NoSpin,
    TerrainTable,
)

if TYPE_CHECKING:
    from haptos.scenarios.net.config import Config

Misfit = tuple[str, str, str]  # found, allowed, hint


class NetSite(Table):
    """Where the chaser starts over a small body; A axes, which are fixed to it."""

    position_m: Vector3 = Field(description="of the chaser's centre from the origin of A")
    toward: Vector3 | None = Field(
        default=None, description="direction of the shot, any length; straight down if left out"
    )
    rest_speed_m_per_s: Positive = Field(
        default=0.01, description="a net of which nothing is faster at the end lies still; assumed"
    )

    @model_validator(mode="after")
    def _points_somewhere(self) -> NetSite:
        if self.toward is not None and math.hypot(*self.toward) < SHORTEST:
            raise no_length("toward", self.toward)
        return self


def site_misfit(config: Config) -> Misfit | None:
    """(found, allowed, hint) of the first table that makes no sense with or without a ground, or None."""
    if config.surface is None:
        given = {
            "[gravity]": config.gravity is not None, "[site]": config.site is not None,
            "[spin]": config.spin != NoSpin(), "[terrain]": config.terrain != TerrainTable(),
        }  # fmt: skip
        for name, is_there in given.items():
            if is_there:
                hint = 'surface = { shape = "plane" }, or [environment] for a net without a ground'
                return f"{name} without [surface]", "these tables together with [surface]", hint
        return None
    for name in ("gravity", "site"):
        if getattr(config, name) is None:
            hint = "[site] position_m = [0.0, 0.0, 10.0]"
            if name == "gravity":
                hint = 'gravity = { model = "point", mu_m3_per_s2 = 4.463e5 }'
            return f"[surface] without [{name}]", "[surface], [gravity] and [site] together", hint
    kind, contact = config.environment.kind, config.contact
    if kind not in ("free", "auto"):
        found = f"environment.kind = '{kind}' beside [surface]"
        return found, "the world of [surface] and [gravity], or [environment]", "leave out kind"
    if contact.model == "sticky":
        return "contact.model = 'sticky' beside [surface]", "elastic", "leave out model"
    if contact.remembers:
        found = "contact.remembers = true beside [surface]"
        return found, "friction without memory on a ground", "leave out remembers"
    return None
