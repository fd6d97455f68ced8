"""Compliant contact of a rigid body that touches a surface with vertices: all forces together.

    F = sum F_Nj + F_F + F_RR            L = sum r_j x F_Nj + r_p x F_F + L_RR

A normal force at every touching vertex (laws/normal, spring_damper if nothing else is asked), one friction force at the
penetration-weighted application point r_p (coulomb), rolling resistance (rolling_resistance),
in that order and without iteration. One smooth law from the first touch to rest.

The companion force comes in two parts. That of the rolling share, F_roll, acts as published, up to
mu_s F_N. That of the sticking share, F_hold, acts as far as the point itself sticks, in one cone with
the sticking friction:

    F_F = eta slip + (1 - eta) s stick         F_RR = F_roll + (1 - eta) s F_hold
    s = min(1, mu_s F_N / |stick + F_hold|)

Unbounded, F_hold would act on a box that slides without turning for as long as it slides, and shift
its acceleration and its angle of repose by C_RR m r/I of its load.

    r_p = sum(depth_j r_j) / sum(depth_j)            load F_N = sum |F_Nj|
    v_p = v + w x r_p (motion of r_p within the body neglected)

On ground whose field d is not a distance (a grid between its nodes, noise, rocks) the spring's energy
is k d^2/2 and its force k d grad d, so that a contact gives back what it took.

A vertex may carry a ball of radius `corner_radius` (a sphere is one such vertex): its gap is that
of the ball and it touches at r_j - corner_radius n_j.
Frame: A axes, torque in B axes; forces act on the body.
Validity: depths small against the probe; only vertices touch, so facets between them do not; the
ground is at rest and keeps no mark.
Source: [VanWal2017] section 4; the one cone is ours.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.coulomb import friction_force, slipping_size, stick_force
from haptos.contact.laws.normal import SPRING_DAMPER, normal_energy, normal_parts
from haptos.contact.regularisation import blend, capped, slip_share
from haptos.contact.rolling_resistance import companion_force, rolling_torques
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, tangential
from haptos.geometry.distance.surface import direction, gap_and_gradient, gap_and_normal

CITES: tuple[str, ...] = ("VanWal2017",)

# stiffness k [N/m], damping c [N s/m], friction mu and mu_s [-], rolling c_rr [m],
# stick speed v_s [m/s], stick rate w_s [rad/s]; normal: law of the normal force, `laws/normal.py`
CompliantLaw = namedtuple(
    "CompliantLaw", "k c mu mu_s c_rr v_s w_s normal", defaults=(SPRING_DAMPER,)
)

# mass [kg], inertia and its inverse in B axes (six numbers), vertices (n, 3) [m] in B axes,
# corner_radius [m], radius [m] of the ball about the centre of mass that holds it all,
# touching: indices of vertices in contact, is_touching (n,), touching_count: first, their number
TouchingBody = namedtuple(
    "TouchingBody",
    "mass inertia inverse_inertia vertices corner_radius radius touching is_touching touching_count",
)

LEAST_WEIGHT = 1e-13  # [m] keeps r_p defined at the instant of touch, when every depth is zero


@device
def vertex_gap(surface, vertices, corner_radius, j, dcm_AB, x):
    """(gap, normal, arm): of vertex j [m], at its closest ground point, contact point from x."""
    r = apply(dcm_AB, (vertices[j, 0], vertices[j, 1], vertices[j, 2]))
    distance, normal = gap_and_normal(surface, add(x, r))
    return distance - corner_radius, normal, add_scaled(r, -corner_radius, normal)


@device
def vertex_field(surface, vertices, corner_radius, j, dcm_AB, x):
    """(gap, normal, arm, steepness): as `vertex_gap`, with the length of the field's gradient [-]."""
    r = apply(dcm_AB, (vertices[j, 0], vertices[j, 1], vertices[j, 2]))
    distance, gradient = gap_and_gradient(surface, add(x, r))
    steepness = norm(gradient)
    n = direction(gradient)
    return distance - corner_radius, n, add_scaled(r, -corner_radius, n), steepness


