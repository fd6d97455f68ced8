"""Impulsive contact of a run: impacts where vertices meet the ground, and what follows them.

After impacts slower than `contact_speed` a body stays on the ground: at one vertex it slides, sticks
or rolls (contact_motion); at several it lies on stiff springs (compliant), unless it is slow and the
forces at its contact points can hold it, when it is at rest (static_rest).
"""

from __future__ import annotations

import math

import numpy as np

from haptos.contact.collision import Coefficients
from haptos.contact.collision_call import collide_apart
from haptos.contact.impact_normal import impact_normal
from haptos.contact.regolith import impact_angle, regolith_restitution
from haptos.contact.rocks_stochastic import StochasticRocks, struck_normal
from haptos.contact.static_rest import (
    ARM,
    BALANCED,
    FRICTION,
    MOST_POINTS,
    NORMAL,
    ROLLING,
    is_balanced,
)
from haptos.core.counter_random import four_uniforms
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, norm, tangential
from haptos.dynamics.rigid.rigid_body import (
    RATE,
    VELOCITY,
    WHEEL_TORQUE,
    WORK_DAMPING,
    WORK_FRICTION,
    WORK_ROLLING,
    kinetic_energy,
)
from haptos.geometry.distance.surface import direction, ground_field
from haptos.scenarios.lander.batch_layout import (
    EVENT_ANGLE,
    EVENT_ASPECT,
    EVENT_GROUND,
    EVENT_MODE,
    EVENT_NU_AFTER,
    EVENT_NU_BEFORE,
    EVENT_V_AFTER,
    EVENT_V_BEFORE,
    EVENT_W_AFTER,
    EVENT_W_BEFORE,
    EVENT_WORKS,
    IMPACT,
    ROCKS,
    SLIDE,
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
from haptos.scenarios.lander.touching import free_gap, store_event, update_touching

MOST_FALL = (
    0.03  # [radii] that a vertex may be above the ground and still hold a body at rest; assumed
)
MOST_IMPACTS = 64  # at one instant; more and the body is taken to stay on the ground
AT_GROUND = 8.0  # [touch tolerances] gap at which a vertex counts as at the ground
HELD_GAP = 2.0  # [lying depths] gap beyond which a body without load has left the ground, assumed
HOP_SHARE = 0.5  # [-] of the time to come back, tried as the first step after an impact
STAYS = 0.1  # [contact speeds] a vertex that leaves slower than this stays at the ground
REST_PAUSE = 0.5  # [-] over the correction rate: time between two looks for a balance
MOST_IDLE = 20  # instants with touches in a row without a step between, before a run has stalled
MOST_INSTANTS = 4  # instants without a step between, after which a body is laid on springs
NO_CLOSING = 1e-9  # [contact speeds] closing speed that is none


@device
def point_motion(lander, dcm_AB, y, arm, a, alpha_B):
    """(velocity [m/s], acceleration [m/s^2]) of the body's point `arm`, without contact."""
    w_A = apply(dcm_AB, body_rate(y))
    turn = cross(apply(dcm_AB, alpha_B), arm)
    speed = add(velocity(y), cross(w_A, arm))
    return speed, add(add(a, turn), cross(w_A, cross(w_A, arm)))


@device
def fastest_closing(p, lander, dcm_AB, y):
    """Vertex at the ground that closes in fastest; -1 if none does."""
    x, w_A = position(y), apply(dcm_AB, body_rate(y))
    best, found = NO_CLOSING * p.contact_speed, -1
    for j in range(len(lander.body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, _, _ = ground_field(lander.surface, add(x, arm))
        if d - lander.body.corner_radius <= AT_GROUND * p.touch_tolerance or is_held(lander, j):
            closing = -dot(direction(gradient), add(velocity(y), cross(w_A, arm)))
            if closing > best:
                best, found = closing, j
    return found


@device
def is_held(lander, j):
    """Whether vertex j is the one in contact motion."""
    count = lander.body.touching_count
    return count[PHASE] == SLIDING and count[VERTEX] == j


@device
def lifting(u, u_dot, gradient, hessian):
    """Acceleration [m/s^2] at which a point leaves the ground, which may be curved."""
    steepness = norm(gradient)
    return (dot(gradient, u_dot) + dot(u, apply_symmetric(hessian, u))) / steepness


@device
def coefficients_here(p, lander, nu, normal, row, is_slow):
    """Coefficients of an impact on ground of that row; none of the speed comes back if it is slow."""
    e, f, c_rr = lander.grounds[row, 0], lander.grounds[row, 1], lander.grounds[row, 2]
    if p.regolith[2] > 0.0 and row != ROCKS:
        e = regolith_restitution(
            p.regolith[0], p.regolith[1], p.regolith[2], impact_angle(nu, normal)
        )
    if is_slow:
        e = 0.0
    axes = p.rolling_axes
    rolling = (c_rr * axes[0], c_rr * axes[1], c_rr * axes[2])
    return Coefficients(e, f, p.restitution_law, rolling, p.stick[1])


@routine
def strike(p, lander, y, m, record, j):
    """One impact at vertex j; whether it was slow enough to stay on the ground."""
    body = lander.body
    x, v, w_B = position(y), velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    arm = vertex_arm(lander, dcm_AB, j)
    _, gradient, hessian, kind = ground_field(lander.surface, add(x, arm))
    row = ground_row(lander, add(x, arm), kind)
    n = direction(gradient)
    vertex = body.vertices[j]
    if vertex[3] != 0.0:
        n = impact_normal(int(vertex[3]), (vertex[4], vertex[5], vertex[6]), dcm_AB, n)
    if p.stochastic[0] > 0.0:
        u = four_uniforms((p.key[0], p.key[1]), (m.impacts, 0, 0, 0))
        rocks = StochasticRocks(p.stochastic[0], p.stochastic[1], p.stochastic[2])
        is_hit, n = struck_normal(rocks, n, v, u[0], u[1], u[2])
        if is_hit:
            row = ROCKS
    r = add_scaled(arm, -body.corner_radius, n)
    a, alpha_B = free_motion(lander, m.t, y, v, w_B)
    nu, _ = point_motion(lander, dcm_AB, y, r, a, alpha_B)
    closing = -dot(nu, n)
    # Of a ball the centre decides whether it leaves: the struck point rises as the ball spins on.
    middle, middle_rate = point_motion(lander, dcm_AB, y, arm, a, alpha_B)
    is_lifting = lifting(middle, middle_rate, gradient, hessian) >= 0.0
    is_slow = closing < p.contact_speed and not is_lifting
    given = coefficients_here(p, lander, nu, n, row, is_slow)
    found = collide_apart(
        lander.surface.land, body.mass, body.inverse_inertia, dcm_AB, r, v, w_B, n, given
    )
    for i in range(3):
        y[VELOCITY + i], y[RATE + i] = found.v[i], found.w_B[i]
    y[WORK_DAMPING] += found.normal_work
    y[WORK_FRICTION] += found.friction_work
    y[WORK_ROLLING] += found.rolling_work
    m.impacts += 1
    m.touches += 1
    m.is_stale = 1
    loss = -(found.normal_work + found.friction_work + found.rolling_work)
    m.impact_energy = max(m.impact_energy, loss)
    m.impact_losses += loss
    if not m.first_touch_time >= 0.0:
        m.first_touch_time, m.first_touch_speed = m.t, norm(v)
    if record.is_on and m.event_count < len(record.events) - 2:
        kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
        slip = norm(tangential(nu, n))
        store_event(record, m, m.t, IMPACT, j, add(x, r), n, closing, slip, kinetic)
        store_impact(record.events[m.event_count - 1], v, w_B, nu, n, r, found, dcm_AB, row)
    return is_slow


@device
def store_impact(event, v, w_B, nu, n, r, found, dcm_AB, row):
    """What only impacts tell: motion before and after, angles, works."""
    after = add(found.v, cross(apply(dcm_AB, found.w_B), r))
    for i in range(3):
        event[EVENT_V_BEFORE + i], event[EVENT_V_AFTER + i] = v[i], found.v[i]
        event[EVENT_W_BEFORE + i], event[EVENT_W_AFTER + i] = w_B[i], found.w_B[i]
        event[EVENT_NU_BEFORE + i], event[EVENT_NU_AFTER + i] = nu[i], after[i]
    event[EVENT_ANGLE] = impact_angle(nu, n)
    reach = norm(r)
    cosine = -dot(n, r) / reach if reach > 0.0 else 1.0
    event[EVENT_ASPECT] = math.acos(min(max(cosine, -1.0), 1.0))
    event[EVENT_WORKS], event[EVENT_WORKS + 1] = found.normal_work, found.friction_work
    event[EVENT_WORKS + 2] = found.rolling_work
    event[EVENT_GROUND], event[EVENT_MODE] = row, found.mode


@routine
def resting_points(p, lander, y, points, reach):
    """Number of contact points within `reach` [m] of the ground, their rows written to points."""
    body, x = lander.body, position(y)
    dcm_AB = rotation_matrix(attitude(y))
    count = 0
    for j in range(len(body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, _, kind = ground_field(lander.surface, add(x, arm))
        if d - body.corner_radius > reach or count >= MOST_POINTS:
            continue
        n = direction(gradient)
        r = add_scaled(arm, -body.corner_radius, n)
        row = lander.grounds[ground_row(lander, add(x, arm), kind)]
        for i in range(3):
            points[count, ARM + i], points[count, NORMAL + i] = r[i], n[i]
        points[count, FRICTION] = row[1]
        axes = p.rolling_axes
        points[count, ROLLING] = row[2] * min(axes[0], axes[1], axes[2])
        count += 1
    return count


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
    count = resting_points(p, lander, y, scratch.points, reach)
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
        j = fastest_closing(p, lander, dcm_AB, y)
        if j < 0:
            break
        is_slow = strike(p, lander, y, m, record, j) or is_slow
        done += 1
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
    if (is_slow or m.idle > 1 or done == MOST_IMPACTS) and count > 0 and p.has_contact_motion != 0:
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
        if gap < 0.0 and closing > p.contact_speed:  # it has come against a face of a rock
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
