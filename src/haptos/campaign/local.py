"""Shards on this machine: in order, the runs of each spread over the cores."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence

from haptos.campaign.logs import log_part
from haptos.campaign.plan import CampaignPlan
from haptos.campaign.runner import Batch, StopWish, shard_tables
from haptos.campaign.store import ShardTables
from haptos.core.errors import ConfigError
from haptos.core.stop import Stopped

RUNS_PER_CORE = 4  # in one batch; fewer leave cores idle while its last runs end


def core_count() -> int:
    """Cores this process may use, which can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_workers(workers: int | None) -> int:
    """Number of threads: as given, or one per core."""
    if workers is None:
        return core_count()
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= 4096:
        hint = "leave it out for one per core"
        raise ConfigError("--workers", repr(workers), "a whole number from 1 to 4096", hint)
    return workers


def local_results(
    plan: CampaignPlan, shards: Sequence[int], *, batch: Batch, workers: int, should_stop: StopWish
) -> Generator[tuple[int, ShardTables], None, None]:
    """(shard, rows) one after another; neighbours go together where one cannot fill the cores."""
    for group in _groups(plan, shards, RUNS_PER_CORE * workers):
        if should_stop():
            raise Stopped
        runs = range(plan.shard(group[0]).start, plan.shard(group[-1]).stop)
        found = shard_tables(plan, runs, batch, workers, should_stop)
        for shard in group:
            piece = plan.shard(shard)
            rows = found.runs.slice(piece.start - runs.start, len(piece)).combine_chunks()
            logs = {name: log_part(log, piece) for name, log in found.logs.items()}
            yield shard, ShardTables(rows, logs)


def _groups(plan: CampaignPlan, shards: Sequence[int], wanted: int) -> Iterator[list[int]]:
    """Consecutive shards, together about `wanted` runs."""
    group: list[int] = []
    for shard in shards:
        full = len(group) * plan.shard_runs >= wanted
        if group and (full or shard != group[-1] + 1):
            yield group
            group = []
        group.append(shard)
    if group:
        yield group
