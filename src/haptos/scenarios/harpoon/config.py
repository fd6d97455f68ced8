"""Scenario file of a harpoon: what is shot, into which ground, what comes back."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.dynamics.nets.shot import Shot, barrel_shot
from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    ScenarioConfig,
    Table,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import SoilName
from haptos.scenarios.worlds.config import AnyGravity, AnySpin, AnySurface, NoSpin, TerrainTable
from haptos.scenarios.worlds.site import GroundSite, check_site_tables

HalfAngle = Annotated[Number, Field(ge=5.0, le=85.0)]
Slope = Annotated[Number, Field(ge=-85.0, le=85.0)]
Aim = Annotated[Number, Field(ge=-80.0, le=80.0)]
FrictionAngle = Annotated[Number, Field(ge=0.0, le=70.0)]
MOST_ROWS = 200_000  # of a run
ALTERNATIVES = (
    ("soil", "strength_Pa"),
    ("speed_m_per_s", "impulse_N_s"),
    ("speed_m_per_s", "pressure_Pa"),
    ("impulse_N_s", "pressure_Pa"),
    ("speed_m_per_s", "bore_area_m2"),
    ("speed_m_per_s", "barrel_m"),
    ("impulse_N_s", "bore_area_m2"),
    ("impulse_N_s", "barrel_m"),
)


class HarpoonSpacecraft(Table):
    mass_kg: Positive = Field(description="with propellant, without harpoon")
    height_m: Positive = Field(description="above the ground when the harpoon is fired")
    propellant_kg: Positive = Field(default=100.0, description="there is")
    specific_impulse_s: Positive = Field(default=220.0, description="of all thrusters")
    holds_place: bool = Field(
        default=True, description="thrusters take recoil and pull of the line until ejection"
    )
    rise_m_per_s: Number = Field(
        default=0.0,
        description="speed out of the ground when the shot is due; where it does not hold its place",
    )
    drift_m_per_s: Number = Field(default=0.0, description="the same along x")

    @model_validator(mode="after")
    def _rests_or_moves(self) -> HarpoonSpacecraft:
        if self.holds_place and (self.rise_m_per_s != 0.0 or self.drift_m_per_s != 0.0):
            raise refused("rise_m_per_s or drift_m_per_s with holds_place = true", "a spacecraft that moves, or one that holds its place", "holds_place = false")  # fmt: skip
        return self


class Harpoon(Table):
    shell_mass_kg: Positive = Field(description="what stays in the ground")
    canister_mass_kg: NotNegative = Field(default=0.0, description="what comes back")
    radius_m: Positive = Field(description="of the shaft")
    half_angle_deg: HalfAngle = Field(default=30.0, description="of the cone")
    shaft_length_m: Positive = Field(description="behind the cone")
    tip_radius_m: NotNegative = Field(default=0.0, description="of a flat tip")
    shaft_grip: Annotated[Number, Field(ge=0.0, le=1.0)] = Field(
        default=1.0,
        description="share of the stress that the shaft feels; 0: the cavity stays open",
    )
    attachment_m: NotNegative = Field(
        default=0.1, description="of the line behind the centre of mass"
    )
    inertia_kg_m2: Positive | None = Field(
        default=None, description="across the axis; of a uniform rod if left out"
    )
    barb_count: Annotated[Whole, Field(ge=0, le=100)] = Field(default=4, description="of 5 x 10 mm")
    residual_grip: NotNegative = Field(default=0.1, description="of soil on the shaft when pulled")

    @model_validator(mode="after")
    def _tip_is_within_the_shaft(self) -> Harpoon:
        if self.tip_radius_m >= self.radius_m:
            found = f"tip_radius_m = {self.tip_radius_m:g} of radius_m = {self.radius_m:g}"
            raise refused(
                found, "a tip within the shaft", f"tip_radius_m = {0.5 * self.radius_m:.3g}"
            )
        return self


class HarpoonShot(Table):
    """A shot by its speed at the muzzle, by the impulse of its charge, or by gas of constant pressure along a barrel."""

    speed_m_per_s: Positive | None = Field(
        default=None, description="at the muzzle; or impulse_N_s; or pressure_Pa and a barrel"
    )
    impulse_N_s: Positive | None = Field(
        default=None, description="on the harpoon, and on the spacecraft the other way"
    )
    pressure_Pa: Positive | None = Field(
        default=None, description="constant, behind the harpoon along its barrel"
    )
    bore_area_m2: Positive | None = Field(default=None, description="on which the pressure acts")
    barrel_m: Positive | None = Field(default=None, description="way on which it acts")
    aim_deg: Aim = Field(default=0.0, description="off the vertical")
    tip_off_deg_per_s: Number = Field(default=0.0, description="turning at the muzzle")
    target_radius_m: Positive | None = Field(
        default=None,
        description="of what can be hit around the aim; the ground has no end if left out",
    )

    @model_validator(mode="after")
    def _one_way_to_shoot(self) -> HarpoonShot:
        ways = ("speed_m_per_s", "impulse_N_s", "pressure_Pa")
        given = [name for name in ways if getattr(self, name) is not None]
        if len(given) != 1:
            found = (
                " and ".join(given)
                if given
                else "neither speed_m_per_s, impulse_N_s nor pressure_Pa"
            )
            raise refused(found, "one of them", "speed_m_per_s = 10.0")
        barrel = (self.bore_area_m2, self.barrel_m)
        if self.pressure_Pa is None and any(one is not None for one in barrel):
            raise refused(
                f"bore_area_m2 or barrel_m with {given[0]}",
                "a barrel with pressure_Pa",
                "leave it out",
            )
        if self.pressure_Pa is not None and None in barrel:
            raise refused("pressure_Pa without a barrel", "bore_area_m2 and barrel_m with it", "bore_area_m2 = 3e-4, barrel_m = 0.5")  # fmt: skip
        return self


class LineOut(Table):
    """Line of a harpoon."""

    length_m: Positive = Field(description="on the spool of the harpoon")
    tension_N: NotNegative = Field(default=0.5, description="while it is paid out in flight")
    linear_density_kg_per_m: NotNegative = Field(default=1e-3, description="of the line")
    stiffness_N: Positive = Field(default=1.1343e4, description="per strain, EA")
    damping_N_s: NotNegative = Field(default=49.24, description="per strain rate")
    breaking_N: Positive = Field(default=300.0, description="tension at which it breaks")
    cells: Annotated[Whole, Field(ge=0, le=200)] = Field(
        default=0,
        description="of a line with mass and waves; 0: straight in flight, one link without mass on the way back",
    )


class HarpoonLayer(Table):
    """Ground of other properties from a depth downward."""

    top_m: Positive = Field(description="depth of its upper side")
    strength_Pa: NotNegative = Field(description="against the tip")
    density_kg_per_m3: Positive = Field(description="of the layer")
    friction_angle_deg: FrictionAngle = Field(default=35.0, description="inner friction")
    friction: NotNegative = Field(default=0.2, description="on the harpoon")


class HarpoonGround(Table):
    soil: SoilName | None = Field(
        default=None, description="of the table of soils; or strength_Pa and what follows"
    )
    strength_Pa: NotNegative | None = Field(default=None, description="against the tip")
    density_kg_per_m3: Positive | None = Field(default=None, description="of the soil")
    friction_angle_deg: FrictionAngle | None = Field(default=None, description="inner friction")
    friction: NotNegative | None = Field(default=None, description="on the harpoon")
    drag_coefficient: NotNegative = Field(default=1.0, description="of soil pushed aside")
    compaction: Annotated[Number, Field(gt=0.0, lt=1.0)] | None = Field(
        default=None, description="1 - density/locked density: drag by cavity expansion instead"
    )
    viscosity_Pa_s_per_m: NotNegative = Field(default=0.0, description="of the soil")
    layers: tuple[HarpoonLayer, ...] = Field(default=(), description="below the first")
    gravity_m_per_s2: NotNegative = Field(default=0.0, description="downward, uniform")
    slope_deg: Slope = Field(default=0.0, description="of the ground in the plane of the shot")
    entry: Literal["auto", "axial", "elements"] = Field(
        default="auto", description="axial law, surface elements, or by the angles of impact"
    )
    elements: tuple[
        Annotated[Whole, Field(ge=4, le=200)], Annotated[Whole, Field(ge=4, le=200)]
    ] = Field(default=(24, 16), description="along and around, of cone and of shaft")

    @model_validator(mode="after")
    def _one_soil(self) -> HarpoonGround:
        if (self.soil is None) == (self.strength_Pa is None):
            found = "soil and strength_Pa" if self.soil else "neither soil nor strength_Pa"
            raise refused(found, "one of them", 'soil = "comet"')
        if self.soil is None and self.density_kg_per_m3 is None:
            raise refused(
                "strength_Pa without density_kg_per_m3", "both", "density_kg_per_m3 = 500.0"
            )
        if self.elements[1] % 2:
            found = f"elements = {list(self.elements)}"
            raise refused(found, "an even number around", f"elements = [{self.elements[0]}, {self.elements[1] + 1}]")  # fmt: skip
        tops = [one.top_m for one in self.layers]
        if any(b <= a for a, b in pairwise(tops)):
            raise refused(f"layers at {tops} m", "tops that increase", "order them by depth")
        return self


class Sampling(Table):
    closing_time_s: NotNegative = Field(default=1.0, description="after rest, before ejection")
    least_depth_m: NotNegative = Field(default=0.05, description="of the tip for a sample")
    tube_area_m2: Positive = Field(default=2e-4, description="of the tube that is filled")
    tube_length_m: Positive = Field(default=0.1, description="that can be filled")
    ejection_impulse_N_s: NotNegative = Field(default=0.1, description="on the canister, outward")


class Retrieval(Table):
    rise_m_per_s: Number = Field(
        default=2.0, description="speed of the spacecraft away from the ground at ejection"
    )
    drift_m_per_s: Number = Field(default=0.05, description="speed across at ejection")
    thrust_N: NotNegative = Field(default=20.0, description="away from the ground")
    thrust_on_s: NotNegative = Field(default=0.2, description="after ejection")
    reel_m_per_s: Positive = Field(default=0.2, description="speed of reeling in")
    reel_on_s: NotNegative = Field(default=5.0, description="after ejection")
    ramp_s: Positive = Field(default=1.0, description="until the reel is at speed")
    clutch_N: Positive = Field(default=2.0, description="tension at which the reel slips")
    clutch_slope_N_s_per_m: Positive = Field(
        default=2.0, description="tension above it per speed of slip"
    )
    has_clutch: bool = Field(default=True, description="false: a reel that holds its length")
    damper_spring_N_per_m: Positive = Field(default=113.43, description="of the series damper")
    damper_N_s_per_m: NotNegative = Field(default=27.1, description="of the series damper; 0: none")
    swing_damping_ratio: NotNegative = Field(default=0.7, description="wanted, of lateral thrust")
    swing_acceleration_m_per_s2: NotNegative = Field(
        default=0.0, description="largest, lateral; 0: none"
    )
    camera_noise_deg: NotNegative = Field(
        default=0.0, description="of the canister's direction in one picture of the swing damping"
    )
    capture_distance_m: Positive = Field(
        default=2.0, description="at which the canister is taken in"
    )
    capture_speed_m_per_s: Positive = Field(default=1.0, description="at most, else it collides")
    least_length_m: Positive = Field(default=0.5, description="to which the reel goes")
    fly_away_s: NotNegative = Field(default=60.0, description="of thrust after capture")
    longest_s: Positive = Field(default=3000.0, description="after ejection")

    @model_validator(mode="after")
    def _reel_reaches(self) -> Retrieval:
        if self.capture_distance_m <= self.least_length_m:
            found = f"capture_distance_m = {self.capture_distance_m} within least_length_m = {self.least_length_m}"
            hint = f"capture_distance_m = {2.0 * self.least_length_m:.3g}"
            raise refused(found, "a capture distance above the least length", hint)
        return self


class Hold(Table):
    """What the anchor must hold."""

    required_N: Positive = Field(default=450.0, description="in any direction")
    pull_speed_m_per_s: NotNegative = Field(
        default=0.0, description="at which the spacecraft pulls on the line once the harpoon rests"
    )
    pull_angle_deg: Annotated[Number, Field(ge=0.0, le=90.0)] = Field(
        default=0.0, description="of that pull from the axis"
    )
    stiffness_N_per_m: Positive = Field(default=1e6, description="of the ground around the harpoon")
    adhesion_N: NotNegative = Field(
        default=0.0,
        description="of soil that sticks to the harpoon, added to the hold along its axis",
    )
    push_N: NotNegative = Field(
        default=0.0, description="slow load that pushes the harpoon on along its axis once it rests"
    )


class Stance(Table):
    """A lander on feet, held by several harpoons."""

    foot_count: Annotated[Whole, Field(ge=3, le=12)] = Field(default=3, description="evenly around")
    foot_radius_m: Positive = Field(default=1.2, description="from the middle")
    foot_friction: NotNegative = Field(default=0.5, description="on the ground")
    centre_height_m: Positive = Field(default=0.6, description="of the centre of mass")
    load_height_m: NotNegative = Field(default=0.6, description="at which the load acts")
    harpoon_count: Annotated[Whole, Field(ge=1, le=12)] = Field(
        default=2, description="evenly around, shot alike"
    )
    harpoon_radius_m: NotNegative = Field(default=0.3, description="of their lines from the middle")
    harpoon_tilt_deg: Annotated[Number, Field(ge=0.0, lt=80.0)] = Field(
        default=0.0, description="of the lines outward from the vertical"
    )


class HarpoonFailures(Table):
    """What fails: the shot, and at times after ejection what brings the canister back."""

    late_s: NotNegative = Field(
        default=0.0,
        description="by which the shot comes too late; the spacecraft goes on as it moves",
    )

    no_release: bool = Field(default=False, description="the canister stays in the shell")
    reel_jam_s: NotNegative | None = Field(default=None, description="reel and clutch stand still")
    clutch_jam_s: NotNegative | None = Field(default=None, description="the clutch no longer slips")
    line_break_s: NotNegative | None = Field(default=None, description="the line breaks")
    thrust_off_s: NotNegative | None = Field(default=None, description="the thruster goes out")
    camera_loss_s: NotNegative | None = Field(default=None, description="no more swing damping")
    thruster_stuck_s: NotNegative | None = Field(
        default=None, description="a lateral thruster along x stays on from then"
    )
    stuck_thrust_N: Positive = Field(default=5.0, description="of that thruster")


class Run(Table):
    output_interval_s: Positive = Field(
        default=0.5, description="of stored states; the motion does not depend on it"
    )
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-5)] = Field(
        default=1e-9, description="of a step of the retrieval"
    )
    cell_tolerance: Annotated[Number, Field(ge=1e-10, le=1e-4)] = Field(
        default=1e-6, description="of a step of a line of cells"
    )
    ledger_bound: Positive = Field(default=1e-6, description="largest trusted remainder of a phase")
    depth_limit_m: Positive = Field(default=1e4, description="deeper is not followed")


class Config(ScenarioConfig):
    """A harpoon."""

    scenario: Literal["harpoon"]
    spacecraft: HarpoonSpacecraft
    harpoon: Harpoon
    shot: HarpoonShot
    line: LineOut
    ground: HarpoonGround
    sampling: Sampling | None = None
    retrieval: Retrieval | None = None
    hold: Hold = Hold()
    stance: Stance | None = None
    failures: HarpoonFailures = HarpoonFailures()
    surface: AnySurface | None = Field(
        default=None, description="ground of a site; level ground of [ground] if left out"
    )
    terrain: TerrainTable = TerrainTable()
    gravity: AnyGravity | None = Field(default=None, description="of a site")
    spin: AnySpin = NoSpin()
    site: GroundSite | None = Field(
        default=None,
        description="where on [surface] the harpoon is shot; height and angles are those from there",
    )
    run: Run = Run()

    @property
    def muzzle(self) -> tuple[float, Shot | None]:
        """(speed at the muzzle [m/s], force of gas and how long it acts if the file gives a barrel)."""
        shot, craft = self.shot, self.spacecraft
        mass = self.harpoon.shell_mass_kg + self.harpoon.canister_mass_kg
        if shot.impulse_N_s is not None:
            return shot.impulse_N_s / mass, None
        if shot.speed_m_per_s is not None:
            return shot.speed_m_per_s, None
        hull = math.inf if craft.holds_place else craft.mass_kg
        return barrel_shot(mass, shot.pressure_Pa or 0.0, shot.bore_area_m2 or 0.0, shot.barrel_m or 0.0, hull)  # fmt: skip

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        line = self.line
        check_site_tables(self)
        _check_site(self)
        if (
            line.length_m * line.linear_density_kg_per_m
            >= self.harpoon.shell_mass_kg + self.harpoon.canister_mass_kg
        ):
            found = f"a line of {line.length_m * line.linear_density_kg_per_m:g} kg in a lighter harpoon"
            raise refused(found, "masses that count the line on the spool", "raise shell_mass_kg")
        if self.retrieval is not None and self.sampling is None:
            raise refused("[retrieval] without [sampling]", "both", "add [sampling]")
        if self.retrieval is not None and not self.harpoon.canister_mass_kg > 0.0:
            raise refused(
                "[retrieval] without a canister",
                "canister_mass_kg above 0",
                "canister_mass_kg = 2.0",
            )
        if (
            self.retrieval is not None
            and self.retrieval.capture_distance_m >= self.spacecraft.height_m
        ):
            found = f"capture_distance_m = {self.retrieval.capture_distance_m} at a height of {self.spacecraft.height_m} m"
            hint = f"capture_distance_m = {0.5 * self.spacecraft.height_m:.3g}"
            raise refused(found, "a capture distance below the height", hint)
        _check_rows(self)
        _check_line(self)
        if self.spacecraft.propellant_kg >= self.spacecraft.mass_kg:
            raise refused(
                f"[spacecraft] propellant_kg = {self.spacecraft.propellant_kg:g} of mass_kg = {self.spacecraft.mass_kg:g}",
                "propellant_kg below mass_kg",
                f"propellant_kg = {0.1 * self.spacecraft.mass_kg:g}",
            )
        return self


def _check_site(config: Config) -> None:
    """Refuse what a site gives already, or what it needs."""
    if config.site is None:
        return
    if config.ground.gravity_m_per_s2 != 0.0:
        raise refused("[ground] gravity_m_per_s2 with [site]", "[gravity] alone", "leave it out")
    if config.ground.slope_deg != 0.0:
        raise refused("[ground] slope_deg with [site]", "the slope of [surface]", "leave it out")


def _check_line(config: Config) -> None:
    """Refuse what a line of cells, or one without, cannot do."""
    line, back = config.line, config.retrieval
    if 0 < line.cells < 3:
        raise refused(f"line.cells = {line.cells}", "0, or 3 and more", "cells = 8")
    if line.cells > 0 and not line.linear_density_kg_per_m > 0.0:
        raise refused("line.cells with a line without mass", "linear_density_kg_per_m above 0", "cells = 0")  # fmt: skip
    if back is None and config.failures != HarpoonFailures(late_s=config.failures.late_s):
        raise refused("[failures] without [retrieval]", "failures of a retrieval", "leave out [failures]")  # fmt: skip
    if back is not None and back.camera_noise_deg > 0.0 and line.cells == 0:
        found = f"camera_noise_deg = {back.camera_noise_deg:g} with line.cells = 0"
        raise refused(found, "a camera on a line of cells", "cells = 8")


def _check_rows(config: Config) -> None:
    """Refuse output that fills the memory."""
    back = config.retrieval
    lasts = 2.0 * config.spacecraft.height_m / config.muzzle[0]
    if back is not None:
        lasts += back.longest_s + back.fly_away_s
    lasts += config.failures.late_s
    lasts += 0.0 if config.sampling is None else config.sampling.closing_time_s
    if lasts > MOST_ROWS * config.run.output_interval_s:
        found = f"run.output_interval_s = {config.run.output_interval_s:g} over {lasts:.4g} s"
        hint = f"output_interval_s = {lasts / 1e4:.2g}"
        raise refused(found, f"at most {MOST_ROWS} stored times", hint)
