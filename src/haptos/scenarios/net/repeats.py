"""What a net does to repeat itself: how often, from which start, with which steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from haptos.dynamics.system import SHOT
from haptos.scenarios.net.bullet_orders import bullet_speeds
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import Model

DISTURBANCE = 1e-9  # [-] of each shot, and of the largest speed at the start or of a shot
STEPS = ("step_share", "longest_step_s")
TOLERANCES = (
    "relative_tolerance", "position_tolerance_m", "velocity_tolerance_m_per_s",
    "attitude_tolerance", "rate_tolerance_rad_per_s", "work_tolerance_J",
)  # fmt: skip


def repeats(config: Config) -> int:
    """Runs with a disturbed start that a file asks for."""
    return config.run.repeats


def refined(config: Config) -> Config:
    """The same run with half of every step, or of every tolerance where these choose the steps."""
    run = config.run
    names = STEPS if run.scheme == "verlet" else TOLERANCES
    changes = {name: 0.5 * getattr(run, name) for name in names}
    return config.model_copy(update={"run": run.model_copy(update=changes)})


def disturbed(config: Config, model: Model, disturbance: np.random.Generator) -> Model:
    """The model with shots, velocities and spins at the start changed by DISTURBANCE times normal numbers.

    Velocities change by that share of the largest speed there is, so that what starts at rest is
    disturbed as well; spins by that share of their own.
    """
    motion, orders = model.motion, model.system.orders
    normal = disturbance.standard_normal
    nodes, free = int(motion.step.nodes), motion.bodies.inverse_mass > 0.0
    sizes = [
        np.linalg.norm(rows, axis=1) for rows in (motion.points.v[:nodes], motion.bodies.speed)
    ]
    speed = max(np.concatenate(sizes).max(initial=0.0), max(bullet_speeds(config), default=0.0))
    motion.points.v[:nodes] += DISTURBANCE * speed * normal((nodes, 3))
    motion.bodies.speed[:] += (
        DISTURBANCE * speed * free[:, None] * normal(motion.bodies.speed.shape)
    )
    motion.bodies.momentum[:] *= 1.0 + DISTURBANCE * normal(motion.bodies.momentum.shape)
    loads = orders.loads.copy()
    shots = loads["work"] == SHOT
    factor = 1.0 + DISTURBANCE * normal((int(shots.sum()), 1))
    for name in ("force", "force_end"):
        loads[name][shots] *= factor
    return replace(model, system=model.system._replace(orders=orders._replace(loads=loads)))
