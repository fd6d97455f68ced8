"""Vertices that strike the ground together: which they are, and their impact as one block."""

from __future__ import annotations

from haptos.contact.impacts.block import (
    BEFORE,
    FRICTION,
    FRICTION_WORK,
    MOST_CONTACTS,
    NORMAL_WORK,
    RESTITUTION,
    block_impact,
)
from haptos.contact.impacts.body_matrix import add_contact, fill_matrix, moved
from haptos.contact.sets.crease_planes import KIND, crease_planes, has_creases
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, tangential
from haptos.dynamics.rigid.rigid_body import (
    RATE,
    VELOCITY,
    WORK_DAMPING,
    WORK_FRICTION,
    kinetic_energy,
)
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.model import PHASE, SLIDING, VERTEX, three
from haptos.dynamics.touching.rates import free_motion
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.stored_rows import IMPACT, store_event
from haptos.dynamics.touching.struck_point import (
    AT_GROUND,
    IS_CREASE,
    PLANE,
    PLANE_KIND,
    STRUCK,
    coefficients_here,
    lifting,
    point_motion,
    store_impact,
    struck_ground,
)
from haptos.geometry.distance.surface import direction, ground_field

NO_CLOSING = 1e-9  # [contact speeds] closing speed that is none
CLOSING_SPEED = 6  # column of a contact after those of struck_point
FAST_TOUCH = 10.0  # [contact speeds] closing too fast for springs of a body that lies; assumed
AT_ONCE = 0.1  # [lying depths] gap at which a vertex so fast strikes at once; assumed
CREASE_REACH = 2e-3  # [radii] gap at which a wall of a crease counts as touched; assumed


@device
def is_held(model, j):
    """Whether vertex j is the one in contact motion."""
    count = model.body.touching_count
    return count[PHASE] == SLIDING and count[VERTEX] == j


@routine
def closing_contacts(p, model, dcm_AB, y, points, planes, is_lying_down):
    """(number of contacts at the ground that close in, row of the fastest), their rows in points.

    Of a body that is lying down only those that springs cannot take: they close fast, and may be a little above the ground.

    A ball in a crease has a contact with each of its walls. Of more than fit into a block every second,
    fourth ... is taken, spread over all.
    """
    body, x, w_A = model.body, position(y), apply(dcm_AB, body_rate(y))
    count, seen, every = 0, 0, 1
    reach, least = AT_GROUND * p.accuracy.touch, NO_CLOSING * p.contact.speed
    if is_lying_down:
        reach = AT_ONCE * p.contact.lying_depth
        least = max(FAST_TOUCH * p.contact.speed, p.contact.correction * p.contact.lying_depth)
    for j in range(len(body.vertices)):
        arm = vertex_arm(model, dcm_AB, j)
        at, u = add(x, arm), add(velocity(y), cross(w_A, arm))
        d, gradient, _, _ = ground_field(model.surface, at)
        if d - body.corner_radius > reach and not is_held(model, j):
            continue
        walls = walls_of(model, at, CREASE_REACH * body.corner_radius, planes)
        for wall in range(max(walls, 1)):
            n = three(planes[wall]) if walls > 0 else direction(gradient)
            if not -dot(n, u) > least:
                continue
            if count == MOST_CONTACTS and seen % every == 0:
                count, every = MOST_CONTACTS // 2, 2 * every
                for i in range(count):
                    copy_contact(points, 2 * i, i)
            if seen % every == 0:
                put_contact(points, count, j, walls > 0, n, planes[wall, KIND], -dot(n, u))
                count += 1
            seen += 1
    return count, fastest_of(points, count)


@device
def walls_of(model, at, reach, planes):
    """Number of walls of a crease, two or more, within `reach` [m] of a round vertex at a place [m]; 0 of no crease."""
    radius = model.body.corner_radius
    if radius == 0.0 or not has_creases(model.surface):
        return 0
    found = crease_planes(model.surface, at, radius, reach, planes)
    return found if found > 1 else 0


@device
def put_contact(points, i, j, is_crease, n, kind, closing):
    """Write a contact that closes."""
    row = points[i]
    row[STRUCK], row[IS_CREASE], row[PLANE_KIND] = j, 1.0 if is_crease else 0.0, kind
    row[PLANE], row[PLANE + 1], row[PLANE + 2] = n
    row[CLOSING_SPEED] = closing


