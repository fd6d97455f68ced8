"""Do binary mesh files hold as much as their headers declare? Asked before anything is read."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.text_lines import COPY_AGAIN

STL_HEADER, STL_FACET = 84, 50  # [byte]
PLY_LONGEST_HEADER = 1 << 16  # [byte], assumed; one is some hundred bytes long
PLY_SIZE = {
    "char": 1, "uchar": 1, "int8": 1, "uint8": 1, "short": 2, "ushort": 2, "int16": 2, "uint16": 2,
    "int": 4, "uint": 4, "int32": 4, "uint32": 4, "float": 4, "float32": 4, "double": 8, "float64": 8,
}  # fmt: skip


def require_held_counts(file: Path) -> None:
    """Refuse an STL or PLY file too small for the facets it declares, or without a header."""
    if file.suffix.lower() == ".stl":
        _require_stl(file)
    else:
        _require_ply(file)


def _head(file: Path, length: int) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(length)
    except OSError as error:
        found = f"an unreadable file ({error.strerror or error})"
        raise GeometryError(str(file), found, "a mesh file", "check its permissions") from error


def _require_stl(file: Path) -> None:
    head, size = _head(file, 1024), file.stat().st_size
    declared = struct.unpack("<I", head[80:84])[0] if len(head) >= STL_HEADER else -1
    if size == STL_HEADER + STL_FACET * declared:
        return
    if head.lstrip().lower().startswith(b"solid") and b"facet" in head.lower() and head.isascii():
        return  # a text file has no counts
    if declared < 0:
        raise GeometryError(
            str(file), f"{size} bytes, no STL header", "a complete STL mesh", COPY_AGAIN
        )
    found = f"{declared} declared facets in a file of {size} bytes"
    allowed = f"{STL_HEADER + STL_FACET * declared} bytes for so many"
    raise GeometryError(str(file), found, allowed, COPY_AGAIN)


def _require_ply(file: Path) -> None:
    where, size = str(file), file.stat().st_size
    head = _head(file, PLY_LONGEST_HEADER)
    text, end, _ = head.partition(b"end_header")
    if not head.startswith(b"ply") or not end:
        raise GeometryError(where, "no PLY header", "a complete PLY mesh", COPY_AGAIN)
    lines = [line.split() for line in text.decode("latin-1").splitlines()]
    binary = any(line[:1] == ["format"] and "binary" in "".join(line[1:2]) for line in lines)
    needed = 0
    for name, word, least in _elements(lines, binary):
        if not (word.isascii() and word.isdigit() and len(word) < 19):
            found = f"'element {name} {word[:24]}'"
            raise GeometryError(where, found, "a whole number of elements", COPY_AGAIN)
        needed += int(word) * least
        if needed > size - len(text):
            found = f"{word} declared elements '{name}' in a file of {size} bytes"
            raise GeometryError(where, found, f"{needed} bytes or more for so many", COPY_AGAIN)


def _elements(lines: list[list[str]], binary: bool) -> Iterator[tuple[str, str, int]]:
    """(name, declared number, least bytes of one) of every element of a PLY header."""
    name, number, least = "", "", 0
    for line in lines:
        if line[:1] == ["element"] and len(line) > 2:
            if name:
                yield name, number, max(least, 1)
            name, number, least = line[1], line[2], 0
        elif line[:1] == ["property"] and len(line) > 1:
            kind = line[2:3] if line[1] == "list" else line[1:2]
            least += PLY_SIZE.get("".join(kind), 1) if binary else 2
    if name:
        yield name, number, max(least, 1)
