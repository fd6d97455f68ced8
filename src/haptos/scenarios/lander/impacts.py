"""Impulsive contact of a run: impacts where vertices meet the ground, and what follows them.

After impacts slower than `contact_speed` a body stays on the ground: at one vertex it slides, sticks
or rolls (contact_motion); at several it lies on stiff springs (compliant), unless it is slow and the
forces at its contact points can hold it, when it is at rest (static_rest).
"""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.impacts.block import MOST_CONTACTS
from haptos.contact.sets.crease_planes import KIND
from haptos.contact.static_rest import (
    ARM,
    BALANCED,
    FORCE,
    FRICTION,
    MOST_POINTS,
    NORMAL,
    ROLLING,
    is_balanced,
)
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, dot, norm
from haptos.dynamics.rigid.rigid_body import (
    RATE,
    VELOCITY,
    WHEEL_TORQUE,
    WORK_DAMPING,
    kinetic_energy,
)
from haptos.geometry.distance.surface import direction, ground_field
from haptos.scenarios.lander.batch_layout import (
    SLIDE,
    three,
)
from haptos.scenarios.lander.equations import (
    COUNT,
    FLYING,
    PHASE,
    PUSHED,
    RESTING,
    SLIDING,
    SPRINGY,
    VERTEX,
    attitude,
    body_rate,
    contact_rate,
    free_motion,
    ground_row,
    is_lying,
    position,
    velocity,
    vertex_arm,
)
from haptos.scenarios.lander.guard import LYING_DEPTHS, deepest_vertex
from haptos.scenarios.lander.held_vertex import (
    CLOSING,
    GAP,
    LOAD,
    RESTING_GAP,
    store_held_event,
    store_lift,
)
from haptos.scenarios.lander.struck_block import (
    closing_contacts,
    is_against_wall,
    is_held,
    strike_block,
    walls_of,
)
from haptos.scenarios.lander.struck_point import AT_GROUND, lifting, point_motion, strike
from haptos.scenarios.lander.touching import free_gap, update_touching

MOST_FALL = (
    0.03  # [radii] that a vertex may be above the ground and still hold a body at rest; assumed
)
MOST_IMPACTS = 64  # at one instant; more and the body is taken to stay on the ground
MOST_STRUCK = MOST_IMPACTS + MOST_CONTACTS  # contacts of the impacts at one instant
HELD_GAP = 2.0  # [lying depths] gap beyond which a body without load has left the ground, assumed
HOP_SHARE = 0.5  # [-] of the time to come back, tried as the first step after an impact
STAYS = 0.1  # [contact speeds] a vertex that leaves slower than this stays at the ground
REST_PAUSE = 0.5  # [-] over the correction rate: time between two looks for a balance
MOST_IDLE = 20  # instants with touches in a row without a step between, before a run has stalled
MOST_INSTANTS = 4  # instants without a step between, after which a body is laid on springs


