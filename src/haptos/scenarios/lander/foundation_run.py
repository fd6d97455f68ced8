"""Runs of landers on an elastic foundation, in the rows, events and records that all landers have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from haptos.core.outcome import Outcome
from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.grounded_run import (
    SETTLED,
    TOO_FAR,
    Grounded,
    GroundedRun,
    losses_of,
    run_grounded,
    states_of,
    supplied_to,
)
from haptos.dynamics.rigid.rigid_body import (
    FULL_SIZE,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_SUNLIGHT,
)
from haptos.dynamics.rigid.touching_pair_march import (
    FULL,
    L_DEPTH,
    L_ELASTIC,
    L_FORCE,
    L_KINETIC,
    L_POLYGONS,
    L_POTENTIAL,
    L_STICK,
    L_TIME,
    STALLED,
    STEPS_OVER,
    SUNK,
    TIME_OVER,
)
from haptos.dynamics.touching.batch import BodyBatch
from haptos.dynamics.touching.batch_march import kept_of
from haptos.dynamics.touching.stored_limit import check_stored
from haptos.dynamics.touching.stored_rows import (
    EVENT_CLOSING,
    EVENT_KIND,
    EVENT_KINETIC,
    EVENT_NORMAL,
    EVENT_POINT,
    EVENT_SIZE,
    EVENT_SLIP,
    EVENT_TIME,
    EVENT_VERTEX,
    RELEASE,
    REST,
    ROW_DEEPEST,
    ROW_ENERGIES,
    ROW_LOAD,
    ROW_SIZE,
    ROW_SLIP,
    ROW_STATE,
    ROW_TIME,
    ROW_TOUCHING,
    TOUCH,
)
from haptos.geometry.distance.reference import gaps_of
from haptos.scenarios.lander.model import LEAST_ENERGY, Model

Kept = TypeVar("Kept")

LENGTH_SHARE = (
    0.3  # [-] of the probe's radius: the length that the tolerance is a share of; assumed
)
KINDS = (TOUCH, RELEASE, REST)  # of events of a grounded body
ENDS = {
    SETTLED: (Outcome.SETTLED, Outcome.SETTLED),
    TOO_FAR: (Outcome.ESCAPED, Outcome.MISSED),
    TIME_OVER: (Outcome.TIME_OVER, Outcome.MISSED),
    SUNK: (Outcome.SUNK, Outcome.SUNK),
    FULL: (Outcome.STEPS_OVER, Outcome.STEPS_OVER),
    STEPS_OVER: (Outcome.STEPS_OVER, Outcome.STEPS_OVER),
    STALLED: (Outcome.STALLED, Outcome.STALLED),
}  # with and without a touch


def march_foundation(
    models: Sequence[Model],
    batch: BodyBatch,
    keep: Callable[[int, np.ndarray, np.ndarray], Kept],
    *,
    has_rows: bool,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
) -> list[Kept]:
    """Let runs reach their outcomes; what `keep` makes of each run's place, rows and events."""

    def store(run: int, look: Callable[[float], None]) -> tuple[np.ndarray, np.ndarray]:
        return recorded_foundation(models[run], batch, run, look, has_rows=has_rows)

    first = kept_of(range(1), store, keep, workers=1, should_stop=should_stop)  # compiles
    others = range(1, len(models))
    return first + kept_of(others, store, keep, workers=workers, should_stop=should_stop)


