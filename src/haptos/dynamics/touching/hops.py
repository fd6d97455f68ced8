"""Hops of a run: rest, wait, a pulse of the momentum device, flight, and rest again.

While the body waits nothing moves but the frame of ground that tumbles, so a wait costs a step or two. With impulsive
contact a pulse finds the body on stiff springs, whatever held it before, until it leaves the ground or
twice the pulse's time is over; rest is not looked for until the pulse is over. Begin and end of a pulse are ends of steps.
"""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import vertex_gap
from haptos.contact.settling import NOT_CALM
from haptos.core.jit import device, routine
from haptos.core.outcome import Outcome
from haptos.core.rotations import apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, norm, subtract
from haptos.dynamics.rigid.momentum_device import axis_toward
from haptos.dynamics.rigid.rigid_body import (
    WHEEL_AXIS,
    WHEEL_MOMENTUM,
    WHEEL_TORQUE,
    WORK_DAMPING,
    kinetic_energy,
)
from haptos.dynamics.touching.energies import motion_energy, vertex_energy
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.lying_corners import release_corners
from haptos.dynamics.touching.model import COUNT, FLYING, PHASE, PUSHED, RESTING, SPRINGY
from haptos.dynamics.touching.rest import come_to_rest
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.stored_rows import (
    EVENT_V_AFTER,
    EVENT_W_AFTER,
    PULSE,
    REST,
    TAKE_OFF,
    store_event,
)
from haptos.dynamics.touching.struck_point import AT_GROUND
from haptos.dynamics.touching.touching_set import NOTHING_FREE
from haptos.dynamics.touching.vertex_guard import forget_ways
from haptos.geometry.distance.surface import gap_and_normal

RUNNING = Outcome.RUNNING.code
SETTLED = Outcome.SETTLED.code
FIRST_SHARE = 5e-3  # [-] of the time of a pulse, tried as its first step


@device
def is_busy(p, model, y):
    """Whether a pulse is on or waited for, when calm is not the end of a hop."""
    if p.hops.count == 0:
        return False
    return y[WHEEL_TORQUE] != 0.0 or model.body.touching_count[PHASE] == RESTING


@routine
def hop_on(p, model, y, m, record):
    """What the device does at the end of this step: wait, begin or end a pulse, see the take-off."""
    if m.outcome == SETTLED:
        rest(p, model, y, m, record)
    if m.outcome != RUNNING:
        return
    count = model.body.touching_count
    if count[PHASE] == RESTING:
        if m.step.time >= m.step.next_time:
            begin_pulse(p, model, y, m, record)
        return
    is_pushed = y[WHEEL_TORQUE] != 0.0
    if count[COUNT] > 0 and (is_pushed or count[PHASE] == PUSHED):
        m.hops.take_off = np.nan  # left the ground before, but came back within the pulse
    is_free = count[COUNT] == 0 and (count[PHASE] == FLYING or count[PHASE] == PUSHED)
    if is_free and m.hops.count > 0 and not m.hops.take_off >= 0.0:
        m.hops.take_off = m.step.time
        record_event(model, y, m, record, m.step.time, TAKE_OFF)
    if is_pushed and m.step.time >= m.step.next_time:
        end_pulse(p, y, m)
    elif count[PHASE] == PUSHED and m.step.time >= m.hops.soften_time:
        soften_springs(p, model, y, m)


@routine
def rest(p, model, y, m, record):
    """Count a rest; unless it is the last, begin to wait."""
    x = position(y)
    place = (m.hops.rest_place[0], m.hops.rest_place[1], m.hops.rest_place[2])
    if m.hops.rests > 0:
        m.hops.distance += norm(subtract(x, place))
    m.hops.rests += 1
    for i in range(3):
        m.hops.rest_place[i] = x[i]
    for i in range(WHEEL_MOMENTUM, WHEEL_AXIS + 3):
        y[i] = 0.0  # a wheel that still runs is spun down while the body stands
    if m.hops.count >= p.hops.count:
        return
    m.outcome = RUNNING
    record_event(model, y, m, record, m.rest.calm_since, REST)
    come_to_rest(model, y, m)
    if model.body.touching_count[PHASE] == PUSHED:
        y[WORK_DAMPING] -= m.contact.elastic
        m.contact.elastic = 0.0
        model.body.touching_count[COUNT] = 0
    m.rest.calm_since = NOT_CALM
    model.body.touching_count[PHASE] = RESTING
    m.step.next_time = min(p.run.duration, m.step.time + p.hops.wait)
    m.step.h = max(m.step.h, p.hops.wait)


