"""Vertices that carry the body: the one in contact motion, from its first load to its last, and those of a rest."""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import vertex_gap
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, tangential
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FULL_SIZE,
    kinetic_energy,
    normalise,
)
from haptos.dynamics.touching.contact_loads import sliding_now
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.model import COUNT, PHASE, RESTING, SLIDING, VERTEX
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.dynamics.touching.state import (
    MOTION_SIZE,
    attitude,
    body_rate,
    place_within,
    position,
    velocity,
)
from haptos.dynamics.touching.stored_rows import (
    EVENT_V_AFTER,
    EVENT_V_BEFORE,
    EVENT_W_AFTER,
    EVENT_W_BEFORE,
    LIFT,
    fill_event,
)
from haptos.geometry.distance.surface import gap_and_normal

LOAD, GAP, CLOSING = 0, 1, 2  # of scratch.held, at the end of the step just made
RESTING_GAP = 2.0  # [lying depths] gap within which a vertex may carry a body at rest, assumed
HALVINGS = 40  # of the step in which the load vanishes


@routine
def fill_held_event(row, model, y, t, kind):
    """Write an event of the vertex in contact: its contact point, normal and motion at the state y."""
    body, held = model.body, model.body.touching_count[VERTEX]
    dcm_AB = rotation_matrix(attitude(y))
    arm = vertex_arm(model, dcm_AB, held)
    x, v, w = position(y), velocity(y), body_rate(y)
    _, n = gap_and_normal(model.surface, add(x, arm))
    r = add_scaled(arm, -body.corner_radius, n)
    nu = add(v, cross(apply(dcm_AB, w), r))
    kinetic = kinetic_energy(body.mass, body.inertia, v, w)
    fill_event(row, t, kind, held, add(x, r), n, -dot(nu, n), norm(tangential(nu, n)), kinetic)
    for i in range(3):
        row[EVENT_V_BEFORE + i], row[EVENT_V_AFTER + i] = v[i], v[i]
        row[EVENT_W_BEFORE + i], row[EVENT_W_AFTER + i] = w[i], w[i]


@device
def store_held_event(model, record, y, m, kind):
    """Append an event of the vertex in contact."""
    if record.is_on and m.counts.events < len(record.events) - 2:
        fill_held_event(record.events[m.counts.events], model, y, m.step.time, kind)
        m.counts.events += 1


@device
def store_lift(record, m):
    """Append the event of the load that vanished last; it waits in the last row, which no other event takes."""
    if record.is_on and m.counts.events < len(record.events) - 2:
        row = record.events[len(record.events) - 1]
        for i in range(len(row)):
            record.events[m.counts.events, i] = row[i]
        m.counts.events += 1


@device
def end_of_step(m, h):
    """Time [s] at the end of a step of h [s] from now; exactly the next event if it goes up to that."""
    return m.step.next_time if h == m.step.next_time - m.step.time else m.step.time + h


@routine
def watch_load(model, y, m, h, scratch, record):
    """Load, gap and closing speed of the vertex in contact at the end of a step, into scratch.held.

    h  [s] of the step just made, which the run has not yet taken over
    The instant at which the load vanished is searched for by halving, and kept in m.contact.unloaded until
    the load comes back: the vertex has left the ground then, though it counts as held a little longer.
    """
    end, held = scratch.at, scratch.held
    for i in range(FULL_SIZE):
        end[i] = scratch.y1[i]
    normalise(end, ATTITUDE)  # the bits that the run goes on with
    if model.spin.is_tumbling:
        normalise(end, FRAME_ATTITUDE)
    load, _, gap, closing = sliding_now(model, end_of_step(m, h), end)
    held[LOAD], held[GAP], held[CLOSING] = load, gap, closing
    if load > 0.0:
        m.contact.unloaded = np.nan
    elif not m.contact.unloaded >= 0.0:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            place_within(model, middle, h, y, scratch.y1, MOTION_SIZE, scratch.k, scratch.at)
            if sliding_now(model, m.step.time + middle * h, scratch.at)[0] > 0.0:
                low = middle
            else:
                high = middle
        m.contact.unloaded = m.step.time + high * h
        if record.is_on:
            place_within(model, high, h, y, scratch.y1, MOTION_SIZE, scratch.k, scratch.at)
            fill_held_event(
                record.events[len(record.events) - 1], model, scratch.at, m.contact.unloaded, LIFT
            )


@device
def loaded_time(m, h):
    """Part [s] of the step just made, which ends at m.step.time, in which the vertex in contact bore a load."""
    if not m.contact.unloaded >= 0.0:
        return h
    return max(m.contact.unloaded - (m.step.time - h), 0.0)


@routine
def carrying_vertices(p, model, y, is_settled):
    """Number of vertices that carry the body; of a rest after impacts those that are at the ground."""
    body, phase = model.body, model.body.touching_count[PHASE]
    if p.contact.law != IMPULSIVE or not (is_settled or phase == RESTING):
        return body.touching_count[COUNT] + (1 if phase == SLIDING else 0)
    dcm_AB, count = rotation_matrix(attitude(y)), 0
    for j in range(len(body.vertices)):
        gap, _, _ = vertex_gap(
            model.surface, body.vertices, body.corner_radius, j, dcm_AB, position(y)
        )
        if gap <= RESTING_GAP * p.contact.lying_depth:
            count += 1
    return count
