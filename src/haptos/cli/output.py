"""The directory of one run: checked before the work, written whole or not at all."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from pathlib import Path

from haptos.core.errors import StorageError

NEEDED_SPACE = 50_000_000  # [bytes]; a stored run with its report is well below
DEFAULT_PARENT = Path("out")


def slug(name: str) -> str:
    """Name as a directory: small letters, digits and dashes, at most 60."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-") or "run"


def default_directory(name: str, config_hash: str) -> Path:
    """out/NAME, or out/NAME-HASH where that holds a run of another configuration."""
    first = DEFAULT_PARENT / slug(name)
    if stored_hash(first) in (None, config_hash):
        return first
    return first.with_name(f"{first.name}-{config_hash[:8]}")


def stored_hash(directory: Path) -> str | None:
    """Configuration hash of the run in a directory; None if there is none."""
    if not (directory / "result.nc").exists():
        return None
    try:
        summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
        return str(summary["provenance"]["config_hash"])
    except (OSError, ValueError, LookupError, TypeError):
        return "unknown"


def claim(directory: Path, config_hash: str) -> None:
    """Make the directory and refuse one that is taken, read-only or on a full disk."""
    if (directory / "campaign.json").exists():
        raise StorageError(
            str(directory), "a campaign", "a new directory or one of the same run", "another --out"
        )
    if stored_hash(directory) not in (None, config_hash):
        found = "the result of another configuration"
        allowed = "a new directory or one of the same run"
        raise StorageError(str(directory), found, allowed, "another --out, or remove it first")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
        free = shutil.disk_usage(directory).free
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(
            str(directory), reason, "a writable directory", "another --out"
        ) from None
    if free < NEEDED_SPACE:
        found, allowed = f"{free} bytes free", f"{NEEDED_SPACE} bytes free"
        raise StorageError(str(directory), found, allowed, "free some space, or another --out")
