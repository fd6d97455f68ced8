"""Rules for the directory of a campaign: whose it is, and who may write."""

from __future__ import annotations

import fcntl
import io
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from haptos.campaign.file_names import LOCK, MANIFEST, PLAN_COPY, SHARDS
from haptos.core.checked_files import CHECKSUM, Checksum, checksum_state
from haptos.core.checksums import digest_of
from haptos.core.errors import StorageError
from haptos.core.whole_files import TEMPORARY, remove_leftovers, storage_error, storage_errors
from haptos.results.provenance import UNKNOWN, source_commit

FORMAT = 2  # of the directory; a higher number is from a later haptos
WITHOUT_CHECKSUMS = 1  # an earlier format: its files are read as they are


class NoManifestError(StorageError):
    """A directory whose manifest is damaged, or missing beside other files."""


def read_manifest(directory: Path) -> dict[str, Any] | None:
    """Contents of campaign.json, None if there is none; refuses one that is damaged."""
    path = directory / MANIFEST
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise storage_error(error, path) from error
    state = checksum_state(io.BytesIO(content), MANIFEST)
    try:
        found = json.loads(content)
        version = found.pop("format")
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        raise _damaged(path) from None
    if state is Checksum.DAMAGED or (state is Checksum.NONE and version == FORMAT):
        raise _damaged(path)
    if version not in (FORMAT, WITHOUT_CHECKSUMS):
        hint = "open it with the version of haptos that wrote it, or give another --out"
        raise StorageError(str(path), f"format {version!r}", f"format {FORMAT}", hint)
    found.pop(CHECKSUM, None)
    return {"format": version, **found}


def has_checksums(manifest: dict[str, Any]) -> bool:
    """Whether the files of a campaign have checksums: all but those of the earlier format."""
    return bool(manifest["format"] == FORMAT)


def has_whole_copy(directory: Path, manifest: dict[str, Any]) -> bool:
    """Whether the copy of the campaign file is the one the manifest was written with."""
    try:
        content = (directory / PLAN_COPY).read_bytes()
    except OSError:
        return False
    return bool(digest_of(PLAN_COPY, content).hex() == manifest.get("files", {}).get(PLAN_COPY))


def _damaged(path: Path) -> NoManifestError:
    found = "a damaged or misplaced file: contents that do not match their checksum"
    hint = f"haptos campaign FILE --out {path.parent} --resume writes it again; or another --out"
    return NoManifestError(str(path), found, "a manifest as haptos wrote it", hint)


def check_ownership(directory: Path, fingerprint: str) -> dict[str, Any] | None:
    """Manifest of this very campaign, None for a fresh directory; refuses every other one."""
    if not directory.exists():
        return None
    if not directory.is_dir():
        raise StorageError(str(directory), "a file", "a directory", "give another --out")
    manifest = read_manifest(directory)
    if manifest is None:
        _refuse_foreign(directory)
    elif manifest.get("fingerprint") != fingerprint:
        raise _other_campaign(directory, manifest)
    return manifest


def _refuse_foreign(directory: Path) -> None:
    with storage_errors(directory):
        names = sorted(os.listdir(directory))
        shards = directory / SHARDS
        inside = sorted(os.listdir(shards)) if shards.is_dir() else []
    foreign = [n for n in names if n not in (LOCK, PLAN_COPY, SHARDS) and TEMPORARY not in n]
    foreign += [f"{SHARDS}/{n}" for n in inside if TEMPORARY not in n]
    if foreign:
        found = f"files that are not of a campaign ({', '.join(foreign[:3])})"
        allowed = "a new or empty directory, or one of the same campaign"
        raise NoManifestError(str(directory), found, allowed, "give another --out")


def _other_campaign(directory: Path, manifest: dict[str, Any]) -> StorageError:
    from importlib import metadata

    version = metadata.version("haptos")
    allowed = "a new directory, or one of the same campaign: file, base, data and haptos unchanged"
    if manifest.get("haptos") != version:
        found = f"a campaign of haptos {manifest.get('haptos')} (this is {version})"
    else:
        found = f"another campaign ({manifest.get('file')}, {manifest.get('total')} runs)"
        commit = str(manifest.get("made_with", {}).get("commit", UNKNOWN))
        if commit not in (UNKNOWN, source_commit()):
            found = f"{found[:-1]}, by haptos of commit {commit[:12]})"
    return StorageError(str(directory), found, allowed, "give another --out")


class Lock:
    """The right to write in a directory; the system takes it back when the process dies."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / LOCK
        self._descriptor = -1

    def acquire(self) -> None:
        """Take the lock, or refuse at once when another process holds it."""
        with storage_errors(self.path.parent):
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not self._is_in_place():
                raise BlockingIOError  # its holder removed it while we waited to open it
        except BlockingIOError:
            holder = os.pread(self._descriptor, 20, 0).decode(errors="replace").strip()
            self._close()
            found = f"another process at work here ({holder or 'unknown'})"
            hint = "wait for it, or give another --out"
            raise StorageError(str(self.path.parent), found, "one at a time", hint) from None
        except OSError as error:
            self._close()
            raise storage_error(error, self.path) from error
        with storage_errors(self.path.parent):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.path))
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Remove the file while the lock is held."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def release(self) -> None:
        self._close()

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1


def make(directory: Path) -> None:
    """Create the directory, with those above it."""
    with storage_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)


def clean(directory: Path) -> None:
    """Remove temporary files a killed process left behind."""
    remove_leftovers(directory)
    if (directory / SHARDS).is_dir():
        remove_leftovers(directory / SHARDS)
