"""Which sources are running: hashes of the files of the package."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

# "from haptos.room.file import name, name" or "(name, ..)" over several lines, at any depth.
_IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+haptos([.\w]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+haptos([.\w]*))",
    re.MULTILINE,
)


@functools.cache
def source_hash() -> str:
    """Hash of every source file of the package, 16 hex digits; an edit anywhere changes it."""
    return _hash_of(_package().rglob("*.py"))


@functools.cache
def kernel_hash(path: Path) -> str:
    """Hash of a file and of every file of the package it imports, however far.

    That is all a function compiled in this file can be made of. A file outside the package counts
    with the whole package.
    """
    package = _package()
    if not path.is_relative_to(package):
        return _hash_of([*package.rglob("*.py"), path])
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += _imported_by(here)
    return _hash_of(seen)


def _package() -> Path:
    return Path(__file__).parents[1]


def _imported_by(path: Path) -> list[Path]:
    """The files of the package named by the import lines of one file."""
    found = []
    for module, names, plain in _IMPORTS.findall(path.read_text(encoding="utf-8")):
        place = _package().joinpath(*(module or plain).strip(".").split("."))
        candidates = [place.with_suffix(".py"), place / "__init__.py"]
        candidates += [place / f"{name}.py" for name in re.findall(r"\w+", names)]
        found += [candidate for candidate in candidates if candidate.is_file()]
    return found


def _hash_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
