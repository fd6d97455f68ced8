"""Motion of a rigid body that lies on the ground with several vertices: springs, and friction at each.

    F_N = (k depth |grad d| + c max(closing, 0)) n,      F_T = -f F_N s / max(|s|, v_s)

    depth, n   of a vertex in the field d of the ground [m], [-]      s    its slip [m/s]
    k, c       spring [N/m] and damper [N s/m] of one vertex          f    friction [-]
    v_s        slip below which friction falls in proportion [m/s], > 0
Each vertex has its own friction, so that a body lying flat also stops turning about the normal. Below
v_s it creeps; whether it could lie still is the question of static_rest.
Rolling resistance turns against the rate: L = -C w sum(F_N) / max(|w|, w_s), C by axis of B [m].
Frame: A axes, torque and rate in B axes; forces act on the body.
Validity: slow motion after impacts have died out; depths small against the probe.
Source: spring and damper as in [VanWal2017]; friction at every vertex is ours.
"""

from __future__ import annotations

from haptos.contact.compliant import vertex_field
from haptos.contact.spring_damper import spring_damper
from haptos.core.jit import routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, tangential

CITES: tuple[str, ...] = ("VanWal2017",)


@routine
def lying_motion(law, rolling, surface, body, dcm_AB, x, v, w_B):
    """(force_A [N], torque_B [N m], powers (damping, friction, rolling) [W], (load, slip, deepest)).

    law: CompliantLaw, of which k, c, mu, v_s, w_s count; rolling (3): lengths about the axes of B [m].
    """
    w_A = apply(dcm_AB, w_B)
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    load, fastest, deepest, damping_power, friction_power = 0.0, 0.0, 0.0, 0.0, 0.0
    for slot in range(body.touching_count[0]):
        j = body.touching[slot]
        gap, n, r, steepness = vertex_field(
            surface, body.vertices, body.corner_radius, j, dcm_AB, x
        )
        nu = add(v, cross(w_A, r))
        closing = -dot(nu, n)
        spring, damper = spring_damper(law.k, law.c, gap, closing)
        spring *= steepness
        push = spring + damper
        slip = tangential(nu, n)
        speed = norm(slip)
        friction = scale(-law.mu * push / max(speed, law.v_s), slip)
        f = add_scaled(friction, push, n)
        force, torque = add(force, f), add(torque, cross(r, f))
        damping_power -= damper * max(closing, 0.0)
        friction_power += dot(friction, slip)
        load, fastest, deepest = load + push, max(fastest, speed), max(deepest, -gap)
    torque_B = apply_transposed(dcm_AB, torque)
    share = -load / max(norm(w_B), law.w_s)
    roll = (share * rolling[0] * w_B[0], share * rolling[1] * w_B[1], share * rolling[2] * w_B[2])
    powers = (damping_power, friction_power, dot(roll, w_B))
    return force, add(torque_B, roll), powers, (load, fastest, deepest)
