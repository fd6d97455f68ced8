"""Hopping landers for tests: a cube with a momentum device on a plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.results.result import Result
from haptos.scenarios.lander.config import Config
from tests.hard_cases import hard

MASS, EDGE, PULL = 2.0, 0.2, 1e-2
CUBE = {"shape": "box", "mass_kg": MASS, "size_m": [EDGE] * 3}
BRAKE = {
    "device": "flywheel brake", "count": 1, "wait_s": 7.0, "duration_s": 0.02, "axis": [0.0, 1.0, 0.0],
    "wheel_inertia_kg_m2": 1e-4, "wheel_speed_rad_per_s": 150.0,
}  # fmt: skip
PULSE = {
    "device": "torque pulse", "count": 1, "wait_s": 7.0, "duration_s": 0.02, "axis": [0.0, 1.0, 0.0],
    "torque_N_m": 0.75,
}  # fmt: skip
HARD = {"law": "impulsive", "restitution": 0.5, "friction": 2.0}
SOFT = {"law": "compliant", "stiffness_N_per_m": 2e5, "restitution": 0.1, "friction": 2.0,
        "stick_speed_m_per_s": 1e-5}  # fmt: skip
EASY = {  # quick to settle
    "impulsive": {**HARD, "friction": 0.8, "stick_speed_m_per_s": 1e-4},
    "compliant": {
        **SOFT,
        "rolling_resistance_m": 0.005,
        "stiffness_N_per_m": 2e3,
        "friction": 0.8,
        "stick_speed_m_per_s": 1e-4,
    },
}
LAWS = {"impulsive": HARD, "compliant": SOFT}


def hopper(hops: dict[str, Any] | None, *, law: str = "impulsive", **changes: Any) -> Config:
    """A cube put flat onto a plane, with the given table [hops]."""
    # the springs of a compliant cube carry its weight from the start
    sink = 0.0 if law == "impulsive" else MASS * PULL / (4.0 * 2e5)
    given = {
        "probe": CUBE,
        "contact": LAWS[law],
        "release": {"position_m": [0.0, 0.0, EDGE / 2.0 - sink]},
        "run": {"duration_s": 3000.0, "output_interval_s": 2.0, "max_steps": 200_000},
        **changes,
    }
    if hops is not None:
        given["hops"] = hops
    return hard(**given)


def reported(result: Result, kind: str) -> dict[str, np.ndarray]:
    """Columns of the events of one kind."""
    rows = np.array([str(found) == kind for found in result.events["kind"].values], dtype=bool)
    return {name: result.events[name].values[rows] for name in result.events}
