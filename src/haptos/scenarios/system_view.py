"""A run of bodies and cables to look at: a scene coloured by tension, and its figures over time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.result import Result
from haptos.results.scene import (
    WORLD,
    Camera,
    Item,
    Lines,
    MovingFrame,
    Points,
    ScalarMap,
    Scene,
    SceneSurface,
    Series,
)
from haptos.results.scene_parts import largest_at_points, stored_marks, triple

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
UP = (0.0, 0.0, 1.0)
SIDES = (
    (0.3, -1.0, 0.45),
    (0.3, 1.0, 0.45),
    (-1.0, 0.3, 0.45),
    (1.0, 0.3, 0.45),
)  # ways to look from


def system_scene(
    result: Result, items: Sequence[Item] = (), still: Sequence[str] = (),
    notes: Sequence[str] = (), frames: Sequence[MovingFrame] = (),
) -> Scene:  # fmt: skip
    """Bodies as frames and dots, cables coloured by tension, cameras that stand or follow.

    items  surfaces of the scenario, each in the frame of its body      still  bodies shown by no dot
    frames  further ones that items are fixed to
    """
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    names, places = body_names(result), motion["r_BN_N"].values
    moving = [n for n, name in enumerate(names) if name not in still]
    tension = np.asarray(motion["tension"].values)
    return Scene(
        time=time,
        items=(
            *items,
            *cables(result),
            Points("bodies", places[:, moving], colour="body", size=10.0),
        ),
        cameras=_cameras(places[:, moving], [names[n] for n in moving], items),
        frames=(*frames, *body_frames(result)),
        series=(
            Series("tension", "largest", "N", time, tension.max(axis=1, initial=0.0)),
            *(
                Series(
                    "speed", names[n], "m/s", time,
                    np.linalg.norm(motion["v_BN_N"].values[:, n], axis=1),
                )
                for n in moving
            ),
        ),
        events=stored_marks(result),
        notes=tuple(notes),
    )  # fmt: skip


def body_names(result: Result) -> list[str]:
    """Names of the bodies, in the order of their columns."""
    return [str(name) for name in result.trajectory["body"].values]


def body_frames(result: Result, at: Integers | slice = slice(None)) -> tuple[MovingFrame, ...]:
    """Axes of each body at all stored times, or at those of some rows."""
    places, turns = (result.trajectory[name].values[at] for name in ("r_BN_N", "quat_NB"))
    return tuple(
        MovingFrame(name, position=places[:, n], quaternion=turns[:, n])
        for n, name in enumerate(body_names(result))
    )


def cables(result: Result) -> tuple[Lines, ...]:
    """Elements that are whole at the end, coloured by tension at their points."""
    tension = result.trajectory["tension"].values
    if not tension.shape[1]:
        return ()
    high = float(np.percentile(tension.max(axis=1, initial=0.0), 90.0)) or 1.0
    return (whole_elements(result, "cables", tension, ("tension", "N"), high),)


def whole_elements(
    result: Result, label: str, values: Floats, meaning: tuple[str, str], high: float
) -> Lines:
    """Elements that are whole at the end, coloured by the largest number of those that meet at a point.

    values  (times, elements)        meaning  their name and unit        high  end of the colours
    """
    table, points = result.tables["elements"], result.trajectory["r_point_N"].values
    ends = np.asarray(table["ends"].values)
    whole = np.asarray(table["is_whole"].values) > 0
    at_points = largest_at_points(values, ends, points.shape[1])
    maps = (ScalarMap(*meaning, at_points, 0.0, high),)
    return Lines(label, points, segments=ends[whole], colour="path", maps=maps)


def broken_elements(
    result: Result, label: str, values: Floats, meaning: tuple[str, str], high: float
) -> tuple[Lines, ...]:
    """Elements that will break, as `whole_elements`, with points of their own, to vanish by."""
    table, points = result.tables["broken"], result.trajectory["r_point_N"].values
    broken = np.asarray(table["element"].values)
    count = len(broken)
    if not count:
        return ()
    ends = np.asarray(result.tables["elements"]["ends"].values)[broken]
    first, second = points[:, ends[:, 0]], points[:, ends[:, 1]]
    gone = result.trajectory["time"].values[:, None] >= np.asarray(table["time"].values)
    second = np.where(gone[:, :, None], first, second)
    pairs = np.stack([np.arange(count), count + np.arange(count)], axis=1)
    maps = (ScalarMap(*meaning, np.tile(values[:, broken], (1, 2)), 0.0, high),)
    both = np.concatenate([first, second], axis=1)
    return (Lines(label, both, segments=pairs, colour="contact", maps=maps),)


def _cameras(places: Floats, names: list[str], items: Sequence[Item]) -> tuple[Camera, ...]:
    """From where all is seen that moves, and beside each of the first bodies; never through the ground."""
    span = float(np.ptp(places.reshape(-1, 3), axis=0).max()) + 2.0
    low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    middle = 0.5 * (low + high)
    side = _free_side(middle, items)
    found = [Camera("inertial", "world", triple(middle), side, UP, 1.3 * span)]
    reach = float(np.linalg.norm(places - places[:, :1], axis=2).max()) + 2.0
    found += [
        Camera(f"follow the {name}", "world", name, side, UP, 1.1 * reach) for name in names[:4]
    ]
    return tuple(found)


def _free_side(target: Floats, items: Sequence[Item]) -> tuple[float, float, float]:
    """The first of the sides that has no standing surface within 60 degrees of it, or the freest."""
    still = [
        np.asarray(item.vertices).mean(axis=0) - target
        for item in items
        if isinstance(item, SceneSurface) and item.frame == WORLD and np.ndim(item.vertices) == 2
    ]
    ways = [np.array(side) / np.linalg.norm(side) for side in SIDES]
    towards = [max((way @ to / np.linalg.norm(to) for to in still), default=0.0) for way in ways]
    free = [n for n, cosine in enumerate(towards) if cosine < 0.5]
    return SIDES[free[0] if free else int(np.argmin(towards))]


def system_figures(result: Result, pairs: Sequence[tuple[str, str]] = ()) -> dict[str, Drawing]:
    """Tension, speeds and, for pairs of bodies, how far they are apart, over time."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values, dtype=float)
    names = [str(name) for name in motion["body"].values]
    tension = np.asarray(motion["tension"].values, dtype=float)
    speed = np.linalg.norm(motion["v_BN_N"].values, axis=2)
    drawn: dict[str, Drawing] = {}
    if pairs:
        places = np.asarray(motion["r_BN_N"].values)
        drawn["Distance between bodies"] = LinePlot(
            "time_s", "distance_m",
            tuple(
                Line(
                    f"{a} - {b}", time,
                    np.linalg.norm(places[:, names.index(b)] - places[:, names.index(a)], axis=1),
                )
                for a, b in pairs
            ),
        )  # fmt: skip
    if tension.shape[1]:
        largest = Line("largest of all elements", time, tension.max(axis=1))
        drawn["Tension"] = LinePlot("time_s", "tension_N", (largest,))
    lines = tuple(Line(name, time, speed[:, n]) for n, name in enumerate(names))
    drawn["Speed of the bodies"] = LinePlot("time_s", "speed_m_per_s", lines)
    return drawn
