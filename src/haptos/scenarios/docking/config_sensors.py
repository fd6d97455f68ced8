"""Tables of sensors, estimator and loops."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from haptos.scenarios.schema import NotNegative, Number, Positive, Table, Text, Whole, refused

WIDTHS = {
    "camera": 6,
    "distance": 3,
    "drives": 8,
    "star_tracker": 3,
    "gyro": 3,
}  # numbers of a reading
MIXED_UNITS = ("camera", "drives")
Rate = Annotated[Number, Field(gt=0.0, le=50.0)]
Lost = Annotated[Number, Field(ge=0.0, lt=1.0)]
SensorMode = Literal["noisy", "perfect"]
MODE = "noisy, or perfect: the truth at the same times"
REPLAY = "CSV of time_s and readings to use instead of the simulated ones"


class SensorFaultTable(Table):
    kind: Literal["failed", "bias", "frozen"] = Field(
        description="every sample lost, an offset, or the last value again"
    )
    at_s: NotNegative = Field(default=0.0, description="from this time on")
    offset: tuple[Number, ...] = Field(
        default=(), description="of a bias, in metres, radians, newtons"
    )

    @model_validator(mode="after")
    def _bias_has_an_offset(self) -> SensorFaultTable:
        if (self.kind == "bias") != bool(self.offset):
            raise refused(
                f'kind = "{self.kind}" with offset {list(self.offset)}',
                "an offset for a bias",
                "offset = [0.01]",
            )
        return self


class Sensing(Table):
    """What every sensor has."""

    mode: SensorMode = Field(default="noisy", description=MODE)
    replay_file: Text | None = Field(default=None, description=REPLAY)
    faults: tuple[SensorFaultTable, ...] = Field(
        default=(), description="what goes wrong, and when"
    )


class DockingCamera(Sensing):
    """Stereo camera in the tool: pose of the nozzle."""

    rate_Hz: Rate = Field(default=2.0, description="of samples")
    delay_s: NotNegative = Field(default=0.3, description="from sample to reading")
    range_sigma_m: NotNegative = Field(default=1e-3, description="s_0, along the line of sight")
    range_sigma_per_m: NotNegative = Field(
        default=4e-3, description="s_1, times the square of the range"
    )
    lateral_sigma: NotNegative = Field(default=2e-3, description="s_2, times the range")
    angle_sigma_deg: NotNegative = Field(default=0.3, description="s_3, each axis")
    bias_m: NotNegative = Field(default=2e-3, description="deviation of the bias of a run")
    bias_deg: NotNegative = Field(default=0.2, description="deviation of the bias of a run")
    dropout: Lost = Field(default=0.01, description="share of samples lost")
    burst: Annotated[Whole, Field(ge=1, le=1000)] = Field(
        default=3, description="samples lost in a row"
    )
    blind_range_m: NotNegative = Field(default=0.10, description="no pose below this range")
    glare_deg: Annotated[Number, Field(ge=0.0, lt=90.0)] = Field(
        default=0.0,
        description="no pose while the Sun is this near to the line of sight; needs orbit.sun",
    )


class DistanceSensors(Sensing):
    """Three rays from the tool's front onto the nozzle."""

    rate_Hz: Rate = Field(default=10.0, description="of samples")
    delay_s: NotNegative = Field(default=0.0, description="from sample to reading")
    sigma_m: NotNegative = Field(default=5e-4, description="of a reading")
    step_m: NotNegative = Field(default=1e-4, description="least difference shown")
    reach_m: Positive = Field(default=0.3, description="longest way seen")
    dropout: Lost = Field(default=0.0, description="share of samples lost")
    radius_m: Positive = Field(
        default=0.025, description="where they sit, from the tool's axis: assumed"
    )
    outward_deg: Annotated[Number, Field(ge=0.0, lt=80.0)] = Field(
        default=20.0, description="of the rays, from straight ahead: assumed"
    )
    agree_m: Positive = Field(default=4e-3, description="difference at which two sensors agree")


class SwitchFaultTable(Table):
    switch: Literal["shoulder", "bracket"] = Field(description="which group")
    index: Annotated[Whole, Field(ge=0, le=2)] = Field(description="which of the three")
    kind: Literal["stuck_open", "stuck_closed"] = Field(description="what it says")
    at_s: NotNegative = Field(default=0.0, description="from this time on")


