"""The ground a net falls on, in the scene of its run."""

from __future__ import annotations

import numpy as np

from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import Lines, MovingFrame, SceneSurface
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.site import SiteFrame, body_attitude, site_frame
from haptos.scenarios.worlds.scene_ground import A, grid_lines, ground


def ground_frames(result: Result) -> tuple[MovingFrame, ...]:
    """Axes of the small body, which rest in N axes; none without a ground."""
    frame = _frame(result)
    if frame is None:
        return ()
    return (MovingFrame(A, position=-frame.arm, quaternion=body_attitude(frame)),)


def ground_surfaces(result: Result) -> tuple[SceneSurface | Lines, ...]:
    """The body, the very ground where the net ends, and lines on it."""
    config, frame = Config.read_back(result.config), _frame(result)
    if frame is None or config.world is None:
        return ()
    points = np.asarray(result.trajectory["r_point_N"].values)
    path = frame.to_A(points.mean(axis=1))
    surfaces = ground(config.world, frame.to_A(points[-1]), path)
    return (*surfaces, *map(grid_lines, surfaces[-1:]))


def _frame(result: Result) -> SiteFrame | None:
    config = Config.read_back(result.config)
    if config.world is None:
        return None
    try:
        return site_frame(config)
    except (HaptosError, OSError):  # its shape file has moved or changed
        return None
