"""Reading Wavefront OBJ files: blocks of plain triangles at once, all else line by line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.text_lines import (
    SPACE,
    Bytes,
    line_blocks,
    line_starts,
    parsed,
    word_starts,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST = 2**62  # [-], no vertex has this number; below the largest integer
_V, _F, _SLASH, _HASH, _BLANK = (ord(letter) for letter in "vf/# ")


def read_obj(file: Path) -> tuple[Floats, Integers]:
    """(vertices, faces) of an OBJ file, in its unit; lines other than v and f are passed over.

    Corners may be written v, v/vt, v//vn or v/vt/vn and may count backwards from -1. Polygons are cut
    in a fan, which is right for convex ones. A line that makes no sense is refused by its number.
    """
    vertices: list[Floats] = [np.empty((0, 3))]
    faces: list[Integers] = [np.empty((0, 3), dtype=np.int64)]
    vertex_count = 0
    for number, text in line_blocks(file):
        found = _plain_block(text) or _any_block(file, text, number, vertex_count)
        vertices.append(found[0])
        faces.append(found[1])
        vertex_count += len(found[0])
    return np.concatenate(vertices), np.concatenate(faces)


def _plain_block(text: bytes) -> tuple[Floats, Integers] | None:
    """Vertices and faces of lines that are all `v x y z` or `f i j k`; None if one is otherwise."""
    data = np.frombuffer(text if text.endswith(b"\n") else text + b"\n", dtype=np.uint8)
    starts = line_starts(data)
    words = word_starts(data)
    held = np.add.reduceat(words.astype(np.int32), starts)
    letter = data[starts]
    alone = SPACE[data[np.minimum(starts + 1, len(data) - 1)]]
    is_vertex, is_face = (letter == _V) & alone, (letter == _F) & alone
    indented = SPACE[letter] & (held > 0)
    if np.any(held[is_vertex | is_face] != 4) or np.any(indented):
        return None
    notes = np.searchsorted(starts, np.flatnonzero(data == _HASH), side="right") - 1
    if np.any(is_face[notes]):
        return None
    points = _numbers(data, starts, is_vertex, float)
    corners = _numbers(_without_textures(data, words), starts, is_face, int)
    if points is None or corners is None or not np.all((corners > 0) & (corners < MOST)):
        return None
    return points, corners - 1


def _without_textures(data: Bytes, words: NDArray[np.bool_]) -> Bytes:
    """The text with every word blank from its first slash on."""
    slash = data == _SLASH
    if not slash.any():
        return data
    seen = np.cumsum(slash, dtype=np.int32)
    first = np.flatnonzero(words)
    word = np.cumsum(words, dtype=np.int32) - 1
    inside = (seen > (seen[first] - slash[first])[word]) & (data > _BLANK)
    return np.where(inside, np.uint8(_BLANK), data)


def _numbers(
    data: Bytes, starts: Integers, chosen: NDArray[np.bool_], kind: type
) -> NDArray | None:
    """Three numbers from each of the chosen lines, without their letter; None if not so."""
    lengths = np.diff(np.append(starts, len(data)))
    text = data[np.repeat(chosen, lengths)]
    ends = np.cumsum(lengths[chosen])
    text[ends - lengths[chosen]] = _BLANK
    count = 3 * len(ends)
    numbers = parsed(text.tobytes(), count, kind) if count else np.empty(0, dtype=kind)
    return None if numbers is None else numbers.reshape(-1, 3)


def _any_block(file: Path, text: bytes, number: int, before: int) -> tuple[Floats, Integers]:
    """Vertices and faces of any lines; `before` vertices stand in the blocks before."""
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in text.decode("utf-8").split("\n"):
        words = line.split("#", 1)[0].split()
        try:
            if words and words[0] == "v":
                vertices.append((float(words[1]), float(words[2]), float(words[3])))
            elif words and words[0] == "f":
                faces += _fan([_corner(word, before + len(vertices)) for word in words[1:]])
        except (ValueError, IndexError) as error:
            raise GeometryError(
                f"{file} line {number}",
                f"'{' '.join(words)[:60]}'",
                "v x y z, or f with three or more vertices counted from 1",
                "fix that line, or export the mesh again",
            ) from error
        number += 1
    return np.array(vertices, float).reshape(-1, 3), np.array(faces, np.int64).reshape(-1, 3)


def _fan(ring: list[int]) -> list[tuple[int, int, int]]:
    """Triangles of a convex polygon, from its first corner."""
    if len(ring) < 3:
        raise ValueError("fewer than three corners")
    return [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]


def _corner(word: str, count: int) -> int:
    """Zero-based vertex of a face corner `v`, `v/vt`, `v//vn`; negative counts back from here."""
    index = int(word.split("/", 1)[0])
    if index == 0 or abs(index) >= MOST:
        raise ValueError("OBJ counts vertices from 1")
    if index < 0 and -index > count:
        raise ValueError("before the first vertex")
    return index - 1 if index > 0 else count + index
