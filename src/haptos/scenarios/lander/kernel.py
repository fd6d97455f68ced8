"""The lander's batch kernel: each run marches alone, from release to its outcome.

Between events the set of touching vertices is frozen, so a step sees smooth forces but for kinks
that the error control resolves; a vertex that would go below ground ends the step at its touch.
A run can pause after any step and go on later with the same bits: all it knows is in its rows of
memory, state, first stage and touching vertices. So batch size, chunks and threads do not matter.
"""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.settling import NOT_CALM, calm_since, has_stayed, is_settled
from haptos.core.arena import Arena
from haptos.core.jit import device, routine, uncounted_entry, woven
from haptos.core.outcome import Outcome
from haptos.core.vectors import add, cross, dot, norm, subtract
from haptos.dynamics.ledger.phase_ledger import first_phase, lower_phase
from haptos.dynamics.march.dormand_prince import (
    error_ratio,
    interpolated_vector,
    step,
    step_factor,
)
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FULL_SIZE,
    HOPPING_SIZE,
    SUNLIT_SIZE,
    TUMBLING_SIZE,
    UNIFORM_SIZE,
    VELOCITY,
)
from haptos.environment.gravity import potential_and_gravity, smooth_time
from haptos.scenarios.lander.batch_layout import (
    COMPLIANT,
    FLIGHT,
    IMPULSIVE,
    REST,
    ROW_TIME,
    Record,
    lander_of,
    three,
)
from haptos.scenarios.lander.energy import has_touched, keep_books, misses_energy, note_energy
from haptos.scenarios.lander.equations import (
    COUNT,
    FLYING,
    PHASE,
    SLIDING,
    SPRINGY,
    body_rate,
    is_lying,
    motion_energies,
    motion_rate,
    position,
    spin_now,
    turn_freely,
    turns_freely,
    velocity,
)
from haptos.scenarios.lander.guard import guard_end, guard_start, guard_step
from haptos.scenarios.lander.held_vertex import (
    carrying_vertices,
    end_of_step,
    loaded_time,
    watch_load,
)
from haptos.scenarios.lander.hops import hop_on, is_busy, press, tell
from haptos.scenarios.lander.impacts import MOST_IDLE, MOST_STRUCK, after_step
from haptos.scenarios.lander.kept_gravity import forget_gravity
from haptos.scenarios.lander.recording import normalise, store_outputs, store_row, touching_now
from haptos.scenarios.lander.touching import (
    free_gap,
    touch_within_step,
    update_touching,
)
from haptos.scenarios.lander.working_arrays import working_arrays

RUNNING = Outcome.RUNNING.code
SETTLED = Outcome.SETTLED.code
ESCAPED = Outcome.ESCAPED.code
TIME_OVER = Outcome.TIME_OVER.code
STEPS_OVER = Outcome.STEPS_OVER.code
STALLED = Outcome.STALLED.code
SUNK = Outcome.SUNK.code
SPINNING = Outcome.SPINNING.code
MISSED = Outcome.MISSED.code

LEAST_STEP = 1e-9  # [contact steps] below it the run has stalled
FIRST_STEP = 1e-3  # [durations] tried first, unless a contact step is shorter
REJECTED_MOST = 0.9  # [-] a rejected step shrinks at least this much
LYING_SLACK = 1000.0  # [tolerances] step error while sliding on springs, which sink in far more
KINK_SLACK = 10.0  # [tolerances] the same where a step meets a kink: a vertex leaves, a rock begins
LEAST_PART = 0.01  # [-] of a step, taken even if the field is smooth for less
LEAST_RATIO = 1e-4  # [-] an error far below tolerance does not make the control timid later


@device
def touch_down(p, y, m, before, fresh):
    """Book new touches; forces have jumped, so the first stage must be made anew."""
    m.touches += fresh
    if before == 0:
        m.phases += 1
    if not m.first_touch_time >= 0.0:
        m.first_touch_time = m.t
        m.first_touch_speed = norm(velocity(y))
    m.is_stale = 1
    m.h = min(m.h, p.contact_step)


