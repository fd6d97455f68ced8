"""Many runs at once: threads that let the runs of a batch march to their outcomes, stored or not."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from haptos.core.outcome import Outcome
from haptos.core.stop import Stopped
from haptos.dynamics.touching.batch import BodyBatch, BodyRun, batch_of
from haptos.dynamics.touching.batch_kernel import advance_runs
from haptos.dynamics.touching.stored_limit import check_stored
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE

STEP_BUDGET = 100_000  # tried steps per call, below a second: how long a stop may have to wait
ROWS_AT_ONCE, EVENTS_AT_ONCE = 20_000, 2_000  # stored between two calls: 5 MB and 0.2 MB
CHUNK = 4  # runs per task; small, since some runs take many times longer than others

Kept = TypeVar("Kept")


def march(batch: BodyBatch, *, workers: int, should_stop: Callable[[], bool] | None = None) -> None:
    """Let every run reach its outcome, on `workers` threads; raises Stopped if asked to stop."""
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    count = len(batch.parameters)
    advance_runs(*batch.arrays(), *nothing, 0, 0, 1)  # compile before there are threads

    def march_chunk(low: int) -> None:
        high = min(low + CHUNK, count)
        while np.any(batch.memory["outcome"][low:high] == Outcome.RUNNING.code):
            if should_stop is not None and should_stop():
                return
            advance_runs(*batch.arrays(), *nothing, low, high, STEP_BUDGET)

    if workers == 1:
        for low in range(0, count, CHUNK):
            march_chunk(low)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(march_chunk, range(0, count, CHUNK)))
    if np.any(batch.memory["outcome"] == Outcome.RUNNING.code):
        raise Stopped


def march_recorded(
    model: BodyRun, *, progress: Callable[[float], None] | None = None
) -> tuple[BodyBatch, np.ndarray, np.ndarray]:
    """(batch of one, rows, events) of a run stored in full; the same bits as without storing."""
    batch = batch_of([model])
    rows, events = recorded(batch, 0, progress)
    return batch, rows, events


def recorded(
    batch: BodyBatch, run: int, after_call: Callable[[float], None] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """(rows, events) of one run of a batch, to its outcome.

    after_call  receives the fraction of time done, every some hundred milliseconds
    """
    p, m = batch.parameters[run], batch.memory[run]
    interval, duration = float(p["run"]["output_interval"]), float(p["run"]["duration"])
    capacity = ROWS_AT_ONCE if interval == 0.0 else int(duration / interval) + 3
    rows = np.zeros((capacity, ROW_SIZE))
    events = np.zeros((EVENTS_AT_ONCE + 4 * int(p["body"]["vertex_count"]), EVENT_SIZE))
    kept_rows: list[np.ndarray] = []
    kept_events: list[np.ndarray] = []
    while m["outcome"] == Outcome.RUNNING.code:
        advance_runs(*batch.arrays(), True, rows, events, run, run + 1, STEP_BUDGET)
        kept_events.append(events[: m["counts"]["events"]].copy())
        m["counts"]["events"] = 0
        if interval == 0.0:
            kept_rows.append(rows[: m["counts"]["rows"]].copy())
            m["counts"]["rows"] = 0
            check_stored(interval, duration, int(m["counts"]["steps"]))
        if after_call is not None:
            after_call(min(float(m["step"]["time"]) / duration, 1.0))
    if interval > 0.0:
        kept_rows.append(rows[: m["counts"]["rows"]])
    return np.concatenate(kept_rows), np.concatenate(kept_events)


def march_logged(
    batch: BodyBatch,
    keep: Callable[[int, np.ndarray, np.ndarray], Kept],
    *,
    has_rows: bool,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
) -> list[Kept]:
    """As `march`, and what `keep` makes of each run's place, rows and events; no rows between the
    ends unless `has_rows`."""
    if not has_rows:
        batch.parameters["run"]["output_interval"] = np.inf
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    advance_runs(*batch.arrays(), *nothing, 0, 0, 1)  # compile before there are threads
    return kept_of(
        range(len(batch.parameters)), functools.partial(recorded, batch), keep,
        workers=workers, should_stop=should_stop,
    )  # fmt: skip


def kept_of(
    runs: Iterable[int],
    store: Callable[[int, Callable[[float], None]], tuple[np.ndarray, np.ndarray]],
    keep: Callable[[int, np.ndarray, np.ndarray], Kept],
    *,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
) -> list[Kept]:
    """What `keep` makes of the (rows, events) that `store` gives of each of some runs, on `workers` threads.

    store  (run, look) -> (rows, events); calls look(share of the time done) now and then, which raises
           Stopped if asked to stop
    """

    def look(_: float) -> None:
        if should_stop is not None and should_stop():
            raise Stopped

    def kept(run: int) -> Kept:
        look(0.0)
        return keep(run, *store(run, look))

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(kept, runs))
