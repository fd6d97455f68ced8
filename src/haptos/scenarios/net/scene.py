"""A net to look at: threads coloured by stress, bullets, chaser and target as they move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.result import Result
from haptos.results.scene import (
    Camera,
    Event,
    Item,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    Series,
    Surface,
)

Floats = NDArray[np.float64]
MEGA = 1e6
BOX = np.array(
    [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5],
     [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]
)  # fmt: skip


def scene(result: Result) -> Scene:
    """Everything in N axes; cameras that stand still, follow the target, or the chaser."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    names = [str(name) for name in motion["body"].values]
    places, turns = motion["r_BN_N"].values, motion["quat_NB"].values
    frames = tuple(
        MovingFrame(name, position=places[:, n], quaternion=turns[:, n])
        for n, name in enumerate(names)
    )
    items: list[Item] = [_box("chaser", result.config["chaser"]["size_m"], "chaser", "other")]
    if "target" in result.tables:
        table = result.tables["target"]
        items.append(
            Surface("target", table["r_B"].values, table["corners"].values, frame="target",
                    colour="ground", is_flat=True)
        )  # fmt: skip
    items.append(_threads(result))
    bullets = [n for n, name in enumerate(names) if name.startswith("bullet")]
    items.append(Points("bullets", places[:, bullets], colour="body", size=10.0))
    return Scene(
        time=time,
        items=tuple(items),
        cameras=_cameras(result, places, names),
        frames=frames,
        series=(
            Series("opening", "quality", "%", time, motion["quality"].values),
            Series("tension", "largest", "N", time, motion["tension"].values.max(axis=1)),
            Series("tension", "tether", "N", time, motion["tether_tension"].values),
            Series("tension", "closing", "N", time, motion["closing_tension"].values),
        ),
        events=tuple(
            Event(float(t), str(kind))
            for t, kind in zip(
                result.events["time"].values, result.events["kind"].values, strict=True
            )
        ),
        notes=("threads: tension over section of fibre, shown at their ends",),
    )


def _box(label: str, size: list[float], frame: str, colour: str) -> Surface:
    half = 0.5 * np.asarray(size)
    signs = np.array(
        [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1],
         [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
    )  # fmt: skip
    return Surface(label, signs * half, BOX, frame=frame, colour=colour, is_flat=True)


def _threads(result: Result) -> Lines:
    motion, table = result.trajectory, result.tables["elements"]
    ends = np.asarray(table["ends"].values)
    whole = table["is_whole"].values > 0
    stress = motion["tension"].values / table["section"].values / MEGA
    points = motion["r_point_N"].values
    at_points = np.zeros(points.shape[:2])
    for side in range(2):
        for e in range(ends.shape[0]):
            i = ends[e, side]
            np.maximum(at_points[:, i], stress[:, e], out=at_points[:, i])
    return Lines(
        "threads", points, segments=ends[whole], colour="path",
        maps=(ScalarMap("stress", "MPa", at_points),),
    )  # fmt: skip


def _cameras(result: Result, places: Floats, names: list[str]) -> tuple[Camera, ...]:
    span = float(np.ptp(places.reshape(-1, 3), axis=0).max()) + 2.0
    middle = tuple(float(x) for x in places[0].mean(axis=0))
    up, side = (0.0, 0.0, 1.0), (0.3, -1.0, 0.45)
    found = [Camera("inertial", "world", middle, side, up, 1.3 * span)]  # type: ignore[arg-type]
    for name in ("target", "chaser"):
        if name in names:
            found.append(Camera(f"follow the {name}", "world", name, side, up, 0.9 * span))
    if "target" in names:
        found.append(Camera("fixed to the target", "target", "target", side, up, 0.9 * span))
    return tuple(found)