@woven
def begin(p, lander, y, m, phases, scratch, record, size):
    """First touching set, first stage, first step size."""
    m.calm_since = NOT_CALM
    m.first_touch_time = np.nan
    m.first_touch_speed = np.nan
    m.unloaded = np.nan
    m.ratio = 1.0
    m.next_time = p.duration
    m.h = FIRST_STEP * p.duration
    if p.law_kind == COMPLIANT:
        fresh = update_touching(lander, y, 0.0, p.touch_tolerance, m, record)
        if fresh > 0:
            touch_down(p, y, m, 0, fresh)
    if p.is_guarded != 0:
        guard_start(p, lander, y, m)
    kinetic, potential = motion_energies(lander, y)
    m.energy_start = m.elastic + kinetic + potential
    m.energy_last = m.energy_start
    first_phase(phases, FLIGHT, m.energy_start, potential)
    lower_phase(phases, potential - p.height_energy)
    m.ledger_phases = 1
    if p.law_kind == IMPULSIVE:
        m.free_gap = free_gap(lander, y)
        if m.free_gap <= p.touch_tolerance and after_step(p, lander, y, m, scratch, record, True):
            m.outcome = SETTLED
            m.calm_since = 0.0
            if lander.is_hopping:
                hop_on(p, lander, y, m, record)
        note_energy(lander, y, m, phases)
    m.is_stale = 1
    m.h = min(m.h, p.contact_step)
    if record.is_on:
        store_row(lander, record, m, 0.0, y, size)


@device
def speed_within(theta, y, h, scratch):
    """Speed [m/s] at the fraction theta of a step."""
    return norm(interpolated_vector(VELOCITY, theta, h, y, scratch.y1, scratch.k))


@routine
def path_between(low, high, y, h, scratch):
    """Length [m] of the path between two fractions of a step: Simpson's rule, twice, over the speed."""
    part = 0.25 * (high - low)
    ends = speed_within(low, y, h, scratch) + speed_within(high, y, h, scratch)
    odd = speed_within(low + part, y, h, scratch) + speed_within(high - part, y, h, scratch)
    return h * part / 3.0 * (ends + 4.0 * odd + 2.0 * speed_within(low + 2.0 * part, y, h, scratch))


@routine
def add_path(y, m, h, scratch):
    """Add the length of the step's path; in two parts where it is slowest in between, at the top of a bounce.

    The speed has a kink or a narrow trough there, which one rule over the whole step would miss.
    """
    v, v1 = velocity(y), velocity(scratch.y1)
    change = subtract(v1, v)
    bend = dot(change, change)
    slowest = -dot(v, change) / bend if bend > 0.0 else 0.0
    if 0.0 < slowest < 1.0:
        m.path += path_between(0.0, slowest, y, h, scratch)
        m.path += path_between(slowest, 1.0, y, h, scratch)
    else:
        m.path += h / 6.0 * (norm(v) + norm(v1) + 4.0 * speed_within(0.5, y, h, scratch))


@device
def take_over(lander, y, m, scratch, size):
    """The state at the end of the step becomes the state, its last stage the first of the next."""
    for i in range(size):
        y[i] = scratch.y1[i]
        scratch.k[0, i] = scratch.k[6, i]
    normalise(y, ATTITUDE)
    if lander.is_tumbling:
        normalise(y, FRAME_ATTITUDE)
    m.phase_steps[min(lander.body.touching_count[PHASE], SPRINGY)] += 1


@woven
def accept(p, lander, y, m, phases, h, scratch, record, size, is_touch):
    """Take the step: store, move on, keep the books, let vertices touch and go."""
    if record.is_on:
        store_outputs(p, lander, y, m, h, scratch, record, size)
    add_path(y, m, h, scratch)
    if p.is_guarded != 0:
        guard_step(p, lander, y, m, h, scratch)
    is_sliding = lander.body.touching_count[PHASE] == SLIDING
    if is_sliding:
        watch_load(lander, y, m, h, scratch, record)
    was_free = turns_freely(lander)
    if was_free:
        turn_freely(lander, y, h, scratch.y1)
    take_over(lander, y, m, scratch, size)
    m.t = end_of_step(m, h)
    m.steps += 1
    m.idle = 0
    before = touching_now(lander)
    fresh = 0
    if p.law_kind == COMPLIANT or is_lying(lander):
        fresh = update_touching(lander, y, m.t, p.touch_tolerance, m, record)
    if is_touch and p.law_kind == IMPULSIVE:
        note_energy(lander, y, m, phases)  # before impacts, which may begin a phase
    if p.law_kind == IMPULSIVE and after_step(p, lander, y, m, scratch, record, is_touch):
        m.outcome = SETTLED
        m.calm_since = m.t
    if was_free != turns_freely(lander):
        m.is_stale = 1
    keep_books(lander, y, m, phases)
    if record.is_on and p.output_interval == 0.0:
        store_row(lander, record, m, m.t, y, size)
    if before > 0:
        m.contact_time += loaded_time(m, h) if is_sliding else h
    if fresh > 0 and p.law_kind == COMPLIANT:
        touch_down(p, y, m, before, fresh)
    elif fresh > 0:
        m.is_stale = 1
        m.h = min(m.h, p.contact_step)


