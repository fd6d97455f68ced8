"""How steep the smooth ground of a world is."""

from __future__ import annotations

import numpy as np

from haptos.core.jit import entry
from haptos.core.units import DEGREE
from haptos.environment.effective_gravity import effective_gravity, slope_angles
from haptos.environment.gravity import potential_and_gravity
from haptos.geometry.distance.surface import direction, smooth_gap_and_gradient
from haptos.scenarios.worlds.world import World


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
