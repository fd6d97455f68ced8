"""Logs of a campaign, impacts and trajectories: shards beside those of the runs, joined at the end.

A shard of a log is written whole before the shard of the same runs, which so stays the sign that all
of them is there. Types come from the scenario's arrays, never from values.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from haptos.campaign import file_names, tables
from haptos.campaign.plan import CampaignPlan
from haptos.core.errors import ConfigError
from haptos.results.many_runs import LOGS
from haptos.scenarios.registry import scenario as scenario_named

# What reading a damaged Parquet file can end in.
DAMAGE = (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)
MOST_ROWS = 10_000_000  # of a log in one shard, all in memory: 1.2 GB of trajectories


def logs_of(plan: CampaignPlan) -> tuple[str, ...]:
    """Names of the logs a campaign keeps."""
    return LOGS[plan.settings.store]


def check_logs(plan: CampaignPlan) -> None:
    """Refuse logs that the scenario does not have, or of which one shard would fill the memory."""
    if not logs_of(plan):
        return
    where, store = f"{plan.where} [campaign]", plan.settings.store
    check_has_logs(plan.scenario, store, where)
    log_rows = scenario_named(plan.scenario).running.log_rows
    if "trajectories" in logs_of(plan) and log_rows is not None:
        each = int(log_rows(plan.config(0)))
        if each * plan.shard_runs > MOST_ROWS:
            found = f"up to {each} rows of trajectory for each of {plan.shard_runs} runs of a shard"
            fit = max(1, MOST_ROWS // each)
            hint = f"shard_runs = {fit}, or a longer output_interval_s in [run]"
            raise ConfigError(where, found, f"at most {MOST_ROWS} rows in a shard", hint)


def check_has_logs(scenario: str, store: str, where: str) -> None:
    """Refuse logs that the scenario does not have."""
    if scenario_named(scenario).running.logged is None:
        found = f'store = "{store}" with scenario {scenario}, which has no {store}'
        raise ConfigError(where, found, 'store = "summary"', "leave store out")


def log_table(plan: CampaignPlan, runs: range, log: Mapping[str, np.ndarray]) -> pa.Table:
    """Table of the log of consecutive runs, their places replaced by their indices."""
    columns = {**log, "run": log["run"] + runs.start}
    fields = [
        pa.field(name, pa.from_numpy_dtype(values.dtype), nullable=False)
        for name, values in columns.items()
    ]
    kinds = pa.schema(fields, metadata={tables.FINGERPRINT: plan.fingerprint.encode()})
    return pa.Table.from_pydict(columns, schema=kinds)


def log_part(rows: pa.Table, runs: range) -> pa.Table:
    """Rows of some of the runs; `run` ascends."""
    index = rows.column("run").to_numpy()
    first, last = np.searchsorted(index, (runs.start, runs.stop))
    return rows.slice(int(first), int(last - first)).combine_chunks()


def verified_log(path: Path, name: str, plan: CampaignPlan, runs: range) -> pa.Table | None:
    """Log of these runs if the file is exactly what was written under this name, else None."""
    try:
        rows = tables.read_parquet(path, name)
        return rows if is_marked(rows.schema, plan) and _holds_only(rows, runs) else None
    except DAMAGE:
        return None


def is_marked(schema: pa.Schema, plan: CampaignPlan) -> bool:
    """Whether a table is of this very campaign."""
    return bool((schema.metadata or {}).get(tables.FINGERPRINT) == plan.fingerprint.encode())


def _holds_only(rows: pa.Table, runs: range) -> bool:
    index = rows.column("run").to_numpy()
    if len(index) == 0:
        return True
    ascends = bool(np.all(np.diff(index) >= 0))
    return ascends and index[0] >= runs.start and index[-1] < runs.stop


def has_log(directory: Path, plan: CampaignPlan, name: str) -> bool:
    """Whether the joined log of this very campaign seems to be there; reading it tells."""
    try:
        with pq.ParquetFile(directory / file_names.LOGS[name]) as file:
            return is_marked(file.schema_arrow, plan)
    except DAMAGE:
        return False


def is_whole_log(directory: Path, plan: CampaignPlan, name: str) -> bool:
    """Whether the joined log of this very campaign is there, undamaged."""
    file = file_names.LOGS[name]
    try:
        full_name = file_names.in_campaign(plan.fingerprint, file)
        with tables.opened(directory / file, full_name, has_checksum=True) as opened:
            return is_marked(opened.schema_arrow, plan)
    except DAMAGE:
        return False


def read_log(
    directory: Path,
    plan: CampaignPlan,
    name: str,
    columns: list[str] | None = None,
    *,
    has_checksum: bool = True,
) -> pa.Table:
    """All rows of a joined log, of all columns or of some."""
    file = file_names.LOGS[name]
    full_name = file_names.in_campaign(plan.fingerprint, file)
    with tables.opened(directory / file, full_name, has_checksum=has_checksum) as opened:
        return opened.read(columns)
