"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import uuid
from pathlib import Path

from haptos.core.errors import StorageError


def write_whole(path: str | Path, content: bytes | memoryview | str) -> Path:
    """Write a file so that readers see the old one or the new one, never a part.

    The content goes to a hidden file beside the target, is flushed to the disk and then renamed
    over it. Missing folders are made. A failure leaves nothing behind.
    """
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(partial, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise _refusal(path, error) from None
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    _sync_folder(path.parent)
    return path


def _refusal(path: Path, error: OSError) -> StorageError:
    reason = error.strerror or str(error)
    allowed = "a directory that can be written and has room"
    return StorageError(str(path), reason.lower(), allowed, "free some space or write elsewhere")


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; some systems cannot open a folder, and need no help."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
