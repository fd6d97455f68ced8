"""Rigid bodies of a net: where their fixed points are, what pulls on them, how they move.

    x = X + R b,   v = V + w x R b,   F = sum f,   H' = sum (x - X) x f

    b  place of a fixed point in axes of the body [m]      f  force on it [N], inertial axes N
Validity: rigid bodies with principal axes; inverse mass or inverse moments of 0 hold a body.
Source: elementary mechanics; the free turn is `rigid_turn`.
"""

from __future__ import annotations

import math

from haptos.core.flat_views import flat
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, quaternion_product, rotation_matrix
from haptos.core.row_index import larger
from haptos.core.vectors import add, cross, dot, norm, subtract
from haptos.dynamics.rigid.rigid_turn import body_rates, turn_freely, turning_energy

CITES: tuple[str, ...] = ()

FINE_TURN = 2e-3  # [rad] of a part of its free turn: the energy then errs by some 6e-8; assumed
MOST_TURN = (
    0.01  # [rad] in a step of a body whose surface is touched; assumed, docs/models/net-dynamics.md
)


@device
def three(rows, i):
    """Row i of an array as a tuple."""
    return (rows[i, 0], rows[i, 1], rows[i, 2])


@device
def put(rows, i, value):
    """Write a tuple into row i."""
    rows[i, 0], rows[i, 1], rows[i, 2] = value[0], value[1], value[2]


@routine
def fastest_square(v, speed):
    """Largest square of a velocity relative to a speed [m^2/s^2]."""
    square, speeds = 0.0, flat(v)
    for i in range(len(v)):
        dx = speeds[3 * i] - speed[0]
        dy = speeds[3 * i + 1] - speed[1]
        dz = speeds[3 * i + 2] - speed[2]
        square = larger(square, dx * dx + dy * dy + dz * dz)
    return square


@device
def attitude_of(motion, b):
    """quat_NB of a body."""
    q = motion.bodies.attitude
    return (q[b, 0], q[b, 1], q[b, 2], q[b, 3])


@device
def rates_of(system, motion, b):
    """omega_BN_N [rad/s] of a body."""
    return body_rates(
        attitude_of(motion, b), three(motion.bodies.momentum, b), three(system.inverse_inertia, b)
    )


@routine
def place_points(system, motion):
    """Bring fixed points to where their bodies carry them, with their velocities."""
    points = system.points
    last = -1
    dcm = rotation_matrix((1.0, 0.0, 0.0, 0.0))
    omega, place, speed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for i in range(len(points.owner) - 1, -1, -1):
        body = points.owner[i]
        if body < 0:
            break  # nodes come first
        if body != last:
            last = body
            dcm = rotation_matrix(attitude_of(motion, body))
            omega = rates_of(system, motion, body)
            place, speed = three(motion.bodies.place, body), three(motion.bodies.speed, body)
        arm = apply(dcm, three(points.offset, i))
        put(motion.points.x, i, add(place, arm))
        put(motion.points.v, i, add(speed, cross(omega, arm)))


@routine
def gather_forces(system, motion, force):
    """Force and torque of each body [N], [N m] from the forces on its fixed points."""
    motion.bodies.force[:, :] = 0.0
    motion.bodies.torque[:, :] = 0.0
    for i in range(len(system.points.owner) - 1, -1, -1):
        body = system.points.owner[i]
        if body < 0:
            break
        f = three(force, i)
        torque = cross(subtract(three(motion.points.x, i), three(motion.bodies.place, body)), f)
        for k in range(3):
            motion.bodies.force[body, k] += f[k]
            motion.bodies.torque[body, k] += torque[k]


@device
def strike(motion, b, impulse, angular):
    """Change the momenta of a body [N s], [N m s]."""
    for k in range(3):
        motion.bodies.speed[b, k] += motion.bodies.inverse_mass[b] * impulse[k]
        motion.bodies.momentum[b, k] += angular[k]


@routine
def kick_bodies(motion, time):
    """Let the forces of threads act on the bodies for a time [s]."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            motion.bodies.speed[b, k] += (
                time * motion.bodies.inverse_mass[b] * motion.bodies.force[b, k]
            )
            motion.bodies.momentum[b, k] += time * motion.bodies.torque[b, k]


@routine
def drift_bodies(system, motion, time):
    """Free motion of the bodies over a time [s]."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            motion.bodies.place[b, k] += time * motion.bodies.speed[b, k]
        momentum = three(motion.bodies.momentum, b)
        if dot(momentum, momentum) == 0.0:
            continue
        q = turned(system, motion, b, time)
        for k in range(4):
            motion.bodies.attitude[b, k] = q[k]


@routine
def turned(system, motion, b, time):
    """quat_NB of a body after a time [s] of free turn, in parts if it is the touched one and turns fast."""
    q, momentum = attitude_of(motion, b), three(motion.bodies.momentum, b)
    inverse = three(system.inverse_inertia, b)
    if b != system.surface.body:
        return turn_freely(q, momentum, inverse, time)
    angle = norm(momentum) * max(inverse[0], inverse[1], inverse[2]) * time
    parts = max(math.ceil(angle / FINE_TURN), 1.0)
    for _ in range(int(parts)):
        q = turn_freely(q, momentum, inverse, time / parts)
    return q


@routine
def turned_back(q, turn):
    """quat_NB without a turn [rad] about axes of N."""
    angle = norm(turn)
    if angle == 0.0:
        return q
    part = -math.sin(0.5 * angle) / angle
    back = (math.cos(0.5 * angle), part * turn[0], part * turn[1], part * turn[2])
    return quaternion_product(back, q)


@device
def turn_back(motion, b):
    """Take back what a body has turned too far."""
    q = turned_back(attitude_of(motion, b), three(motion.bodies.turn, b))
    for k in range(4):
        motion.bodies.attitude[b, k] = q[k]
    put(motion.bodies.turn, b, (0.0, 0.0, 0.0))


@routine
def body_energy(system, motion):
    """Kinetic energy of the bodies that move [J]."""
    total = 0.0
    for b in range(len(motion.bodies.inverse_mass)):
        v = three(motion.bodies.speed, b)
        if motion.bodies.inverse_mass[b] > 0.0:
            total += 0.5 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) / motion.bodies.inverse_mass[b]
        total += turn_energy(system, motion, b)
    return total


@device
def turn_energy(system, motion, b):
    """Energy [J] of the turn of a body about its centre."""
    return turning_energy(
        attitude_of(motion, b), three(motion.bodies.momentum, b), three(system.inverse_inertia, b)
    )


@routine
def turn_limit(system, motion, b):
    """Longest step [s] in which a body turns by no more than MOST_TURN."""
    rate = norm(rates_of(system, motion, b))
    return MOST_TURN / rate if rate > 0.0 else math.inf


@device
def lightest(points, inverse_inertia, motion, i):
    """Largest inverse mass [1/kg] a point can show to a pull."""
    body = points.owner[i]
    if body < 0:
        return 1.0 / motion.points.mass[i]
    r2 = points.offset[i, 0] ** 2 + points.offset[i, 1] ** 2 + points.offset[i, 2] ** 2
    turn = max(inverse_inertia[body, 0], inverse_inertia[body, 1], inverse_inertia[body, 2])
    return motion.bodies.inverse_mass[body] + r2 * turn
