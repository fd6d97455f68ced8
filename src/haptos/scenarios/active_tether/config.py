"""Scenario file of an active tether or boom that touches the ground."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    ScenarioConfig,
    Table,
    Whole,
    refused,
)
from haptos.scenarios.worlds.config import AnyGravity, AnySpin, AnySurface, NoSpin, TerrainTable
from haptos.scenarios.worlds.site import GroundSite, check_site_tables

Share = Annotated[Number, Field(ge=0.0, le=1.0)]


class ActiveTetherSpacecraft(Table):
    mass_kg: Positive = Field(default=500.0, description="of the spacecraft")
    inertia_kg_m2: Positive = Field(default=300.0, description="across the plane of motion")
    lever_m: NotNegative = Field(
        default=1.0, description="of the attachment below the centre of mass"
    )
    offset_m: Number = Field(default=0.0, description="of the attachment across the axis, along x")
    offset_y_m: Number = Field(default=0.0, description="the same along y; on a line of cells")
    lateral_thrust_N: NotNegative = Field(default=5.0, description="largest")
    axial_thrust_N: Positive = Field(default=100.0, description="largest, and of the ascent")
    wheel_torque_N_m: NotNegative = Field(default=0.2, description="largest")
    keeps_place: bool = Field(
        default=True, description="by thrusters and wheels while it holds the force"
    )
    bandwidth_rad_per_s: Positive = Field(default=0.3, description="with which it keeps its place")
    attitude_bandwidth_rad_per_s: Positive = Field(
        default=0.6, description="with which it keeps its attitude"
    )


class PolymerLine(Table):
    """A string of electro-active polymer."""

    material: Literal["polymer"]
    length_m: Positive = Field(description="between spacecraft and end effector")
    section_m2: Positive = Field(description="of the polymer")
    modulus_Pa: Positive = Field(default=1e9, description="of the polymer")
    density_kg_per_m3: Positive = Field(default=1800.0, description="of the polymer")
    damping_ratio: NotNegative = Field(default=0.02, description="of the first axial mode")
    cells: Annotated[Whole, Field(ge=2, le=200)] = Field(default=25, description="along the line")
    loop_rad_per_s: Positive = Field(
        default=30.0, description="speed of the loop that holds the end force"
    )
    model: Literal["cells", "planar"] = Field(
        default="cells", description="segments of the tether of cells, or a chain in one plane"
    )


class MetalWire(Table):
    """A wire of shape-memory metal that contracts when it is heated."""

    material: Literal["nitinol-wire"]
    length_m: Positive = Field(description="between spacecraft and end effector")
    section_m2: Positive = Field(description="of the wire")
    heating_W_per_m: NotNegative = Field(
        description="electric, while the force is below the wanted"
    )
    detwinned: Share = Field(default=0.05, description="fraction of martensite of tension at the start, the rest austenite")  # fmt: skip
    start_K: Annotated[Number, Field(ge=282.0, le=1000.0)] = Field(
        default=290.0, description="temperature at the start; below 282 K austenite does not last"
    )
    outside_K: NotNegative = Field(default=290.0, description="temperature of the surroundings")
    exchange_W_per_m3_K: NotNegative = Field(default=0.0, description="heat exchange with them")
    hottest_K: Positive = Field(default=400.0, description="that the wire stands: hotter is overheated")  # fmt: skip
    damping_ratio: NotNegative = Field(default=0.02, description="of the first axial mode")
    cells: Annotated[Whole, Field(ge=3, le=200)] = Field(
        default=10, description="along the wire, each a segment that is heated by itself"
    )


class BoomStiffening(Table):
    """A change of the boom during the dwell, evenly in time; a string becomes a beam, or the other way."""

    austenite: Share | None = Field(default=None, description="fraction after it")
    curvature_gain: NotNegative | None = Field(default=None, description="of the control after it")
    begin_s: NotNegative = Field(default=0.0, description="after touch")
    duration_s: Positive = Field(description="until it is complete")

    @model_validator(mode="after")
    def _changes_something(self) -> BoomStiffening:
        if self.austenite is None and self.curvature_gain is None:
            raise refused(
                "a change of nothing", "austenite or curvature_gain, or both", "austenite = 1.0"
            )
        return self


class MetalBoom(Table):
    """A thin tube of shape-memory metal, which bends."""

    material: Literal["nitinol"]
    length_m: Positive = Field(description="between spacecraft and force stage")
    radius_m: Positive = Field(description="of the tube")
    wall_m: Positive = Field(description="thickness of the tube")
    austenite: Share = Field(description="fraction of austenite: 1 stiff, 0 soft")
    damping_ratio: NotNegative = Field(
        default=0.02, description="of the first axial and bending modes"
    )
    cells: Annotated[Whole, Field(ge=2, le=200)] = Field(default=20, description="along the boom")
    imperfection_m: Number = Field(default=0.01, description="half sine at the start")
    is_clamped: bool = Field(default=False, description="at the spacecraft; else a hinge")
    curvature_gain: NotNegative = Field(default=0.0, description="moment of actuators over EI k")
    curvature_noise_per_m: NotNegative = Field(
        default=0.0, description="of each sensed curvature, sampled at 10 Hz"
    )
    largest_moment_N_m: Positive = Field(default=200.0, description="of the actuators at a station")
    largest_bow_share: Positive = Field(default=0.02, description="of the length: more is buckled")
    change: BoomStiffening | None = None


class Effector(Table):
    mass_kg: Positive = Field(default=30.0, description="of the end effector")
    radius_m: Positive = Field(default=0.25, description="of the ball that touches")
    grip_N: Positive = Field(default=50.0, description="that the gripper holds in any direction")


class ActiveTetherGround(Table):
    stiffness_N_per_m: Positive = Field(default=1.5e4, description="of contact and grip")
    damping_N_s_per_m: NotNegative = Field(default=1000.0, description="of contact and grip")
    friction: NotNegative = Field(default=0.5, description="of the ball on the ground")
    slope_deg: Annotated[Number, Field(ge=-45.0, le=45.0)] = Field(
        default=0.0, description="of the ground"
    )
    gravity_m_per_s2: NotNegative | None = Field(
        default=None, description="downward; 8e-5 if left out, on a site that of [gravity]"
    )


class ActiveTetherPress(Table):
    """A boom presses the end effector on the ground through a force stage."""

    kind: Literal["press"]
    approach_m_per_s: Positive = Field(default=0.1, description="downward")
    drift_m_per_s: Number = Field(default=0.0, description="sideways")
    force_N: Positive | None = Field(default=25.0, description="of the stage")
    has_stage: bool = Field(default=True, description="false: the stage stays locked")
    stroke_m: Positive = Field(default=0.5, description="of the stage")
    stage_damping_N_s_per_m: NotNegative = Field(default=0.0, description="about the wanted force")
    dwell_s: Positive = Field(default=2.0, description="from touch to ascent")
    after_s: Positive = Field(default=2.0, description="of ascent")


class Pull(Table):
    """A tether pulls at an end effector that has gripped the ground."""

    kind: Literal["pull"]
    force_N: Positive = Field(default=20.0, description="wanted at the spacecraft")
    first_force_N: Positive = Field(default=5e-3, description="before")
    dwell_s: Positive = Field(default=2.0, description="of the pull")
    feeds_forward: bool = Field(default=True, description="thrusters take the wanted force")
    rise_N_per_s: Positive | None = Field(
        default=None, description="at which the wanted force rises; at once if left out"
    )


class Wanted(Table):
    band_share: Share = Field(default=0.1, description="of the force: inside counts as held")
    settling_s: NotNegative = Field(default=0.2, description="after which force is judged")
    held_share: Share = Field(default=0.9, description="of the dwell that must be held")
    largest_rate_deg_per_s: Positive = Field(default=0.1, description="of the spacecraft")


class ActiveTetherFailures(Table):
    """What does not work, of a line of cells."""

    dead_segments: tuple[Annotated[Whole, Field(ge=0)], ...] = Field(
        default=(),
        description="numbers of segments, from the spacecraft, that get no signal or heat",
    )
    sensor_stuck_s: NotNegative | None = Field(
        default=None, description="time from which the force sensor shows one number"
    )


class Run(Table):
    output_interval_s: Positive = Field(
        default=0.01, description="of stored states; the motion does not depend on it"
    )
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-6)] = Field(
        default=1e-9, description="of a step"
    )
    cell_tolerance: Annotated[Number, Field(ge=1e-10, le=1e-4)] = Field(
        default=1e-7, description="of a step of a line of cells"
    )
    ledger_bound: Positive = Field(default=1e-6, description="largest trusted remainder of a phase")


class Config(ScenarioConfig):
    """An active tether or boom."""

    scenario: Literal["active-tether"]
    spacecraft: ActiveTetherSpacecraft = ActiveTetherSpacecraft()
    line: Annotated[PolymerLine | MetalWire | MetalBoom, Field(discriminator="material")]
    effector: Effector = Effector()
    ground: ActiveTetherGround = ActiveTetherGround()
    touch: Annotated[ActiveTetherPress | Pull, Field(discriminator="kind")]
    wanted: Wanted = Wanted()
    failures: ActiveTetherFailures = ActiveTetherFailures()
    surface: AnySurface | None = Field(
        default=None, description="ground of a site; a tilted plane of [ground] if left out"
    )
    terrain: TerrainTable = TerrainTable()
    gravity: AnyGravity | None = Field(default=None, description="of a site")
    spin: AnySpin = NoSpin()
    site: GroundSite | None = Field(
        default=None,
        description="where on [surface] the end effector touches; the line is along the normal there",
    )
    run: Run = Run()

    @property
    def is_on_cells(self) -> bool:
        """Whether the line is one of cells."""
        line = self.line
        return isinstance(line, MetalWire) or (isinstance(line, PolymerLine) and line.model == "cells")  # fmt: skip

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        if isinstance(self.touch, ActiveTetherPress) != isinstance(self.line, MetalBoom):
            found = f'touch.kind = "{self.touch.kind}" with line.material = "{self.line.material}"'
            raise refused(
                found,
                "a boom of nitinol presses, a line of polymer or wire pulls",
                'kind = "press"',
            )
        _check_cells(self)
        _check_change(self)
        check_site_tables(self)
        _check_site(self)
        if self.touch.dwell_s > 100_000 * self.run.output_interval_s:
            raise refused(
                "more than 100000 stored times",
                "a longer output_interval_s",
                "output_interval_s = 0.1",
            )
        if self.touch.dwell_s > 1000.0:
            raise refused(f"dwell_s = {self.touch.dwell_s:g}", "1000 s at most", "dwell_s = 60.0")
        if self.touch.dwell_s <= self.wanted.settling_s:
            raise refused(
                "settling_s beyond the dwell", "settling_s below dwell_s", "settling_s = 0.2"
            )
        return self


def _check_site(config: Config) -> None:
    """Refuse what a site gives already, or what cannot be on it."""
    if config.site is None:
        return
    if config.ground.gravity_m_per_s2 is not None:
        raise refused("[ground] gravity_m_per_s2 with [site]", "[gravity] alone", "leave it out")
    if config.ground.slope_deg != 0.0:
        raise refused("[ground] slope_deg with [site]", "the slope of [surface]", "leave it out")
    if isinstance(config.line, PolymerLine) and not config.is_on_cells:
        raise refused('[site] with line.model = "planar"', "a line of cells, which feels field and ground", 'model = "cells"')  # fmt: skip


def _check_change(config: Config) -> None:
    """Refuse a change that the dwell does not hold."""
    change = config.line.change if isinstance(config.line, MetalBoom) else None
    if change is not None and change.begin_s + change.duration_s > config.touch.dwell_s:
        found = f"a change from {change.begin_s:g} s to {change.begin_s + change.duration_s:g} s after touch"
        allowed = f"one that ends within dwell_s = {config.touch.dwell_s:g}"
        raise refused(found, allowed, f"duration_s = {0.5 * config.touch.dwell_s:g}, begin_s = 0.0")


def _check_cells(config: Config) -> None:
    """Refuse what a line of cells, or one without, cannot do."""
    fails, line = config.failures, config.line
    if not config.is_on_cells and (
        fails != ActiveTetherFailures() or config.spacecraft.offset_y_m != 0.0
    ):
        raise refused("[failures] or offset_y_m without a line of cells", "polymer or wire with cells", 'model = "cells"')  # fmt: skip
    if any(k >= line.cells for k in fails.dead_segments):
        found = f"dead_segments = {list(fails.dead_segments)} of {line.cells}"
        raise refused(found, f"0 to {line.cells - 1}", "dead_segments = [0]")
    if config.is_on_cells and line.cells < 3:
        raise refused(f"line.cells = {line.cells}", "3 or more", "cells = 10")
