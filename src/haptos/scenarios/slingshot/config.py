"""Scenario file of sling-shots: a spacecraft, an anchor on a body, the tether between them, its reel, the manoeuvre."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.line_surroundings import (
    GroundContact,
    LineAir,
    LineHeat,
    LineSun,
    ThirdBodyTable,
)
from haptos.scenarios.schema import (
    Fraction,
    NotNegative,
    Number,
    Positive,
    PositiveVector3,
    ScenarioConfig,
    Table,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import FibreName
from haptos.scenarios.worlds.config import Share


class SlingshotSpacecraft(Table):
    """What flies by, or leaves."""

    mass_kg: Positive = Field(description="without the line, with the harpoon")
    harpoon_mass_kg: NotNegative = Field(default=0.0, description="that stays in the anchor")
    harpoon_speed_m_per_s: Positive | None = Field(
        default=None, description="of the shot, from the spacecraft, for tether.start = 'flight'"
    )
    drag_area_m2: NotNegative = Field(default=0.0, description="that the air acts on")
    drag_coefficient: Positive = Field(default=2.2, description="of that area; assumed")
    light_area_m2: NotNegative = Field(default=0.0, description="that sunlight acts on")
    reflectivity: Share = Field(default=0.3, description="of that area, 0 absorbs; assumed")
    radius_m: Positive = Field(default=1.0, description="of the ball that touches; assumed")
    speed_m_per_s: NotNegative = Field(description="along x, when the line is anchored")
    offset_m: Positive = Field(description="from the anchor across the velocity, along y")
    downrange_m: Number = Field(
        default=0.0, description="from the anchor along x when the line is anchored"
    )


class SlingshotAnchor(Table):
    """Where the line is held for good."""

    position_m: Vector3 = Field(default=(0.0, 0.0, 0.0), description="of the anchor")


class SlingshotTarget(Table):
    """The body that is flown by: an ellipsoid that does not move."""

    centre_m: Vector3 = Field(description="of the ellipsoid")
    semi_axes_m: PositiveVector3 = Field(description="along x, y, z")
    mu_m3_per_s2: Positive | None = Field(
        default=None, description="G M of the homogeneous body; it does not pull if left out"
    )


class SlingshotTether(Table):
    """The line, by its material or by numbers of its own."""

    length_m: Positive = Field(description="in all, on the reel and off it")
    section_m2: Positive = Field(description="of its fibres")
    material: FibreName | None = Field(
        default=None, description="fibre of the table; or the numbers below"
    )
    youngs_modulus_Pa: Positive | None = Field(default=None, description="of the fibre")
    density_kg_per_m3: Positive | None = Field(default=None, description="of the fibre")
    breaking_stress_Pa: Positive | None = Field(default=None, description="of the fibre")
    breaking_strain: Positive | None = Field(
        default=None, description="in place of the breaking stress; both must agree"
    )
    damping_N_s: Positive = Field(default=1.0e6, description="tension per strain rate")
    breaking: Literal["cut", "report"] = Field(
        default="cut", description="what happens above the breaking tension"
    )
    start: Literal["unstretched", "stretched", "flight"] = Field(
        default="unstretched",
        description="stretched: with the tension of a line that turns with the spacecraft, or that of the reel when "
        "leaving; flight: as a harpoon with the spool lays it out, moving with the spacecraft",
    )


class SlingshotReel(Table):
    """The reel in the spacecraft."""

    tension_N: Positive = Field(description="held while the line runs")
    ramp_s: NotNegative = Field(default=0.0, description="over which the tension rises from 0")
    feed: Literal["coil", "drum"] = Field(default="coil", description="how the line leaves")
    largest_speed_m_per_s: Positive | None = Field(
        default=None, description="of the line; none if left out"
    )
    largest_force_N: Positive | None = Field(
        default=None, description="at which the reel slips; none if left out"
    )
    largest_power_W: Positive | None = Field(
        default=None, description="of brake and motor; none if left out"
    )
    generator_efficiency: Annotated[Number, Field(ge=0.0, lt=1.0)] = Field(
        default=0.25, description="share of the braking power that is recovered"
    )
    generator_power_W: Positive = Field(
        default=30e6, description="largest that the generator takes"
    )
    motor_efficiency: Fraction = Field(default=0.8, description="shaft over electric power")
    brake_mass_kg: Positive = Field(default=20.0, description="of what the brake heats; assumed")
    brake_heat_J_per_kg_K: Positive = Field(default=900.0, description="specific heat; assumed")
    brake_start_K: Positive = Field(default=290.0, description="temperature at the start")
    brake_fade_K: Positive = Field(
        default=1200.0, description="from which the brake fades, an event"
    )
    brake_fade_span_K: Positive = Field(
        default=300.0, description="over which its force falls; assumed"
    )
    brake_fade_share: Fraction = Field(
        default=1.0, description="of its force left beyond that; 1 for a brake that keeps it"
    )
    jam_s: NotNegative | None = Field(default=None, description="time at which the reel jams; never if left out")  # fmt: skip


class SlingshotHitchhike(Table):
    """Pay out under tension until the distance no longer grows."""

    kind: Literal["hitchhike"]


class Leave(Table):
    """Reel in under tension from rest, then let go."""

    kind: Literal["leave"]
    release_distance_m: Positive = Field(
        default=100.0, description="to the anchor, at which the line is cut"
    )


class Turn(Table):
    """Swing about the anchor on a fixed length, then let go."""

    kind: Literal["turn"]
    angle_deg: Annotated[Number, Field(gt=0.0, le=360.0)] = Field(description="of the velocity")


AnyManoeuvre = Annotated[SlingshotHitchhike | Leave | Turn, Field(discriminator="kind")]


class Failure(Table):
    """Something that goes wrong on purpose."""

    break_at_s: NotNegative = Field(description="time of a cut")
    break_share: Annotated[Number, Field(ge=0.0, le=1.0)] = Field(
        default=0.5, description="where, as a share of the deployed line from the spacecraft"
    )


class Run(Table):
    """How finely and how long."""

    duration_s: Positive = Field(default=400.0, description="at most")
    output_interval_s: Positive = Field(
        default=0.25, description="spacing of stored states; the motion does not depend on it"
    )
    cells: Annotated[Whole, Field(ge=1, le=1024)] = Field(default=60, description="of the line")
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-3)] = Field(
        default=1e-8, description="of a step, relative"
    )
    scheme: Literal["implicit", "explicit"] = Field(
        default="implicit", description="of stretching; explicit steps follow waves and damper"
    )
    ledger_bound: Positive = Field(
        default=1e-4, description="largest trusted remainder of a phase, of what it exchanges"
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**10)] = Field(
        default=20_000_000, description="steps allowed"
    )

    @model_validator(mode="after")
    def _output_fits_in_memory(self) -> Run:
        if self.duration_s > 20_000 * self.output_interval_s:
            found = f"output_interval_s = {self.output_interval_s} over {self.duration_s} s"
            raise refused(
                found,
                "at most 20000 stored times",
                f"output_interval_s = {self.duration_s / 2e4:.3g}",
            )
        return self


class Config(ScenarioConfig):
    """A manoeuvre on a tether that is anchored to a body."""

    scenario: Literal["slingshot"]
    spacecraft: SlingshotSpacecraft
    anchor: SlingshotAnchor = SlingshotAnchor()
    target: SlingshotTarget | None = None
    tether: SlingshotTether
    reel: SlingshotReel
    manoeuvre: AnyManoeuvre
    failure: Failure | None = None
    contact: GroundContact | None = Field(
        default=None, description="with the target; nothing is felt if left out"
    )
    air: LineAir | None = Field(default=None, description="up is y, altitude that over the anchor")
    sun: LineSun | None = Field(default=None, description="along x, without pressure, if left out")
    heat: LineHeat | None = Field(
        default=None, description="the line keeps its temperature if left out"
    )
    third_body: ThirdBodyTable | None = Field(
        default=None, description="from the target's centre; none if left out"
    )
    run: Run = Run()

    @property
    def distance(self) -> float:
        """From anchor to spacecraft at the start [m]."""
        return math.hypot(self.spacecraft.offset_m, self.spacecraft.downrange_m)

    @property
    def start(self) -> tuple[float, float, float]:
        """Place of the spacecraft at the start [m]."""
        x, y, z = self.anchor.position_m
        return x + self.spacecraft.downrange_m, y + self.spacecraft.offset_m, z

    @property
    def speed(self) -> float:
        """Of the spacecraft at the start [m/s], along x."""
        return self.spacecraft.speed_m_per_s

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        _check_mass(self)
        _check_surroundings(self)
        _check_places(self)
        if not isinstance(self.manoeuvre, Turn) and self.run.cells < 3:
            raise refused(
                f"run.cells = {self.run.cells}", "3 or more while the line runs", "cells = 60"
            )
        return self


def _check_mass(config: Config) -> None:
    craft = config.spacecraft
    if craft.harpoon_mass_kg >= craft.mass_kg:
        found = f"spacecraft.harpoon_mass_kg = {craft.harpoon_mass_kg:g}"
        raise refused(found, f"below mass_kg = {craft.mass_kg:g}", "harpoon_mass_kg = 10.0")


def _check_surroundings(config: Config) -> None:
    """Nothing is touched, pulls or shades without a target, and a flight has a harpoon that is shot."""
    if config.target is None:
        for name in ("contact", "third_body"):
            if getattr(config, name) is not None:
                raise refused(
                    f"[{name}] without [target]", "[target] beside it", f"leave out {name}"
                )
    if config.air is not None and config.air.turns:
        raise refused("air.turns", "in orbit", "wind_m_per_s")
    is_flight = config.tether.start == "flight"
    if is_flight != (config.spacecraft.harpoon_speed_m_per_s is not None):
        found = f"tether.start = '{config.tether.start}' " + ("without" if is_flight else "with")
        hint = "harpoon_speed_m_per_s = 2170.0" if is_flight else "start = 'flight'"
        raise refused(f"{found} spacecraft.harpoon_speed_m_per_s", "both or none", hint)
    if is_flight and not isinstance(config.manoeuvre, SlingshotHitchhike):
        raise refused("tether.start = 'flight'", "with manoeuvre.kind = 'hitchhike'", "unstretched")


def _check_places(config: Config) -> None:
    """The line reaches from anchor to spacecraft, and neither lies inside the body."""
    apart, length, kind = config.distance, config.tether.length_m, config.manoeuvre
    if isinstance(kind, Turn) and config.speed == 0.0:
        raise refused(
            "a turn with spacecraft.speed_m_per_s = 0", "a speed above 0", "speed_m_per_s = 1000.0"
        )
    if isinstance(kind, Leave) and kind.release_distance_m >= apart:
        found = f"manoeuvre.release_distance_m = {kind.release_distance_m:g}"
        hint = f"release_distance_m = {0.1 * apart:.3g}"
        raise refused(found, f"below the distance at the start, {apart:.6g} m", hint)
    if not 0.0 < apart <= length:
        found = f"tether.length_m = {length:g} for a distance of {apart:.6g} m"
        raise refused(
            found,
            "at least the distance from anchor to spacecraft, which is not 0",
            f"length_m = {1.2 * apart:.3g}",
        )
    if config.target is None:
        return
    for name, place in (("spacecraft", config.start), ("anchor", config.anchor.position_m)):
        if inside(config.target, place) > 1e-6:
            found = f"{name} at {list(place)} m"
            raise refused(found, "on or outside of the target's ellipsoid", "place it farther out")


def inside(target: SlingshotTarget, place: tuple[float, float, float]) -> float:
    """How far [-] a place lies inside the ellipsoid: 1 at the centre, 0 on it, below 0 outside."""
    parts = zip(place, target.centre_m, target.semi_axes_m, strict=True)
    return 1.0 - math.hypot(*((x - c) / a for x, c, a in parts))
