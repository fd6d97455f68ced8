"""What is left of a stored campaign: every byte of it against its checksum, and how to make good what is lost."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from haptos.campaign import directory as rules
from haptos.campaign import file_names
from haptos.campaign.logs import DAMAGE
from haptos.core.errors import StorageError
from haptos.results.many_runs import LOGS
from haptos.results.verification import (
    DAMAGED,
    MISSING,
    NONE,
    OK,
    FileState,
    listed_states,
    state_of,
)


def verify_campaign(directory: Path) -> list[FileState]:
    """State of every file of a campaign; without its manifest nothing is known of the others."""
    resume = shlex.join(["haptos", "campaign", "FILE", "--out", str(directory), "--resume"])
    try:
        manifest = rules.read_manifest(directory)
    except StorageError:
        return [FileState(file_names.MANIFEST, DAMAGED, resume)]
    if manifest is None:
        return [FileState(file_names.MANIFEST, MISSING, resume)]
    file, out = str(manifest.get("file", "FILE")), str(directory)
    again = shlex.join(["haptos", "campaign", file, "--out", out, "--resume"])
    is_checked = rules.has_checksums(manifest)
    copy = _copy_state(directory, manifest) if is_checked else _there(directory)
    found = [
        FileState(file_names.MANIFEST, OK if is_checked else NONE, again),
        FileState(file_names.PLAN_COPY, copy, again),
    ]
    for name in _tables(directory, manifest):
        state = _table_state(directory, name, manifest, is_checked)
        found.append(FileState(name, state, again))
    return found + listed_states(directory, found, {}, has_checksums=is_checked)


def _copy_state(directory: Path, manifest: dict[str, Any]) -> str:
    if not (directory / file_names.PLAN_COPY).exists():
        return MISSING
    if file_names.PLAN_COPY not in manifest.get("files", {}):
        return NONE  # it was being replaced
    return OK if rules.has_whole_copy(directory, manifest) else DAMAGED


def _there(directory: Path) -> str:
    return NONE if (directory / file_names.PLAN_COPY).exists() else MISSING


def _tables(directory: Path, manifest: dict[str, Any]) -> list[str]:
    """Names of all tables a campaign has when it is done."""
    logs = LOGS[str(manifest["campaign"].get("store", "summary"))]
    count = -(-_run_count(directory, manifest) // int(manifest["shard_runs"]))
    shards = [
        f"{file_names.SHARDS}/{kind}-{shard:06d}.parquet"
        for shard in range(count)
        for kind in (*logs, "shard")
    ]
    return [*shards, *(file_names.LOGS[name] for name in logs), file_names.RUNS]


def _run_count(directory: Path, manifest: dict[str, Any]) -> int:
    """Runs the table has: fewer than planned where a campaign ran until it was precise."""
    total = int(manifest["total"])
    if manifest["campaign"].get("until") is None:
        return total
    try:
        with pq.ParquetFile(directory / file_names.RUNS) as file:
            return min(int(file.metadata.num_rows), total)
    except DAMAGE:
        return total


def _table_state(directory: Path, name: str, manifest: dict[str, Any], is_checked: bool) -> str:
    path = directory / name
    state = state_of(path, file_names.in_campaign(str(manifest["fingerprint"]), name))
    if is_checked or state == MISSING:
        return DAMAGED if state == NONE else state
    try:  # an earlier format has checksums of its pages at least
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                file.read_row_group(group)
    except DAMAGE:
        return DAMAGED
    return NONE
