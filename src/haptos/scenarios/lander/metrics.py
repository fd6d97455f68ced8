"""Numbers reported of every lander run, the same for one run and for a row of a campaign's table."""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.settling import NOT_CALM
from haptos.core.outcome import Outcome
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FULL_SIZE,
    POSITION,
    RATE,
    VELOCITY,
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
)
from haptos.dynamics.touching.run_memory import GROUND, MEMORY, MOST_HOP_PHASES
from haptos.results.phases import Phase, phases_of

PHASE_NAMES = ("flight", "bounces", "ground")  # by the event that begins them
WORKS = {
    "damping": WORK_DAMPING,
    "friction": WORK_FRICTION,
    "rolling": WORK_ROLLING,
    "sunlight": WORK_SUNLIGHT,
    "spin": WORK_SPIN,
    "actuator": WORK_ACTUATOR,
    "drag": WORK_DRAG,
}


def metrics(
    memory: np.void, state: np.ndarray, start: np.ndarray, slope: float
) -> dict[str, float]:
    """Metrics of one finished run; NaN where an event did not happen. slope [deg], at rest."""
    impacts = int(memory["impacts"]["count"])
    x, v, w = (state[i : i + 3] for i in (POSITION, VELOCITY, RATE))
    settled = memory["outcome"] == Outcome.SETTLED.code and memory["rest"]["calm_since"] != NOT_CALM
    values: dict[str, float] = {
        "settle_time_s": float(memory["rest"]["calm_since"]) if settled else math.nan,
        "end_time_s": float(memory["step"]["time"]),
        "first_touch_time_s": float(memory["touch"]["first_time"]),
        "first_touch_speed_m_per_s": float(memory["touch"]["first_speed"]),
        "slope_at_rest_deg": slope if settled else math.nan,
        "impacts": impacts,
        "largest_impact_loss_J": float(memory["impacts"]["largest_loss"]),
        "mean_impact_loss_J": float(memory["impacts"]["losses"]) / impacts if impacts else math.nan,
        "contact_phases": int(memory["contact"]["phases"]),
        "vertex_touches": int(memory["touch"]["count"]),
        "touching_at_end": int(memory["contact"]["touching_end"]),
        "contact_time_s": float(memory["contact"]["total_time"]),
        "path_length_m": float(memory["path"]),
        "displacement_m": math.hypot(*(x - start[POSITION : POSITION + 3])),
        "deepest_m": float(memory["contact"]["deepest"]),
        "end_speed_m_per_s": math.hypot(*v),
        "end_rate_rad_per_s": math.hypot(*w),
    }
    for axis, value in zip("xyz", x, strict=True):
        values[f"rest_{axis}_m"] = float(value) if settled else math.nan
    for index, value in enumerate(state[ATTITUDE : ATTITUDE + 4]):
        values[f"rest_quaternion_{index}"] = float(value) if settled else math.nan
    done = max(int(memory["hops"]["rests"]) - 1, 0)
    values["hop_count"] = done
    values["hop_distance_mean_m"] = float(memory["hops"]["distance"]) / done if done else math.nan
    values["largest_energy_rise_J"] = float(memory["ledger"]["largest_rise"])
    values["steps"] = int(memory["counts"]["steps"])
    for count, phase in zip(
        memory["counts"]["phase_steps"], ("flight", "contact", "lying"), strict=True
    ):
        values[f"{phase}_steps"] = int(count)
    values["rejected_steps"] = int(memory["counts"]["rejected"])
    return values


def metric_names() -> tuple[str, ...]:
    """Names of all metrics, before there is a run."""
    nothing = np.zeros(FULL_SIZE)
    return tuple(metrics(np.zeros(1, dtype=MEMORY)[0], nothing, nothing, math.nan))


def works(state: np.ndarray) -> dict[str, float]:
    """Work [J] each actor has done on the probe."""
    return {name: float(state[row]) for name, row in WORKS.items()}


def ledger_phases(memory: np.void, rows: np.ndarray) -> tuple[Phase, ...]:
    """Phases of the energy ledger of one finished run, from its row of memory and its phases."""
    return phases_of(rows, int(memory["ledger"]["phases"]), phase_name)


def phase_name(event: int) -> str:
    """Name of the phase that an event begins."""
    if event <= GROUND:
        return PHASE_NAMES[event]
    hop = event - GROUND
    return f"hop {hop} and later" if hop >= MOST_HOP_PHASES else f"hop {hop}"
