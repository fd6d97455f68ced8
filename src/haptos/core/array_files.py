"""Arrays kept on disk with a checksum: what was expensive to make is made once per machine.

File: magic line, SHA-256 of the file's name and the rest, length of the head, head (JSON: values, and
type and shape of each array), the arrays one after another.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from haptos.core.checksums import DIGEST_SIZE, digest_of
from haptos.core.errors import StorageError
from haptos.core.whole_files import storage_errors, whole_file

LARGEST_CACHE = 4_000_000_000  # [byte] per kind of entry, assumed; about forty grids of 100 MB


def cache_home(kind: str) -> Path:
    """Folder of one kind of entry, beside the compiled kernels."""
    home = os.environ.get("HAPTOS_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "haptos" / kind


def write_arrays(
    path: Path, magic: bytes, values: Mapping[str, Any], arrays: Mapping[str, np.ndarray]
) -> None:
    """Write plain values and C-ordered arrays, whole or not at all."""
    kinds = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    head = json.dumps({"values": dict(values), "arrays": kinds}).encode()
    parts = [len(head).to_bytes(8, "little"), head]
    parts += [np.ascontiguousarray(array).tobytes() for array in arrays.values()]
    digest = digest_of(path.name, magic, *parts)
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        for part in (magic, digest, *parts):
            file.write(part)


def read_arrays(path: Path, magic: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """(values, arrays) of a file; StorageError if it is not exactly what was written."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise damaged(path, error.strerror or str(error)) from None
    if not content.startswith(magic):
        raise damaged(path, "another format")
    view = memoryview(content)[len(magic) :]
    if bytes(view[:DIGEST_SIZE]) != digest_of(path.name, magic, view[DIGEST_SIZE:]):
        raise damaged(path, "contents that do not match their checksum")
    start = DIGEST_SIZE + 8
    length = int.from_bytes(view[DIGEST_SIZE:start], "little")
    head = json.loads(bytes(view[start : start + length]))
    place = start + length
    arrays = {}
    for name, (kind, shape) in head["arrays"].items():
        dtype = np.dtype(kind)
        end = place + math.prod(shape) * dtype.itemsize
        if end > len(view):
            raise damaged(path, "sizes that do not fit together")
        # A copy, since kernels are compiled for aligned arrays.
        arrays[name] = np.frombuffer(view[place:end], dtype=dtype).reshape(shape).copy()
        place = end
    return head["values"], arrays


def damaged(path: Path, found: str) -> StorageError:
    """Message about an entry that cannot be used."""
    return StorageError(str(path), found, "a complete entry", "delete it; it is made anew")


def mark_used(path: Path) -> None:
    """Entries used last are pruned last."""
    with contextlib.suppress(OSError):
        os.utime(path)


def prune(folder: Path, kept: Path, largest: int = LARGEST_CACHE) -> None:
    """Delete the entries of one kind not used for the longest time until the folder is small."""
    with contextlib.suppress(OSError):
        files = [(path.stat(), path) for path in folder.glob(f"*{kept.suffix}")]
        total = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda pair: (pair[0].st_mtime, pair[1])):
            if total <= largest:
                break
            if path != kept:
                path.unlink()
                total -= status.st_size
