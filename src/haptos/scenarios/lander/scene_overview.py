"""Many landers to look at: where they came to rest, and the ways of those that were run again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.results.rests import REST
from haptos.results.result import Result
from haptos.results.scene import Item, MovingFrame, Points, ScalarMap, Scene
from haptos.results.scene_parts import dots, trails
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.scene_cameras import extent, overview_cameras
from haptos.scenarios.lander.scene_poses import poses
from haptos.scenarios.worlds.scene_ground import (
    A,
    grid_lines,
    ground_normal,
    spin_notes,
    world_to_draw,
)
from haptos.scenarios.worlds.scene_runs import (
    body_attitudes,
    ground_of_runs,
    notes_on_differences,
    on_same_ground,
)

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

OVERVIEW_FRAMES = 300  # of many runs at once
TRAIL_POINTS = 120  # of one trail among many


def overview(config: Config, runs: pd.DataFrame, replays: Mapping[int, Result]) -> Scene:
    """Scene of many runs at once, over the body of `config`, which is that of run 0.

    runs     one row per run            replays  run -> its result, of those simulated again
    Where the shape of the ground varies, only the runs on the drawn one are shown.
    """
    here = on_same_ground(runs)
    rest, taken = _rest_places(runs[here])
    shape = config.as_table()["surface"]
    ways = [poses(result) for result in replays.values() if result.config["surface"] == shape]
    known = [part for part in (rest, *(way["r"] for way in ways)) if len(part)]
    everything = np.concatenate(known) if known else np.array([config.release.position_m])
    world = world_to_draw(config)
    surfaces = () if world is None else (ground_of_runs(config, world, rest, everything),)
    items: list[Item] = [*surfaces]
    items += [grid_lines(surface) for surface in surfaces if surface.label == "ground"]
    if len(rest):
        colour = (ScalarMap("time to rest", "s", taken),)
        items.append(Points("places of rest", rest, frame=A, colour="end", maps=colour, size=5.0))
    end = max((float(way["t"][-1]) for way in ways), default=1.0)
    time = np.linspace(0.0, end, OVERVIEW_FRAMES)
    if ways:
        paths = [(way["t"], way["r"]) for way in ways]
        items.append(trails("trails", paths, TRAIL_POINTS, frame=A))
        items.append(dots("probes", paths, time, frame=A))
    normal = np.array([0.0, 0.0, 1.0])
    if world is not None and len(rest):
        normal = ground_normal(world, np.median(rest, axis=0))
    return Scene(
        time=time,
        items=tuple(items),
        cameras=overview_cameras(everything, normal, extent(surfaces, everything), surfaces),
        frames=(MovingFrame(A, quaternion=body_attitudes(config, time)),),
        notes=(*notes_on_differences(runs, int(here.sum())), *spin_notes(config)),
    )


def _rest_places(runs: pd.DataFrame) -> tuple[Floats, Floats]:
    """(places of rest [m] (n, 3), times to rest [s] (n,)) of the runs that have them."""
    columns = [*REST, "settle_time_s"]
    if not set(columns) <= set(runs.columns):
        return np.empty((0, 3)), np.empty(0)
    found = runs[columns].to_numpy(dtype=float, na_value=np.nan)
    found = found[np.isfinite(found).all(axis=1)]
    return found[:, :3], found[:, 3]