@routine
def begin_pulse(p, model, y, m, record):
    """Put the device on."""
    m.hops.count += 1
    m.hops.take_off = np.nan
    axis = (p.hops.axis[0], p.hops.axis[1], p.hops.axis[2])
    if p.hops.has_target != 0:
        x = position(y)
        _, up = gap_and_normal(model.surface, x)
        target = (p.hops.target[0], p.hops.target[1], p.hops.target[2])
        level = axis_toward(up, subtract(target, x))
        axis = apply_transposed(rotation_matrix(attitude(y)), level)
    y[WHEEL_TORQUE], y[WHEEL_MOMENTUM] = p.hops.torque, p.hops.momentum
    for i in range(3):
        y[WHEEL_AXIS + i] = axis[i]
    m.step.next_time = min(p.run.duration, m.step.time + p.hops.time)
    m.rest.test_time = m.step.time + p.hops.time
    m.hops.soften_time = m.step.time + 2.0 * p.hops.time
    m.step.is_stale = 1
    m.step.h = min(p.accuracy.contact_step, FIRST_SHARE * p.hops.time)
    model.body.touching_count[PHASE] = FLYING
    forget_ways(model, m)
    if p.contact.law == IMPULSIVE:
        stand_up(p, model, y, m)
    record_event(model, y, m, record, m.step.time, PULSE)


@device
def end_pulse(p, y, m):
    """Put the device off; a braked wheel stands, a motor's wheel runs on."""
    y[WHEEL_TORQUE] = 0.0
    if p.hops.momentum != 0.0:
        y[WHEEL_MOMENTUM] = 0.0
    m.step.next_time = p.run.duration
    m.step.is_stale = 1
    m.step.h = min(p.accuracy.contact_step, FIRST_SHARE * p.hops.time)


@routine
def stand_up(p, model, y, m):
    """Put a body that has sunk into soft springs onto stiff ones; what that takes counts as theirs."""
    body = model.body
    x, dcm_AB = position(y), rotation_matrix(attitude(y))
    before = motion_energy(model, y) + m.contact.elastic
    deepest = 0.0
    for j in range(len(body.vertices)):
        gap, _, _ = vertex_gap(model.surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        deepest = max(deepest, -gap)
    _, up = gap_and_normal(model.surface, x)
    x = add_scaled(x, deepest, up)
    y[0], y[1], y[2] = x
    body.touching_count[PHASE] = PUSHED
    release_corners(model, m)
    press(p, model, y, m)
    y[WORK_DAMPING] += motion_energy(model, y) + m.contact.elastic - before


@device
def soften_springs(p, model, y, m):
    """Put a body that did not leave the ground back onto soft springs; stiff ones are slow to follow."""
    before = m.contact.elastic
    model.body.touching_count[PHASE] = SPRINGY
    press(p, model, y, m)
    y[WORK_DAMPING] += m.contact.elastic - before
    m.step.is_stale = 1


@routine
def press(p, model, y, m):
    """Let every vertex at the ground touch its spring, whether it closes in or is about to."""
    body = model.body
    x, dcm_AB = position(y), rotation_matrix(attitude(y))
    count, elastic, nearest = 0, 0.0, NOTHING_FREE
    for j in range(len(body.vertices)):
        gap, _, _ = vertex_gap(model.surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        is_down = gap <= AT_GROUND * p.accuracy.touch
        body.is_touching[j] = 1 if is_down else 0
        if is_down:
            body.touching[count] = j
            count += 1
            elastic += vertex_energy(model, add(x, vertex_arm(model, dcm_AB, j)), gap, j)
        else:
            nearest = min(nearest, gap)
    body.touching_count[COUNT] = count
    m.contact.elastic, m.contact.free_gap = elastic, nearest


@device
def record_event(model, y, m, record, t, kind):
    """Store an event of the whole body, at its centre of mass."""
    if record.is_on and m.counts.events < len(record.events) - 2:
        v, w = velocity(y), body_rate(y)
        kinetic = kinetic_energy(model.body.mass, model.body.inertia, v, w)
        nothing = (np.nan, np.nan, np.nan)
        store_event(record, m, t, kind, -1, position(y), nothing, 0.0, 0.0, kinetic)
        row = record.events[m.counts.events - 1]
        for i in range(3):
            row[EVENT_V_AFTER + i], row[EVENT_W_AFTER + i] = v[i], w[i]
