"""Scenario file of a tether: where it is, two bodies, the line between them, and what the reels do."""

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
    NotNegative,
    Number,
    Positive,
    ScenarioConfig,
    Table,
    Vector3,
    Whole,
    refused,
)
from haptos.scenarios.table_rules import FibreName
from haptos.scenarios.tether.config_body import TetherBody
from haptos.scenarios.tether.config_place import AnyPlace, misfit
from haptos.scenarios.tether.config_reel import BY_TENSION, ReelTable
from haptos.scenarios.worlds.config import (
    AnyGravity,
    AnySpin,
    AnySurface,
    NoSpin,
    SiteWorld,
    TerrainTable,
    check_world,
)


class LineTable(Table):
    """The line; numbers of its own, or a fibre and a diameter."""

    length_m: Positive = Field(description="of all of it, natural")
    material: FibreName | None = Field(
        default=None, description="a fibre of the table of threads, with diameter_m"
    )
    diameter_m: Positive = Field(default=1.0e-3, description="outer")
    linear_density_kg_per_m: Positive | None = Field(
        default=None, description="of the material if left out"
    )
    stiffness_N: Positive | None = Field(
        default=None, description="EA, of the material if left out"
    )
    breaking_tension_N: Positive | None = Field(
        default=None, description="of the material if left out; never without one"
    )
    damping_N_s: NotNegative = Field(default=0.0, description="tension per strain rate")
    damper: Literal["none", "tuned"] = Field(
        default="none", description="in series at the first body, tuned to the bounce at the start"
    )
    breaking: Literal["cut", "report"] = Field(
        default="cut", description="what happens at the breaking tension"
    )
    snatch_N: Positive | None = Field(
        default=None, description="tension whose passing is the event *snatch*; none if left out"
    )

    @model_validator(mode="after")
    def _numbers_or_material(self) -> LineTable:
        own = (self.linear_density_kg_per_m, self.stiffness_N)
        if self.material is None and None in own:
            raise refused(
                "neither material nor linear_density_kg_per_m and stiffness_N",
                "one of both",
                'material = "dyneema"',
            )
        if self.material is not None and own != (None, None):
            raise refused(
                "material and numbers of its own", "one of both", "leave out the material"
            )
        return self


class TetherStart(Table):
    """How the line begins: straight from the first body to the second, in ORF, own axes of the place, or N."""

    distance_m: Positive = Field(description="between the attachments")
    direction: Vector3 = Field(
        default=(0.0, 0.0, 1.0), description="from the first to the second body"
    )
    relative_velocity_m_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0),
        description="of the second body to the first, in axes that turn with the orbit",
    )
    spin_deg_per_s: Vector3 = Field(
        default=(0.0, 0.0, 0.0), description="of the pair about its centre of mass"
    )
    tension_N: NotNegative = Field(default=0.0, description="that the line is stretched by")
    second_reel_m: NotNegative = Field(
        default=0.0, description="of the stored line on the second body; the rest on the first"
    )


class Step(Table):
    """One thing the reels do."""

    kind: Literal["deploy", "hold", "retrieve", "jam", "cut"]
    duration_s: Positive | None = Field(default=None, description="of deploy, hold, retrieve, jam")
    length_m: Positive | None = Field(
        default=None, description="paid out or taken in; place of a cut from the first body"
    )
    reel: Literal["first", "second"] = Field(default="first", description="which one")
    shape: Literal["cosine", "linear"] = Field(
        default="cosine", description="of the speed over time"
    )

    @model_validator(mode="after")
    def _complete(self) -> Step:
        moves = self.kind in ("deploy", "retrieve")
        if (moves or self.kind == "cut") and self.length_m is None:
            raise refused(f"{self.kind} without length_m", "length_m above 0", "length_m = 100.0")
        if self.kind != "cut" and self.duration_s is None:
            raise refused(
                f"{self.kind} without duration_s", "duration_s above 0", "duration_s = 60.0"
            )
        if self.kind == "cut" and self.duration_s is not None:
            hint = "leave it out; a hold after the cut takes time"
            raise refused("duration_s of cut", "none: a cut takes no time", hint)
        if not (moves or self.kind == "cut") and self.length_m is not None:
            raise refused(f"length_m of {self.kind}", "none", "leave it out")
        return self

    @property
    def peak_speed(self) -> float:
        """Fastest that line is paid out or taken in [m/s]; 0 of the other kinds."""
        if self.kind not in ("deploy", "retrieve"):
            return 0.0
        peak = (self.length_m or 0.0) / (self.duration_s or math.inf)
        return peak * (0.5 * math.pi if self.shape == "cosine" else 1.0)