@device
def copy_contact(points, source, target):
    for k in range(CLOSING_SPEED + 1):
        points[target, k] = points[source, k]


@device
def fastest_of(points, count):
    """Row of the contact that closes in fastest, of equal ones the first."""
    found = 0
    for i in range(1, count):
        if points[i, CLOSING_SPEED] > points[found, CLOSING_SPEED]:
            found = i
    return found


@routine
def add_struck(p, model, y, m, scratch, i):
    """Write the contact of row i as contact i of the block; whether it is slow."""
    v, w_B = velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    j, gradient, hessian, n, row = struck_ground(model, dcm_AB, position(y), scratch.points[i])
    arm = vertex_arm(model, dcm_AB, j)
    r = add_scaled(arm, -model.body.corner_radius, n)
    a, alpha_B = free_motion(model, m.step.time, y, v, w_B)
    nu, _ = point_motion(model, dcm_AB, y, r, a, alpha_B)
    m.touch.fastest = max(m.touch.fastest, norm(nu))
    middle, middle_rate = point_motion(model, dcm_AB, y, arm, a, alpha_B)
    is_lifting = lifting(middle, middle_rate, gradient, hessian) >= 0.0
    is_slow = -dot(nu, n) < p.contact.speed and not is_lifting
    given = coefficients_here(p, model, nu, n, row, is_slow)
    scratch.rows[FRICTION, i], scratch.rows[RESTITUTION, i] = given.friction, given.restitution
    add_contact(scratch.arms, scratch.rows, i, model.body, dcm_AB, v, w_B, r, n)
    return is_slow


@routine
def strike_block(p, model, y, m, scratch, record, count):
    """Impact of `count` contacts, the working points of closing_contacts, at once; whether all were slow.

    Rolling resistance, which is the law of one point, does not act in it.
    """
    body, rows = model.body, scratch.rows
    v, w_B = velocity(y), body_rate(y)
    are_slow = True
    for i in range(count):
        are_slow = add_struck(p, model, y, m, scratch, i) and are_slow
    fill_matrix(scratch.matrix, scratch.arms, count, body)
    block_impact(scratch.matrix, rows, count)
    v_after, w_after = moved(scratch.arms, rows, count, body, v, w_B)
    for k in range(3):
        y[VELOCITY + k], y[RATE + k] = v_after[k], w_after[k]
    normal_work, friction_work = 0.0, 0.0
    for i in range(count):
        normal_work += rows[NORMAL_WORK, i]
        friction_work += rows[FRICTION_WORK, i]
    y[WORK_DAMPING] += normal_work
    y[WORK_FRICTION] += friction_work
    m.impacts.count += count
    m.touch.count += count
    m.step.is_stale = 1
    m.impacts.largest_loss = max(m.impacts.largest_loss, -(normal_work + friction_work))
    m.impacts.losses -= normal_work + friction_work
    if not m.touch.first_time >= 0.0:
        m.touch.first_time, m.touch.first_speed = m.step.time, norm(v)
    if record.is_on:
        store_block(model, record, y, m, scratch, count, v, w_B)
    return are_slow


@routine
def store_block(model, record, y, m, scratch, count, v, w_B):
    """Append an impact for each vertex of a block, which has struck; v, w_B: motion before."""
    body, x, rows = model.body, position(y), scratch.rows
    dcm_AB = rotation_matrix(attitude(y))
    kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
    for i in range(count):
        if m.counts.events >= len(record.events) - 2:
            return
        j, _, _, n, row = struck_ground(model, dcm_AB, x, scratch.points[i])
        r = add_scaled(vertex_arm(model, dcm_AB, j), -body.corner_radius, n)
        nu = add(v, cross(apply(dcm_AB, w_B), r))
        slip = norm(tangential(nu, n))
        closing = -rows[BEFORE, 3 * i + 2]
        store_event(record, m, m.step.time, IMPACT, j, add(x, r), n, closing, slip, kinetic)
        works = (rows[NORMAL_WORK, i], rows[FRICTION_WORK, i], 0.0)
        after = (velocity(y), body_rate(y))
        store_impact(
            record.events[m.counts.events - 1], v, w_B, nu, n, r, after, works, -1, dcm_AB, row
        )
