"""Shards as tasks: what a task computes, and how its rows reach the disk."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, Protocol

import pyarrow as pa

from haptos.campaign import tables
from haptos.campaign.plan import CampaignPlan
from haptos.campaign.precision import Goal
from haptos.campaign.store import Store
from haptos.core.errors import ConfigError
from haptos.core.stop import Stopped
from haptos.scenarios.files import scenario_module
from haptos.scenarios.schema import ScenarioConfig

StopWish = Callable[[], bool]


class Batch(Protocol):
    """A function that runs many configurations and gives one flat dict for each."""

    def __call__(
        self, configs: Sequence[Any], *, workers: int, should_stop: StopWish | None = None
    ) -> list[dict[str, Any]]: ...


def batch_of(scenario: str, device: str = "cpu") -> Batch:
    """The scenario's own batch function, or its `simulate` one run at a time per thread."""
    module = scenario_module(scenario, "simulate")
    if device == "cuda":
        if not hasattr(module, "simulate_batch"):
            hint = "leave it out to use the processor"
            raise ConfigError("--device cuda", f"scenario {scenario}", "scenario lander", hint)
        return functools.partial(module.simulate_batch, device=device)
    if hasattr(module, "simulate_batch"):
        batch: Batch = module.simulate_batch
        return batch
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
        simulate = scenario_module(self.scenario, "simulate").simulate

        def row(config: ScenarioConfig) -> dict[str, Any]:
            if should_stop is not None and should_stop():
                raise Stopped
            told: dict[str, Any] = simulate(config).as_row()
            return told

        with ThreadPoolExecutor(max_workers=workers) as pool:
            return list(pool.map(row, configs))


def shard_table(
    plan: CampaignPlan, runs: range, batch: Batch, workers: int, should_stop: StopWish | None
) -> pa.Table:
    """Rows of consecutive runs; a pure function of the plan and the runs."""
    configs = plan.configs(runs)
    rows = batch(configs, workers=workers, should_stop=should_stop)
    return tables.table(plan, runs, rows)


def write_all(
    store: Store,
    results: Generator[tuple[int, pa.Table], None, None],
    advance: Callable[[int], None],
    goal: Goal | None = None,
) -> None:
    """Write each shard as its rows arrive; if that fails, what computes them is closed at once.

    A goal that is reached ends it as well.
    """
    with closing(results):
        for shard, rows in results:
            reached = goal is not None and goal.take(shard, rows)
            store.write(shard, rows)
            advance(rows.num_rows)
            if reached:
                return
