"""Rows of a lander run that is stored in full: its state, energies and contact at output times."""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.dynamics.march.dormand_prince import step
from haptos.dynamics.rigid.rigid_body import ATTITUDE, FULL_SIZE
from haptos.scenarios.lander.batch_layout import (
    ROW_DEEPEST,
    ROW_ENERGIES,
    ROW_LOAD,
    ROW_SLIP,
    ROW_STATE,
    ROW_TIME,
    ROW_TOUCHING,
)
from haptos.scenarios.lander.equations import (
    COUNT,
    PHASE,
    SLIDING,
    contact_now,
    energies,
    motion_rate,
    turn_freely,
    turns_freely,
)


@device
def normalise(y, first):
    """Give the quaternion at rows first..first+3 unit length."""
    size = 0.0
    for i in range(4):
        size += y[first + i] * y[first + i]
    size = math.sqrt(size)
    for i in range(4):
        y[first + i] /= size


@device
def touching_now(lander):
    """Number of vertices in contact."""
    count = lander.body.touching_count[COUNT]
    return count + (1 if lander.body.touching_count[PHASE] == SLIDING else 0)


@routine
def store_row(lander, record, m, t, y, size):
    """Append one row of full output."""
    row = record.rows[m.row_count]
    row[ROW_TIME] = t
    for i in range(size):
        row[ROW_STATE + i] = y[i]
    for i in range(size, FULL_SIZE):
        row[ROW_STATE + i] = 0.0
    row[ROW_ENERGIES], row[ROW_ENERGIES + 1], row[ROW_ENERGIES + 2] = energies(lander, y)
    row[ROW_TOUCHING] = touching_now(lander)
    row[ROW_LOAD], row[ROW_SLIP], row[ROW_DEEPEST] = contact_now(lander, t, y)
    m.row_count += 1


@device
def state_at_output(lander, y, t, part, scratch, size):
    """State after a part [s] of a step from (t, y), into scratch.output_y."""
    k, out = scratch.output_k, scratch.output_y
    for i in range(size):
        k[0, i] = scratch.k[0, i]
    step(motion_rate, lander, t, part, y, size, k, out, 1)
    if turns_freely(lander):
        turn_freely(lander, y, part, out)
    normalise(out, ATTITUDE)


@routine
def store_outputs(p, lander, y, m, h, scratch, record, size):
    """Rows at the output times within the step just accepted; every step if the interval is 0.

    Each is a step of its own from the start of that step: as accurate as the motion, so that what does not
    add up in the rows is the error of the motion, not of an interpolation. The motion does not see them.
    """
    if p.output_interval == 0.0:
        return
    due = m.row_count * p.output_interval
    while due <= m.t + h and due <= p.duration:
        state_at_output(lander, y, m.t, due - m.t, scratch, size)
        store_row(lander, record, m, due, scratch.output_y, size)
        due = m.row_count * p.output_interval
