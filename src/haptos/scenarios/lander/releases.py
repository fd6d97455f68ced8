"""What a batch must know of its releases: how deep they start, their energies, gravity below them."""

from __future__ import annotations

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.jit import named_rows
from haptos.dynamics.rigid.rigid_body import POSITION
from haptos.dynamics.touching.release_energies import HEIGHT, LEAST_GAP, PULL, SCALE, fill_releases
from haptos.environment.gravity import with_primary
from haptos.geometry.distance.surface import ground_feet
from haptos.scenarios.worlds.world import World

# [probe radii] a release may be pressed in this far, as at rest on soft ground
DEEPEST_START = 0.02
FAR_INSIDE = 10.0  # [probe radii] from which the size of the body may be wrong, not the release


def release_energies(
    rows: np.ndarray, vertices: np.ndarray, states: np.ndarray, world: World
) -> tuple[np.ndarray, np.ndarray]:
    """(scales of energies [J], pulls [m/s^2]); refuses releases that start inside the ground.

    The energy of the height above the ground below [J] goes to the rows.
    scale  kinetic, of being carried round by the spin, elastic, and potential above the ground
    pull   of gravity and spin at the point of the smooth ground nearest to the release
    """
    primary = rows["gravity"][0]
    gravity = with_primary(
        world.gravity, float(primary["primary_mu"]), tuple(primary["primary"].tolist())
    )
    feet, _ = ground_feet(world.surface, states[:, POSITION : POSITION + 3])
    found = np.empty((len(rows), 4))
    fill_releases(
        world.surface, gravity, world.gravity, named_rows(rows), vertices, states, feet, found
    )  # fmt: skip
    radius = float(rows["body"]["radius"][0])
    deepest = DEEPEST_START * radius
    inside = np.flatnonzero(-found[:, LEAST_GAP] > deepest)
    if len(inside):
        far = -found[inside[0], LEAST_GAP] > FAR_INSIDE * radius
        raise ConfigError(
            "[release] position_m",
            f"a probe {-found[inside[0], LEAST_GAP]:.6g} m inside the ground at time zero",
            f"vertices above ground, or pressed in by at most {deepest:.3g} m",
            "release it higher" + (", or check the unit and the size of the body" if far else ""),
        )
    rows["gravity"]["height_energy"] = found[:, HEIGHT]
    return found[:, SCALE].copy(), found[:, PULL].copy()