def recorded_foundation(
    model: Model,
    batch: BodyBatch,
    run: int,
    look: Callable[[float], None] | None = None,
    *,
    has_rows: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """(rows, events) of one run, whose row of the batch is filled."""
    p, made = model.parameters, model.foundation
    assert made is not None
    interval = float(p["run"]["output_interval"]) if has_rows else math.inf
    made = replace(made, state=batch.state[run, :13].copy())
    found = run_grounded(
        made,
        energy=max(model.scale, LEAST_ENERGY),
        length=LENGTH_SHARE * float(p["body"]["radius"]),
        interval=interval,
        steps=int(p["run"]["max_steps"]),
        look=look,
    )
    stored = np.concatenate(found.rows)
    check_stored(interval, float(p["run"]["duration"]), len(stored))
    _fill_memory(made, found, batch, run)
    return _rows(made, stored), _events(made, found)


def _fill_memory(made: Grounded, found: GroundedRun, batch: BodyBatch, run: int) -> None:
    """The batch's row of a finished run."""
    memory, touches = batch.memory[run], sum(kind == 0 for _, kind, _ in found.events)
    ledger, contact, touch = memory["ledger"], memory["contact"], memory["touch"]
    counts, guard = memory["counts"], memory["guard"]
    memory["outcome"] = ENDS[found.ended][0 if touches else 1].code
    memory["step"]["time"], memory["rest"]["calm_since"] = found.last[L_TIME], found.calm
    ledger["start"] = found.first_energy
    ledger["last"] = found.phases["energy"][found.phase_count - 1]
    ledger["largest_remainder"] = found.largest_remainder
    ledger["largest_rise"] = found.largest_rise
    ledger["phases"] = found.phase_count
    memory["path"], contact["total_time"] = found.path, found.contact_time
    contact["deepest"] = found.deepest
    contact["touching_end"] = int(found.last[L_POLYGONS])
    touch["first_time"], touch["first_speed"] = found.touch_time, found.touch_speed
    touch["fastest"] = found.fastest_touch
    touch["count"], contact["phases"] = touches, touches
    counts["steps"], counts["rejected"] = found.steps
    counts["phase_steps"] = (found.steps[0] - found.contact_steps, found.contact_steps, 0)
    guard["depth"], guard["limit"] = found.guard_depth, made.deepest
    guard["share"] = found.guard_depth / made.deepest
    guard["time"], guard["place"] = found.guard_time, found.guard_place
    batch.state[run] = _rows(made, found.last[None])[0, ROW_STATE : ROW_STATE + FULL_SIZE]
    batch.phases[run][: found.phase_count] = found.phases[: found.phase_count]


def _rows(made: Grounded, found: np.ndarray) -> np.ndarray:
    """Rows as all landers have them; friction holds what anchors let go, elastic what they store."""
    rows, states = np.zeros((len(found), ROW_SIZE)), states_of(made, found)
    damping, friction, drag = losses_of(found)
    rows[:, ROW_TIME] = found[:, L_TIME]
    rows[:, ROW_STATE : ROW_STATE + 13] = states
    rows[:, ROW_STATE + WORK_DAMPING], rows[:, ROW_STATE + WORK_FRICTION] = -damping, -friction
    rows[:, ROW_STATE + WORK_DRAG], rows[:, ROW_STATE + WORK_SUNLIGHT] = -drag, supplied_to(found)
    rows[:, ROW_ENERGIES] = found[:, L_KINETIC]
    rows[:, ROW_ENERGIES + 1] = found[:, L_POTENTIAL]
    rows[:, ROW_ENERGIES + 2] = found[:, L_ELASTIC] + found[:, L_STICK]
    point, normal, load = _contacts(made, found, states)
    rows[:, ROW_TOUCHING], rows[:, ROW_DEEPEST] = found[:, L_POLYGONS], found[:, L_DEPTH]
    rows[:, ROW_LOAD] = load
    rows[:, ROW_SLIP] = np.where(load > 0.0, _slips(states, point, normal)[1], 0.0)
    return rows


def _contacts(
    made: Grounded, found: np.ndarray, states: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(points [m] of the ground below the centre of mass, its normals, load [N] along them), A axes."""
    gaps, normals, _ = gaps_of(made.pair.reference, states[:, :3])
    load = np.einsum("ni,ni->n", found[:, L_FORCE : L_FORCE + 3], normals)
    return states[:, :3] - gaps[:, None] * normals, normals, load


def _slips(
    states: np.ndarray, points: np.ndarray, normals: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(closing speed, slip) [m/s] of the probe at points of the ground."""
    turn = np.einsum("nij,nj->ni", rotation_matrices(states[:, 6:10]), states[:, 10:13])
    v = states[:, 3:6] + np.cross(turn, points - states[:, :3])
    closing = -np.einsum("ni,ni->n", v, normals)
    return closing, np.linalg.norm(v + closing[:, None] * normals, axis=1)


def _events(made: Grounded, found: GroundedRun) -> np.ndarray:
    """Touches, releases and rest of the whole probe, at the ground below its centre of mass."""
    events = np.full((len(found.events), EVENT_SIZE), np.nan)
    if not found.events:
        return events
    rows = np.array([row for _, _, row in found.events])
    states = states_of(made, rows)
    point, normal, _ = _contacts(made, rows, states)
    events[:, EVENT_TIME] = [time for time, _, _ in found.events]
    events[:, EVENT_KIND] = [KINDS[kind] for _, kind, _ in found.events]
    events[:, EVENT_VERTEX] = -1
    events[:, EVENT_POINT : EVENT_POINT + 3] = point
    events[:, EVENT_NORMAL : EVENT_NORMAL + 3] = normal
    events[:, EVENT_CLOSING], events[:, EVENT_SLIP] = _slips(states, point, normal)
    events[:, EVENT_KINETIC] = rows[:, L_KINETIC]
    return events
