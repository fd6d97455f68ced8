"""The directory of one run: checked before the work, written whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

from haptos.campaign.file_names import LOCK, MANIFEST
from haptos.core.checked_files import Checksum, file_state
from haptos.core.disk_space import check_room
from haptos.core.errors import StorageError
from haptos.core.slugs import slug
from haptos.core.whole_files import TEMPORARY, storage_errors
from haptos.results.file_names import RESULT, SUMMARY

NEEDED_SPACE = 50_000_000  # [bytes]; a stored run with its report is well below
DEFAULT_PARENT = Path("out")


def directory_name(name: str) -> str:
    """Name of a run or a campaign as that of its directory."""
    return slug(name, "run", 60)


def default_directory(name: str, config_hash: str) -> Path:
    """out/NAME, or out/NAME-HASH where that holds a run of another configuration."""
    first = DEFAULT_PARENT / directory_name(name)
    if stored_hash(first) in (None, config_hash):
        return first
    return first.with_name(f"{first.name}-{config_hash[:8]}")


def stored_hash(directory: Path) -> str | None:
    """Configuration hash of the run in a directory; None if there is none."""
    if not (directory / RESULT).exists():
        return None
    try:
        # Without checksum, as earlier versions wrote it, it is believed: it only keeps files apart.
        if file_state(directory / SUMMARY, SUMMARY) is not Checksum.DAMAGED:
            summary = json.loads((directory / SUMMARY).read_text(encoding="utf-8"))
            return str(summary["provenance"]["config_hash"])
    except (OSError, ValueError, LookupError, TypeError):
        pass
    return _hash_of_result(directory)


def _hash_of_result(directory: Path) -> str:
    """The same from the result itself, whose storing was interrupted or whose summary is damaged."""
    from haptos.results.result import open_result

    try:
        return str(open_result(directory).provenance.get("config_hash"))
    except StorageError:
        return "unknown"


def claim(directory: Path, config_hash: str) -> None:
    """Make the directory and refuse one that is taken, read-only or on a full disk."""
    if (directory / MANIFEST).exists():
        raise StorageError(
            str(directory), "a campaign", "a new directory or one of the same run", "another --out"
        )
    if stored_hash(directory) not in (None, config_hash):
        found = "the result of another configuration"
        allowed = "a new directory or one of the same run"
        raise StorageError(str(directory), found, allowed, "another --out, or remove it first")
    if directory.exists() and not directory.is_dir():
        raise StorageError(str(directory), "a file", "a directory's name", "another --out")
    strangers = foreign_files(directory)
    if strangers:
        found = f"files that are not of a run ({strangers[0]})"
        raise StorageError(str(directory), found, "a new or empty directory", "another --out")
    with storage_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
    check_room(directory, NEEDED_SPACE)


def foreign_files(directory: Path) -> list[str]:
    """Names in a directory that no run wrote; without a stored run every file is foreign."""
    if not directory.is_dir():
        return []
    names = sorted(path.name for path in directory.iterdir())
    if (directory / RESULT).exists():
        return []
    own = (LOCK, TEMPORARY)
    return [name for name in names if not name.startswith(own)]