@routine
def resting_points(p, lander, y, points, planes, reach):
    """Number of contact points within `reach` [m] of the ground, their rows written to points.

    A ball in a crease has one on each wall. Of more than fit every second, fourth ... is taken.
    """
    body, x = lander.body, position(y)
    dcm_AB = rotation_matrix(attitude(y))
    count, seen, every = 0, 0, 1
    for j in range(len(body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, _, kind = ground_field(lander.surface, add(x, arm))
        if d - body.corner_radius > reach:
            continue
        walls = walls_of(lander, add(x, arm), reach, planes)
        for wall in range(max(walls, 1)):
            if count == MOST_POINTS and seen % every == 0:
                count, every = MOST_POINTS // 2, 2 * every
                for i in range(count):
                    for k in range(FORCE):
                        points[i, k] = points[2 * i, k]
            if seen % every == 0:
                n, made = direction(gradient), kind
                if walls > 0:
                    n, made = three(planes[wall]), int(planes[wall, KIND])
                put_point(p, lander, points[count], add(x, arm), arm, n, made)
                count += 1
            seen += 1
    return count


@device
def put_point(p, lander, point, at, arm, n, kind):
    """Write a contact point on ground of normal n."""
    r = add_scaled(arm, -lander.body.corner_radius, n)
    row, axes = lander.grounds[ground_row(lander, at, kind)], p.rolling_axes
    for i in range(3):
        point[ARM + i], point[NORMAL + i] = r[i], n[i]
    point[FRICTION] = row[1]
    point[ROLLING] = row[2] * min(axes[0], axes[1], axes[2])


@routine
def is_carried(p, lander, y, t, pull, dy):
    """Whether a body that creeps on springs, slower than it would stick, is in balance there.

    The forces of its springs then are forces within the cones of friction that hold it: what
    is_balanced searches for, which near the edge of the cones it does not find. dy: working array.
    """
    v, w = norm(velocity(y)), norm(body_rate(y)) * lander.body.radius
    if lander.body.touching_count[PHASE] != SPRINGY or not v + w < p.stick[0]:
        return False
    contact_rate(lander, t, y, dy)
    # The rates of the velocities are the accelerations.
    return norm(velocity(dy)) + norm(body_rate(dy)) * lander.body.radius <= BALANCED * pull


@routine
def is_at_rest(p, lander, y, m, scratch):
    """Whether the body is slow and its contact points can hold it."""
    v, w = norm(velocity(y)), norm(body_rate(y)) * lander.body.radius
    if not (v < p.contact_speed and w < p.contact_speed) or m.t < m.rest_test:
        return False
    m.rest_test = m.t + REST_PAUSE / p.correction
    none = (0.0, 0.0, 0.0)
    a, alpha_B = free_motion(lander, m.t, y, none, none)
    pull = norm(a)
    if pull == 0.0:
        return False
    if is_carried(p, lander, y, m.t, pull, scratch.at):
        return True
    dcm_AB = rotation_matrix(attitude(y))
    fall = min((v * v + w * w) / pull, MOST_FALL * lander.body.radius)
    reach = RESTING_GAP * p.lying_depth + fall
    count = resting_points(p, lander, y, scratch.points, scratch.planes, reach)
    return is_balanced(lander.body, dcm_AB, a, apply(dcm_AB, alpha_B), scratch.points, count)


@device
def come_to_rest(lander, y, m):
    """Take what is left of the motion; it counts as lost in impacts."""
    body = lander.body
    y[WORK_DAMPING] -= kinetic_energy(body.mass, body.inertia, velocity(y), body_rate(y))
    for i in range(3):
        y[VELOCITY + i] = 0.0
        y[RATE + i] = 0.0
    m.is_stale = 1


@routine
def lie_down(p, lander, y, m, record):
    """Put springs under the body; what they hold under a vertex that has sunk in is taken from its motion."""
    update_touching(lander, y, m.t, p.touch_tolerance, m, record)
    body = lander.body
    kinetic = kinetic_energy(body.mass, body.inertia, velocity(y), body_rate(y))
    if m.elastic > 0.0 and kinetic > 0.0:
        kept = math.sqrt(max(1.0 - m.elastic / kinetic, 0.0))
        for i in range(3):
            y[VELOCITY + i] *= kept
            y[RATE + i] *= kept


@device
def fly(p, lander, y, m):
    """Leave the ground; the first step is a share of the time to come back."""
    body = lander.body
    x = position(y)
    dcm_AB = rotation_matrix(attitude(y))
    if body.touching_count[PHASE] == SLIDING:
        body.is_touching[body.touching_count[VERTEX]] = 0
    if body.touching_count[PHASE] != FLYING:
        depth, _ = deepest_vertex(lander, y)
        m.flight_depth = min(depth, LYING_DEPTHS * p.lying_depth)
    body.touching_count[PHASE] = FLYING
    a, alpha_B = free_motion(lander, m.t, y, velocity(y), body_rate(y))
    soonest = m.h
    for j in range(len(body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, hessian, _ = ground_field(lander.surface, add(x, arm))
        if d - body.corner_radius <= AT_GROUND * p.touch_tolerance:
            u, u_dot = point_motion(lander, dcm_AB, y, arm, a, alpha_B)
            leaving = dot(u, direction(gradient))
            falling = -lifting(u, u_dot, gradient, hessian)
            if falling > 0.0 and leaving > 0.0:
                soonest = min(soonest, HOP_SHARE * 2.0 * leaving / falling)
    m.h = max(soonest, p.contact_step * 1e-6)
    m.is_stale = 1


@device
def stay(p, lander, y, m, record, count, held):
    """Stay on the ground: at one vertex by contact motion, at several on springs."""
    body = lander.body
    for j in range(len(body.vertices)):
        body.is_touching[j] = 0
    m.phases += 1
    m.is_stale = 1
    m.h = min(m.h, p.contact_step)
    if count == 1:
        body.touching_count[PHASE], body.touching_count[VERTEX] = SLIDING, held
        body.is_touching[held] = 1
        m.unloaded = np.nan
        store_held_event(lander, record, y, m, SLIDE)
    else:
        body.touching_count[PHASE] = SPRINGY


@device
def staying_vertices(p, lander, y, m):
    """(number, one of them): vertices at the ground that press on it and do not leave.

    After a touch that moved nothing every vertex that does not leave counts: pressed together they
    hold each other.
    """
    body, x = lander.body, position(y)
    dcm_AB = rotation_matrix(attitude(y))
    a, alpha_B = free_motion(lander, m.t, y, velocity(y), body_rate(y))
    count, held = 0, -1
    for j in range(len(body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, hessian, _ = ground_field(lander.surface, add(x, arm))
        if d - body.corner_radius <= AT_GROUND * p.touch_tolerance or is_held(lander, j):
            u, u_dot = point_motion(lander, dcm_AB, y, arm, a, alpha_B)
            is_pressed = m.idle > 1 or lifting(u, u_dot, gradient, hessian) < 0.0
            if dot(u, direction(gradient)) < STAYS * p.contact_speed and is_pressed:
                count += 1
                held = j
    return count, held


@routine
def meet_ground(p, lander, y, m, scratch, record):
    """Impacts of the vertices at the ground, then flight, contact or rest; True at rest."""
    dcm_AB = rotation_matrix(attitude(y))
    is_slow, done = False, 0
    while done < MOST_IMPACTS:
        count, j = closing_contacts(p, lander, dcm_AB, y, scratch.points, scratch.planes)
        if count == 0:
            break
        # Rocks struck by chance have no place, so that no two are struck at once.
        if count == 1 or p.stochastic[0] > 0.0:
            is_slow = strike(p, lander, y, m, record, scratch.points[j]) or is_slow
            done += 1
        else:
            is_slow = strike_block(p, lander, y, m, scratch, record, count) or is_slow
            done += count
    m.idle += 1
    if is_slow and p.has_contact_motion == 0:
        come_to_rest(lander, y, m)
        return True
    if p.rests_in_balance != 0 and is_at_rest(p, lander, y, m, scratch):
        come_to_rest(lander, y, m)
        return True
    if m.idle > MOST_INSTANTS:
        stay(p, lander, y, m, record, 2, -1)
        return False
    count, held = staying_vertices(p, lander, y, m)
    if (is_slow or m.idle > 1 or done >= MOST_IMPACTS) and count > 0 and p.has_contact_motion != 0:
        stay(p, lander, y, m, record, count, held)
    else:
        fly(p, lander, y, m)
    return False


@routine
def after_step(p, lander, y, m, scratch, record, is_touch):
    """What the step just taken means for the contact; True at rest."""
    body = lander.body
    if body.touching_count[PHASE] == RESTING:
        return False
    if is_lying(lander):
        held = HELD_GAP * p.lying_depth
        is_pushed = body.touching_count[PHASE] == PUSHED
        if is_pushed:
            held *= lander.law.k / lander.push[0]
        is_pushed = is_pushed and y[WHEEL_TORQUE] != 0.0
        if body.touching_count[COUNT] == 0 and m.free_gap > held and not is_pushed:
            fly(p, lander, y, m)
            return False
        if p.rests_in_balance != 0 and is_at_rest(p, lander, y, m, scratch):
            come_to_rest(lander, y, m)
            return True
        return False
    is_rest = False
    if is_touch:
        is_rest = meet_ground(p, lander, y, m, scratch, record)
    elif body.touching_count[PHASE] == SLIDING:
        load, gap, closing = scratch.held[LOAD], scratch.held[GAP], scratch.held[CLOSING]
        m.deepest = max(m.deepest, -gap)
        # It has come against a face of a rock, or the other wall of a crease.
        if (gap < 0.0 and closing > p.contact_speed) or is_against_wall(
            p, lander, y, scratch.planes
        ):
            is_rest = meet_ground(p, lander, y, m, scratch, record)
        elif load == 0.0 and gap > HELD_GAP * p.lying_depth:
            store_lift(record, m)
            fly(p, lander, y, m)
        elif p.rests_in_balance != 0 and is_at_rest(p, lander, y, m, scratch):
            come_to_rest(lander, y, m)
            is_rest = True
    if body.touching_count[PHASE] == SPRINGY:
        lie_down(p, lander, y, m, record)
    else:
        m.elastic = 0.0
        m.free_gap = free_gap(lander, y)
    return is_rest
