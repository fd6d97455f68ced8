"""One step of a run: tried, cut at the first touch within it, accepted or made smaller.

Between events the set of touching vertices is frozen, so a step sees smooth forces except for kinks
that the error control resolves; a vertex that would go below ground ends the step at its touch.
"""

from __future__ import annotations

import numpy as np

from haptos.contact.settling import NOT_CALM
from haptos.core.jit import device, routine
from haptos.core.vectors import norm
from haptos.dynamics.ledger.phase_ledger import first_phase, lower_phase
from haptos.dynamics.march.dormand_prince import error_ratio, step
from haptos.dynamics.march.step_control import commit_state, kept_ratio, next_step, shorter_step
from haptos.dynamics.rigid.rigid_body import ATTITUDE, FRAME_ATTITUDE, normalise
from haptos.dynamics.touching.energies import motion_energies
from haptos.dynamics.touching.energy_ledger import (
    NOTHING_RESTS,
    misses_energy,
    note_energy,
    update_ledger,
)
from haptos.dynamics.touching.ground_contact import is_lying, touching_now
from haptos.dynamics.touching.held_vertex import end_of_step, loaded_time, watch_load
from haptos.dynamics.touching.hops import hop_on, press
from haptos.dynamics.touching.impacts import MOST_IDLE, after_step
from haptos.dynamics.touching.lying_corners import look_at_corners
from haptos.dynamics.touching.model import COUNT, FLYING, PHASE, SLIDING, SPRINGY
from haptos.dynamics.touching.path_length import add_path
from haptos.dynamics.touching.rates import motion_rate
from haptos.dynamics.touching.recording import store_outputs, store_row
from haptos.dynamics.touching.run_memory import FLIGHT
from haptos.dynamics.touching.run_outcome import RUNNING, SETTLED, STALLED, conclude
from haptos.dynamics.touching.run_parameters import COMPLIANT, IMPULSIVE
from haptos.dynamics.touching.state import (
    body_rate,
    position,
    turn_freely,
    turns_freely,
    velocity,
)
from haptos.dynamics.touching.touch_search import touch_within_step
from haptos.dynamics.touching.touching_set import free_gap, update_touching
from haptos.dynamics.touching.vertex_guard import guard_start, guard_step
from haptos.environment.gravity import smooth_time

LEAST_STEP = 1e-9  # [contact steps] below it the run has stalled
FIRST_STEP = 1e-3  # [durations] tried first, unless a contact step is shorter
LYING_SLACK = 1000.0  # [tolerances] step error while sliding on springs, which sink in far more
KINK_SLACK = 10.0  # [tolerances] the same where a step meets a kink: a vertex leaves, a rock begins
LEAST_PART = 0.01  # [-] of a step, taken even if the field is smooth for less


@device
def touch_down(p, y, m, before, fresh):
    """Count new touches; forces have jumped, so the first stage must be made anew."""
    m.touch.count += fresh
    if before == 0:
        m.contact.phases += 1
    if not m.touch.first_time >= 0.0:
        m.touch.first_time = m.step.time
        m.touch.first_speed = norm(velocity(y))
    m.step.is_stale = 1
    m.step.h = min(m.step.h, p.accuracy.contact_step)


@routine
def begin(p, model, y, m, phases, scratch, record, size):
    """First touching set, first stage, first step size."""
    m.rest.calm_since = NOT_CALM
    m.touch.first_time = np.nan
    m.touch.first_speed = np.nan
    m.contact.unloaded = np.nan
    m.step.ratio = 1.0
    m.step.next_time = p.run.duration
    m.step.h = FIRST_STEP * p.run.duration
    if p.contact.law == COMPLIANT:
        fresh = update_touching(model, y, 0.0, p.accuracy.touch, m, record)
        if fresh > 0:
            touch_down(p, y, m, 0, fresh)
    if p.guard.is_on != 0:
        guard_start(p, model, y, m)
    kinetic, potential = motion_energies(model, y)
    m.ledger.start = m.contact.elastic + kinetic + potential
    m.ledger.last = m.ledger.start
    first_phase(phases, FLIGHT, m.ledger.start, potential, NOTHING_RESTS)
    lower_phase(phases, potential - p.gravity.height_energy)
    m.ledger.phases = 1
    if p.contact.law == IMPULSIVE:
        m.contact.free_gap = free_gap(model, y)
        is_touch = m.contact.free_gap <= p.accuracy.touch
        if is_touch and after_step(p, model, y, m, scratch, record, True):
            m.outcome = SETTLED
            m.rest.calm_since = 0.0
            if model.device.is_on:
                hop_on(p, model, y, m, record)
        note_energy(model, y, m, phases)
    m.step.is_stale = 1
    m.step.h = min(m.step.h, p.accuracy.contact_step)
    if record.is_on:
        store_row(model, record, m, 0.0, y, size)


@device
def commit_step(model, y, m, scratch, size):
    """The state at the end of the step becomes the state, its last stage the first of the next."""
    commit_state(y, scratch.y1, scratch.k, size)
    normalise(y, ATTITUDE)
    if model.spin.is_tumbling:
        normalise(y, FRAME_ATTITUDE)
    m.counts.phase_steps[min(model.body.touching_count[PHASE], SPRINGY)] += 1


