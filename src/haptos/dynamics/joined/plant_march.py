"""March of joined bodies: what a step needs before and after, and the one compiled entry.

Validity: as dynamics/march/adaptive.py. Source: as dynamics/march/adaptive.py.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    FORCE,
    POLYGONS,
    PRESSURE,
    STICK,
    STICKING,
)
from haptos.core.inlining import routine
from haptos.core.jit import device, uncounted_entry
from haptos.core.vectors import norm
from haptos.dynamics.joined.plant_balance import closes, keep_stored
from haptos.dynamics.joined.plant_implicit import calm, settle
from haptos.dynamics.joined.plant_model import (
    A_FRICTION,
    A_RELEASED,
    A_REMESH,
    ATTITUDE,
    B_MOMENT,
    B_ROOT,
    B_TENSION,
    BODY,
    BOOM_NOW,
    ENDED_DEPTH,
    ENDED_FULL,
    MARGIN,
    MAX_DEPTH,
)
from haptos.dynamics.joined.plant_outer import three
from haptos.dynamics.joined.plant_rates import (
    kinetic_energy,
    mode_energy,
    rates,
    set_velocities,
)
from haptos.dynamics.joined.plant_search import keep_contact, prepare_contact, way_since_search
from haptos.dynamics.joined.plant_slopes import keep_slopes, set_slopes
from haptos.dynamics.march.adaptive import GO_ON, JUMP, STOP, advance_by
from haptos.dynamics.march.partly_implicit import additive_error, additive_step, cubic_between
from haptos.dynamics.rigid.thrusters import next_edge, set_levels

CITES: tuple[str, ...] = ()

EDGE = 1e-12  # [-] of the time: an edge of a pulse closer than this is now
SHORTER, LEAST_STEP = 0.25, 1e-7  # [-], [s]: while polygons near a contact do not fit their room
CONTACT_NOW, SLIDE_NOW, ENERGIES = 16, 4, 2  # quantities of a contact, a slide, of all


@routine
def begin(plant, t, y, h):
    """Step [s] that is allowed: up to the next edge of a pulse; contacts made ready for it."""
    set_velocities(plant, y)
    near = EDGE * max(abs(t), 1.0)
    edge = next_edge(plant.thrusters, t + near)
    h = min(h, edge - t)
    for k in range(plant.layout.pairs):
        while not prepare_contact(plant, k, t, y, h):  # a shorter step needs fewer polygons
            h *= SHORTER
            if h < LEAST_STEP:
                _end(plant.record, ENDED_FULL, k)
                return 0.0
    set_levels(plant.thrusters, t, h)
    set_slopes(plant, t, y)
    return h


@device
def _end(record, why, which):
    record.ended[0], record.ended[1] = why, which


@routine
def fits(plant, t, h, y, y1):
    """Whether no contact went beyond what was searched, and the ledger of the step closes as far as it can."""
    for k in range(plant.layout.pairs):
        if way_since_search(plant, k, y1) > plant.contacts[k].limits[MARGIN]:
            return False
    return closes(plant, y, y1)


@routine
def accept(plant, t, h, y, y1):
    """Keep contacts, extremes and rows of an accepted step; quaternions to unit length."""
    at, record = plant.layout, plant.record
    verdict = GO_ON
    for k in range(at.pairs):
        keep_slopes(plant.contacts[k])
        keep_contact(plant, k, y, y1)
        if plant.contacts[k].kept[DEPTH] > plant.contacts[k].limits[MAX_DEPTH]:
            _end(record, ENDED_DEPTH, k)
            verdict = STOP
    _note_booms(plant)
    for i in range(len(record.now)):
        record.before[i] = record.now[i]
    fill_quantities(plant, y1, record.now)
    keep_stored(plant, y1)
    _write_rows(record, t, h)
    for b in range(at.bodies):
        _unit(y1, b * BODY + ATTITUDE)
    if verdict == GO_ON and next_edge(plant.thrusters, t + h - EDGE * max(abs(t), 1.0)) <= t + h:
        return JUMP
    return verdict


@device
def _step(rate, plant, t, h, y, size, k, y1, first):
    additive_step(rate, settle, calm, plant, t, h, y, size, k, y1, first)


@device
def gaps(plant, t, y, out):
    """Joined bodies have no events of their own."""


@device
def _unit(y, first):
    size = 0.0
    for i in range(4):
        size += y[first + i] * y[first + i]
    for i in range(4):
        y[first + i] /= math.sqrt(size)


@routine
def _note_booms(plant):
    """Largest and least tension, largest moments of each boom."""
    for k in range(plant.layout.booms):
        now, most = plant.booms.now[k], plant.record.boom_extremes[k]
        most[0], most[1] = max(most[0], now[B_TENSION]), min(most[1], now[B_TENSION])
        most[2] = max(most[2], norm(three(now, B_MOMENT)))
        most[3] = max(most[3], norm(three(now, B_ROOT)))


@routine
def fill_quantities(plant, y, out):
    """Quantities that are no states, at the state of the last evaluation."""
    at = plant.layout
    out[0], out[1] = kinetic_energy(plant, y), mode_energy(plant, y)
    first = ENERGIES
    for k in range(at.booms):
        for i in range(BOOM_NOW):
            out[first + i] = plant.booms.now[k, i]
        first += BOOM_NOW
    for n in range(at.slides):
        for i in range(SLIDE_NOW):
            out[first + i] = plant.slides.now[n, i]
        first += SLIDE_NOW
    for k in range(at.pairs):
        s, a = plant.contacts[k].sums, plant.contacts[k].account
        for i in range(6):
            out[first + i] = s[FORCE + i]
        out[first + 6], out[first + 7], out[first + 8] = s[DEPTH], s[AREA], s[POLYGONS]
        out[first + 9], out[first + 10] = s[PRESSURE], s[STICKING]
        out[first + 11], out[first + 12] = s[ELASTIC], s[STICK]
        out[first + 13], out[first + 14] = a[A_FRICTION], a[A_RELEASED]
        out[first + 15] = a[A_REMESH]
        first += CONTACT_NOW


@routine
def _write_rows(record, t, h):
    """Rows of quantities at output times within the step, straight between its ends."""
    while record.at[0] < len(record.times) and record.times[record.at[0]] <= t + h:
        share = min(max((record.times[record.at[0]] - t) / h, 0.0), 1.0)
        row = record.rows[record.at[0]]
        for i in range(len(record.now)):
            row[i] = record.before[i] + share * (record.now[i] - record.before[i])
        record.at[0] += 1


@routine
def keep_first(plant, y):
    """Sums and quantities of the state just evaluated are those of the last accepted step."""
    for k in range(plant.layout.pairs):
        contact = plant.contacts[k]
        for c in range(len(contact.kept)):
            contact.kept[c] = contact.sums[c]
        keep_slopes(contact)
    fill_quantities(plant, y, plant.record.now)
    keep_stored(plant, y)


@uncounted_entry
def march_plant(plant, march, until, relative, longest, most):
    """Carry joined bodies on to a time [s]; with a time that is not ahead only evaluate their state."""
    t = march.clock[0]
    if until <= t:
        if not begin(plant, t, march.y, longest) > 0.0:
            return STOP
        rates(plant, t, march.y, march.k[0])
        keep_first(plant, march.y)
        return GO_ON
    kind = (_step, additive_error, cubic_between)
    return advance_by(
        kind, rates, begin, fits, accept, gaps, plant, march, until, relative, longest, most
    )
