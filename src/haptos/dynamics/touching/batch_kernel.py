"""The kernel of a batch: each run marches alone, from release to its outcome.

A run can pause after any step and go on later with the same bits: all it knows is in its rows of
memory, state, first stage and touching vertices. So batch size, chunks and threads do not matter.
"""

from __future__ import annotations

import numpy as np

from haptos.core.arena import Arena
from haptos.core.by_reference import referred
from haptos.core.jit import device, routine, uncounted_entry
from haptos.dynamics.rigid.rigid_body import (
    FULL_SIZE,
    HOPPING_SIZE,
    SUNLIT_SIZE,
    TUMBLING_SIZE,
    UNIFORM_SIZE,
)
from haptos.dynamics.touching.advance import advance, begin
from haptos.dynamics.touching.held_vertex import carrying_vertices
from haptos.dynamics.touching.impacts import MOST_STRUCK
from haptos.dynamics.touching.kept_gravity import forget_gravity
from haptos.dynamics.touching.model import model_of
from haptos.dynamics.touching.run_outcome import RUNNING, SETTLED
from haptos.dynamics.touching.stored_rows import StoredRun
from haptos.dynamics.touching.working_arrays import working_arrays
from haptos.geometry.terrain.rocks_kept import with_kept_rocks


@device
def has_room(p, m, record, vertex_count):
    """Is there room for the rows and events of one more step?"""
    if not record.is_on:
        return True
    if m.counts.events + 2 * vertex_count + MOST_STRUCK + 6 > len(record.events):
        return False
    return p.run.output_interval > 0.0 or m.counts.rows + 2 <= len(record.rows)


@device
def copy_stage(source, target, size):
    """Copy the first rows of one stage to another."""
    for i in range(size):
        target[i] = source[i]


@routine
def advance_run(
    land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
    touching_count, scratch, record, run, step_budget,
):  # fmt: skip
    """Let one run go on by at most `step_budget` tried steps, or to its outcome."""
    p, m, y, own = parameters[run], memory[run], state[run], phases[run]
    model = referred(model_of(
        p, land, vertices, touching[run], is_touching[run], touching_count[run],
        scratch.last_gravity, m.creases.wall_offsets, scratch.wall_rows, m.creases.corner_walls,
    ))  # fmt: skip
    forget_gravity(model)
    size = UNIFORM_SIZE
    if model.sun.is_on:
        size = SUNLIT_SIZE
    if model.spin.is_tumbling:
        size = TUMBLING_SIZE
    if model.device.is_on:
        size = HOPPING_SIZE
    if model.air.is_on:
        size = FULL_SIZE
    if m.step.h == 0.0 and m.outcome == RUNNING:
        begin(p, model, y, m, own, scratch, record, size)
    else:
        copy_stage(first_stage[run], scratch.k[0], size)
    tries = 0
    while (
        m.outcome == RUNNING
        and tries < step_budget
        and has_room(p, m, record, len(model.body.vertices))
    ):
        advance(p, model, y, m, own, scratch, record, size)
        tries += 1
    if m.outcome != RUNNING:
        m.contact.touching_end = carrying_vertices(p, model, y, m.outcome == SETTLED)
    copy_stage(scratch.k[0], first_stage[run], size)


@uncounted_entry
def advance_range(
    land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
    touching_count, scratch, is_recorded, rows, events, low, high, step_budget,
):  # fmt: skip
    """As `advance_runs`, with the working arrays given."""
    record = referred(StoredRun(is_recorded, rows, events))
    for run in range(low, high):
        advance_run(
            land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
            touching_count, scratch, record, run, step_budget,
        )  # fmt: skip


def advance_runs(
    land: Arena, parameters: np.ndarray, vertices: np.ndarray, state: np.ndarray,
    first_stage: np.ndarray, memory: np.ndarray, phases: np.ndarray, touching: np.ndarray,
    is_touching: np.ndarray, touching_count: np.ndarray, is_recorded: bool, rows: np.ndarray,
    events: np.ndarray, low: int, high: int, step_budget: int,
) -> None:  # fmt: skip
    """Let runs low..high-1 go on by at most `step_budget` tried steps each, or to their outcome."""
    own_land, _kept = with_kept_rocks(land)  # it lives until this function ends
    advance_range(
        own_land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
        touching_count, working_arrays(touching.shape[1]), is_recorded, rows, events, low, high,
        step_budget,
    )  # fmt: skip
