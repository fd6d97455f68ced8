"""Columns of what is stored of a run: rows at output times, and events."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.core.jit import device, routine
from haptos.dynamics.rigid.rigid_body import FULL_SIZE

# Columns of a stored row and of a stored event.
ROW_TIME, ROW_STATE, ROW_ENERGIES = 0, 1, 1 + FULL_SIZE
ROW_TOUCHING = ROW_ENERGIES + 3
ROW_LOAD, ROW_SLIP, ROW_DEEPEST = ROW_TOUCHING + 1, ROW_TOUCHING + 2, ROW_TOUCHING + 3
ROW_SIZE = ROW_TOUCHING + 4
EVENT_TIME, EVENT_KIND, EVENT_VERTEX, EVENT_POINT, EVENT_NORMAL = 0, 1, 2, 3, 6
EVENT_CLOSING, EVENT_SLIP, EVENT_KINETIC = 9, 10, 11
# Of impacts only: velocities and rates before and after, those of the contact point, works.
EVENT_V_BEFORE, EVENT_V_AFTER, EVENT_W_BEFORE, EVENT_W_AFTER, EVENT_NU_AFTER = 12, 15, 18, 21, 24
EVENT_ANGLE, EVENT_ASPECT, EVENT_WORKS, EVENT_GROUND, EVENT_MODE = 27, 28, 29, 32, 33
EVENT_NU_BEFORE = 34
EVENT_SIZE = 37
TOUCH, RELEASE, REST, IMPACT, SLIDE, LIFT, PULSE, TAKE_OFF = 1, 2, 3, 4, 5, 6, 7, 8  # of event
# Output of a run that is stored in full: rows (n, ROW_SIZE), events (n, EVENT_SIZE).
StoredRun = namedtuple("StoredRun", "is_on rows events")


@routine
def store_event(record, m, t, kind, vertex, point, normal, closing, slip, kinetic):
    """Append one event."""
    fill_event(
        record.events[m.counts.events], t, kind, vertex, point, normal, closing, slip, kinetic
    )
    m.counts.events += 1


@device
def fill_event(row, t, kind, vertex, point, normal, closing, slip, kinetic):
    """Write the columns that all events have; NaN to the others."""
    row[EVENT_TIME], row[EVENT_KIND], row[EVENT_VERTEX] = t, kind, vertex
    for i in range(3):
        row[EVENT_POINT + i] = point[i]
        row[EVENT_NORMAL + i] = normal[i]
    row[EVENT_CLOSING], row[EVENT_SLIP], row[EVENT_KINETIC] = closing, slip, kinetic
    for i in range(EVENT_KINETIC + 1, EVENT_SIZE):
        row[i] = np.nan
