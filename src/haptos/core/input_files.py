"""Files of the user, looked at before they are opened: regular files of a bounded size, or a refusal.

A pipe or a device is never opened: reading one may wait for ever, or never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from haptos.core.errors import ConfigError, HaptosError

PACKED = (".gz", ".bz2", ".xz", ".zip", ".zst", ".lzma", ".tar", ".7z")
_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def input_file(
    path: str | Path,
    what: str,
    largest: int,
    *,
    error: type[HaptosError] = ConfigError,
    hint: str = "check the path",
) -> Path:
    """The path, if it is that of a regular file of at most `largest` bytes.

    what    is wanted, for the refusal: "a mesh file"
    hint    for a file that is missing or too large
    """
    where = str(path).replace("\0", "\\0")
    if "\0" in str(path):
        raise error(where, "a name with a zero byte", "a name of printable characters", hint)
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise error(where, "no such file", what, hint) from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise error(where, f"a file that cannot be read ({reason})", what, hint) from None
    for is_kind, words in _KINDS:
        if is_kind(found.st_mode):
            raise error(where, words, what, "give the name of a file")
    if found.st_size > largest:
        allowed = f"{what} of up to {_size(largest)}"
        raise error(where, f"a file of {_size(found.st_size)}", allowed, hint)
    return Path(path)


def input_table(
    path: str | Path, what: str, largest: int, *, error: type[HaptosError] = ConfigError
) -> Path:
    """`input_file` for tables that a library would unpack by itself, to any size."""
    if str(path).lower().endswith(PACKED):
        raise error(str(path), "a compressed file", f"{what}, not compressed", "unpack it first")
    return input_file(path, what, largest, error=error)


def _size(count: int) -> str:
    return f"{count / 1e6:.3g} MB" if count >= 1_000_000 else f"{count} bytes"