class Switches(Table):
    threshold_N: Positive = Field(default=5.0, description="that closes one")
    hold_s: NotNegative = Field(default=0.02, description="for this long")
    bounce_s: NotNegative = Field(
        default=0.005, description="open at least this long after it opens"
    )
    faults: tuple[SwitchFaultTable, ...] = Field(default=(), description="that stick")


class DriveSensors(Sensing):
    """Boom length, tension and side force, moment, crown stroke, spread and force."""

    rate_Hz: Rate = Field(default=50.0, description="of samples")
    delay_s: NotNegative = Field(default=0.0, description="from sample to reading")
    length_step_m: NotNegative = Field(default=1e-5, description="of the encoders")
    force_sigma_N: NotNegative = Field(default=0.5, description="of the load cells: assumed")
    force_step_N: NotNegative = Field(default=0.1, description="of the load cells")
    moment_sigma_N_m: NotNegative = Field(default=0.05, description="of the strain gauges: assumed")
    spread_step: NotNegative = Field(default=1e-3, description="of the crown's encoder")


class StarTrackerTable(Sensing):
    rate_Hz: Rate = Field(default=4.0, description="of samples")
    delay_s: NotNegative = Field(default=0.1, description="from sample to reading: assumed")
    sigma_arcsec: NotNegative = Field(default=20.0, description="each axis")


class GyroTable(Sensing):
    rate_Hz: Rate = Field(default=10.0, description="of samples")
    random_walk_deg_per_sqrt_h: NotNegative = Field(default=0.1, description="of the angle")
    bias_deg_per_h: NotNegative = Field(default=1.0, description="deviation of the bias of a run")
    bias_walk_deg_per_h_per_sqrt_s: NotNegative = Field(
        default=1e-3, description="of the bias: assumed"
    )


class Sensors(Table):
    camera: DockingCamera = DockingCamera()
    distance: DistanceSensors = DistanceSensors()
    switches: Switches = Switches()
    drives: DriveSensors = DriveSensors()
    star_tracker: StarTrackerTable = StarTrackerTable()
    gyro: GyroTable = GyroTable()

    @model_validator(mode="after")
    def _biases_have_a_number_for_each_reading(self) -> Sensors:
        for name, width in WIDTHS.items():
            allowed = {width} if name in MIXED_UNITS else {1, width}
            for fault in getattr(self, name).faults:
                if fault.offset and len(fault.offset) not in allowed:
                    found = f"{name}: a bias with {len(fault.offset)} offsets"
                    words = " or ".join(str(n) for n in sorted(allowed))
                    hint = f"offset = {[0.0] * width}"
                    raise refused(found, f"{words}: one for each reading, SI units", hint)
        return self


class Estimator(Table):
    alpha: Annotated[Number, Field(gt=0.0, lt=1.0)] = Field(
        default=0.35, description="gain of the place"
    )
    beta: Annotated[Number, Field(gt=0.0, lt=1.0)] = Field(
        default=0.07, description="gain of the speed"
    )
    near_m: NotNegative = Field(
        default=0.15, description="below it the distance sensors give the range"
    )


class Control(Table):
    attitude_rad_per_s: Positive = Field(
        default=0.1, description="natural frequency of the attitude loop"
    )
    attitude_damping: Positive = Field(default=0.7, description="of the attitude loop")
    aligns_with_nozzle: bool = Field(
        default=False, description="the attitude follows the nozzle the camera sees"
    )
    translation_rad_per_s: Positive = Field(
        default=0.05, description="natural frequency of the place loop"
    )
    translation_damping: Positive = Field(default=0.8, description="of the place loop")
    place_band_m: NotNegative = Field(default=5e-3, description="deadband")
    speed_band_m_per_s: NotNegative = Field(default=5e-4, description="deadband")
    period_s: Annotated[Number, Field(ge=0.1, le=10.0)] = Field(
        default=1.0, description="of the pulses"
    )
    approach_gain_per_s: Positive = Field(default=1.0, description="k_L, of the boom's way to go")
    aocs_in_contact: Literal["free", "damp", "active"] = Field(
        default="free", description="loops of the chaser from first contact on"
    )
    off_at_s: NotNegative | None = Field(
        default=None, description="fault: all loops off from this time on"
    )
    wheel_off_at_s: NotNegative | None = Field(
        default=None, description="fault: the first wheel is off from this time on"
    )