@device
def is_leaving(lander, y):
    """Moving outward, with more inertial energy than it takes to come back from afar."""
    x, v = position(y), velocity(y)
    spin, _ = spin_now(lander, y)
    v_N = add(v, cross(spin, x))
    potential, _ = potential_and_gravity(lander.gravity, x)
    return dot(x, v) > 0.0 and 0.5 * dot(v_N, v_N) > potential


@device
def note_place(p, lander, x, m):
    """Begin anew to be in place where the body flies or has moved away."""
    if touching_now(lander) == 0 or norm(subtract(x, three(m.place))) > p.in_place[0]:
        m.place[0], m.place[1], m.place[2] = x
        m.place_since = m.t


@device
def conclude(p, lander, y, m, record, size):
    """Has the run ended, and how?"""
    x, v = position(y), velocity(y)
    if m.outcome == RUNNING and not is_busy(p, lander, y):
        m.calm_since = calm_since(
            m.calm_since, m.t, norm(v), norm(body_rate(y)), touching_now(lander), p.settle[0],
            p.settle[1],
        )  # fmt: skip
        note_place(p, lander, x, m)
    if not math.isfinite(m.energy_last):
        m.outcome = STALLED
    elif m.outcome != RUNNING:
        pass
    elif m.deepest > p.depth_limit:
        m.outcome = SUNK
    elif is_settled(m.calm_since, m.t, p.settle[2]):
        m.outcome = SETTLED
    elif has_stayed(m.place_since, m.t, p.in_place[1]) and touching_now(lander) > 0:
        m.outcome = SPINNING if norm(body_rate(y)) >= p.settle[1] else SETTLED
        m.calm_since = m.place_since
    elif norm(x) > p.escape_distance and is_leaving(lander, y):
        m.outcome = ESCAPED if has_touched(m) else MISSED
    elif m.t >= p.duration:
        m.outcome = TIME_OVER if has_touched(m) else MISSED
    elif m.steps + m.rejected >= p.max_steps:
        m.outcome = STEPS_OVER
    if lander.is_hopping:
        hop_on(p, lander, y, m, record)
    if m.outcome != RUNNING and p.is_guarded != 0:
        guard_end(p, lander, y, m)
    if m.outcome != RUNNING and record.is_on:
        if m.outcome == SETTLED:
            tell(lander, y, m, record, m.calm_since, REST)
        if p.output_interval > 0.0 and record.rows[m.row_count - 1, ROW_TIME] < m.t:
            store_row(lander, record, m, m.t, y, size)


@device
def is_sliding_on_springs(p, lander, y):
    """Whether the body lies on the ground and moves; one that is about to rest is not rushed."""
    if lander.body.touching_count[PHASE] != SPRINGY:
        return False
    return norm(velocity(y)) > p.contact_speed or norm(body_rate(y)) * p.radius > p.contact_speed


@device
def smooth_step(lander, y, m, first_stage, h):
    """The step h [s], or that part of it for which the field of a body in flight is smooth."""
    count = lander.body.touching_count
    if count[COUNT] > 0 or count[PHASE] != FLYING:
        return h
    # The rates of the velocities are the accelerations; a stale stage tells of forces that are gone.
    a = (0.0, 0.0, 0.0) if m.is_stale else velocity(first_stage)
    return min(h, max(smooth_time(lander.gravity, position(y), velocity(y), a), LEAST_PART * h))


