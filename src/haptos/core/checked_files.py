"""Files that carry their own checksum, whatever their format: a field of fixed length near their end.

The field is `haptos-sha256:` and 64 hexadecimal digits, the SHA-256 of the file's name (its role: what
it is, where several are alike also which one) and of all its other bytes. It stands wherever a format
has room for text: a key of a JSON file, the metadata of a Parquet footer, a line after the end of an HDF5
file. Data and checksum are one file, written whole or not at all, so that they cannot disagree
after a crash. Every byte is covered; a file in another's place is refused.
"""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from haptos.core.checksums import DIGEST_SIZE, checksum_of
from haptos.core.errors import StorageError
from haptos.core.whole_files import storage_errors, whole_file

MARK = b"haptos-sha256:"
DIGITS = 2 * DIGEST_SIZE
FIELD = (MARK + b"0" * DIGITS).decode()  # what a writer puts into its content
TAIL = 1 << 20  # [byte] at the end of a file in which the field stands
PIECE = 1 << 22  # [byte] read at a time
CHECKSUM = "checksum"  # last key of a JSON file


class Checksum(enum.Enum):
    """What the checksum of a file says about it."""

    OK = "ok"
    DAMAGED = "damaged"
    NONE = "no checksum"


@contextmanager
def checked_file(path: Path, name: str) -> Iterator[BinaryIO]:
    """As `whole_file`: what is written must hold FIELD once, which becomes the checksum."""
    with whole_file(path) as file:
        yield file
        file.flush()
        place = _place(file)
        if place is None:
            raise ValueError(f"no room for a checksum in {path}")
        digits = _digits(file, place, name)
        file.seek(place)
        file.write(digits)


def write_checked(path: Path, name: str, *parts: bytes | memoryview) -> Path:
    """Write a file whole or not at all, with its checksum in place of FIELD."""
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with checked_file(path, name) as file:
        for part in parts:
            file.write(part)
    return path


def write_checked_json(path: Path, name: str, table: Mapping[str, Any]) -> Path:
    """Write a table as JSON, its checksum under a last key."""
    text = json.dumps({**table, CHECKSUM: FIELD}, indent=2) + "\n"
    return write_checked(path, name, text.encode())


def checksum_state(file: BinaryIO, name: str) -> Checksum:
    """What the checksum of an open file says; it is read piece by piece."""
    place = _place(file)
    if place is None:
        return Checksum.NONE
    file.seek(place)
    stored = file.read(DIGITS)
    return Checksum.OK if stored == _digits(file, place, name) else Checksum.DAMAGED


def file_state(path: Path, name: str) -> Checksum:
    """What the checksum of a file says; OSError if it cannot be read."""
    with open(path, "rb") as file:
        return checksum_state(file, name)


def mismatch(path: Path, allowed: str, hint: str) -> StorageError:
    """The refusal of a file that is not what was written."""
    found = "a damaged or misplaced file: contents that do not match their checksum"
    return StorageError(str(path), found, allowed, hint)


def _place(file: BinaryIO) -> int | None:
    """Where the digits of the last field begin."""
    size = file.seek(0, os.SEEK_END)
    start = max(0, size - TAIL)
    file.seek(start)
    found = file.read(TAIL).rfind(MARK)
    return None if found < 0 else start + found + len(MARK)


def _digits(file: BinaryIO, place: int, name: str) -> bytes:
    """The checksum as it stands in the file: of the name and all bytes but the digits."""
    digest = checksum_of(name)
    file.seek(0)
    left = place
    while left and (piece := file.read(min(PIECE, left))):
        digest.update(piece)
        left -= len(piece)
    file.seek(place + DIGITS)
    while piece := file.read(PIECE):
        digest.update(piece)
    return digest.hexdigest().encode()
