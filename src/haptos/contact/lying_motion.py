"""Motion of a rigid body that lies on the ground with several vertices: springs, and friction at each.

    F_N = (k depth |grad d| + c max(closing, 0)) n,      F_T = -f F_N s / max(|s|, v_s)

    depth, n   of a vertex in the field d of the ground [m], [-]      s    its slip [m/s]
    k, c       spring [N/m] and damper [N s/m] of one vertex          f    friction [-]
    v_s        slip below which friction falls in proportion [m/s], > 0
A vertex in a crease has all this for each wall that it is in. Each vertex has its own friction, so that a body lying flat
also stops turning about the normal. Below v_s it creeps; whether it could lie still is the question of static_rest.
Rolling resistance turns against the rate: L = -C w sum(F_N) / max(|w|, w_s), C by axis of B [m].
Frame: A axes, torque and rate in B axes; forces act on the body.
Validity: slow motion after impacts have died out; depths small against the probe.
Source: spring and damper as in [VanWal2017]; friction at every vertex is ours.
"""

from __future__ import annotations

from haptos.contact.sets.corner_walls import corner_gap, corner_row, wall_count
from haptos.contact.spring_damper import spring_damper
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, tangential
from haptos.geometry.distance.surface import direction, gap_and_gradient

CITES: tuple[str, ...] = ("VanWal2017",)


@device
def vertex_push(law, gap, gradient, nu):
    """(force [N], load [N], damper [N], closing [m/s], friction power [W], slip [m/s]) on a vertex of velocity nu [m/s]."""
    steepness, n = norm(gradient), direction(gradient)
    closing = -dot(nu, n)
    spring, damper = spring_damper(law.k, law.c, gap, closing)
    push = spring * steepness + damper
    slip = tangential(nu, n)
    speed = norm(slip)
    friction = scale(-law.mu * push / max(speed, law.v_s), slip)
    return add_scaled(friction, push, n), push, damper, closing, dot(friction, slip), speed


@routine
def lying_motion(law, rolling, surface, body, walls, dcm_AB, x, v, w_B):
    """(force_A [N], torque_B [N m], powers (damping, friction, rolling) [W], (load, slip, deepest)).

    law: CompliantLaw, of which k, c, mu, v_s, w_s count; rolling (3): lengths about the axes of B [m];
    walls: of corners in creases, `sets/corner_walls`.
    """
    w_A = apply(dcm_AB, w_B)
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    load, fastest, deepest, damping_power, friction_power = 0.0, 0.0, 0.0, 0.0, 0.0
    for slot in range(body.touching_count[0]):
        j = body.touching[slot]
        arm = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
        row = corner_row(walls, j)
        for wall in range(wall_count(walls, row)):
            if row < 0:
                gap, gradient = gap_and_gradient(surface, add(x, arm))
                gap -= body.corner_radius
            else:
                gap, gradient = corner_gap(surface, add(x, arm), walls, row, wall)
                if gap >= 0.0:
                    continue
            r = add_scaled(arm, -body.corner_radius, direction(gradient))
            nu = add(v, cross(w_A, r))
            f, push, damper, closing, power, speed = vertex_push(law, gap, gradient, nu)
            force, torque = add(force, f), add(torque, cross(r, f))
            damping_power -= damper * max(closing, 0.0)
            friction_power += power
            load, fastest, deepest = load + push, max(fastest, speed), max(deepest, -gap)
    torque_B = apply_transposed(dcm_AB, torque)
    share = -load / max(norm(w_B), law.w_s)
    roll = (share * rolling[0] * w_B[0], share * rolling[1] * w_B[1], share * rolling[2] * w_B[2])
    powers = (damping_power, friction_power, dot(roll, w_B))
    return force, add(torque_B, roll), powers, (load, fastest, deepest)
