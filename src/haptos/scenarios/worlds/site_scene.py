"""The ground of a site to look at, in the axes of its body."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import HaptosError
from haptos.results.scene import WORLD, Item, MovingFrame, SceneSurface
from haptos.scenarios.worlds.scene_ground import A, grid_lines, ground
from haptos.scenarios.worlds.site import SiteTables, site_of, site_tables

Floats = NDArray[np.float64]
SITE = "site"


def camera_frame(config: SiteTables, frames: list[MovingFrame]) -> str:
    """Name of the axes of a run, which turn with the body on a site: their frame is added there."""
    if config.site is None:
        return WORLD
    frames.append(MovingFrame(SITE, np.zeros(3)))
    return SITE


def site_surfaces(
    config: SiteTables, touches: Floats, path: Floats, frames: list[MovingFrame], plane: SceneSurface
) -> list[Item]:  # fmt: skip
    """Ground near touches (n, 3) and under a path (n, 3) [m], S axes, with its frame added; the plane where there is no site."""
    tables = site_tables(config)
    if tables is None:
        return [plane]
    try:
        site = site_of(config)
        assert site is not None
        near, over = (places @ site.axes + site.origin for places in (touches, path))
        surfaces = ground(tables, near, over)
    except (HaptosError, OSError):  # its shape file has moved or changed
        return []
    frames.append(MovingFrame(A, -site.axes @ site.origin, site.quaternion))
    return [*surfaces, *map(grid_lines, surfaces[-1:])]
