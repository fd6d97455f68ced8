"""Shards as tasks: what a task computes, and how its rows reach the disk."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Protocol

import numpy as np

from haptos.campaign import tables
from haptos.campaign.failures import Attempt, attempted, is_failed, is_of_one_run
from haptos.campaign.logs import check_has_logs, log_table, logs_of
from haptos.campaign.plan import CampaignPlan
from haptos.campaign.precision import Goal
from haptos.campaign.store import ShardTables, Store
from haptos.core.errors import ConfigError
from haptos.core.stop import Stopped
from haptos.results.many_runs import LOGS, Log, ManyRuns
from haptos.results.many_runs import Store as Stored
from haptos.scenarios.registry import scenario as scenario_named
from haptos.scenarios.schema import ScenarioConfig

StopWish = Callable[[], bool]


class Batch(Protocol):
    """A function that runs many configurations: one flat dict for each, or with logs ManyRuns."""

    def __call__(
        self, configs: Sequence[Any], *, workers: int, should_stop: StopWish | None = None
    ) -> Sequence[dict[str, Any]] | ManyRuns: ...


def batch_of(scenario: str, store: Stored = "summary") -> Batch:
    """The scenario's own batch function, or its `simulate` one run at a time per thread."""
    running = scenario_named(scenario).running
    if store not in LOGS:
        hint = "leave it out for summary"
        raise ConfigError("simulate_batch", f"store = {store!r}", ", ".join(LOGS), hint)
    if store != "summary":
        check_has_logs(scenario, store, "simulate_batch")
        assert running.logged is not None  # checked above
        return functools.partial(running.logged, store=store)
    if running.batch is not None:
        return running.batch
    return OneByOne(scenario)


class OneByOne:
    """Batch function of a scenario that has none: threads, each with one run at a time."""

    def __init__(self, scenario: str) -> None:
        self.scenario = scenario

    def __call__(
        self,
        configs: Sequence[ScenarioConfig],
        *,
        workers: int,
        should_stop: StopWish | None = None,
    ) -> list[dict[str, Any]]:
        simulate = scenario_named(self.scenario).running.simulate

        def row(config: ScenarioConfig) -> dict[str, Any]:
            if should_stop is not None and should_stop():
                raise Stopped
            found: dict[str, Any] = simulate(config).as_row()
            return found

        with ThreadPoolExecutor(max_workers=workers) as pool:
            return list(pool.map(row, configs))

    def attempts(
        self, configs: Sequence[ScenarioConfig], *, workers: int, should_stop: StopWish | None
    ) -> list[Attempt]:
        """A row for each configuration, or the error that its run raised."""

        def attempt(config: ScenarioConfig) -> Attempt:
            try:
                return self([config], workers=1, should_stop=should_stop)[0]
            except Exception as error:
                if not is_of_one_run(error):
                    raise
                return error

        with ThreadPoolExecutor(max_workers=workers) as pool:
            return list(pool.map(attempt, configs))


def many_runs(found: Sequence[dict[str, Any]] | ManyRuns) -> ManyRuns:
    """What a batch function gave, logs or none."""
    return found if isinstance(found, ManyRuns) else ManyRuns(found)


def shard_tables(
    plan: CampaignPlan, runs: range, batch: Batch, workers: int, should_stop: StopWish | None
) -> ShardTables:
    """Rows and logs of consecutive runs; a pure function of the plan and the runs."""
    found = attempted(batch, plan.configs(runs), workers=workers, should_stop=should_stop)
    kept: Mapping[str, Log] = found.logs
    if not kept and all(is_failed(row) for row in found.rows):
        kept = {name: {"run": np.zeros(0, dtype=np.int64)} for name in logs_of(plan)}
    if tuple(kept) != logs_of(plan):
        raise TypeError(f"scenario '{plan.scenario}' gave the logs {tuple(kept)}")
    logs = {name: log_table(plan, runs, log) for name, log in kept.items()}
    return ShardTables(tables.table(plan, runs, found.rows), logs)


def write_all(
    store: Store,
    results: Generator[tuple[int, ShardTables], None, None],
    advance: Callable[[int, int], None],
    goal: Goal | None = None,
) -> None:
    """Write each shard as its rows arrive; if that fails, what computes them is closed at once.

    advance   gets the number of runs and how many of them failed

    A goal that is reached ends it as well.
    """
    with closing(results):
        for shard, found in results:
            reached = goal is not None and goal.take(shard, found.runs)
            store.write(shard, found)
            advance(found.runs.num_rows, tables.failed_count(found.runs))
            if reached:
                return
