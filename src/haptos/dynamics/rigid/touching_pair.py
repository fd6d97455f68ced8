"""Two rigid bodies in polygonal contact: one or both move freely, or one is driven along a path.

    drdt = p/m,   dpdt = F + m a,   dqdt = 1/2 q (x) (0, w),   dLdt = torque about the origin of N
    w = R I^-1 R^T (L - r x p)
    a = g(r) - O x (O x r) - 2 O x v,        T = I (w x O) - O x (I w) - O x (I O) - w x (I O)

    r [m], p [N s]  centre of mass and momentum, inertial axes N       q  quat_NB      I  inertia, body axes
    L [N m s]       angular momentum about the origin of N, so that its sum over both bodies changes by
                    outer torques only: a Runge-Kutta step keeps such sums to rounding
    g, O            gravity [m/s^2] and rate [rad/s] of the axes N, which are inertial if O = 0; in axes that turn with a
                    small body a and the torque T hold what the turning adds
A driven body follows given velocities; the work of its drive is what the contact takes from it.
An outer force, linear between the rows of a table, acts at B's centre of mass.
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
    DAMPING,
    FORCE,
    SHEAR,
    TENSION,
    TORQUE,
    VISCOUS,
    add_forces,
    move_nodes,
)
from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract
from haptos.dynamics.rigid.rigid_body import potential_energy
from haptos.environment.gravity import potential_and_gravity
from haptos.environment.turning_frame import apparent_acceleration

CITES: tuple[str, ...] = ()

# Rows of the state: bodies A and B, then works [J] so far.
POSITION, ATTITUDE, MOMENTUM, ANGULAR = 0, 3, 7, 10
BODY = 13
WORKS = 2 * BODY
# works: damping, tension (full expansion), shear, viscous stick, drives of shapes, drive of B, outer force
W_DAMPING, W_TENSION, W_SHEAR, W_VISCOUS, W_ACTUATOR, W_DRIVE, W_PUSH = range(WORKS, WORKS + 7)
SIZE = WORKS + 7

FIXED, FREE, DRIVEN = 0, 1, 2  # how a body moves
NO_RATE = (0.0, 0.0, 0.0)  # [rad/s^2] of the spin of axes

# law, reference, faces, refinement, found, memory   the contact pair
# mass (2,), inverse (2, 6) inverse inertia in body axes, inertia (2, 6), motion (2,)
# gravity  of environment/gravity.py, spin  O [rad/s], 3-tuple       drive (6,) velocity and rate of B in N axes
# push_time (k,), push (k, 3) [N]       spread (2, 4) from, rate [1/s], start, end [s] of both shapes
# sums  scratch row of sums
TouchingPair = namedtuple(
    "TouchingPair",
    "law reference faces refinement found memory mass inverse inertia motion gravity spin drive push_time push "
    "spread sums",
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
    spin = apply_transposed(dcm, subtract(three(y, first + ANGULAR), cross(r, p)))
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
    is_moving = pair.spread[1, 1] != 0.0
    move_nodes(pair.reference, pair.faces, pose, (s_A, s_B), is_moving, pair.found)
    add_forces(pair.law, pose, (v, w), (rate_A, rate_B), pair.found, pair.sums)
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
        moment = add(add(torque, turning), cross(three(y, first), weight))
        for i in range(3):
            dy[first + MOMENTUM + i] = total[i]
            dy[first + ANGULAR + i] = moment[i]


@device
def rates(pair, t, y, dy):
    """d/dt of the state."""
    force, torque = touch(pair, t, y)
    push = outer_force(pair, t)
    r_B = three(y, BODY)
    v_B, w_B = velocities(pair, 1, y)
    _move(pair, 0, y, scale(-1.0, force), scale(-1.0, torque), dy)
    _move(pair, 1, y, add(force, push), add(torque, cross(r_B, push)), dy)
    sums = pair.sums
    dy[W_DAMPING], dy[W_TENSION], dy[W_SHEAR] = sums[DAMPING], sums[TENSION], sums[SHEAR]
    dy[W_VISCOUS], dy[W_ACTUATOR] = sums[VISCOUS], sums[ACTUATOR]
    dy[W_DRIVE] = 0.0
    if pair.motion[1] == DRIVEN:
        about = subtract(torque, cross(r_B, force))
        dy[W_DRIVE] = -dot(force, v_B) - dot(about, w_B)
    dy[W_PUSH] = dot(push, v_B)


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
