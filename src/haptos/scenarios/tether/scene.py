"""A tether to look at: both spacecraft, the line coloured by its tension, the ground of a site."""

from __future__ import annotations

import numpy as np

from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import MovingFrame, Scene
from haptos.scenarios.system_view import system_scene
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.config_place import TetherSite
from haptos.scenarios.worlds.scene_ground import A, grid_lines, ground


def scene(result: Result) -> Scene:
    """The run in motion."""
    config = Config.read_back(result.config)
    if not isinstance(config.place, TetherSite) or config.world is None:
        return system_scene(result)
    arm = np.array(config.place.position_m)
    points = np.asarray(result.trajectory["r_point_N"].values) + arm
    try:
        surfaces = ground(config.world, points[-1], points.mean(axis=1))
    except (HaptosError, OSError):  # its shape file has moved or changed
        return system_scene(result)
    still = (1.0, 0.0, 0.0, 0.0)
    frame = MovingFrame(A, position=-arm, quaternion=np.array(still))
    return system_scene(result, [*surfaces, *map(grid_lines, surfaces[-1:])], frames=(frame,))
