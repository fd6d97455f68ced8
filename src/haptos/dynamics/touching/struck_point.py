"""One vertex that strikes the ground: its impact, by the law of one point, and the event of it."""

from __future__ import annotations

import math

from haptos.contact.collision import Coefficients
from haptos.contact.collision_call import collide_apart
from haptos.contact.impact_normal import impact_normal
from haptos.contact.regolith import impact_angle, regolith_restitution
from haptos.contact.rocks_stochastic import StochasticRocks, struck_normal
from haptos.core.counter_random import four_uniforms
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, norm, tangential
from haptos.dynamics.rigid.rigid_body import (
    RATE,
    VELOCITY,
    WORK_DAMPING,
    WORK_FRICTION,
    WORK_ROLLING,
    kinetic_energy,
)
from haptos.dynamics.touching.ground_contact import ground_row, vertex_arm
from haptos.dynamics.touching.model import three
from haptos.dynamics.touching.rates import free_motion
from haptos.dynamics.touching.run_parameters import ROCKS
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.stored_rows import (
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
    store_event,
)
from haptos.geometry.distance.surface import FLAT, direction, ground_field

AT_GROUND = 8.0  # [touch tolerances] gap at which a vertex counts as at the ground
# Columns of a contact that closes: its vertex; whether it is a wall of a crease, the wall's normal, and what it is
# made of.
STRUCK, IS_CREASE, PLANE, PLANE_KIND = 0, 1, 2, 5


@device
def point_motion(model, dcm_AB, y, arm, a, alpha_B):
    """(velocity [m/s], acceleration [m/s^2]) of the body's point `arm`, without contact."""
    w_A = apply(dcm_AB, body_rate(y))
    turn = cross(apply(dcm_AB, alpha_B), arm)
    speed = add(velocity(y), cross(w_A, arm))
    return speed, add(add(a, turn), cross(w_A, cross(w_A, arm)))


@device
def lifting(u, u_dot, gradient, hessian):
    """Acceleration [m/s^2] at which a point leaves the ground, which may be curved."""
    steepness = norm(gradient)
    return (dot(gradient, u_dot) + dot(u, apply_symmetric(hessian, u))) / steepness


@device
def coefficients_here(p, model, nu, normal, row, is_slow):
    """Coefficients of an impact on ground of that row; none of the speed comes back if it is slow."""
    pair = model.ground.pairs[row]
    e, f, c_rr = pair.restitution, pair.friction, pair.rolling
    soft = p.impact.regolith
    if soft.critical_angle > 0.0 and row != ROCKS:
        e = regolith_restitution(
            soft.grazing, soft.normal, soft.critical_angle, impact_angle(nu, normal)
        )
    if is_slow:
        e = 0.0
    axes = p.contact.rolling_axes
    rolling = (c_rr * axes[0], c_rr * axes[1], c_rr * axes[2])
    return Coefficients(e, f, p.impact.law, rolling, p.contact.stick_rate)


@device
def struck_ground(model, dcm_AB, x, struck):
    """(vertex, gradient, Hessian [1/m] of the field, normal of the impact, row of the ground) of a contact."""
    j = int(struck[STRUCK])
    at = add(x, vertex_arm(model, dcm_AB, j))
    gradient, hessian, kind = three(struck[PLANE : PLANE + 3]), FLAT, int(struck[PLANE_KIND])
    if struck[IS_CREASE] == 0.0:
        _, gradient, hessian, kind = ground_field(model.surface, at)
    n, vertex = direction(gradient), model.body.vertices[j]
    if vertex[3] != 0.0:
        n = impact_normal(int(vertex[3]), (vertex[4], vertex[5], vertex[6]), dcm_AB, n)
    return j, gradient, hessian, n, ground_row(model, at, kind)


@routine
def strike(p, model, y, m, record, struck):
    """One impact, at the contact of a row of closing_contacts; whether it was slow enough to stay on the ground."""
    body = model.body
    x, v, w_B = position(y), velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    j, gradient, hessian, n, row = struck_ground(model, dcm_AB, x, struck)
    arm = vertex_arm(model, dcm_AB, j)
    if p.impact.rocks.chance > 0.0:
        u = four_uniforms((p.impact.key[0], p.impact.key[1]), (m.impacts.count, 0, 0, 0))
        drawn = p.impact.rocks
        rocks = StochasticRocks(drawn.chance, drawn.largest, drawn.shape)
        is_hit, n = struck_normal(rocks, n, v, u[0], u[1], u[2])
        if is_hit:
            row = ROCKS
    r = add_scaled(arm, -body.corner_radius, n)
    a, alpha_B = free_motion(model, m.step.time, y, v, w_B)
    nu, _ = point_motion(model, dcm_AB, y, r, a, alpha_B)
    m.touch.fastest = max(m.touch.fastest, norm(nu))
    closing = -dot(nu, n)
    # Of a ball the centre decides whether it leaves: the struck point rises as the ball spins on.
    middle, middle_rate = point_motion(model, dcm_AB, y, arm, a, alpha_B)
    is_lifting = lifting(middle, middle_rate, gradient, hessian) >= 0.0
    is_slow = closing < p.contact.speed and not is_lifting
    given = coefficients_here(p, model, nu, n, row, is_slow)
    found = collide_apart(
        model.surface.land, body.mass, body.inverse_inertia, dcm_AB, r, v, w_B, n, given
    )
    for i in range(3):
        y[VELOCITY + i], y[RATE + i] = found.v[i], found.w_B[i]
    y[WORK_DAMPING] += found.normal_work
    y[WORK_FRICTION] += found.friction_work
    y[WORK_ROLLING] += found.rolling_work
    m.impacts.count += 1
    m.touch.count += 1
    m.step.is_stale = 1
    loss = -(found.normal_work + found.friction_work + found.rolling_work)
    m.impacts.largest_loss = max(m.impacts.largest_loss, loss)
    m.impacts.losses += loss
    if not m.touch.first_time >= 0.0:
        m.touch.first_time, m.touch.first_speed = m.step.time, norm(v)
    if record.is_on and m.counts.events < len(record.events) - 2:
        kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
        slip = norm(tangential(nu, n))
        store_event(record, m, m.step.time, IMPACT, j, add(x, r), n, closing, slip, kinetic)
        works = (found.normal_work, found.friction_work, found.rolling_work)
        after = (found.v, found.w_B)
        store_impact(
            record.events[m.counts.events - 1], v, w_B, nu, n, r, after, works, found.mode, dcm_AB, row
        )  # fmt: skip
    return is_slow


@device
def store_impact(event, v, w_B, nu, n, r, moved, works, mode, dcm_AB, row):
    """What only impacts have: motion before and after, angles, works; moved: (v, w_B) after."""
    v_after, w_after = moved
    after = add(v_after, cross(apply(dcm_AB, w_after), r))
    for i in range(3):
        event[EVENT_V_BEFORE + i], event[EVENT_V_AFTER + i] = v[i], v_after[i]
        event[EVENT_W_BEFORE + i], event[EVENT_W_AFTER + i] = w_B[i], w_after[i]
        event[EVENT_NU_BEFORE + i], event[EVENT_NU_AFTER + i] = nu[i], after[i]
    event[EVENT_ANGLE] = impact_angle(nu, n)
    reach = norm(r)
    cosine = -dot(n, r) / reach if reach > 0.0 else 1.0
    event[EVENT_ASPECT] = math.acos(min(max(cosine, -1.0), 1.0))
    for i in range(3):
        event[EVENT_WORKS + i] = works[i]
    event[EVENT_GROUND], event[EVENT_MODE] = row, mode
