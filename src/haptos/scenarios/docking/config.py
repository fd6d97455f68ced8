"""Scenario file of a docking: two satellites, the mechanism between them, sensors, sequence, faults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.docking.config_mechanism import (
    BoomTable,
    Brackets,
    ContactTable,
    Crown,
    DockingNozzle,
    Ring,
    Tool,
)
from haptos.scenarios.docking.config_sensors import Control, Estimator, Sensors
from haptos.scenarios.docking.config_vehicles import (
    Client,
    DockingChaser,
    DockingStart,
    OrbitTable,
    ThrusterFault,
)
from haptos.scenarios.schema import (
    NotNegative,
    Number,
    Positive,
    ScenarioConfig,
    Table,
    Whole,
    refused,
)

MOST_OUTPUTS = 100_000


class Sequence(Table):
    """Gates, limits and time-outs of the states."""

    start: Literal["hold", "insert"] = Field(default="insert", description="first state")
    until: Literal["docked", "locked"] = Field(
        default="docked",
        description="locked: the run ends as captured when the crown holds, or at ABORT: for success maps",
    )
    tries: Annotated[Whole, Field(ge=0, le=10)] = Field(
        default=2, description="new tries after a retreat"
    )
    hold_lateral_m: Positive = Field(default=0.015, description="gate of HOLD")
    hold_angle_deg: Positive = Field(default=2.0, description="gate of HOLD")
    hold_speed_m_per_s: Positive = Field(default=0.002, description="gate of HOLD")
    hold_rate_deg_per_s: Positive = Field(default=0.05, description="gate of HOLD")
    hold_valid_s: Positive = Field(default=5.0, description="the pose must be valid in HOLD")
    hold_s: Positive = Field(default=600.0, description="longest HOLD")
    insert_s: Positive = Field(default=80.0, description="longest INSERT")
    funnel_share: Annotated[Number, Field(gt=0.0, le=1.0)] = Field(
        default=0.6, description="of the room in the nozzle that the tool may be off"
    )
    funnel_s: NotNegative = Field(default=2.0, description="off for this long is a miss")
    side_force_N: Positive = Field(default=60.0, description="that aborts INSERT")
    pose_lost_s: Positive = Field(default=5.0, description="without pose that aborts INSERT")
    rebound_m_per_s: Positive = Field(default=0.002, description="opening after a contact")
    rebound_s: Positive = Field(default=2.0, description="for this long is a rebound")
    attitude_deg: Positive = Field(
        default=15.0, description="error of attitude that is control lost"
    )
    throat_m: Positive = Field(
        default=0.020, description="of the crown from the throat: THROAT begins"
    )
    past_m: Positive = Field(default=0.015, description="past the throat that the boom goes for")
    lock_past_m: Positive = Field(default=0.012, description="past the throat: LOCK begins")
    throat_s: Positive = Field(default=30.0, description="longest THROAT")
    wedged_N: Positive = Field(default=40.0, description="drive force without advance")
    wedged_s: Positive = Field(default=5.0, description="for this long is wedged")
    lock_N: Positive = Field(default=95.0, description="force of the crown's drive when locked")
    lock_most_N: Positive = Field(default=150.0, description="force that releases")
    lock_s: Positive = Field(default=20.0, description="longest LOCK")
    tension_N: Positive = Field(default=150.0, description="of the boom that stops RETRACT")
    axes_deg: Positive = Field(
        default=4.0, description="between boom and nozzle that stops RETRACT"
    )
    retract_extra_s: Positive = Field(
        default=60.0, description="longest RETRACT beyond its way over its speed"
    )
    near_end_m: Positive = Field(default=0.015, description="above end_m: TOUCHDOWN begins")
    touchdown_s: Positive = Field(default=30.0, description="longest TOUCHDOWN")
    tension_s: Positive = Field(default=20.0, description="longest TENSION")
    pay_out_m: Positive = Field(default=0.020, description="before a second TOUCHDOWN")
    mated_s: Positive = Field(default=300.0, description="longest HOLD_MATED")
    mated_entries: Annotated[Whole, Field(ge=1, le=20)] = Field(
        default=3, description="entries of HOLD_MATED allowed"
    )
    release_s: Positive = Field(default=60.0, description="longest RELEASE")
    retreat_s: Positive = Field(default=120.0, description="longest RETREAT")
    abort_s: Positive = Field(default=300.0, description="longest ABORT")
    open_m_per_s: Positive = Field(default=0.010, description="opening speed of ABORT")
    safe_m: Positive = Field(default=1.0, description="range that is SAFE")


class Damage(Table):
    """Loads that parts stand; margins are reported, and reaching one releases."""

    nozzle_lateral_N: Positive = Field(default=500.0, description="of nozzle and tool together")
    nozzle_axial_N: Positive = Field(default=1000.0, description="of one pair")
    nozzle_moment_N_m: Positive = Field(default=60.0, description="about the throat")
    pressure_Pa: Positive = Field(default=2e7, description="of nozzle and tool")
    boom_moment_N_m: Positive = Field(default=80.0, description="at its root or tip")
    boom_N: Positive = Field(default=400.0, description="tension or compression")
    for_s: NotNegative = Field(default=0.05, description="this long is damage")


class Faults(Table):
    thrusters: tuple[ThrusterFault, ...] = Field(default=(), description="that stay on or off")
    retraction_stall_N: Positive | None = Field(
        default=None, description="the boom's drive stalls at less"
    )
    insertion_stall_N: Positive | None = Field(
        default=None, description="the boom's drive stalls at less"
    )
    crown_stall_N: Positive | None = Field(
        default=None, description="the crown's drive stalls at less"
    )


class Run(Table):
    duration_s: Positive = Field(default=300.0, description="longest time simulated")
    stay_s: NotNegative = Field(
        default=5.0,
        description='simulated after the last state is reached; not with until = "locked"',
    )
    output_interval_s: Positive = Field(
        default=0.2, description="of stored rows; the motion does not depend on it"
    )
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-4)] = Field(
        default=1e-6, description="of a step, as a share of its scales"
    )
    longest_step_s: Annotated[Number, Field(gt=0.0, le=0.1)] = Field(
        default=0.02, description="of a step"
    )
    tick_s: Annotated[Number, Field(ge=0.01, le=0.02)] = Field(
        default=0.02, description="of switches and sequence"
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**9)] = Field(
        default=20_000_000, description="of a run"
    )
    ledger_bound: Positive = Field(default=1e-3, description="largest trusted remainder of a phase")

    @model_validator(mode="after")
    def _output_fits(self) -> Run:
        if self.duration_s > MOST_OUTPUTS * self.output_interval_s:
            found = f"output_interval_s = {self.output_interval_s} over {self.duration_s} s"
            hint = f"output_interval_s = {self.duration_s / MOST_OUTPUTS:.3g}"
            raise refused(found, f"at most {MOST_OUTPUTS} rows", hint)
        return self


class Config(ScenarioConfig):
    """A servicing satellite takes another by the nozzle of its apogee engine."""

    scenario: Literal["docking"]
    chaser: DockingChaser
    client: Client
    orbit: OrbitTable | None = Field(default=OrbitTable(), description="left out: geostationary")
    start: DockingStart
    nozzle: DockingNozzle = DockingNozzle()
    tool: Tool = Tool()
    crown: Crown = Crown()
    boom: BoomTable = BoomTable()
    brackets: Brackets = Brackets()
    ring: Ring = Ring()
    contact: ContactTable = ContactTable()
    sensors: Sensors = Sensors()
    estimator: Estimator = Estimator()
    control: Control = Control()
    sequence: Sequence = Sequence()
    damage: Damage = Damage()
    faults: Faults = Faults()
    run: Run = Run()

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Config:
        _crown_fits(self)
        _wall_is_thicker_than_depths(self)
        _brackets_meet_the_ring(self)
        _sequence_can_be_reached(self)
        return self


def _crown_fits(config: Config) -> None:
    crown, throat = config.crown, config.nozzle.throat_radius_m
    if config.nozzle.points_m:
        throat = min(r for _, r in config.nozzle.points_m)
    folded, spread = (
        crown.folded_ring_m + crown.wire_radius_m,
        crown.spread_ring_m + crown.wire_radius_m,
    )
    if config.nozzle.mesh_file is None and not folded < throat:
        found = f"crown.folded_ring_m + wire_radius_m = {folded:.4g}"
        raise refused(
            found,
            f"less than the throat, {throat:.4g}: the folded crown must pass",
            "a smaller crown",
        )
    if config.nozzle.mesh_file is None and not spread > throat:
        found = f"crown.spread_ring_m + wire_radius_m = {spread:.4g}"
        raise refused(
            found,
            f"more than the throat, {throat:.4g}: the spread crown must hold",
            "a larger crown",
        )
    if config.tool.bolt_radius_m >= throat and config.nozzle.mesh_file is None:
        raise refused(
            f"tool.bolt_radius_m = {config.tool.bolt_radius_m}", f"less than {throat:.4g}", "0.003"
        )


def _wall_is_thicker_than_depths(config: Config) -> None:
    """Depth is that below the nearest face: half of a wall is as deep as it goes."""
    nozzle, deepest = config.nozzle, config.contact.max_depth_m
    if nozzle.mesh_file is None and nozzle.exit_wall_m <= 2.0 * deepest:
        found = f"nozzle.exit_wall_m = {nozzle.exit_wall_m}"
        allowed = f"more than twice contact.max_depth_m = {deepest}"
        raise refused(found, allowed, "exit_wall_m = 0.005, max_depth_m = 0.002")


def _brackets_meet_the_ring(config: Config) -> None:
    ring, pad = config.ring, config.brackets
    low, high = ring.radius_m - 0.5 * ring.width_m, ring.radius_m + 0.5 * ring.width_m
    if not low + ring.edge_m < pad.radius_m < high - ring.edge_m:
        found = f"brackets.radius_m = {pad.radius_m}"
        allowed = (
            f"on the flat face of the ring, {low + ring.edge_m:.4g} to {high - ring.edge_m:.4g} m"
        )
        raise refused(found, allowed, f"radius_m = {ring.radius_m}")
    if ring.edge_m >= 0.5 * min(ring.width_m, ring.thickness_m):
        raise refused(
            f"ring.edge_m = {ring.edge_m}", "less than half its width and thickness", "0.002"
        )


def _sequence_can_be_reached(config: Config) -> None:
    if config.sequence.until == "locked" and config.contact.lc_is_rigid:
        found = 'sequence.until = "locked" with contact.lc_is_rigid'
        raise refused(found, "a run that begins before the lock", 'until = "docked"')
    boom, start, sequence, crown = config.boom, config.start, config.sequence, config.crown
    needed = boom.length_m + start.distance_m + sequence.past_m
    if needed > boom.longest_m:
        found = f"boom.length_m + start.distance_m + sequence.past_m = {needed:.4g}"
        raise refused(
            found,
            f"at most boom.longest_m = {boom.longest_m}: the throat is out of reach",
            "start nearer",
        )
    if sequence.lock_past_m >= sequence.past_m:
        raise refused(
            f"sequence.lock_past_m = {sequence.lock_past_m}",
            f"less than past_m = {sequence.past_m}",
            "0.012",
        )
    if sequence.lock_N > crown.stall_N:
        found = f"sequence.lock_N = {sequence.lock_N}"
        raise refused(
            found, f"at most crown.stall_N = {crown.stall_N}: LOCK could not end", "lock_N = 95"
        )
    if not sequence.lock_most_N > sequence.lock_N:
        raise refused(
            f"sequence.lock_most_N = {sequence.lock_most_N}",
            f"more than lock_N = {sequence.lock_N}: LOCK could not end",
            "lock_most_N = 150",
        )
    if not sequence.near_end_m < boom.lock_m - boom.end_m:
        raise refused(
            f"sequence.near_end_m = {sequence.near_end_m}",
            f"less than the way from boom.lock_m to end_m, {boom.lock_m - boom.end_m:.4g}",
            "near_end_m = 0.015",
        )
    if config.chaser.thrusters.minimum_on_s > config.control.period_s:
        raise refused(
            f"chaser.thrusters.minimum_on_s = {config.chaser.thrusters.minimum_on_s}",
            f"at most control.period_s = {config.control.period_s}: a pulse lasts no longer",
            "minimum_on_s = 0.01",
        )
    stop = boom.spring_preload_N + boom.spring_N_per_m * boom.spring_stroke_m
    if stop > boom.retraction_stall_N:
        found = f"a spring with {stop:.4g} N at its stop"
        raise refused(
            found,
            f"at most boom.retraction_stall_N = {boom.retraction_stall_N}: DOCKED could not be reached",
            "a softer spring",
        )
    if start.distance_m / boom.insertion_m_per_s > sequence.insert_s:
        found = f"{start.distance_m / boom.insertion_m_per_s:.4g} s to the throat"
        raise refused(
            found,
            f"less than sequence.insert_s = {sequence.insert_s}",
            "a faster boom, or a longer time-out",
        )
