"""Many landers at once: arrays for the kernel, and threads that let runs march to their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.core.stop import Stopped
from haptos.dynamics.ledger.phase_ledger import phase_rows
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.dynamics.touching.batch import BodyBatch
from haptos.dynamics.touching.batch_kernel import advance_runs
from haptos.dynamics.touching.run_rows import GROUND, MEMORY, MOST_HOP_PHASES, PARAMETERS
from haptos.dynamics.touching.stored_rows import EVENT_SIZE, ROW_SIZE
from haptos.scenarios.lander.config import MOST_OUTPUTS
from haptos.scenarios.lander.model import Model

STEP_BUDGET = 100_000  # tried steps per call, below a second: how long a stop may have to wait
ROWS_AT_ONCE, EVENTS_AT_ONCE = 20_000, 2_000  # stored between two calls: 5 MB and 0.2 MB
CHUNK = 4  # runs per task; small, since some runs take many times longer than others

Kept = TypeVar("Kept")


def batch_of(models: Sequence[Model]) -> BodyBatch:
    """Batch of runs of one world at time zero; runs with the same probe share its vertices."""
    parameters = np.array([model.parameters for model in models], dtype=PARAMETERS)
    first: dict[int, int] = {}
    tables: list[np.ndarray] = []
    length = 0
    for row, model in zip(parameters, models, strict=True):
        if id(model.vertices) not in first:
            first[id(model.vertices)] = length
            tables.append(model.vertices)
            length += len(model.vertices)
        row["first_vertex"] = first[id(model.vertices)]
    count, widest = len(models), int(parameters["vertex_count"].max())
    return BodyBatch(
        models[0].land,
        parameters,
        np.concatenate(tables),
        np.array([model.state for model in models]),
        np.zeros((count, FULL_SIZE)),
        np.zeros(count, dtype=MEMORY),
        phase_rows(count, phase_room(parameters)),
        np.zeros((count, widest), dtype=np.int32),
        np.zeros((count, widest), dtype=np.uint8),
        np.zeros((count, 4), dtype=np.int64),
    )


def phase_room(parameters: np.ndarray) -> int:
    """Phases of the ledger a run may have: flight, bounces, ground and hops."""
    return GROUND + 1 + min(int(parameters["hops"].max()), MOST_HOP_PHASES)


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


def _too_many_steps(duration: float) -> ConfigError:
    return ConfigError(
        "[run] output_interval_s",
        f"0, which stores every step, for a run of more than {MOST_OUTPUTS} steps",
        f"at most {MOST_OUTPUTS} stored times",
        f"output_interval_s = {duration / 1000.0:.3g}",
    )


def march_recorded(
    model: Model, *, progress: Callable[[float], None] | None = None
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
    interval, duration = float(p["output_interval"]), float(p["duration"])
    capacity = ROWS_AT_ONCE if interval == 0.0 else int(duration / interval) + 3
    rows = np.zeros((capacity, ROW_SIZE))
    events = np.zeros((EVENTS_AT_ONCE + 4 * int(p["vertex_count"]), EVENT_SIZE))
    kept_rows: list[np.ndarray] = []
    kept_events: list[np.ndarray] = []
    while m["outcome"] == Outcome.RUNNING.code:
        advance_runs(*batch.arrays(), True, rows, events, run, run + 1, STEP_BUDGET)
        kept_events.append(events[: m["event_count"]].copy())
        m["event_count"] = 0
        if interval == 0.0:
            kept_rows.append(rows[: m["row_count"]].copy())
            m["row_count"] = 0
            if m["steps"] > MOST_OUTPUTS:
                raise _too_many_steps(duration)
        if after_call is not None:
            after_call(min(float(m["t"]) / duration, 1.0))
    if interval > 0.0:
        kept_rows.append(rows[: m["row_count"]])
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
        batch.parameters["output_interval"] = np.inf
    nothing = (False, np.zeros((1, ROW_SIZE)), np.zeros((1, EVENT_SIZE)))
    advance_runs(*batch.arrays(), *nothing, 0, 0, 1)  # compile before there are threads

    def look(_: float) -> None:
        if should_stop is not None and should_stop():
            raise Stopped

    def kept(run: int) -> Kept:
        look(0.0)
        return keep(run, *recorded(batch, run, look))

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(kept, range(len(batch.parameters))))