@routine
def accept(p, model, y, m, phases, h, scratch, record, size, is_touch):
    """Take the step: store, move on, update the ledger, let vertices touch and go."""
    if record.is_on:
        store_outputs(p, model, y, m, h, scratch, record, size)
    add_path(y, m, h, scratch)
    if p.guard.is_on != 0:
        guard_step(p, model, y, m, h, scratch)
    is_sliding = model.body.touching_count[PHASE] == SLIDING
    if is_sliding:
        watch_load(model, y, m, h, scratch, record)
    was_free = turns_freely(model)
    if was_free:
        turn_freely(model, y, h, scratch.y1)
    commit_step(model, y, m, scratch, size)
    m.step.time = end_of_step(m, h)
    m.counts.steps += 1
    m.counts.idle = 0
    before = touching_now(model)
    fresh = 0
    if is_lying(model):
        look_at_corners(model, y, m, scratch.planes)
    if p.contact.law == COMPLIANT or is_lying(model):
        fresh = update_touching(model, y, m.step.time, p.accuracy.touch, m, record)
    if is_touch and p.contact.law == IMPULSIVE:
        note_energy(model, y, m, phases)  # before impacts, which may begin a phase
    if p.contact.law == IMPULSIVE and after_step(p, model, y, m, scratch, record, is_touch):
        m.outcome = SETTLED
        m.rest.calm_since = m.step.time
    if was_free != turns_freely(model):
        m.step.is_stale = 1
    update_ledger(model, y, m, phases)
    if record.is_on and p.run.output_interval == 0.0:
        store_row(model, record, m, m.step.time, y, size)
    if before > 0:
        m.contact.total_time += loaded_time(m, h) if is_sliding else h
        m.touch.fastest = max(m.touch.fastest, norm(velocity(y)))
    if fresh > 0 and p.contact.law == COMPLIANT:
        touch_down(p, y, m, before, fresh)
    elif fresh > 0:
        m.step.is_stale = 1
        m.step.h = min(m.step.h, p.accuracy.contact_step)


@device
def is_sliding_on_springs(p, model, y):
    """Whether the body lies on the ground and moves; one that is about to rest is not rushed."""
    if model.body.touching_count[PHASE] != SPRINGY:
        return False
    slow = p.contact.speed
    return norm(velocity(y)) > slow or norm(body_rate(y)) * p.body.radius > slow


@device
def smooth_step(model, y, m, first_stage, h):
    """The step h [s], or that part of it for which the field of a body in flight is smooth."""
    count = model.body.touching_count
    if count[COUNT] > 0 or count[PHASE] != FLYING:
        return h
    # The rates of the velocities are the accelerations; a stale stage holds forces that are gone.
    a = (0.0, 0.0, 0.0) if m.step.is_stale else velocity(first_stage)
    return min(h, max(smooth_time(model.gravity, position(y), velocity(y), a), LEAST_PART * h))


@routine
def advance(p, model, y, m, phases, scratch, record, size):
    """Try one step, up to the first touch within it; accept it or make the next one smaller."""
    h = min(m.step.h, m.step.next_time - m.step.time)
    if m.outcome == RUNNING and m.step.time + h == m.step.time:
        m.outcome = STALLED
    if m.outcome != RUNNING:
        return
    k, y1 = scratch.k, scratch.y1
    wanted, part = m.step.h, smooth_step(model, y, m, k[0], h)
    is_part, is_cut = part < h, False
    h = part
    while True:
        step(motion_rate, model, m.step.time, h, y, size, k, y1, 0 if m.step.is_stale else 1)
        m.step.is_stale = 0
        if is_cut:
            break
        ratio = error_ratio(h, y, y1, size, k, p.accuracy.absolute, p.accuracy.relative)
        if is_sliding_on_springs(p, model, y):
            normalise(y1, ATTITUDE)
            is_kinked = ratio > KINK_SLACK and misses_energy(model, y1, m, phases)
            ratio /= KINK_SLACK if is_kinked else LYING_SLACK
        if ratio > 1.0:
            m.counts.rejected += 1
            m.step.h = shorter_step(h, ratio, 1.0)
            if m.step.h < LEAST_STEP * p.accuracy.contact_step:
                m.outcome = STALLED
            return
        m.step.h = next_step(h, ratio, m.step.ratio, wanted if is_part else h)
        if not is_part:
            m.step.ratio = kept_ratio(ratio)
        theta = touch_within_step(
            model, m.contact.free_gap, h, y, y1, scratch, p.accuracy.touch, p.surface.feature,
            p.accuracy.least_stride,
        )  # fmt: skip
        if theta > 1.0:
            break
        h *= theta
        is_cut = True
        is_none = m.step.time + h == m.step.time or h < p.accuracy.least_step
        if p.contact.law == IMPULSIVE and is_none:
            # A touch at the very start: nothing to step over, only the impact is left.
            m.counts.steps += 1
            if m.counts.idle > MOST_IDLE:
                m.outcome = STALLED
                return
            if is_lying(model):
                m.counts.idle += 1
                press(p, model, y, m)
            if after_step(p, model, y, m, scratch, record, True):
                m.outcome = SETTLED
                m.rest.calm_since = m.step.time
            update_ledger(model, y, m, phases)
            conclude(p, model, y, m, record, size)
            return
    accept(p, model, y, m, phases, h, scratch, record, size, is_cut)
    conclude(p, model, y, m, record, size)
