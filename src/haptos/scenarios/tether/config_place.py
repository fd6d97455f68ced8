"""Where a tether is: free space, an orbit, or over the ground of a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from haptos.scenarios.schema import Number, Positive, Table, Vector3
from haptos.scenarios.worlds.config import (
    NoSpin,
    TerrainTable,
    TumblingSpin,
)

if TYPE_CHECKING:
    from haptos.scenarios.tether.config import Config

Angle = Annotated[Number, Field(ge=-360.0, le=360.0)]


class FreeSpace(Table):
    """No gravity; N axes do not turn."""

    kind: Literal["free"]


class TetherOrbit(Table):
    """Along a Kepler orbit from six elements. Axes of the file are ORF: x along flight, y orbit normal, z up."""

    kind: Literal["orbit"]
    semi_major_axis_km: Positive = Field(description="of the orbit of the centre of mass")
    eccentricity: Annotated[Number, Field(ge=0.0, le=0.9)] = Field(
        default=0.0, description="below 0.9"
    )
    inclination_deg: Annotated[Number, Field(ge=0.0, le=180.0)] = Field(
        default=0.0, description="to the equator"
    )
    node_deg: Angle = Field(default=0.0, description="of the ascending node")
    periapsis_deg: Angle = Field(default=0.0, description="argument of periapsis")
    true_anomaly_deg: Angle = Field(default=0.0, description="at the start")
    mu_m3_per_s2: Positive = Field(default=3.986004418e14, description="G M of the primary")
    primary_radius_km: Positive = Field(default=6378.137, description="for eclipses")
    has_gradient_torque: bool = Field(default=True, description="on bodies with an inertia")


class TetherSite(Table):
    """Over the ground of [surface] with its [gravity] and [spin], in axes A that turn with it.

    The origin is the start of the first attachment.
    """

    kind: Literal["site"]
    position_m: Vector3 = Field(description="of the first attachment from the origin of A, A axes")


AnyPlace = Annotated[FreeSpace | TetherOrbit | TetherSite, Field(discriminator="kind")]


def misfit(config: Config) -> tuple[str, str, str] | None:
    """(found, allowed, hint) of the first table that makes no sense where the tether is, or None."""
    is_site, is_orbit = isinstance(config.place, TetherSite), isinstance(config.place, TetherOrbit)
    if not is_site:
        given = {
            "[surface]": config.surface is not None, "[gravity]": config.gravity is not None,
            "[spin]": config.spin != NoSpin(), "[terrain]": config.terrain != TerrainTable(),
            "[contact]": config.contact is not None,
        }  # fmt: skip
        for name, is_there in given.items():
            if is_there:
                return f"{name} with place.kind = '{config.place.kind}'", "only over a site", "leave it out"  # fmt: skip
    for name in ("surface", "gravity"):
        if is_site and getattr(config, name) is None:
            hint = 'surface = { shape = "plane" }'
            if name == "gravity":
                hint = 'gravity = { model = "uniform", acceleration_m_per_s2 = [0.0, 0.0, -1e-4] }'
            return f"a site without [{name}]", "[surface] and [gravity] of a site", hint
    if config.air is not None and not (is_orbit or is_site):
        return "[air] with place.kind = 'free'", "in orbit or over a site", "leave out [air]"
    if config.air is not None and any(config.air.wind_m_per_s) and is_orbit:
        return "air.wind_m_per_s in orbit", "over a site", "turns = true"
    if config.air is not None and config.air.turns and is_site:
        return "air.turns over a site", "in orbit; over a site air turns with the ground", "wind_m_per_s"  # fmt: skip
    if isinstance(config.spin, TumblingSpin) and (config.third_body or config.sun or config.heat):
        found = "[third_body], [sun] or [heat] over a body that tumbles"
        return found, "a uniform spin, or none", 'spin = { kind = "uniform", period_h = 12.0 }'
    third = config.third_body
    if third is not None and third.period_h is not None and config.spin != NoSpin():
        found = "third_body.period_h over a body that turns"
        return found, "a third body that rests in inertial axes", "leave out period_h"
    return None
