"""Run landers: one with everything stored, or many with a row of numbers each."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from haptos.core.outcome import Outcome
from haptos.dynamics.touching.batch import BodyBatch, batch_of
from haptos.dynamics.touching.batch_march import march, march_logged, march_recorded
from haptos.dynamics.touching.stored_rows import ROW_ENERGIES, ROW_STATE, ROW_TIME
from haptos.results.balances import mass_check
from haptos.results.checks import Check
from haptos.results.ledger import EnergyLedger
from haptos.results.many_runs import LOGS, ManyRuns, Store, joined
from haptos.results.provenance import provenance
from haptos.results.result import Result
from haptos.results.row import summary_row
from haptos.results.row_table import RowTable
from haptos.scenarios.contact_speed import impact_check
from haptos.scenarios.lander.cited_laws import sources
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.foundation_contact import ledger_bound
from haptos.scenarios.lander.foundation_run import march_foundation, recorded_foundation
from haptos.scenarios.lander.logs import impact_log, trajectory_log
from haptos.scenarios.lander.metrics import WORKS, ledger_phases, metrics, works
from haptos.scenarios.lander.model import Model, build, build_many
from haptos.scenarios.lander.repeats import disturbed
from haptos.scenarios.lander.slopes import rest_slopes
from haptos.scenarios.lander.surface_check import mesh_depths, surface_check
from haptos.scenarios.touching_tables import events_table, trajectory_table

OUTCOMES = (  # ways a run can end
    Outcome.SETTLED, Outcome.ESCAPED, Outcome.MISSED, Outcome.TIME_OVER, Outcome.STEPS_OVER,
    Outcome.STALLED, Outcome.SUNK, Outcome.SPINNING,
)  # fmt: skip
STEPS_ASSUMED = 10_000  # stored of a run that stores every step; most take fewer
MOST_VERTICES = 20_000_000  # runs x vertices kept in memory at once, 5 bytes each
# In memory together: 6 to 14 kB each. Between two such lots a core may wait for the last run of the other.
RUNS_AT_ONCE = 10_000


def check(config: Config) -> None:
    """Refuse what only shows when the model is built: a bad mesh, a release inside the ground."""
    build(config)


def check_many(configs: Sequence[Config]) -> None:
    """`check` of many runs, quick where neighbours share their tables."""
    build_many(configs)


def simulate(
    config: Config,
    *,
    progress: Callable[[float], None] | None = None,
    disturbance: np.random.Generator | None = None,
) -> Result:
    """One run with trajectory, events and ledger; `progress` gets the fraction of time done.

    disturbance  random numbers that disturb the start, for repeats
    """
    began = time.perf_counter()
    model = build(config)
    if disturbance is not None:
        model = disturbed(model, disturbance)
    if model.foundation is not None:
        batch = batch_of([model])
        rows, events = recorded_foundation(model, batch, 0, progress)
    else:
        batch, rows, events = march_recorded(model, progress=progress)
    memory, state = batch.memory[0], batch.state[0]
    slope = float(rest_slopes([model], batch.memory, batch.state)[0])
    table = config.as_table()
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=trajectory_table(rows, model.parameters),
        events=events_table(events),
        ledger=EnergyLedger(
            time=rows[:, ROW_TIME].copy(),
            stores={
                name: rows[:, ROW_ENERGIES + i].copy()
                for i, name in enumerate(("kinetic", "potential", "elastic"))
            },
            works={name: rows[:, ROW_STATE + row].copy() for name, row in WORKS.items()},
            bound=ledger_bound(config),
            max_remainder=float(memory["ledger"]["largest_remainder"]),
            phases=ledger_phases(memory, batch.phases[0]),
        ),
        ended=Outcome.from_code(memory["outcome"]),
        metrics=metrics(memory, state, model.state, slope),
        provenance=provenance(table, config.seed, time.perf_counter() - began),
        cites=sources(config),
        checks=checks(config, model, batch, 0, mesh_depths([model], batch.state)[0]),
    )


def checks(
    config: Config, model: Model, batch: BodyBatch, run: int, mesh_depth: np.ndarray
) -> tuple[Check, ...]:
    """What a run of a batch must meet besides its ledger: no ground crossed, no touch too fast, the mass of its file."""
    masses = [float(model.parameters["body"]["mass"]), float(batch.parameters["body"]["mass"][run])]
    surface = surface_check(batch.memory[run], model.parameters, mesh_depth.tolist())
    fastest = impact_check(float(batch.memory[run]["touch"]["fastest"]))
    return (surface, fastest, mass_check(config.probe.mass_kg, masses))


def simulate_batch(
    configs: Sequence[Config],
    *,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
) -> RowTable:
    """One row of numbers per run; the same bits as `simulate`, whatever the batch and workers.

    RUNS_AT_ONCE of them are in memory together, besides the rows and the configurations given.
    """
    rows = RowTable(len(configs))
    for part, some, models in _parts(configs):
        batch = batch_of(models)
        if models[0].foundation is not None:
            march_foundation(
                models, batch, _nothing, has_rows=False, workers=workers, should_stop=should_stop
            )
        else:
            march(batch, workers=workers, should_stop=should_stop)
        for i, row in zip(part, _rows(some, models, batch), strict=True):
            rows[i] = row
        del some, models, batch  # before the next are made
    return rows


def simulate_logged(
    configs: Sequence[Config],
    *,
    store: Store,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
) -> ManyRuns:
    """The rows of `simulate_batch`, and every impact, or with them the motion at output times."""
    rows = RowTable(len(configs))
    kept: list[dict[str, dict[str, np.ndarray]]] = [{} for _ in configs]
    for part, some, models in _parts(configs):
        batch = batch_of(models)
        keep = functools.partial(_logs_of, models, store)
        has_rows = "trajectories" in LOGS[store]
        if models[0].foundation is not None:
            logs = march_foundation(
                models, batch, keep, has_rows=has_rows, workers=workers, should_stop=should_stop
            )
        else:
            logs = march_logged(
                batch, keep, has_rows=has_rows, workers=workers, should_stop=should_stop
            )
        for i, row, log in zip(part, _rows(some, models, batch), logs, strict=True):
            rows[i], kept[i] = row, log
        del some, models, batch  # before the next are made
    return ManyRuns(rows, {name: joined([log[name] for log in kept]) for name in LOGS[store]})


def _logs_of(
    models: Sequence[Model], store: Store, run: int, rows: np.ndarray, events: np.ndarray
) -> dict[str, dict[str, np.ndarray]]:
    logs = {"impacts": impact_log(events, models[run])}
    if "trajectories" in LOGS[store]:
        logs["trajectories"] = trajectory_log(rows)
    return logs


def _nothing(run: int, rows: np.ndarray, events: np.ndarray) -> None:
    """Of a run that is stored as a row of numbers alone."""


def most_log_rows(config: Config) -> int:
    """Rows one run may add to the trajectories, about: what memory is planned for."""
    interval = config.run.output_interval_s
    return STEPS_ASSUMED if interval == 0.0 else int(config.run.duration_s / interval) + 2


def _parts(configs: Sequence[Config]) -> Iterator[tuple[list[int], list[Config], list[Model]]]:
    """(places, configurations, models) of runs that share their tables and fit in memory together."""
    for first in range(0, len(configs), RUNS_AT_ONCE):
        yield from _parts_of(configs, range(first, min(first + RUNS_AT_ONCE, len(configs))))


def _parts_of(
    configs: Sequence[Config], places: range
) -> Iterator[tuple[list[int], list[Config], list[Model]]]:
    # One by one: a sequence that makes each configuration when asked need not hold them all.
    some = [configs[i] for i in places]
    models = build_many(some)
    size = max(1, MOST_VERTICES // max(len(model.vertices) for model in models))
    for members in _by_world(models):
        for low in range(0, len(members), size):
            part = members[low : low + size]
            yield [places[i] for i in part], [some[i] for i in part], [models[i] for i in part]


def _by_world(models: Sequence[Model]) -> list[list[int]]:
    """Indices of the runs that share their tables and kernel, in order of first appearance."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for i, model in enumerate(models):
        groups.setdefault((id(model.land), model.foundation is None), []).append(i)
    return list(groups.values())


def _rows(
    configs: Sequence[Config], models: Sequence[Model], batch: BodyBatch
) -> Iterator[dict[str, Any]]:
    slopes = rest_slopes(models, batch.memory, batch.state).tolist()
    depths = mesh_depths(models, batch.state)
    for i, (config, model) in enumerate(zip(configs, models, strict=True)):
        memory, state = batch.memory[i], batch.state[i]
        yield summary_row(
            Outcome.from_code(memory["outcome"]),
            metrics(memory, state, model.state, slopes[i]),
            phases=ledger_phases(memory, batch.phases[i]),
            bound=ledger_bound(config),
            change=float(memory["ledger"]["last"] - memory["ledger"]["start"]),
            works=works(state),
            remainder=float(memory["ledger"]["largest_remainder"]),
            checks=checks(config, model, batch, i, depths[i]),
        )
