"""What a scenario wants seen in three dimensions, said as data; how it is drawn is the view's business.

A scene has one list of times. What moves has one row per time, what rests has none: positions are
(k, 3) at rest and (n, k, 3) in motion, n = len(time). All lengths in metres, in the axes of the frame
that an item names; frames hang in each other and finally in WORLD, which does not turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import HaptosError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WORLD = "world"  # inertial axes; every frame hangs in it at last
COLOURS = ("ground", "body", "path", "contact", "start", "end", "force", "velocity", "other")


@dataclass(frozen=True, eq=False)
class MovingFrame:
    """Axes that items are fixed to.

    position    [m], of its origin in the axes of its parent, (3,) or (n, 3)
    quaternion  scalar first, turns its components into those of its parent, (4,) or (n, 4)
    """

    name: str
    position: ArrayLike = (0.0, 0.0, 0.0)
    quaternion: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    parent: str = WORLD


@dataclass(frozen=True, eq=False)
class ScalarMap:
    """One number per vertex, shown as colour: slope, stress, time taken.

    values  (k,) or (n, k); NaN is drawn grey       low, high   ends of the colours, those of the values if left out
    """

    name: str
    unit: str
    values: ArrayLike
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class SceneSurface:
    """Triangles: a body, a target, a spacecraft, a field of sand that deforms.

    vertices  [m], (k, 3) or (n, k, 3)       faces  (m, 3), outward       is_flat  facets keep their edges
    hole      (centre x, y, z, radius) [m] of a ball in which nothing is drawn, for a finer piece
    """

    label: str
    vertices: ArrayLike
    faces: ArrayLike
    frame: str = WORLD
    colour: str = "ground"
    maps: tuple[ScalarMap, ...] = ()
    is_flat: bool = False
    hole: tuple[float, float, float, float] | None = None
    shown: bool = True


@dataclass(frozen=True, eq=False)
class Points:
    """Dots: places of rest, nodes of a cable, many probes at once; size in pixels."""

    label: str
    positions: ArrayLike
    frame: str = WORLD
    colour: str = "other"
    maps: tuple[ScalarMap, ...] = ()
    size: float = 6.0
    shown: bool = True


@dataclass(frozen=True, eq=False)
class Lines:
    """Segments between positions: threads, cables, trails.

    segments  (m, 2) indices of positions; those in a row, one after the other, if left out
    times     [s], (k,): what lies ahead of the slider is drawn faint; for trails
    """

    label: str
    positions: ArrayLike
    segments: ArrayLike | None = None
    frame: str = WORLD
    colour: str = "path"
    maps: tuple[ScalarMap, ...] = ()
    times: ArrayLike | None = None
    shown: bool = True


@dataclass(frozen=True, eq=False)
class Arrows:
    """Forces, impulses, velocities: the longest is `length` [m] long, the others in proportion.

    origins  [m], (k, 3) or (n, k, 3)        vectors  in `unit`, (k, 3) or (n, k, 3); NaN is not drawn
    windows  [s], (k, 2): from when to when each is seen; always if left out
    """

    label: str
    unit: str
    origins: ArrayLike
    vectors: ArrayLike
    length: float
    frame: str = WORLD
    colour: str = "force"
    windows: ArrayLike | None = None
    shown: bool = True


@dataclass(frozen=True, eq=False)
class Series:
    """One number over time; series of one panel share their axes and their unit."""

    panel: str
    name: str
    unit: str
    time: ArrayLike
    values: ArrayLike
    is_log: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; a mark on the slider."""

    time: float
    label: str


@dataclass(frozen=True, eq=False)
class Camera:
    """A way to look: at the origin of a frame or at a point, at rest in the axes of another frame.

    axes       frame the camera turns with        target  frame it looks at, or a point [m] in its axes
    direction  from the target to the eye         up      both in the axes of `axes`, any length
    distance   [m] from the target
    """

    name: str
    axes: str
    target: str | tuple[float, float, float]
    direction: tuple[float, float, float]
    up: tuple[float, float, float]
    distance: float


Item = SceneSurface | Points | Lines | Arrows


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything the viewer shows; refused where sizes do not fit or names are unknown."""

    time: Floats
    items: tuple[Item, ...]
    cameras: tuple[Camera, ...]
    frames: tuple[MovingFrame, ...] = ()
    series: tuple[Series, ...] = ()
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        time = np.array(self.time, dtype=np.float64)
        object.__setattr__(self, "time", time)
        if time.ndim != 1 or not time.size or not np.all(np.isfinite(time)):
            raise _refusal("time", f"shape {time.shape}", "one or more finite times [s]")
        if np.any(np.diff(time) < 0.0):
            raise _refusal("time", "times that go back", "rising times [s]")
        _check_frames(self.frames, time.size)
        names = {WORLD, *(frame.name for frame in self.frames)}
        for item in self.items:
            _check_item(item, names, time.size)
        for series in self.series:
            _check(f"series {series.name}", series.values, (np.size(series.time),))
        if not self.cameras:
            raise _refusal("cameras", "none", "at least one; the first is where one starts")
        for camera in self.cameras:
            target = camera.axes if not isinstance(camera.target, str) else camera.target
            if not {camera.axes, target} <= names:
                raise _refusal(f"camera {camera.name}", f"{camera.axes}, {target}", str(names))


def _check_frames(frames: Sequence[MovingFrame], count: int) -> None:
    known = {WORLD}
    for frame in frames:
        where = f"frame {frame.name}"
        if frame.parent not in known or frame.name in known:
            allowed = f"a new name, hanging in one of {', '.join(sorted(known))}"
            raise _refusal(where, f"hanging in {frame.parent}", allowed)
        known.add(frame.name)
        _check(where, frame.position, (3,), (count, 3))
        _check(where, frame.quaternion, (4,), (count, 4))


def _check_item(item: Item, frames: set[str], count: int) -> None:
    where = f"item {item.label}"
    if item.frame not in frames:
        raise _refusal(where, f"frame {item.frame!r}", ", ".join(sorted(frames)))
    if item.colour not in COLOURS:
        raise _refusal(where, f"colour {item.colour!r}", ", ".join(COLOURS))
    if isinstance(item, Arrows):
        size = np.shape(item.vectors)[-2]
        for part in (item.origins, item.vectors):
            _check(where, part, (size, 3), (count, size, 3))
        if item.windows is not None:
            _check(where, item.windows, (size, 2))
        return
    places = item.vertices if isinstance(item, SceneSurface) else item.positions
    size = np.shape(places)[-2] if np.ndim(places) > 1 else 0
    _check(where, places, (size, 3), (count, size, 3))
    for scalar in item.maps:
        _check(f"{where}, map {scalar.name}", scalar.values, (size,), (count, size))
    if isinstance(item, Lines) and item.times is not None:
        _check(where, item.times, (size,))
    corners = {SceneSurface: "faces", Lines: "segments"}.get(type(item))
    used = None if corners is None else getattr(item, corners)
    if used is not None and np.size(used) and not 0 <= np.min(used) <= np.max(used) < size:
        raise _refusal(where, f"{corners} up to {np.max(used)}", f"indices 0 to {size - 1}")


def _check(where: str, values: ArrayLike, *allowed: tuple[int, ...]) -> None:
    if np.shape(values) not in allowed:
        raise _refusal(where, f"shape {np.shape(values)}", " or ".join(map(str, allowed)))


def _refusal(where: str, found: str, allowed: str) -> HaptosError:
    return HaptosError(f"scene, {where}", found, allowed, "fix scene.py of the scenario")
