"""Scenes as bytes: a JSON head and compressed arrays, read by web/packet.js in any browser.

    "HAPTOS1\n" | length of the head (4 bytes, little-endian) | head (JSON, UTF-8) | arrays

An array stands in the head as {at, bytes, type, shape, low, step}: its values are low + step * number,
low and step one per component. Numbers are differences along the first axis (modulo their size), their
bytes sorted by significance, and all that deflated (zlib): what moves little costs little. Of a number
that is none the code is the largest. The same array is stored once, however many scenes use it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from haptos.results.result import finite_or_null, plain
from haptos.results.scene import (
    Arrows,
    Camera,
    Item,
    Lines,
    MovingFrame,
    Points,
    Scene,
    SceneSurface,
    Series,
)

MAGIC = b"HAPTOS1\n"
NO_NUMBER = 65535  # code of NaN among 16-bit numbers
LARGE = 10_000_000  # [bytes] of an array; larger ones are packed in haste
# What web/items.js calls each item.
KINDS = {SceneSurface: "surface", Points: "points", Lines: "lines", Arrows: "arrows"}
MOST_SAMPLES = 1000  # of a plotted series; a plot is not wider in pixels


class PacketWriter:
    """Collects arrays and gives back what to write in the head in their place."""

    def __init__(self, frame_stride: int = 1) -> None:
        self.stride = frame_stride
        self._parts: list[bytes] = []
        self._size = 0
        self._known: dict[str, dict[str, Any]] = {}

    @property
    def size(self) -> int:
        """Bytes of the arrays so far."""
        return self._size

    def packet(self, head: Mapping[str, Any]) -> bytes:
        """The whole packet; `head` is JSON with places of arrays in it."""
        text = json.dumps(finite_or_null(plain(dict(head))), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        return b"".join([MAGIC, len(text).to_bytes(4, "little"), text, *self._parts])

    def whole(self, values: ArrayLike) -> dict[str, Any]:
        """Indices, exactly."""
        given = np.asarray(values)
        return self._stored(given.astype("<u4"), np.zeros(1), np.ones(1))

    def precise(self, values: ArrayLike) -> dict[str, Any]:
        """Times, as they are: 64-bit floats."""
        return self._stored(np.asarray(values, dtype="<f8"), np.zeros(1), np.ones(1))

    def close(self, values: ArrayLike) -> dict[str, Any]:
        """Positions of frames: 32-bit floats about their middle, for a body that rests on the ground."""
        given = np.asarray(values, dtype=float)
        middle = given.reshape(-1, given.shape[-1]).mean(axis=0)
        return self._stored((given - middle).astype("<f4"), middle, np.ones(len(middle)))

    def single(self, values: ArrayLike) -> dict[str, Any]:
        """32-bit floats: seven digits, small numbers as exact as large ones, NaN as it is."""
        given = np.clip(np.asarray(values, dtype=float), -3e38, 3e38)
        return self._stored(given.astype("<f4"), np.zeros(1), np.ones(1))

    def coarse(self, values: ArrayLike, *, per_component: bool = True) -> dict[str, Any]:
        """Numbers in 65535 steps between their smallest and largest; error half a step."""
        given = np.asarray(values, dtype=float)
        rows = given.reshape(-1, given.shape[-1]) if per_component else given.reshape(-1, 1)
        finite = np.where(np.isfinite(rows), rows, np.nan)
        low = np.fmin.reduce(finite, axis=0, initial=np.inf)  # of numbers only
        high = np.fmax.reduce(finite, axis=0, initial=-np.inf)
        low, high = np.where(low > high, 0.0, low), np.where(low > high, 0.0, high)
        step = np.where(high > low, (high - low) / (NO_NUMBER - 1), 1.0)
        codes = np.where(np.isnan(finite), NO_NUMBER, np.rint((finite - low) / step))
        return self._stored(codes.astype("<u2").reshape(given.shape), low, step)

    def moving(self, values: ArrayLike, dimensions: int, *, per_component: bool) -> dict[str, Any]:
        """Coarse numbers; of those with a row per time only every so many, the last one too."""
        given = np.asarray(values, dtype=float)
        if given.ndim < dimensions:
            return self.coarse(given, per_component=per_component)
        kept = np.unique([*range(0, len(given), self.stride), len(given) - 1])
        coarse = self.coarse(given[kept], per_component=per_component)
        return {**coarse, "frames": self.whole(kept)}

    def _stored(self, numbers: np.ndarray, low: np.ndarray, step: np.ndarray) -> dict[str, Any]:
        raw = np.ascontiguousarray(numbers)
        digest = hashlib.sha256(raw.dtype.str.encode() + repr(raw.shape).encode())
        digest.update(raw.tobytes())
        digest.update(low.tobytes() + step.tobytes())
        key = digest.hexdigest()
        if key not in self._known:
            level = 6 if raw.nbytes < LARGE else 3
            packed = zlib.compress(_sorted_bytes(_differences(raw)), level)
            packed_size = len(packed)
            self._parts.append(packed)
            self._known[key] = {
                "at": self._size,
                "bytes": packed_size,
                "type": raw.dtype.str.removeprefix("<"),
                "shape": list(raw.shape),
                "low": low.tolist(),
                "step": step.tolist(),
            }
            self._size += packed_size
        return dict(self._known[key])


def scene_packet(scene: Scene, writer: PacketWriter) -> dict[str, Any]:
    """Head of one scene, its arrays given to the writer."""
    return {
        "time": writer.precise(scene.time),
        "frames": [_frame(frame, writer) for frame in scene.frames],
        "items": [_item(item, writer) for item in scene.items],
        "series": [_series(series, writer) for series in scene.series],
        "events": [{"time": event.time, "label": event.label} for event in scene.events],
        "cameras": [_camera(camera) for camera in scene.cameras],
        "notes": list(scene.notes),
    }


def _frame(frame: MovingFrame, writer: PacketWriter) -> dict[str, Any]:
    quaternion = np.array(frame.quaternion, dtype=float)
    if quaternion.ndim == 2:  # of the two that mean the same, the one near the one before
        turns = np.sign(np.einsum("ij,ij->i", quaternion[1:], quaternion[:-1]))
        signs = np.cumprod(np.concatenate([[1.0], np.where(turns < 0.0, -1.0, 1.0)]))
        quaternion = quaternion * signs[:, None]
    return {
        "name": frame.name,
        "parent": frame.parent,
        "position": writer.close(np.atleast_2d(np.asarray(frame.position, dtype=float))),
        "quaternion": writer.coarse(np.atleast_2d(quaternion)),
    }


def _item(item: Item, writer: PacketWriter) -> dict[str, Any]:
    head: dict[str, Any] = {
        "kind": KINDS[type(item)],
        "label": item.label,
        "frame": item.frame,
        "colour": item.colour,
        "shown": item.shown,
    }
    if isinstance(item, Arrows):
        head |= {"unit": item.unit, "length": item.length}
        head["origins"] = writer.moving(item.origins, 3, per_component=True)
        head["vectors"] = writer.moving(item.vectors, 3, per_component=False)
        if item.windows is not None:
            head["windows"] = writer.precise(item.windows)
        return head
    places = item.vertices if isinstance(item, SceneSurface) else item.positions
    head["positions"] = writer.moving(places, 3, per_component=True)
    head["maps"] = [
        {
            "name": scalar.name,
            "unit": scalar.unit,
            "values": writer.moving(scalar.values, 2, per_component=False),
            "range": _range(scalar.values, scalar.low, scalar.high),
        }
        for scalar in item.maps
    ]
    if isinstance(item, SceneSurface):
        head |= {"faces": writer.whole(item.faces), "flat": item.is_flat, "hole": item.hole}
    elif isinstance(item, Lines):
        count = np.shape(item.positions)[-2]
        row = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
        head["segments"] = writer.whole(row if item.segments is None else item.segments)
        if item.times is not None:
            head["times"] = writer.precise(item.times)
    else:
        head["size"] = item.size
    return head


def _range(values: ArrayLike, low: float | None, high: float | None) -> list[float]:
    given = np.asarray(values, dtype=float)
    given = given[np.isfinite(given)]
    ends = (float(given.min()), float(given.max())) if given.size else (0.0, 1.0)
    return [ends[0] if low is None else float(low), ends[1] if high is None else float(high)]


def _series(series: Series, writer: PacketWriter) -> dict[str, Any]:
    time, values = (np.asarray(part, dtype=float) for part in (series.time, series.values))
    kept = thinned(values, MOST_SAMPLES)
    return {
        "panel": series.panel,
        "name": series.name,
        "unit": series.unit,
        "log": series.is_log,
        "time": writer.precise(time[kept]),
        "values": writer.single(values[kept]),
    }


def _camera(camera: Camera) -> dict[str, Any]:
    is_frame = isinstance(camera.target, str)
    return {
        "name": camera.name,
        "axes": camera.axes,
        "frame": camera.target if is_frame else None,
        "point": None if is_frame else list(camera.target),
        "direction": list(camera.direction),
        "up": list(camera.up),
        "distance": camera.distance,
    }


def thinned(values: np.ndarray, most: int) -> np.ndarray:
    """Indices of at most about `most` samples: the ends, and smallest and largest of each bin."""
    count = len(values)
    if count <= most:
        return np.arange(count)
    edges = np.linspace(0, count, most // 2 + 1).astype(int)
    shown = np.where(np.isfinite(values), values, -np.inf)
    picked: list[int] = [0, count - 1]
    for first, last in itertools.pairwise(edges.tolist()):
        part = shown[first:last]
        picked += [first + int(np.argmin(part)), first + int(np.argmax(part))]
    return np.unique(picked)


def _differences(raw: np.ndarray) -> np.ndarray:
    """Integers as differences along the first axis, modulo their size; floats as they are."""
    if raw.dtype.kind != "u" or raw.ndim == 0 or len(raw) < 2:
        return raw
    changed = raw.copy()
    changed[1:] = raw[1:] - raw[:-1]
    return changed


def _sorted_bytes(raw: np.ndarray) -> bytes:
    """All first bytes, then all second ones ..."""
    table = np.frombuffer(raw.tobytes(), dtype=np.uint8).reshape(-1, raw.dtype.itemsize)
    return np.ascontiguousarray(table.T).tobytes()
