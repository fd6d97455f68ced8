"""What a campaign has on disk: manifest, copy of its file, shards, and the joined table.

campaign.json                 fingerprint, sizes and the complete plan
campaign.toml                 the campaign file as it was given
shards/shard-000123.parquet   rows of consecutive runs, written whole or not at all
shards/impacts-000123.parquet, shards/trajectories-000123.parquet   their logs, written before
runs.parquet                  all rows, written when every shard is there; the logs before it
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from haptos.campaign import directory as rules
from haptos.campaign import file_names, tables
from haptos.campaign.logs import DAMAGE, has_log, is_whole_log, logs_of, verified_log
from haptos.campaign.plan import CampaignPlan, make_plan
from haptos.campaign.settings import Settings
from haptos.core import disk_space
from haptos.core.checked_files import checked_file, write_checked, write_checked_json
from haptos.core.checksums import digest_of
from haptos.core.errors import StorageError
from haptos.core.whole_files import storage_errors, write_whole
from haptos.results.provenance import source_commit

SCENARIO_COLUMNS = 64  # assumed for the estimate of disk space, before any row is known
BYTES_PER_SHARD = 350 * SCENARIO_COLUMNS  # footer of a Parquet file, measured 330 per column


class ShardTables(NamedTuple):
    """Rows of consecutive runs, and of each log those of the same runs."""

    runs: pa.Table
    logs: dict[str, pa.Table]


class Store:
    """Directory of one campaign, open for writing; use it in a `with` block."""

    def __init__(self, directory: Path, plan: CampaignPlan, *, resume: bool) -> None:
        self.directory, self.plan = directory, plan
        self._is_manifest_lost = False
        self._check_ownership(resume)
        self._is_new = not directory.exists()
        rules.make(directory)
        self._lock = rules.Lock(directory)
        self._lock.acquire()
        self.has_begun = False
        try:
            # Again, now that nobody else can write.
            self.has_begun = self._check_ownership(resume)
            if self.has_begun and not resume:
                raise self._unfinished()
            rules.clean(directory)
        except BaseException:
            self.close()
            raise

    def _check_ownership(self, resume: bool) -> bool:
        """Whether this campaign has begun here; refuses a directory of anything else.

        Shards with the right checksums say whose it is where the manifest cannot.
        """
        try:
            return rules.check_ownership(self.directory, self.plan.fingerprint) is not None
        except rules.NoManifestError:
            if not (resume and self._has_own_shards()):
                raise
        self._is_manifest_lost = True
        return True

    def _has_own_shards(self) -> bool:
        shards = range(self.plan.shard_count)
        there = (shard for shard in shards if self.shard_path(shard).exists())
        return any(self._verified_runs(shard) is not None for shard in there)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the directory; one that never became a campaign is left as it was found."""
        if not self.has_begun and not (self.directory / file_names.MANIFEST).exists():
            self._lock.remove()
            if self._is_new:
                with suppress(OSError):
                    self.directory.rmdir()
        self._lock.release()

    def _unfinished(self) -> StorageError:
        there = sum(self.shard_path(shard).exists() for shard in range(self.plan.shard_count))
        runs = min(there * self.plan.shard_runs, self.plan.total)
        found = f"this campaign, with about {runs} of {self.plan.total} runs stored"
        return StorageError(str(self.directory), found, "a new directory", "add --resume")

    @property
    def _shards(self) -> Path:
        return self.directory / file_names.SHARDS

    def shard_path(self, shard: int) -> Path:
        return self._shards / f"shard-{shard:06d}.parquet"

    def log_path(self, name: str, shard: int) -> Path:
        return self._shards / f"{name}-{shard:06d}.parquet"

    def check_room(self, pending_runs: int, pending_shards: int) -> None:
        """Refuse a disk that cannot hold what is still to be written."""
        columns = len(self.plan.columns) + SCENARIO_COLUMNS
        needed = 8 * columns * (pending_runs + self.plan.total) + BYTES_PER_SHARD * pending_shards
        disk_space.check_room(self.directory, needed)

    def begin(self, text: bytes) -> None:
        """Make the directory this campaign's: `text` is the campaign file, copied as it is."""
        with storage_errors(self.directory):
            self._shards.mkdir(exist_ok=True)
        if not self.has_begun or self._is_manifest_lost:
            self._write_copy(text)
        else:
            self._follow_files(text)
        self.has_begun, self._is_manifest_lost = True, False

    def _write_copy(self, text: bytes) -> None:
        """Copy of the campaign file, then the manifest, which has its checksum."""
        write_whole(self.directory / file_names.PLAN_COPY, text)
        self._write_manifest(manifest_of(self.plan, text))

    def _follow_files(self, text: bytes) -> None:
        """The same campaign with its shape files in another place: views look for them there."""
        manifest = rules.read_manifest(self.directory) or {}
        if not rules.has_whole_copy(self.directory, manifest):
            self._write_manifest(manifest | {"files": {}})  # no checksum while it is replaced
            self._write_copy(text)
            return
        table = json.loads(json.dumps(self.plan.table))
        if manifest.get("table") != table:
            self._write_manifest(manifest | {"table": table})

    def _write_manifest(self, manifest: dict[str, Any]) -> None:
        write_checked_json(self.directory / file_names.MANIFEST, file_names.MANIFEST, manifest)

    def verified(self, shard: int) -> pa.Table | None:
        """Rows of a shard if its files are exactly what would be written again, else None."""
        for name in logs_of(self.plan):
            if self._verified_log(name, shard) is None:
                return None
        return self._verified_runs(shard)

    def _verified_log(self, name: str, shard: int) -> pa.Table | None:
        path = self.log_path(name, shard)
        return verified_log(path, self._full_name(path), self.plan, self.plan.shard(shard))

    def _verified_runs(self, shard: int) -> pa.Table | None:
        path = self.shard_path(shard)
        try:
            rows = tables.read_parquet(path, self._full_name(path))
            return rows if self._is_right(rows, shard) else None
        except DAMAGE:
            return None

    def _is_right(self, rows: pa.Table, shard: int) -> bool:
        runs = self.plan.shard(shard)
        names = [*tables.PLACES, *self.plan.columns]
        if rows.schema.names[: len(names)] != names:
            return False
        wanted = tables.schema(self.plan, rows.schema.names[len(names) :])
        if not rows.schema.equals(wanted, check_metadata=True) or rows.num_rows != len(runs):
            return False
        return bool(np.array_equal(rows.column("run").to_numpy(), np.arange(runs.start, runs.stop)))

    def _full_name(self, path: Path) -> str:
        """Name in the checksum of a file."""
        inside = path.relative_to(self.directory).as_posix()
        return file_names.in_campaign(self.plan.fingerprint, inside)

    def write(self, shard: int, found: ShardTables) -> None:
        """Store the rows of one shard: first its logs, then the runs."""
        runs = tables.narrowed(found.runs, list(self.plan.columns))
        for name, log in found.logs.items():
            kept = log.select(["run"]) if tables.is_narrow(runs.schema.names) else log
            self._write_table(self.log_path(name, shard), kept)
        self._write_table(self.shard_path(shard), runs)

    def _write_table(self, path: Path, rows: pa.Table) -> None:
        write_checked(path, self._full_name(path), tables.parquet_bytes(rows))

    def join(self, shards: int | None = None) -> None:
        """Write the joined tables from all shards, or from the first few; those after them go."""
        count = self.plan.shard_count if shards is None else shards
        for name in logs_of(self.plan):
            if not is_whole_log(self.directory, self.plan, name):
                self._join(file_names.LOGS[name], self._all_rows(count, name))
        if not has_all_runs(self.directory, self.plan):
            self._join(file_names.RUNS, self._all_rows(count, None))
        for shard in range(count, self.plan.shard_count):
            with storage_errors(self.directory):
                self.shard_path(shard).unlink(missing_ok=True)
                for name in logs_of(self.plan):
                    self.log_path(name, shard).unlink(missing_ok=True)

    def _join(self, file: str, rows: Iterator[pa.Table]) -> None:
        path = self.directory / file
        with checked_file(path, self._full_name(path)) as opened:
            tables.write_joined(opened, rows)

    def _all_rows(self, shards: int, log: str | None) -> Iterator[pa.Table]:
        """Tables of the first shards, of the runs or of a log."""
        columns = self._columns(shards, log)
        for shard in range(shards):
            rows = self._shard_rows(shard, log)
            if _is_of_failed_runs(rows.schema, log):
                rows = tables.widened(rows, columns)
            if not rows.schema.equals(columns, check_metadata=True):
                path, hint = self.shard_path(shard), "start again in another --out"
                raise StorageError(str(path), "other columns", "those of shard 0", hint)
            yield rows

    def _shard_rows(self, shard: int, log: str | None) -> pa.Table:
        if log is None:
            path, rows = self.shard_path(shard), self._verified_runs(shard)
        else:
            path = self.log_path(log, shard)
            rows = self._verified_log(log, shard)
        if rows is None:
            raise StorageError(str(path), "a damaged shard", "a whole one", "add --resume")
        return rows

    def _columns(self, shards: int, log: str | None) -> pa.Schema:
        """Columns of the joined table: those of the first shard in which some run has numbers."""
        for shard in range(shards):
            found = self._shard_rows(shard, log).schema
            if not _is_of_failed_runs(found, log):
                break
        return found


