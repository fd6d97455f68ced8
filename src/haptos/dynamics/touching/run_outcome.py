"""Has a run ended, and how?"""

from __future__ import annotations

import math

from haptos.contact.settling import calm_since, is_settled
from haptos.core.jit import device
from haptos.core.outcome import Outcome
from haptos.core.vectors import add, cross, dot, norm
from haptos.dynamics.touching.energy_ledger import has_touched
from haptos.dynamics.touching.ground_contact import touching_now
from haptos.dynamics.touching.hops import hop_on, is_busy, record_event
from haptos.dynamics.touching.recording import store_row
from haptos.dynamics.touching.spinning import has_slow_place, note_spin, spins_since
from haptos.dynamics.touching.state import body_rate, position, spin_now, velocity
from haptos.dynamics.touching.stored_rows import REST, ROW_TIME
from haptos.dynamics.touching.vertex_guard import guard_end
from haptos.environment.gravity import potential_and_gravity

RUNNING = Outcome.RUNNING.code
SETTLED = Outcome.SETTLED.code
ESCAPED = Outcome.ESCAPED.code
TIME_OVER = Outcome.TIME_OVER.code
STEPS_OVER = Outcome.STEPS_OVER.code
STALLED = Outcome.STALLED.code
SUNK = Outcome.SUNK.code
SPINNING = Outcome.SPINNING.code
MISSED = Outcome.MISSED.code


@device
def is_leaving(model, y):
    """Moving outward, with more inertial energy than it takes to come back from afar."""
    x, v = position(y), velocity(y)
    spin, _ = spin_now(model, y)
    v_N = add(v, cross(spin, x))
    potential, _ = potential_and_gravity(model.gravity, x)
    return dot(x, v) > 0.0 and 0.5 * dot(v_N, v_N) > potential


@device
def conclude(p, model, y, m, record, size):
    """Has the run ended, and how?"""
    x, v = position(y), velocity(y)
    if m.outcome == RUNNING and not is_busy(p, model, y):
        m.rest.calm_since = calm_since(
            m.rest.calm_since, m.step.time, norm(v), norm(body_rate(y)), touching_now(model),
            p.settle.speed, p.settle.rate,
        )  # fmt: skip
        note_spin(p, model, y, m)
    if not math.isfinite(m.ledger.last):
        m.outcome = STALLED
    elif m.outcome != RUNNING:
        pass
    elif m.contact.deepest > p.contact.depth_limit:
        m.outcome = SUNK
    elif is_settled(m.rest.calm_since, m.step.time, p.settle.hold):
        m.outcome = SETTLED
    elif has_slow_place(p, model, y, m):
        m.outcome = SETTLED
        m.rest.calm_since = m.rest.place_since
    elif spins_since(p, model, y, m) >= 0.0:
        m.outcome = SPINNING
        m.rest.calm_since = spins_since(p, model, y, m)
    elif norm(x) > p.run.escape_distance and is_leaving(model, y):
        m.outcome = ESCAPED if has_touched(m) else MISSED
    elif m.step.time >= p.run.duration:
        m.outcome = TIME_OVER if has_touched(m) else MISSED
    elif m.counts.steps + m.counts.rejected >= p.run.max_steps:
        m.outcome = STEPS_OVER
    if model.device.is_on:
        hop_on(p, model, y, m, record)
    if m.outcome != RUNNING and p.guard.is_on != 0:
        guard_end(p, model, y, m)
    if m.outcome != RUNNING and record.is_on:
        if m.outcome == SETTLED:
            record_event(model, y, m, record, m.rest.calm_since, REST)
        if p.run.output_interval > 0.0 and record.rows[m.counts.rows - 1, ROW_TIME] < m.step.time:
            store_row(model, record, m, m.step.time, y, size)
