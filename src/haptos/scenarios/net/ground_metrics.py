"""What is said of a net that falls on a ground: when it touched, how hard, whether it lies still."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np

from haptos.contact.contact_flow import OPEN
from haptos.core.outcome import Outcome
from haptos.dynamics.contacts.ground_arrays import (
    GROUND_AT,
    GROUND_MET,
    GROUND_PEAK,
    WORST_DEPTH,
)
from haptos.dynamics.motion import Motion
from haptos.environment import turning_frame
from haptos.scenarios.net.config import Config
from haptos.scenarios.worlds.cited_laws import world_laws


def ground_metrics(motion: Motion) -> dict[str, float]:
    """Name with unit -> number; NaN for what did not happen."""
    tally, n = motion.contacts.ground.tally, int(motion.step.nodes)
    touched = float(tally[GROUND_AT])
    return {
        "ground_touch_s": touched if math.isfinite(touched) else math.nan,
        "ground_peak_force_N": float(tally[GROUND_PEAK]),
        "ground_contacts": float(tally[GROUND_MET]),
        "ground_depth_m": float(max(motion.contacts.ground.worst[WORST_DEPTH], 0.0)),
        "lying_share": float((motion.contacts.ground.factor[:n] != OPEN).mean()),
        "end_speed_m_per_s": end_speed(motion),
    }


def end_speed(motion: Motion) -> float:
    """Largest speed [m/s] of a node or a body that can move."""
    n = int(motion.step.nodes)
    free = motion.bodies.speed[motion.bodies.inverse_mass > 0.0]
    both = np.concatenate([motion.points.v[:n], free])
    return float(np.linalg.norm(both, axis=1).max(initial=0.0))


def outcome_on_ground(motion: Motion, rest_speed: float) -> Outcome:
    """How a run without a target ended: at rest if nothing is faster than a speed [m/s]."""
    if not math.isfinite(motion.contacts.ground.tally[GROUND_AT]):
        return Outcome.MISSED
    return Outcome.SETTLED if end_speed(motion) <= rest_speed else Outcome.TIME_OVER


def ground_laws(config: Config) -> list[ModuleType]:
    """Laws of the world of a net; none without a ground."""
    return [] if config.world is None else [turning_frame, *world_laws(config.world)]