@woven
def advance(p, lander, y, m, phases, scratch, record, size):
    """Try one step, up to the first touch within it; accept it or make the next one smaller."""
    h = min(m.h, m.next_time - m.t)
    if m.outcome == RUNNING and m.t + h == m.t:
        m.outcome = STALLED
    if m.outcome != RUNNING:
        return
    k, y1 = scratch.k, scratch.y1
    wanted, part = m.h, smooth_step(lander, y, m, k[0], h)
    is_part, is_cut = part < h, False
    h = part
    while True:
        step(motion_rate, lander, m.t, h, y, size, k, y1, 0 if m.is_stale else 1)
        m.is_stale = 0
        if is_cut:
            break
        ratio = error_ratio(h, y, y1, size, k, p.absolute_tolerance, p.relative_tolerance)
        if is_sliding_on_springs(p, lander, y):
            normalise(y1, ATTITUDE)
            is_kinked = ratio > KINK_SLACK and misses_energy(lander, y1, m, phases)
            ratio /= KINK_SLACK if is_kinked else LYING_SLACK
        if ratio > 1.0:
            m.rejected += 1
            m.h = h * min(step_factor(ratio, 1.0), REJECTED_MOST)
            if m.h < LEAST_STEP * p.contact_step:
                m.outcome = STALLED
            return
        m.h = h * step_factor(ratio, m.ratio)
        if is_part:
            m.h = max(m.h, wanted)
        else:
            m.ratio = max(ratio, LEAST_RATIO)
        theta = touch_within_step(
            lander, m.free_gap, h, y, y1, scratch, p.touch_tolerance, p.feature, p.least_stride
        )
        if theta > 1.0:
            break
        h *= theta
        is_cut = True
        if p.law_kind == IMPULSIVE and (m.t + h == m.t or h < p.least_step):
            # A touch at the very start: nothing to step over, only the impact is left.
            m.steps += 1
            if m.idle > MOST_IDLE:
                m.outcome = STALLED
                return
            if is_lying(lander):
                m.idle += 1
                press(p, lander, y, m)
            if after_step(p, lander, y, m, scratch, record, True):
                m.outcome = SETTLED
                m.calm_since = m.t
            keep_books(lander, y, m, phases)
            conclude(p, lander, y, m, record, size)
            return
    accept(p, lander, y, m, phases, h, scratch, record, size, is_cut)
    conclude(p, lander, y, m, record, size)


@device
def has_room(p, m, record, vertex_count):
    """Is there room for the rows and events of one more step?"""
    if not record.is_on:
        return True
    if m.event_count + 2 * vertex_count + MOST_STRUCK + 6 > len(record.events):
        return False
    return p.output_interval > 0.0 or m.row_count + 2 <= len(record.rows)


@device
def copy_stage(source, target, size):
    """Copy the first rows of one stage to another."""
    for i in range(size):
        target[i] = source[i]


@woven
def advance_run(
    land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
    touching_count, scratch, record, run, step_budget,
):  # fmt: skip
    """Let one run go on by at most `step_budget` tried steps, or to its outcome."""
    p, m, y, own = parameters[run], memory[run], state[run], phases[run]
    lander = lander_of(
        p, land, vertices, touching[run], is_touching[run], touching_count[run],
        scratch.last_gravity,
    )  # fmt: skip
    forget_gravity(lander)
    size = UNIFORM_SIZE
    if lander.sun.is_on:
        size = SUNLIT_SIZE
    if lander.is_tumbling:
        size = TUMBLING_SIZE
    if lander.is_hopping:
        size = HOPPING_SIZE
    if lander.air.is_on:
        size = FULL_SIZE
    if m.h == 0.0 and m.outcome == RUNNING:
        begin(p, lander, y, m, own, scratch, record, size)
    else:
        copy_stage(first_stage[run], scratch.k[0], size)
    tries = 0
    while (
        m.outcome == RUNNING
        and tries < step_budget
        and has_room(p, m, record, len(lander.body.vertices))
    ):
        advance(p, lander, y, m, own, scratch, record, size)
        tries += 1
    if m.outcome != RUNNING:
        m.touching_end = carrying_vertices(p, lander, y, m.outcome == SETTLED)
    copy_stage(scratch.k[0], first_stage[run], size)


@uncounted_entry
def advance_range(
    land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
    touching_count, scratch, is_recorded, rows, events, low, high, step_budget,
):  # fmt: skip
    """As `advance_runs`, with the working arrays given."""
    record = Record(is_recorded, rows, events)
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
    advance_range(
        land, parameters, vertices, state, first_stage, memory, phases, touching, is_touching,
        touching_count, working_arrays(touching.shape[1]), is_recorded, rows, events, low, high,
        step_budget,
    )  # fmt: skip
