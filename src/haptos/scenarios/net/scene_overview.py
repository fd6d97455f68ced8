"""Many nets to look at: the ways of those that were run again, and their bullets as they fly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.results.result import Result
from haptos.results.scene import (
    WORLD,
    Camera,
    Item,
    Lines,
    MovingFrame,
    Points,
    Scene,
    SceneSurface,
)
from haptos.results.scene_parts import box, rows_at, trails
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.scene_bodies import body_surfaces
from haptos.scenarios.system_view import body_frames, body_names

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

FRAMES = 200  # of many runs at once
TRAIL_POINTS = 80  # of one trail among many


def overview(config: Config, runs: pd.DataFrame, replays: Mapping[int, Result]) -> Scene:
    """Scene of many runs at once; chaser and target are those of the first that was run again.

    runs     one row per run            replays  run -> its result, of those simulated again
    """
    first = next(iter(replays.values()), None)
    end = max((float(r.trajectory["time"].values[-1]) for r in replays.values()), default=1.0)
    time = np.linspace(0.0, end, FRAMES)
    surfaces: tuple[SceneSurface, ...] = (
        (box("chaser", config.chaser.size_m, "chaser", "other"),)
        if first is None
        else body_surfaces(first)
    )
    items: list[Item] = [*surfaces]
    reach = 2.0 * max(config.net.width_m, config.net.height_m)
    if replays:
        middles = _trails(replays)
        items += [middles, _bullets(replays, time)]
        reach += float(np.ptp(np.asarray(middles.positions), axis=0).max())
    middle = (0.3 * reach, 0.0, 0.0)
    side, up = (0.3, -1.0, 0.45), (0.0, 0.0, 1.0)
    return Scene(
        time=time,
        items=tuple(items),
        cameras=(
            Camera("from the side", WORLD, middle, side, up, 1.2 * reach),
            Camera("along the shot", WORLD, middle, (-1.0, -0.15, 0.15), up, 1.2 * reach),
        ),
        frames=_frames(first, time),
        notes=(_reported(len(runs), len(replays)),),
    )


def _reported(runs: int, shown: int) -> str:
    return (
        f"Ways of the nets' middles and bullets of {shown} of {runs} runs; chaser and target move "
        "as in the first of them. Pick a run to see its net."
    )


def _frames(first: Result | None, time: Floats) -> tuple[MovingFrame, ...]:
    """Chaser and target of one run at the times of the overview."""
    if first is None:
        return (MovingFrame("chaser"),)
    at = rows_at(np.asarray(first.trajectory["time"].values), time)
    return tuple(f for f in body_frames(first, at) if f.name in ("chaser", "target"))


def _trails(replays: Mapping[int, Result]) -> Lines:
    """Middles of the nets, coloured by how far each net opened at best."""
    ways, best = [], []
    for result in replays.values():
        motion = result.trajectory
        knots = np.unique(_net_points(result))
        middle = motion["r_point_N"].values[:, knots].mean(axis=1)
        ways.append((np.asarray(motion["time"].values), middle))
        best.append(float(result.metrics.get("best_quality_percent", np.nan)))
    meaning = ("best opening", "%")
    return trails("ways of the nets", ways, TRAIL_POINTS, values=best, meaning=meaning)


def _net_points(result: Result) -> NDArray[np.int64]:
    """Points of the threads of the net itself."""
    table = result.tables["elements"]
    kinds = np.asarray(table["kind"].values).astype(str)
    own = np.isin(kinds, ("normal", "reinforced"))
    return np.asarray(table["ends"].values, dtype=np.int64)[own]


def _bullets(replays: Mapping[int, Result], time: Floats) -> Points:
    """All bullets of all runs, at the stored time next to each time."""
    parts = []
    for result in replays.values():
        motion = result.trajectory
        at = rows_at(np.asarray(motion["time"].values), time)
        names = body_names(result)
        chosen = [n for n, name in enumerate(names) if name.startswith("bullet")]
        parts.append(motion["r_BN_N"].values[at][:, chosen])
    return Points("bullets", np.concatenate(parts, axis=1), colour="body", size=6.0)
