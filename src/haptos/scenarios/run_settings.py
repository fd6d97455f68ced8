"""Tables of scenario files that say how long, how finely and by which scheme bodies and cables are marched."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import Number, Positive, ScenarioConfig, Table, Whole, refused

MOST_OUTPUTS = 100_000  # [-] stored times


class SystemRun(Table):
    """How long, how finely and by which scheme."""

    duration_s: Positive = Field(description="time simulated")
    output_interval_s: Positive = Field(
        default=0.05, description="spacing of stored states; the motion does not depend on it"
    )
    step_share: Annotated[Number, Field(ge=1e-4, le=0.9)] = Field(
        default=0.25, description="step as a share of the longest stable one"
    )
    longest_step_s: Positive = Field(default=1.0e-3, description="where no thread limits it")
    scheme: Literal["verlet", "dormand-prince"] = Field(
        default="verlet", description="second order, every part; or fifth order with error control"
    )
    relative_tolerance: Annotated[Number, Field(ge=0.0, le=1e-2)] = Field(
        default=0.0, description="of a dormand-prince step, besides the five below"
    )
    position_tolerance_m: Positive = Field(default=1.0e-6, description="of a dormand-prince step")
    velocity_tolerance_m_per_s: Positive = Field(
        default=1.0e-5, description="of a dormand-prince step"
    )
    attitude_tolerance: Positive = Field(
        default=1.0e-7, description="of a dormand-prince step, of quaternions"
    )
    rate_tolerance_rad_per_s: Positive = Field(
        default=1.0e-5, description="of a dormand-prince step, about the axis of least inertia"
    )
    work_tolerance_J: Positive = Field(
        default=1.0e-8, description="of a dormand-prince step, of each work in the ledger"
    )
    ledger_bound: Positive = Field(
        default=1.0e-2,
        description="largest trusted ledger remainder of a phase, as a share of what the phase "
        "stores and dissipates",
    )
    max_steps: Annotated[Whole, Field(ge=1, le=10**12)] = Field(
        default=100_000_000, description="steps allowed"
    )

    @model_validator(mode="after")
    def _output_fits_in_memory(self) -> SystemRun:
        if self.duration_s > MOST_OUTPUTS * self.output_interval_s:
            raise refused(
                f"output_interval_s = {self.output_interval_s} over {self.duration_s} s",
                f"at most {MOST_OUTPUTS} stored times",
                f"output_interval_s = {self.duration_s / MOST_OUTPUTS:.3g}",
            )
        return self


class SystemConfig(ScenarioConfig):
    """A scenario file of bodies and cables, for `scenarios/system_run.py`."""

    run: SystemRun
