"""Impulsive contact of a run: impacts where vertices meet the ground, and what follows them.

After impacts slower than `contact_speed` a body stays on the ground: at one vertex it slides, sticks
or rolls (contact_motion); at several it lies on stiff springs (compliant), unless it is slow and the
forces at its contact points can hold it, when it is at rest (static_rest).
"""

from __future__ import annotations

import numpy as np

from haptos.contact.impacts.block import MOST_CONTACTS
from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add, dot
from haptos.dynamics.rigid.rigid_body import WHEEL_TORQUE
from haptos.dynamics.touching.ground_contact import is_lying, vertex_arm
from haptos.dynamics.touching.held_vertex import CLOSING, GAP, LOAD, store_held_event, store_lift
from haptos.dynamics.touching.held_walls import hold_walls, release_walls
from haptos.dynamics.touching.lying_corners import give_to_springs, look_at_corners, release_corners
from haptos.dynamics.touching.model import (
    COUNT,
    FLYING,
    PHASE,
    PUSHED,
    RESTING,
    SLIDING,
    SPRINGY,
    VERTEX,
)
from haptos.dynamics.touching.rates import free_motion
from haptos.dynamics.touching.rest import come_to_rest, is_at_rest
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.stored_rows import SLIDE
from haptos.dynamics.touching.struck_block import (
    closing_contacts,
    is_held,
    strike_block,
)
from haptos.dynamics.touching.struck_point import AT_GROUND, lifting, point_motion, strike
from haptos.dynamics.touching.touching_set import free_gap, update_touching
from haptos.dynamics.touching.vertex_guard import LYING_DEPTHS, deepest_vertex
from haptos.geometry.distance.surface import direction, ground_field

MOST_IMPACTS = 64  # at one instant; more and the body is taken to stay on the ground
MOST_STRUCK = MOST_IMPACTS + MOST_CONTACTS  # contacts of the impacts at one instant
HELD_GAP = 2.0  # [lying depths] gap beyond which a body without load has left the ground, assumed
HOP_SHARE = 0.5  # [-] of the time to come back, tried as the first step after an impact
STAYS = 0.1  # [contact speeds] a vertex that leaves slower than this stays at the ground
MOST_IDLE = 20  # instants with touches in a row without a step between, before a run has stalled
MOST_INSTANTS = 4  # instants without a step between, after which a body is laid on springs


@routine
def lie_down(p, model, y, m, planes, record):
    """Put springs under the body; what they hold under a vertex that has sunk in is taken from its motion."""
    look_at_corners(model, y, m, planes)
    update_touching(model, y, m.step.time, p.accuracy.touch, m, record)
    give_to_springs(model, y, m.contact.elastic)


@device
def fly(p, model, y, m):
    """Leave the ground; the first step is a share of the time to come back."""
    body = model.body
    x = position(y)
    dcm_AB = rotation_matrix(attitude(y))
    if body.touching_count[PHASE] == SLIDING:
        body.is_touching[body.touching_count[VERTEX]] = 0
    if body.touching_count[PHASE] != FLYING:
        depth, _, _ = deepest_vertex(model, y)
        m.guard.flight_depth = min(depth, LYING_DEPTHS * p.contact.lying_depth)
    body.touching_count[PHASE] = FLYING
    release_walls(model, m)
    release_corners(model, m)
    a, alpha_B = free_motion(model, m.step.time, y, velocity(y), body_rate(y))
    soonest = m.step.h
    for j in range(len(body.vertices)):
        arm = vertex_arm(model, dcm_AB, j)
        d, gradient, hessian, _ = ground_field(model.surface, add(x, arm))
        if d - body.corner_radius <= AT_GROUND * p.accuracy.touch:
            u, u_dot = point_motion(model, dcm_AB, y, arm, a, alpha_B)
            leaving = dot(u, direction(gradient))
            falling = -lifting(u, u_dot, gradient, hessian)
            if falling > 0.0 and leaving > 0.0:
                soonest = min(soonest, HOP_SHARE * 2.0 * leaving / falling)
    m.step.h = max(soonest, p.accuracy.contact_step * 1e-6)
    m.step.is_stale = 1


@device
def stay(p, model, y, m, record, count, held):
    """Stay on the ground: at one vertex by contact motion, at several on springs."""
    body = model.body
    for j in range(len(body.vertices)):
        body.is_touching[j] = 0
    m.contact.phases += 1
    m.step.is_stale = 1
    m.step.h = min(m.step.h, p.accuracy.contact_step)
    release_walls(model, m)
    release_corners(model, m)
    if count == 1:
        body.touching_count[PHASE], body.touching_count[VERTEX] = SLIDING, held
        body.is_touching[held] = 1
        m.contact.unloaded = np.nan
        store_held_event(model, record, y, m, SLIDE)
    else:
        body.touching_count[PHASE] = SPRINGY


