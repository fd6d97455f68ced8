"""Rows of a run that is stored in full: its state, energies and contact at output times."""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.dynamics.march.dormand_prince import step
from haptos.dynamics.rigid.rigid_body import ATTITUDE, FULL_SIZE, normalise
from haptos.dynamics.touching.contact_loads import contact_now
from haptos.dynamics.touching.energies import energies
from haptos.dynamics.touching.ground_contact import touching_now
from haptos.dynamics.touching.rates import motion_rate
from haptos.dynamics.touching.state import turn_freely, turns_freely
from haptos.dynamics.touching.stored_rows import (
    ROW_DEEPEST,
    ROW_ENERGIES,
    ROW_LOAD,
    ROW_SLIP,
    ROW_STATE,
    ROW_TIME,
    ROW_TOUCHING,
)


@routine
def store_row(model, record, m, t, y, size):
    """Append one row of full output."""
    row = record.rows[m.counts.rows]
    row[ROW_TIME] = t
    for i in range(size):
        row[ROW_STATE + i] = y[i]
    for i in range(size, FULL_SIZE):
        row[ROW_STATE + i] = 0.0
    row[ROW_ENERGIES], row[ROW_ENERGIES + 1], row[ROW_ENERGIES + 2] = energies(model, y)
    row[ROW_TOUCHING] = touching_now(model)
    row[ROW_LOAD], row[ROW_SLIP], row[ROW_DEEPEST] = contact_now(model, t, y)
    m.counts.rows += 1


@device
def state_at_output(model, y, t, part, scratch, size):
    """State after a part [s] of a step from (t, y), into scratch.output_y."""
    k, out = scratch.output_k, scratch.output_y
    for i in range(size):
        k[0, i] = scratch.k[0, i]
    step(motion_rate, model, t, part, y, size, k, out, 1)
    if turns_freely(model):
        turn_freely(model, y, part, out)
    normalise(out, ATTITUDE)


@routine
def store_outputs(p, model, y, m, h, scratch, record, size):
    """Rows at the output times within the step just accepted; every step if the interval is 0.

    Each is a step of its own from the start of that step: as accurate as the motion, so that what does not
    add up in the rows is the error of the motion, not of an interpolation. The motion does not see them.
    """
    if p.run.output_interval == 0.0:
        return
    due = m.counts.rows * p.run.output_interval
    while due <= m.step.time + h and due <= p.run.duration:
        state_at_output(model, y, m.step.time, due - m.step.time, scratch, size)
        store_row(model, record, m, due, scratch.output_y, size)
        due = m.counts.rows * p.run.output_interval