def _is_of_failed_runs(columns: pa.Schema, log: str | None) -> bool:
    """Whether a shard, or its log, is of failed runs alone."""
    return columns.names == ["run"] if log is not None else tables.is_narrow(columns.names)


def manifest_of(plan: CampaignPlan, text: bytes) -> dict[str, Any]:
    """The manifest; from it the plan can be made again without the campaign file.

    text  of the campaign file, whose copy has its checksum here
    """
    return {
        "format": rules.FORMAT,
        "haptos": metadata.version("haptos"),
        "fingerprint": plan.fingerprint,
        "file": plan.where,
        "total": plan.total,
        "points": plan.points,
        "shard_runs": plan.shard_runs,
        "campaign": plan.settings.model_dump(mode="json"),
        "table": plan.table,
        "made_with": _made_with(),
        "files": {file_names.PLAN_COPY: digest_of(file_names.PLAN_COPY, text).hex()},
    }


def _made_with() -> dict[str, str]:
    """Versions that a later reader may want to know; no date, so equal work is equal bytes."""
    versions = {name: metadata.version(name) for name in ("haptos", "numpy", "numba", "pyarrow")}
    machine = {"python": platform.python_version(), "platform": platform.platform()}
    return {**versions, "commit": source_commit(), **machine}


def plan_of(manifest: dict[str, Any], directory: Path) -> CampaignPlan:
    """Plan of a stored campaign."""
    try:
        settings = Settings.model_validate(manifest["campaign"])
        return make_plan(
            manifest["table"], settings, str(manifest["file"]), str(manifest["fingerprint"])
        )
    except (KeyError, ValueError, TypeError, AttributeError):
        path = directory / file_names.MANIFEST
        found = "a manifest that cannot be understood"
        raise StorageError(str(path), found, "one written by haptos", "run it again") from None