@device
def staying_vertices(p, model, y, m):
    """(number, one of them): vertices at the ground that press on it and do not leave.

    After a touch that moved nothing every vertex that does not leave counts: pressed together they
    hold each other.
    """
    body, x = model.body, position(y)
    dcm_AB = rotation_matrix(attitude(y))
    a, alpha_B = free_motion(model, m.step.time, y, velocity(y), body_rate(y))
    count, held = 0, -1
    for j in range(len(body.vertices)):
        arm = vertex_arm(model, dcm_AB, j)
        d, gradient, hessian, _ = ground_field(model.surface, add(x, arm))
        if d - body.corner_radius <= AT_GROUND * p.accuracy.touch or is_held(model, j):
            u, u_dot = point_motion(model, dcm_AB, y, arm, a, alpha_B)
            is_pressed = m.counts.idle > 1 or lifting(u, u_dot, gradient, hessian) < 0.0
            if dot(u, direction(gradient)) < STAYS * p.contact.speed and is_pressed:
                count += 1
                held = j
    return count, held


@routine
def next_contacts(p, model, dcm_AB, y, m, scratch, stays):
    """Contacts that strike next, as closing_contacts; of a body that would stay on springs those too fast for them."""
    count, j = closing_contacts(p, model, dcm_AB, y, scratch.points, scratch.planes, False)
    if count == 0 and stays and p.contact.has_motion != 0:
        staying, _ = staying_vertices(p, model, y, m)
        if staying > 1:
            return closing_contacts(p, model, dcm_AB, y, scratch.points, scratch.planes, True)
    return count, j


@routine
def meet_ground(p, model, y, m, scratch, record):
    """Impacts of the vertices at the ground, then flight, contact or rest; True at rest."""
    dcm_AB = rotation_matrix(attitude(y))
    is_slow, done = False, 0
    m.counts.idle += 1
    while done < MOST_IMPACTS:
        count, j = next_contacts(p, model, dcm_AB, y, m, scratch, is_slow or m.counts.idle > 1)
        if count == 0:
            break
        # Rocks struck by chance have no place, so that no two are struck at once.
        if count == 1 or p.impact.rocks.chance > 0.0:
            is_slow = strike(p, model, y, m, record, scratch.points[j]) or is_slow
            done += 1
        else:
            is_slow = strike_block(p, model, y, m, scratch, record, count) or is_slow
            done += count
    if is_slow and p.contact.has_motion == 0:
        come_to_rest(model, y, m)
        return True
    if p.settle.in_balance != 0 and is_at_rest(p, model, y, m, scratch):
        come_to_rest(model, y, m)
        return True
    is_ball = len(model.body.vertices) == 1 and model.body.corner_radius > 0.0
    if m.counts.idle > MOST_INSTANTS and not is_ball:
        stay(p, model, y, m, record, 2, -1)
        return False
    count, held = staying_vertices(p, model, y, m)
    is_done = is_slow or m.counts.idle > 1 or done >= MOST_IMPACTS
    if m.counts.idle > MOST_INSTANTS or (is_done and count > 0 and p.contact.has_motion != 0):
        stay(p, model, y, m, record, max(count, 1), max(held, 0))
        if model.body.touching_count[PHASE] == SLIDING:
            hold_walls(p, model, y, m, scratch.planes)
    else:
        fly(p, model, y, m)
    return False


@routine
def after_step(p, model, y, m, scratch, record, is_touch):
    """What the step just taken means for the contact; True at rest."""
    body = model.body
    if body.touching_count[PHASE] == RESTING:
        return False
    if is_lying(model):
        held = HELD_GAP * p.contact.lying_depth
        is_pushed = body.touching_count[PHASE] == PUSHED
        if is_pushed:
            held *= model.ground.law.k / model.device.push[0]
        is_pushed = is_pushed and y[WHEEL_TORQUE] != 0.0
        if body.touching_count[COUNT] == 0 and m.contact.free_gap > held and not is_pushed:
            fly(p, model, y, m)
            return False
        if p.settle.in_balance != 0 and is_at_rest(p, model, y, m, scratch):
            come_to_rest(model, y, m)
            return True
        return False
    is_rest = False
    if is_touch:
        is_rest = meet_ground(p, model, y, m, scratch, record)
    elif body.touching_count[PHASE] == SLIDING:
        load, gap, closing = scratch.held[LOAD], scratch.held[GAP], scratch.held[CLOSING]
        m.contact.deepest = max(m.contact.deepest, -gap)
        # It has come against a face of a rock, or another wall of a crease.
        if (gap < 0.0 and closing > p.contact.speed) or hold_walls(p, model, y, m, scratch.planes):
            is_rest = meet_ground(p, model, y, m, scratch, record)
        elif load == 0.0 and gap > HELD_GAP * p.contact.lying_depth:
            store_lift(record, m)
            fly(p, model, y, m)
        elif p.settle.in_balance != 0 and is_at_rest(p, model, y, m, scratch):
            come_to_rest(model, y, m)
            is_rest = True
    if body.touching_count[PHASE] == SPRINGY:
        lie_down(p, model, y, m, scratch.planes, record)
    else:
        m.contact.elastic = 0.0
        m.contact.free_gap = free_gap(model, y)
    return is_rest
