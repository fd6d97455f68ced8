"""Two rigid bodies in polygonal contact: one or both move freely, or one is driven along a path.

    drdt = p/m,   dpdt = F + m a,   dqdt = 1/2 q (x) (0, w),   dLdt = torque about the origin of N
    w = R I^-1 R^T (L - c x p),   c = r, or 0 on a fixed A
    a = g(r) - O x (O x r) - 2 O x v,        T = I (w x O) - O x (I w) - O x (I O) - w x (I O)

    r [m], p [N s]  centre of mass and momentum, inertial axes N       q  quat_NB      I  inertia, body axes
    L [N m s]       angular momentum about the origin of N, so that its sum over both bodies changes by
                    outer torques only: a Runge-Kutta step keeps such sums to rounding. On a fixed A, which may be a ground
                    far from its origin, it is that about B's centre of mass, so that steps need not resolve r x p
    g, O            gravity [m/s^2] and rate [rad/s] of the axes N, which are inertial if O = 0; in axes that turn with a
                    small body a and the torque T hold what the turning adds
A driven body follows given velocities; the work of its drive is what the contact takes from it.
An outer force, linear between the rows of a table, acts at B's centre of mass; drag of air that turns with the axes and
sunlight act there too.
One body is asked for distances, the other carries the faces. In two passes each does both in turn, each with half of
the law's moduli, so that the force is the mean of both and has a potential as each has.
Polygons are found once a step, with a margin for what the bodies can move in it, and keep their names and
their stretches of friction; the stretches change with accepted steps only.
Frame: N; contact in axes of A, whose origin is its centre of mass, or that of a fixed ground.
Validity: as the contact law; steps resolve the contact, which is not stiff against them.
Source: elementary; turning axes as environment/turning_frame.py.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.sets.polygons_sum import (
    ACTUATOR,
    AREA,
    DAMPING,
    DEPTH,
    ELASTIC,
    FORCE,
    SHEAR,
    STICKING,
    SUMS,
    TENSION,
    TORQUE,
    VISCOUS,
    add_forces,
    move_nodes,
)
from haptos.core.by_reference import by_reference
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract
from haptos.dynamics.rigid.rigid_body import potential_energy
from haptos.environment.ball_drag import air_acceleration
from haptos.environment.gravity import potential_and_gravity
from haptos.environment.ground_sunlight import sunlight_at
from haptos.environment.spin import uniform_attitude
from haptos.environment.turning_frame import apparent_acceleration

CITES: tuple[str, ...] = ()

# Rows of the state: bodies A and B, then works [J] so far.
POSITION, ATTITUDE, MOMENTUM, ANGULAR = 0, 3, 7, 10
BODY = 13
WORKS = 2 * BODY
# works: damping, tension (full expansion), shear, viscous stick, drives of shapes, drive of B, outer force, drag, light,
# shear of the second pass
(W_DAMPING, W_TENSION, W_SHEAR, W_VISCOUS, W_ACTUATOR, W_DRIVE, W_PUSH, W_DRAG, W_LIGHT,
 W_SHEAR_BACK) = range(WORKS, WORKS + 10)  # fmt: skip
SIZE = WORKS + 10

FIXED, FREE, DRIVEN = 0, 1, 2  # how a body moves
NO_RATE = (0.0, 0.0, 0.0)  # [rad/s^2] of the spin of axes

# One pass: faces of a body on the distances of the other, their set, memory, sums and account
Pass = namedtuple("Pass", "law reference faces refinement found memory sums account")
by_reference(Pass)

# first, back   faces of B on A, faces of A on B      passes   1, or 2 if both are summed
# size          [m] of the balls about both origins that hold the faces
# mass (2,), inverse (2, 6) inverse inertia in body axes, inertia (2, 6), motion (2,)
# gravity  of environment/gravity.py, spin  O [rad/s], 3-tuple       air, sun  of ball_drag.py and ground_sunlight.py, on B
# drive (6,) velocity and rate of B in N axes
# push_time (k,), push (k, 3) [N]       spread (2, 4) from, rate [1/s], start, end [s] of both shapes
# sums  of all passes, in axes of A      account  of all passes
TouchingPair = namedtuple(
    "TouchingPair",
    "first back passes size mass inverse inertia motion gravity spin air sun drive push_time push spread sums "
    "account",
)
by_reference(TouchingPair)


@device
def three(y, first):
    return (y[first], y[first + 1], y[first + 2])


@device
def attitude(y, first):
    """dcm_NB of the quaternion at y[first:], taken to unit length."""
    q = (y[first], y[first + 1], y[first + 2], y[first + 3])
    size = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return rotation_matrix((size * q[0], size * q[1], size * q[2], size * q[3]))


@device
def six(rows, k):
    return (rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3], rows[k, 4], rows[k, 5])


@routine
def velocities(pair, k, y):
    """(v, omega) of body k in N axes [m/s], [rad/s]."""
    if pair.motion[k] == FIXED:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if pair.motion[k] == DRIVEN:
        return three(pair.drive, 0), three(pair.drive, 3)
    first = k * BODY
    r, p = three(y, first + POSITION), three(y, first + MOMENTUM)
    dcm = attitude(y, first + ATTITUDE)
    turning = three(y, first + ANGULAR)
    if pair.motion[0] == FREE:
        turning = subtract(turning, cross(r, p))
    spin = apply_transposed(dcm, turning)
    return scale(1.0 / pair.mass[k], p), apply(dcm, apply_symmetric(six(pair.inverse, k), spin))


@device
def spread_at(pair, k, t):
    """(spread [-], its rate [1/s]) of shape k at the time t [s]."""
    start, end = pair.spread[k, 2], pair.spread[k, 3]
    first, rate = pair.spread[k, 0], pair.spread[k, 1]
    if t < start or t >= end:
        return first + rate * (min(max(t, start), end) - start), 0.0
    return first + rate * (t - start), rate


@device
def outer_force(pair, t):
    """Force [N] in N axes, linear between rows of the table, constant beyond."""
    times, rows = pair.push_time, pair.push
    last = len(times) - 1
    if t <= times[0]:
        return three(rows[0], 0)
    for k in range(last):
        if t < times[k + 1]:
            share = (t - times[k]) / (times[k + 1] - times[k])
            a, b = three(rows[k], 0), three(rows[k + 1], 0)
            return add_scaled(a, share, subtract(b, a))
    return three(rows[last], 0)


@routine
def relative_pose(y):
    """(r_BA_A, dcm_AB) of the state, and dcm_NA."""
    dcm_NA, dcm_NB = attitude(y, ATTITUDE), attitude(y, BODY + ATTITUDE)
    apart = subtract(three(y, BODY + POSITION), three(y, POSITION))
    columns = (
        apply_transposed(dcm_NA, (dcm_NB[0][0], dcm_NB[1][0], dcm_NB[2][0])),
        apply_transposed(dcm_NA, (dcm_NB[0][1], dcm_NB[1][1], dcm_NB[2][1])),
        apply_transposed(dcm_NA, (dcm_NB[0][2], dcm_NB[1][2], dcm_NB[2][2])),
    )
    dcm_AB = (
        (columns[0][0], columns[1][0], columns[2][0]),
        (columns[0][1], columns[1][1], columns[2][1]),
        (columns[0][2], columns[1][2], columns[2][2]),
    )
    return (apply_transposed(dcm_NA, apart), dcm_AB), dcm_NA


@device
def transposed(m):
    return (
        (m[0][0], m[1][0], m[2][0]),
        (m[0][1], m[1][1], m[2][1]),
        (m[0][2], m[1][2], m[2][2]),
    )


@device
def reversed_pose(pose):
    """(r_AB_B, dcm_BA) of (r_BA_A, dcm_AB)."""
    return scale(-1.0, apply_transposed(pose[1], pose[0])), transposed(pose[1])


@routine
def _press(side, pose, twist, spreads, rates, is_moving):
    """Sums of one pass at a pose."""
    move_nodes(side.reference, side.faces, pose, spreads, is_moving, side.found)
    add_forces(side.law, pose, twist, rates, side.found, side.sums)


@routine
def _press_back(pair, pose, twist, spreads, rates, is_moving):
    """Sums of the second pass, added to those of the pair."""
    v, w = twist
    own = (
        scale(-1.0, apply_transposed(pose[1], subtract(v, cross(w, pose[0])))),
        scale(-1.0, apply_transposed(pose[1], w)),
    )
    _press(
        pair.back,
        reversed_pose(pose),
        own,
        (spreads[1], spreads[0]),
        (rates[1], rates[0]),
        is_moving,
    )
    sums, other = pair.sums, pair.back.sums
    force = scale(-1.0, apply(pose[1], three(other, FORCE)))
    torque = subtract(cross(pose[0], force), apply(pose[1], three(other, TORQUE)))
    for c in range(3):
        sums[FORCE + c] += force[c]
        sums[TORQUE + c] += torque[c]
    for c in range(ELASTIC, SUMS):
        sums[c] += other[c]
    sums[AREA], sums[STICKING] = 0.5 * sums[AREA], 0.5 * sums[STICKING]
    sums[DEPTH] = max(pair.first.sums[DEPTH], other[DEPTH])


@routine
def touch(pair, t, y):
    """Sums of the contact at a state into pair.sums; (force on B, torque about N's origin) in N axes."""
    pose, dcm_NA = relative_pose(y)
    v_A, w_A = velocities(pair, 0, y)
    v_B, w_B = velocities(pair, 1, y)
    apart = subtract(three(y, BODY + POSITION), three(y, POSITION))
    v = apply_transposed(dcm_NA, subtract(subtract(v_B, v_A), cross(w_A, apart)))
    w = apply_transposed(dcm_NA, subtract(w_B, w_A))
    s_A, rate_A = spread_at(pair, 0, t)
    s_B, rate_B = spread_at(pair, 1, t)
    spreads, rates = (s_A, s_B), (rate_A, rate_B)
    _press(pair.first, pose, (v, w), spreads, rates, pair.spread[1, 1] != 0.0)
    for c in range(SUMS):
        pair.sums[c] = pair.first.sums[c]
    if pair.passes == 2:
        _press_back(pair, pose, (v, w), spreads, rates, pair.spread[0, 1] != 0.0)
    force = apply(dcm_NA, three(pair.sums, FORCE))
    torque = apply(dcm_NA, three(pair.sums, TORQUE))
    return force, add(torque, cross(three(y, POSITION), force))


@routine
def _field_load(pair, k, y, v, w):
    """(weight [N], torque about the centre of mass [N m]) of gravity and turning axes on body k, N axes."""
    r, spin = three(y, k * BODY), pair.spin
    _, g = potential_and_gravity(pair.gravity, r)
    weight = scale(pair.mass[k], apparent_acceleration(r, v, spin, NO_RATE, g))
    if spin[0] == 0.0 and spin[1] == 0.0 and spin[2] == 0.0:
        return weight, (0.0, 0.0, 0.0)
    dcm, inertia = attitude(y, k * BODY + ATTITUDE), six(pair.inertia, k)
    u, o = apply_transposed(dcm, w), apply_transposed(dcm, spin)
    own, carried = apply_symmetric(inertia, u), apply_symmetric(inertia, o)
    torque = subtract(apply_symmetric(inertia, cross(u, o)), cross(o, add(own, carried)))
    return weight, apply(dcm, subtract(torque, cross(u, carried)))


@routine
def _move(pair, k, y, force, torque, dy):
    """Rates of body k under a force and a torque about N's origin."""
    first = k * BODY
    for i in range(BODY):
        dy[first + i] = 0.0
    if pair.motion[k] == FIXED:
        return
    v, w = velocities(pair, k, y)
    dcm = attitude(y, first + ATTITUDE)
    q = (y[first + 3], y[first + 4], y[first + 5], y[first + 6])
    dq = quaternion_rate(q, apply_transposed(dcm, w))
    for i in range(3):
        dy[first + i] = v[i]
    for i in range(4):
        dy[first + ATTITUDE + i] = dq[i]
    if pair.motion[k] == FREE:
        weight, turning = _field_load(pair, k, y, v, w)
        total = add(force, weight)
        moment = add(torque, turning)
        if pair.motion[0] == FREE:
            moment = add(moment, cross(three(y, first), weight))
        else:
            moment = subtract(moment, cross(three(y, first), force))
        for i in range(3):
            dy[first + MOMENTUM + i] = total[i]
            dy[first + ANGULAR + i] = moment[i]


@routine
def _surroundings(pair, t, r, v):
    """(drag, light) [N] on B at a place [m] with a velocity [m/s] in N axes; none if it is not free."""
    drag, light = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if pair.motion[1] != FREE:
        return drag, light
    if pair.air.is_on:
        drag = scale(pair.mass[1], air_acceleration(pair.air, r, v))
    if pair.sun.is_on:
        light = scale(pair.mass[1], sunlight_at(pair.sun, uniform_attitude(pair.spin, t), r))
    return drag, light


@routine
def pair_rates(pair, t, y, dy):
    """d/dt of the state."""
    force, torque = touch(pair, t, y)
    r_B = three(y, BODY)
    v_B, w_B = velocities(pair, 1, y)
    drag, light = _surroundings(pair, t, r_B, v_B)
    own = outer_force(pair, t)
    push = add(own, add(drag, light))
    _move(pair, 0, y, scale(-1.0, force), scale(-1.0, torque), dy)
    _move(pair, 1, y, add(force, push), add(torque, cross(r_B, push)), dy)
    sums = pair.sums
    dy[W_DAMPING], dy[W_TENSION] = sums[DAMPING], sums[TENSION]
    dy[W_SHEAR] = pair.first.sums[SHEAR]
    dy[W_SHEAR_BACK] = pair.back.sums[SHEAR] if pair.passes == 2 else 0.0
    dy[W_VISCOUS], dy[W_ACTUATOR] = sums[VISCOUS], sums[ACTUATOR]
    dy[W_DRIVE] = 0.0
    if pair.motion[1] == DRIVEN:
        about = subtract(torque, cross(r_B, force))
        dy[W_DRIVE] = -dot(force, v_B) - dot(about, w_B)
    dy[W_PUSH], dy[W_DRAG], dy[W_LIGHT] = dot(own, v_B), dot(drag, v_B), dot(light, v_B)


@device
def kinetic(pair, y):
    """Energy of motion [J] of the free bodies."""
    total = 0.0
    for k in range(2):
        if pair.motion[k] == FREE:
            v, w = velocities(pair, k, y)
            spin = apply_transposed(attitude(y, k * BODY + ATTITUDE), w)
            total += 0.5 * pair.mass[k] * dot(v, v)
            total += 0.5 * dot(spin, apply_symmetric(six(pair.inertia, k), spin))
    return total


@routine
def potential(pair, y):
    """Energy [J] of the free bodies in gravity and in axes that turn."""
    total = 0.0
    for k in range(2):
        if pair.motion[k] == FREE:
            r = three(y, k * BODY)
            u, _ = potential_and_gravity(pair.gravity, r)
            spin_B = apply_transposed(attitude(y, k * BODY + ATTITUDE), pair.spin)
            inertia = six(pair.inertia, k)
            total += potential_energy(pair.mass[k], inertia, u, pair.spin, spin_B, r)
    return total
