"""Files that are there whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from haptos.core.errors import StorageError

TEMPORARY = ".haptos-temporary-"  # names that start so are never results; resuming removes them
_ELSEWHERE = "give another place (--out), and check the path"
_AGAIN = "run it again, a campaign with --resume"
_SAYINGS = {
    errno.ENOSPC: ("no space left on the disk", f"free some space, then {_AGAIN}"),
    errno.EDQUOT: ("the disk quota is used up", f"free some space, then {_AGAIN}"),
    errno.EROFS: ("a read-only file system", _ELSEWHERE),
    errno.EACCES: ("no permission", f"{_ELSEWHERE}, or change its permissions"),
    errno.EPERM: ("no permission", f"{_ELSEWHERE}, or change its permissions"),
    errno.EIO: ("an input/output error of the disk", f"check the disk, then {_AGAIN}"),
    errno.ENAMETOOLONG: ("a name that is too long", "give a shorter name"),
}


def storage_error(error: OSError, path: str | Path) -> StorageError:
    """What the system said, as where, found, allowed, try."""
    plain = (error.strerror or str(error), _ELSEWHERE)
    found, hint = _SAYINGS.get(error.errno or 0, plain)
    return StorageError(str(path), found, "a place that can be read and written", hint)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn every refusal of the system inside the block into a StorageError about `path`."""
    try:
        yield
    except OSError as error:
        raise storage_error(error, path) from error


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open file that takes its name only after everything reached the disk.

    The bytes go to a temporary name in the same directory, then: flush, fsync, rename, fsync of
    the directory. If anything fails or the process dies, `path` is as it was before.
    """
    if path.exists() and not path.is_file():
        found = "a directory" if path.is_dir() else "a device or a pipe"
        raise StorageError(str(path), found, "a file, or a new name", _ELSEWHERE)
    temporary = path.with_name(f"{TEMPORARY}{os.getpid()}-{path.name}")
    with storage_errors(path):
        try:
            with open(temporary, "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def write_whole(path: str | Path, content: bytes | memoryview | str) -> Path:
    """Write a file, whole or not at all; missing folders are made, text becomes UTF-8."""
    path = Path(path)
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def sync_directory(directory: Path) -> None:
    """Make renames inside a directory survive a power cut."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(directory: Path) -> None:
    """Remove the temporary files of a process that died."""
    with storage_errors(directory):
        for path in directory.glob(f"{TEMPORARY}*"):
            path.unlink(missing_ok=True)
