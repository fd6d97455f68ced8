"""How steep the ground is where a lander came to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from haptos.core.jit import entry
from haptos.core.outcome import Outcome
from haptos.core.units import DEGREE
from haptos.dynamics.rigid.rigid_body import POSITION
from haptos.environment.effective_gravity import effective_gravity, slope_angles
from haptos.environment.gravity import potential_and_gravity
from haptos.geometry.distance.surface import direction, smooth_gap_and_gradient
from haptos.scenarios.lander.model import Model
from haptos.scenarios.lander.world import World


@entry
def fill_ground(surface, gravity, places, normals, pulls):
    """Outward normal of the smooth ground [-] and gravity [m/s^2] at places."""
    for i in range(len(places)):
        x = (places[i, 0], places[i, 1], places[i, 2])
        _, gradient = smooth_gap_and_gradient(surface, x)
        n = direction(gradient)
        _, g = potential_and_gravity(gravity, x)
        for k in range(3):
            normals[i, k], pulls[i, k] = n[k], g[k]


def ground_slopes(world: World, spin: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Slopes [deg], (n,), of the smooth ground (no noise, rocks, tide) at places [m], (n, 3), A axes.

    spin  rate of the body [rad/s], (3,)
    """
    where = np.ascontiguousarray(places, dtype=np.float64)
    normals, pulls = np.empty_like(where), np.empty_like(where)
    fill_ground(world.surface, world.gravity, where, normals, pulls)
    return slope_angles(effective_gravity(pulls, spin, where), normals) / DEGREE


def rest_slopes(models: Sequence[Model], memory: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Slopes [deg], (n,), where runs settled; NaN for others and on tumbling bodies, whose slopes
    change all the time.
    """
    members: dict[int, list[int]] = {}  # runs of each world, which has one spin
    for i, model in enumerate(models):
        is_settled = memory["outcome"][i] == Outcome.SETTLED.code
        if is_settled and not model.parameters["is_tumbling"]:
            members.setdefault(id(model.world), []).append(i)
    found = np.full(len(models), np.nan)
    for runs in members.values():
        one = models[runs[0]]
        places = state[runs, POSITION : POSITION + 3]
        found[runs] = ground_slopes(one.world, one.parameters["spin"], places)
    return found
