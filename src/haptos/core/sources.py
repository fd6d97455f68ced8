"""Which sources are running: hashes of the files of the package."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

KERNEL_ROOMS = ("core", "geometry", "environment", "contact", "dynamics", "scenarios")
DRAWING = ("figures", "scene")  # first word of files that show results and hold no kernel


@functools.cache
def source_hash() -> str:
    """Hash of every source file of the package, 16 hex digits; an edit anywhere changes it."""
    return _hash_of(("",))


@functools.cache
def kernel_hash() -> str:
    """Hash of the rooms that hold compiled functions; the rooms above them import no kernel in."""
    return _hash_of(KERNEL_ROOMS, DRAWING)


def _hash_of(rooms: tuple[str, ...], left_out: tuple[str, ...] = ()) -> str:
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted(path for room in rooms for path in (package / room).rglob("*.py")):
        if path.stem.partition("_")[0] in left_out:
            continue
        digest.update(f"{path.relative_to(package)}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
