"""Vertices that strike the ground together: which they are, and their impact as one block."""

from __future__ import annotations

from haptos.contact.impact_normal import impact_normal
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
from haptos.geometry.distance.surface import direction, ground_field
from haptos.scenarios.lander.batch_layout import IMPACT
from haptos.scenarios.lander.equations import (
    PHASE,
    SLIDING,
    VERTEX,
    attitude,
    body_rate,
    free_motion,
    ground_row,
    position,
    velocity,
    vertex_arm,
)
from haptos.scenarios.lander.struck_point import (
    AT_GROUND,
    coefficients_here,
    lifting,
    point_motion,
    store_impact,
)
from haptos.scenarios.lander.touching import store_event

NO_CLOSING = 1e-9  # [contact speeds] closing speed that is none
STRUCK = 0  # column of the working points: the vertex that closes in


@device
def is_held(lander, j):
    """Whether vertex j is the one in contact motion."""
    count = lander.body.touching_count
    return count[PHASE] == SLIDING and count[VERTEX] == j


@device
def closing_vertices(p, lander, dcm_AB, y, points):
    """(number of vertices at the ground that close in, the fastest; -1 if none), their numbers in points.

    Of more than fit into a block every second, fourth ... is taken, spread over all.
    """
    x, w_A = position(y), apply(dcm_AB, body_rate(y))
    best, found, count, seen, every = NO_CLOSING * p.contact_speed, -1, 0, 0, 1
    for j in range(len(lander.body.vertices)):
        arm = vertex_arm(lander, dcm_AB, j)
        d, gradient, _, _ = ground_field(lander.surface, add(x, arm))
        if d - lander.body.corner_radius <= AT_GROUND * p.touch_tolerance or is_held(lander, j):
            closing = -dot(direction(gradient), add(velocity(y), cross(w_A, arm)))
            if closing > NO_CLOSING * p.contact_speed:
                if count == MOST_CONTACTS:
                    count, every = MOST_CONTACTS // 2, 2 * every
                    for i in range(count):
                        points[i, STRUCK] = points[2 * i, STRUCK]
                if seen % every == 0:
                    points[count, STRUCK] = j
                    count += 1
                seen += 1
            if closing > best:
                best, found = closing, j
    return count, found


@device
def struck_normal_of(lander, dcm_AB, j, n):
    """Normal of the impact of vertex j on ground of normal n."""
    vertex = lander.body.vertices[j]
    if vertex[3] != 0.0:
        return impact_normal(int(vertex[3]), (vertex[4], vertex[5], vertex[6]), dcm_AB, n)
    return n


@routine
def add_struck(p, lander, y, m, scratch, i, j):
    """Write vertex j as contact i of the block; whether it is slow."""
    v, w_B = velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    arm = vertex_arm(lander, dcm_AB, j)
    at = add(position(y), arm)
    _, gradient, hessian, kind = ground_field(lander.surface, at)
    n = struck_normal_of(lander, dcm_AB, j, direction(gradient))
    r = add_scaled(arm, -lander.body.corner_radius, n)
    a, alpha_B = free_motion(lander, m.t, y, v, w_B)
    nu, _ = point_motion(lander, dcm_AB, y, r, a, alpha_B)
    middle, middle_rate = point_motion(lander, dcm_AB, y, arm, a, alpha_B)
    is_lifting = lifting(middle, middle_rate, gradient, hessian) >= 0.0
    is_slow = -dot(nu, n) < p.contact_speed and not is_lifting
    given = coefficients_here(p, lander, nu, n, ground_row(lander, at, kind), is_slow)
    scratch.rows[FRICTION, i], scratch.rows[RESTITUTION, i] = given.friction, given.restitution
    add_contact(scratch.arms, scratch.rows, i, lander.body, dcm_AB, v, w_B, r, n)
    return is_slow


@routine
def strike_block(p, lander, y, m, scratch, record, count):
    """Impact of `count` vertices, named in the working points, at once; whether all were slow.

    Rolling resistance, which is the law of one point, does not act in it.
    """
    body, rows = lander.body, scratch.rows
    v, w_B = velocity(y), body_rate(y)
    are_slow = True
    for i in range(count):
        are_slow = (
            add_struck(p, lander, y, m, scratch, i, int(scratch.points[i, STRUCK])) and are_slow
        )
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
    m.impacts += count
    m.touches += count
    m.is_stale = 1
    m.impact_energy = max(m.impact_energy, -(normal_work + friction_work))
    m.impact_losses -= normal_work + friction_work
    if not m.first_touch_time >= 0.0:
        m.first_touch_time, m.first_touch_speed = m.t, norm(v)
    if record.is_on:
        store_block(lander, record, y, m, scratch, count, v, w_B)
    return are_slow


@routine
def store_block(lander, record, y, m, scratch, count, v, w_B):
    """Append an impact for each vertex of a block, which has struck; v, w_B: motion before."""
    body, x, rows = lander.body, position(y), scratch.rows
    dcm_AB = rotation_matrix(attitude(y))
    kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
    for i in range(count):
        if m.event_count >= len(record.events) - 2:
            return
        j = int(scratch.points[i, STRUCK])
        arm = vertex_arm(lander, dcm_AB, j)
        _, gradient, _, kind = ground_field(lander.surface, add(x, arm))
        n = struck_normal_of(lander, dcm_AB, j, direction(gradient))
        r = add_scaled(arm, -body.corner_radius, n)
        nu = add(v, cross(apply(dcm_AB, w_B), r))
        slip = norm(tangential(nu, n))
        closing = -rows[BEFORE, 3 * i + 2]
        store_event(record, m, m.t, IMPACT, j, add(x, r), n, closing, slip, kinetic)
        works = (rows[NORMAL_WORK, i], rows[FRICTION_WORK, i], 0.0)
        row = ground_row(lander, add(x, arm), kind)
        after = (velocity(y), body_rate(y))
        store_impact(
            record.events[m.event_count - 1], v, w_B, nu, n, r, after, works, -1, dcm_AB, row
        )