class Run(Table):
    cells: Annotated[Whole, Field(ge=3, le=1000)] = Field(default=20, description="of the line")
    tolerance: Annotated[Number, Field(ge=1e-12, le=1e-3)] = Field(
        default=1e-8, description="of a step"
    )
    scheme: Literal["implicit", "explicit"] = Field(
        default="implicit", description="half of the pair of order 5"
    )
    output_interval_s: Positive = Field(
        default=1.0, description="of stored rows; the motion does not depend on it"
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**9)] = Field(
        default=300_000, description="steps allowed, rejected ones included"
    )
    max_speed_m_per_s: Positive = Field(default=100.0, description="that the reels can do")
    tangle_share: NotNegative = Field(
        default=0.05, description="slack over the line from which a tangle is looked for; 0 never"
    )
    tangle_gap_m: Positive = Field(default=0.1, description="between cells that are no neighbours")
    regrid: bool = Field(
        default=False, description="add or remove cells when the length has doubled or halved"
    )
    collision_m: NotNegative = Field(
        default=0.0, description="distance of the attachments at which the run ends; 0 for none"
    )
    ledger_bound: Positive = Field(default=1e-5, description="largest trusted remainder of a phase")


class Config(ScenarioConfig):
    """Two spacecraft on a line."""

    scenario: Literal["tether"]
    place: AnyPlace
    first: TetherBody
    second: TetherBody
    line: LineTable
    start: TetherStart
    first_reel: ReelTable = Field(default=ReelTable(), description="of the first body")
    second_reel: ReelTable = Field(default=ReelTable(), description="of the second body")
    surface: AnySurface | None = Field(default=None, description="ground of a site")
    terrain: TerrainTable = TerrainTable()
    gravity: AnyGravity | None = Field(default=None, description="of a site")
    spin: AnySpin = NoSpin()
    contact: GroundContact | None = Field(
        default=None, description="with the ground; nothing is felt if left out"
    )
    air: LineAir | None = Field(default=None, description="none if left out")
    sun: LineSun | None = Field(default=None, description="along x, without pressure, if left out")
    heat: LineHeat | None = Field(
        default=None, description="the line keeps its temperature if left out"
    )
    third_body: ThirdBodyTable | None = Field(default=None, description="none if left out")
    steps: tuple[Step, ...] = Field(description="what the reels do, one after the other")
    run: Run = Run()

    @property
    def duration(self) -> float:
        """Time of all steps [s]."""
        return float(sum(step.duration_s or 0.0 for step in self.steps))

    @property
    def world(self) -> SiteWorld | None:
        """Tables of the world under a site."""
        return SiteWorld.of(self)

    @model_validator(mode="after")
    def _parts_fit(self) -> Config:
        odd = misfit(self)
        if odd is not None:
            raise refused(*odd)
        if self.world is not None:
            check_world(self.world)
        if not self.steps or self.duration == 0.0:
            raise refused(
                "no steps that take time",
                "one step or more",
                'steps = [{ kind = "hold", duration_s = 60.0 }]',
            )
        for step in self.steps:
            reel = self.first_reel if step.reel == "first" else self.second_reel
            if step.kind in ("deploy", "retrieve") and reel.law in BY_TENSION:
                found = f"{step.kind} by a reel of law = '{reel.law}'"
                raise refused(found, "hold: such a reel follows the tension", 'kind = "hold"')
        if max(abs(c) for c in self.start.direction) < 1e-12:
            raise refused(
                f"start.direction = {list(self.start.direction)}", "a direction", "[0.0, 0.0, 1.0]"
            )
        if self.start.distance_m > self.line.length_m * 1.2:
            raise refused(
                f"start.distance_m = {self.start.distance_m:g}",
                f"at most line.length_m = {self.line.length_m:g}",
                "a longer line",
            )
        if self.duration / self.run.output_interval_s > 100_000:
            found = f"{self.duration / self.run.output_interval_s:.3g} rows"
            raise refused(
                found, "at most 100000", f"output_interval_s = {self.duration / 2000.0:.3g}"
            )
        for step in self.steps:
            if step.kind == "cut" and (step.length_m or 0.0) > self.line.length_m:
                found = f"a cut at {step.length_m:g} m"
                raise refused(
                    found, f"at most line.length_m = {self.line.length_m:g}", "a place on the line"
                )
            if step.peak_speed > self.run.max_speed_m_per_s:
                found = f"{step.kind} at {step.peak_speed:.4g} m/s"
                raise refused(
                    found, f"at most {self.run.max_speed_m_per_s:g} m/s", "a longer duration_s"
                )
        return self