def is_complete(directory: Path, plan: CampaignPlan, *, has_checksums: bool = True) -> bool:
    """Whether the tables of this very plan are there; the runs undamaged, the logs by their looks."""
    logs = all(has_log(directory, plan, name) for name in logs_of(plan))
    return logs and has_all_runs(directory, plan, has_checksums=has_checksums)


def has_all_runs(directory: Path, plan: CampaignPlan, *, has_checksums: bool = True) -> bool:
    """Whether runs.parquet holds every run of this very plan, undamaged; read piece by piece."""
    try:
        with _runs_file(directory, plan, has_checksums) as file:
            mark = (file.schema_arrow.metadata or {}).get(tables.FINGERPRINT)
            total = file.metadata.num_rows
            if mark != plan.fingerprint.encode() or not _may_hold(plan, total):
                return False
            first = 0
            for group in range(file.num_row_groups):
                # Where no checksum says that all of it is whole, all of it is read.
                columns = ["run"] if has_checksums else None
                runs = file.read_row_group(group, columns).column("run").to_numpy()
                if not np.array_equal(runs, np.arange(first, first + len(runs))):
                    return False
                first += len(runs)
            return bool(first == total)
    except DAMAGE:
        return False


def _may_hold(plan: CampaignPlan, runs: int) -> bool:
    """Whether a finished table can have so many runs; the table is only written when all is done."""
    if runs == plan.total:
        return True
    return plan.settings.until is not None and runs > 0 and runs % plan.shard_runs == 0


def read_runs(directory: Path, plan: CampaignPlan, *, has_checksums: bool = True) -> pa.Table:
    """All rows of a finished campaign."""
    with _runs_file(directory, plan, has_checksums) as file:
        return file.read()


def _runs_file(
    directory: Path, plan: CampaignPlan, has_checksum: bool
) -> AbstractContextManager[pq.ParquetFile]:
    name = file_names.in_campaign(plan.fingerprint, file_names.RUNS)
    return tables.opened(directory / file_names.RUNS, name, has_checksum=has_checksum)
