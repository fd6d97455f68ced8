"""What a lander does to repeat itself: how often, from which start, with which tolerances."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from haptos.dynamics.rigid.rigid_body import RATE, VELOCITY
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_contact import FoundationContact
from haptos.scenarios.lander.model import Model

DISTURBANCE = 1e-9  # [-] of the speed of the energy at the release
HALVED = (
    "position_tolerance_m", "velocity_tolerance_m_per_s", "rate_tolerance_rad_per_s",
    "attitude_tolerance", "energy_tolerance",
)  # fmt: skip
LEAST_TOLERANCE = 1e-13  # [-] relative, the least a file may ask for


def repeats(config: Config) -> int:
    """Runs with a disturbed start that a file asks for."""
    return config.run.repeats


def refined(config: Config) -> Config:
    """The same run with half of every tolerance."""
    run = config.run
    changes = {name: 0.5 * getattr(run, name) for name in HALVED}
    changes["relative_tolerance"] = max(0.5 * run.relative_tolerance, LEAST_TOLERANCE)
    made: dict[str, Any] = {"run": run.model_copy(update=changes)}
    contact = config.contact
    if isinstance(contact, FoundationContact):
        made["contact"] = contact.model_copy(update={"tolerance": 0.5 * contact.tolerance})
    return config.model_copy(update=made)


def disturbed(model: Model, disturbance: np.random.Generator) -> Model:
    """The model with velocity and rate at the release changed by DISTURBANCE times normal numbers.

    Both are measured by the speed of all energy at the release, so that a probe let go at rest is
    disturbed as well.
    """
    speed = math.sqrt(2.0 * model.scale / float(model.parameters["body"]["mass"]))
    state = model.state.copy()
    state[VELOCITY : VELOCITY + 3] += DISTURBANCE * speed * disturbance.standard_normal(3)
    rate = speed / float(model.parameters["body"]["radius"])
    state[RATE : RATE + 3] += DISTURBANCE * rate * disturbance.standard_normal(3)
    return replace(model, state=state)