@device
def normal_contact(law, surface, body, dcm_AB, x, v, w_A):
    """(force, torque_A, load, point, damping power, deepest) of the touching vertices."""
    force, torque, point = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    load, weight, power, deepest = 0.0, 0.0, 0.0, 0.0
    for slot in range(body.touching_count[0]):
        j = body.touching[slot]
        gap, n, r, steepness = vertex_field(
            surface, body.vertices, body.corner_radius, j, dcm_AB, x
        )
        closing = -dot(add(v, cross(w_A, r)), n)
        spring, damper = normal_parts(law.normal, law.k, law.c, -gap, closing)
        spring *= steepness  # so that the force is the gradient of the spring's energy
        damper = max(damper, -spring)
        f = scale(spring + damper, n)
        force = add(force, f)
        torque = add(torque, cross(r, f))
        depth = max(-gap, 0.0) + LEAST_WEIGHT
        point = add_scaled(point, depth, r)
        weight += depth
        load += spring + damper
        power -= damper * closing
        deepest = max(deepest, -gap)
    return force, torque, load, scale(1.0 / weight, point), power, deepest


@device
def within_one_cone(law, load, slip, sticking, hold):
    """(friction, holding force) [N]: a point that slips is not held, one that sticks shares a cone.

    hold: companion force of the sticking share of rolling resistance [N].
    """
    speed, most = norm(slip), law.mu_s * load
    wanted = norm(add(sticking, hold))
    share = 1.0 if wanted <= most else most / wanted
    size = slipping_size(law.mu, law.mu_s, law.v_s, load, speed)
    friction = blend(slip, law.v_s, size, scale(share, sticking))
    return friction, scale(share * (1.0 - slip_share(speed, law.v_s)), hold)


@device
def compliant_contact(law, surface, body, dcm_AB, x, v, w_B, a_free, alpha_free_B):
    """Force_A, torque_B, powers (damping, friction, rolling) and (load, slip, deepest).

    a_free, alpha_free_B: accelerations of the body without contact [m/s^2], [rad/s^2].
    """
    w_A = apply(dcm_AB, w_B)
    force, torque_A, load, r, damping_power, deepest = normal_contact(
        law, surface, body, dcm_AB, x, v, w_A
    )
    _, n = gap_and_normal(surface, add(x, r))
    torque_B = apply_transposed(dcm_AB, torque_A)
    a = add_scaled(a_free, 1.0 / body.mass, force)
    alpha_B = add(alpha_free_B, apply_symmetric(body.inverse_inertia, torque_B))
    v_p = add(v, cross(w_A, r))
    a_p = add(add(a, cross(apply(dcm_AB, alpha_B), r)), cross(w_A, cross(w_A, r)))

    sticking = stick_force(body.mass, body.inverse_inertia, dcm_AB, r, n, a_p)
    friction = friction_force(law.mu, law.mu_s, law.v_s, load, v_p, n, sticking)
    rolling_power = 0.0
    if law.c_rr > 0.0:
        # Rolling sticks against the friction that will act if the cone below does not shrink it.
        size = slipping_size(law.mu, law.mu_s, law.v_s, load, norm(tangential(v_p, n)))
        uncut = blend(tangential(v_p, n), law.v_s, size, sticking)
        lever_B = apply_transposed(dcm_AB, cross(r, uncut))
        alpha_B = add(alpha_B, apply_symmetric(body.inverse_inertia, lever_B))
        roll_B, hold_B = rolling_torques(law.c_rr, law.w_s, load, w_B, body.inertia, alpha_B)
        push = companion_force(body.mass, body.inverse_inertia, dcm_AB, r, n, roll_B)
        hold = companion_force(body.mass, body.inverse_inertia, dcm_AB, r, n, hold_B)
        friction, hold = within_one_cone(law, load, tangential(v_p, n), sticking, hold)
        push = add(capped(push, law.mu_s * load), hold)
        roll_B = add(roll_B, hold_B)
        rolling_power = dot(push, v) + dot(roll_B, w_B)
        force, torque_B = add(force, push), add(torque_B, roll_B)
    friction_power = dot(friction, v_p)
    force = add(force, friction)
    torque_B = add(torque_B, apply_transposed(dcm_AB, cross(r, friction)))
    slip = norm(tangential(v_p, n))
    return force, torque_B, (damping_power, friction_power, rolling_power), (load, slip, deepest)


@device
def elastic_energy(law, surface, body, dcm_AB, x):
    """Energy [J] stored in the springs of the touching vertices."""
    total = 0.0
    for slot in range(body.touching_count[0]):
        j = body.touching[slot]
        gap, _, _ = vertex_gap(surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        total += normal_energy(law.normal, law.k, -gap)
    return total
