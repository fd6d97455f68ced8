"""Is there room on a disk? Asked before the work, not after it."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path

from haptos.core.errors import StorageError
from haptos.core.whole_files import TEMPORARY, storage_errors

LARGEST_RESERVATION = 2**30  # [bytes] tried out in full; larger needs are compared with free space


def check_room(directory: Path, needed: int) -> None:
    """Refuse a directory that cannot be written, or whose disk or quota cannot hold `needed` bytes.

    Free space says nothing about quotas, so the bytes are reserved in a file that is removed again.
    """
    probe = directory / f"{TEMPORARY}{os.getpid()}-reservation"
    with storage_errors(directory):
        free = shutil.disk_usage(directory).free
    if free < needed:
        found, allowed = f"{_size(free)} of free space", f"about {_size(needed)} for this work"
        raise StorageError(str(directory), found, allowed, "give an --out on another disk")
    try:
        with storage_errors(directory), open(probe, "wb") as file:
            _reserve(file.fileno(), max(min(needed, LARGEST_RESERVATION), 1))
    finally:
        with suppress(OSError):
            probe.unlink(missing_ok=True)


def _reserve(descriptor: int, size: int) -> None:
    """Ask the file system for `size` bytes; one that cannot reserve has only its free space."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(descriptor, 0, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS):
            raise


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
