"""Pieces that many scenes are made of: times to draw, boxes, a slope, trails, dots, marks of events, what has to be stored."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import WORLD, Event, Lines, Points, ScalarMap, SceneSurface

Floats = NDArray[np.float64]
Triple = tuple[float, float, float]

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
BOX_FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                      [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip


def drawn_rows(count: int, most: int) -> NDArray[np.int64]:
    """Rows that are drawn of `count` stored ones, at most `most`, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64))


def rows_at(stored: Floats, time: Floats) -> NDArray[np.int64]:
    """Rows of the stored times [s] that come next at some times [s]; the last one after all of them."""
    return np.clip(np.searchsorted(stored, time), 0, len(stored) - 1)


def triple(vector: ArrayLike) -> Triple:
    """Three numbers as cameras take them."""
    x, y, z = np.asarray(vector, dtype=float).tolist()
    return x, y, z


def box(
    label: str, size: ArrayLike, frame: str, colour: str, centre: ArrayLike = (0.0, 0.0, 0.0)
) -> SceneSurface:
    """A box of some sides [m] along the axes of a frame, its middle at `centre` [m]."""
    vertices = CORNERS * np.asarray(size, dtype=float) + np.asarray(centre, dtype=float)
    return SceneSurface(label, vertices, BOX_FACES, frame=frame, colour=colour, is_flat=True)


def sloping_square(label: str, half: float, slope_deg: float) -> SceneSurface:
    """A square, 2 half [m] wide, through the origin, that falls along x."""
    slope = math.radians(slope_deg)
    along, across = np.array([math.cos(slope), 0.0, -math.sin(slope)]), np.array([0.0, 1.0, 0.0])
    corners = [half * (x * along + y * across) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return SceneSurface(label, np.array(corners), np.array([[0, 1, 2], [0, 2, 3]]), colour="ground")


def marks(times: Iterable[float], names: Iterable[object]) -> tuple[Event, ...]:
    """Marks on the slider."""
    return tuple(Event(float(t), str(name)) for t, name in zip(times, names, strict=True))


def stored_marks(result: Result, time: str = "time", name: str = "kind") -> tuple[Event, ...]:
    """A mark for each stored event of a run, by the names of its columns."""
    return marks(result.events[time].values, result.events[name].values)


def at_nodes(between: Floats) -> Floats:
    """Numbers of the pieces of a line, (n, k), at its nodes, (n, k + 1): means, and at the ends those of the end pieces."""
    inside = 0.5 * (between[:, 1:] + between[:, :-1])
    return np.concatenate([between[:, :1], inside, between[:, -1:]], axis=1)


def largest_at_points(of_pieces: Floats, ends: NDArray[np.int64], count: int) -> Floats:
    """The largest number, at least 0, of the pieces (n, m) that meet at each of `count` points, (n, count)."""
    found = np.zeros((len(of_pieces), count))
    for side in range(2):
        for piece, point in enumerate(ends[:, side].tolist()):
            np.maximum(found[:, point], of_pieces[:, piece], out=found[:, point])
    return found


def trails(
    label: str, ways: Sequence[tuple[Floats, Floats]], most: int, frame: str = WORLD,
    values: Sequence[float] = (), meaning: tuple[str, str] = ("", ""),
) -> Lines:  # fmt: skip
    """Ways of many runs, (times [s] (k,), places [m] (k, 3)) each, as one set of lines of at most `most` points a way.

    values  one for each way, by which it is coloured        meaning  their name and unit
    """
    places, segments, times, colours, first = [], [], [], [], 0
    for number, (time, way) in enumerate(ways):
        kept = drawn_rows(len(time), most)
        places.append(way[kept])
        times.append(time[kept])
        row = np.arange(first, first + len(kept) - 1)
        segments.append(np.stack([row, row + 1], axis=1))
        first += len(kept)
        if len(values):
            colours.append(np.full(len(kept), values[number]))
    maps = (ScalarMap(*meaning, np.concatenate(colours)),) if colours else ()
    return Lines(
        label, np.concatenate(places), np.concatenate(segments), frame=frame,
        times=np.concatenate(times), maps=maps,
    )  # fmt: skip


def dots(
    label: str, ways: Sequence[tuple[Floats, Floats]], time: Floats, frame: str = WORLD
) -> Points:
    """A dot for each of many runs on its way, (times [s] (k,), places [m] (k, 3)) each, at times [s] (n,)."""
    places = [
        np.stack([np.interp(time, own, way[:, k]) for k in range(3)], axis=1) for own, way in ways
    ]
    return Points(label, np.stack(places, axis=1), frame=frame, colour="body", size=6.0)


def check_complete(
    where: str, needed: Iterable[str], held: Container[Any], allowed: str = ""
) -> None:
    """Refuse a stored result that lacks names that a scene needs; `allowed` says what it should have."""
    wanted = list(needed)
    missing = [name for name in wanted if name not in held]
    if missing:
        expected = allowed or ", ".join(wanted)
        raise HaptosError(where, f"no {', '.join(missing)}", expected, "run the scenario again")
