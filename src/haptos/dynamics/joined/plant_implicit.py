"""The stiff part of joined bodies, stiffness and damping of booms and contacts, solved within a stage of a step.

    z, u   shift and turn of all bodies, change of their velocities, both since the start of the step, N axes
    f_I:   z' = u,   (M u)' = -K z + p l - D u      l  change of lengths and strokes; M, K, D, p of the start (plant_slopes.py)
    (M + hg D + hg^2 K) u = (M u)* - hg (K z* - p l),   z = z* + hg u      by one Cholesky factor for all stages of a step
A light tool on a boom, clamped by contacts of 1e6 N/m, vibrates at 60 to 100 Hz and is damped within a tenth of a millisecond; explicit
steps would follow it for the whole run. What f_I leaves to the explicit part is the change of K and D within the step.
Velocities follow from momenta less those of wings and wheels, which change explicitly, as in plant_rates.py.
The turn of a body is that of its quaternion to first order; angular momenta are about N's origin, as in the state.
Validity: as plant_slopes.py. Source: elementary; the step is partly_implicit.py.
"""

from __future__ import annotations

import math

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, subtract
from haptos.dynamics.flexible.appendages import vector
from haptos.dynamics.joined.plant_model import ANGULAR, ATTITUDE, BODY, MOMENTUM
from haptos.dynamics.joined.plant_outer import row_of, three

CITES: tuple[str, ...] = ()


@routine
def settle(plant, t, y, hg, part):
    """Solve a stage, weight hg [s], for the motion of all bodies; rates by their stiff part into `part`."""
    room, at = plant.implicit, plant.layout
    for i in range(at.size):
        part[i] = 0.0
    if hg == 0.0 or room.joints[0] == 0:
        return
    for i in range(at.size):
        room.change[i] = y[i] - room.start[i]
    _solve(plant, hg, room.change, part)
    for i in range(BODY * at.bodies):
        y[i] += hg * part[i]


@routine
def calm(plant, t, y, hg, error):
    """Filter an error of the motion by the stiff part."""
    room, at = plant.implicit, plant.layout
    if room.joints[0] == 0:
        return
    _solve(plant, hg, error, room.change)
    for i in range(BODY * at.bodies):
        error[i] += hg * room.change[i]


@routine
def _solve(plant, hg, change, part):
    """Rates of f_I into `part` where a state is y + hg f_I, y given as its change since the start of the step."""
    room, at, size = plant.implicit, plant.layout, 6 * plant.layout.bodies
    if room.weight[0] != hg:
        _factor(room, hg, size)
    for b in range(at.bodies):
        _gather(plant, change, b)
    for i in range(size):
        total = 0.0
        for m in range(at.booms + at.slides):
            total += room.pulls[m, i] * change[at.lengths + m]
        for j in range(size):
            total -= room.stiffness[i, j] * room.motion[j]
        room.wrench[i] = total
        room.velocity[i] = room.momentum[i] + hg * total
    _substitute(room.factor, room.velocity, size)
    for i in range(size):
        total = 0.0
        for j in range(size):
            total += (hg * room.stiffness[i, j] + room.damping[i, j]) * room.velocity[j]
        room.wrench[i] -= total
    for b in range(at.bodies):
        _scatter(room, b, part)


@routine
def _gather(plant, change, b):
    """Shift, turn and momenta about its own place of body b, less those of wings and wheels, from the change of its state."""
    room, a, wheels, at = plant.implicit, plant.appendages, plant.wheels, plant.layout
    first, to = b * BODY, 6 * b
    r, push = three(room.start, first), three(change, first + MOMENTUM)
    q, d = _quaternion(room.start, first), _quaternion(change, first)
    turn = (
        2.0 * (q[0] * d[1] - q[1] * d[0] - d[2] * q[3] + d[3] * q[2]),
        2.0 * (q[0] * d[2] - q[2] * d[0] - d[3] * q[1] + d[1] * q[3]),
        2.0 * (q[0] * d[3] - q[3] * d[0] - d[1] * q[2] + d[2] * q[1]),
    )
    spin = subtract(three(change, first + ANGULAR), cross(r, push))
    dcm = rotation_matrix(q)
    for m in range(a.body_first[b], a.body_first[b + 1]):
        pi = change[at.momenta + m]
        push = add_scaled(push, -pi, apply(dcm, vector(a.coupling, m, 0)))
        spin = add_scaled(spin, -pi, apply(dcm, vector(a.coupling, m, 3)))
    for k in range(wheels.body_first[b], wheels.body_first[b + 1]):
        spin = add_scaled(spin, -change[at.wheels + k], apply(dcm, row_of(wheels.axis, k)))
    for i in range(3):
        room.motion[to + i], room.motion[to + 3 + i] = change[first + i], turn[i]
        room.momentum[to + i], room.momentum[to + 3 + i] = push[i], spin[i]


@device
def _scatter(room, b, part):
    """Rates of the state of body b from its velocity and wrench."""
    first, at = b * BODY, 6 * b
    w, f = three(room.velocity, at + 3), three(room.wrench, at)
    torque = add(three(room.wrench, at + 3), cross(three(room.start, first), f))
    q = _quaternion(room.start, first)
    part[first + ATTITUDE] = -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3])
    part[first + ATTITUDE + 1] = 0.5 * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2])
    part[first + ATTITUDE + 2] = 0.5 * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3])
    part[first + ATTITUDE + 3] = 0.5 * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1])
    for i in range(3):
        part[first + i] = room.velocity[at + i]
        part[first + MOMENTUM + i], part[first + ANGULAR + i] = f[i], torque[i]


@device
def _quaternion(y, first):
    at = first + ATTITUDE
    return (y[at], y[at + 1], y[at + 2], y[at + 3])


@routine
def _factor(room, hg, size):
    """Cholesky factor of M + hg D + hg^2 K, lower triangle."""
    room.weight[0], low = hg, room.factor
    for i in range(size):
        for j in range(i + 1):
            total = hg * (room.damping[i, j] + hg * room.stiffness[i, j])
            if i // 6 == j // 6:
                total += room.mass[i // 6, i % 6, j % 6]
            for k in range(j):
                total -= low[i, k] * low[j, k]
            low[i, j] = math.sqrt(total) if i == j else total / low[j, j]


@routine
def _substitute(low, x, size):
    """Solve L L^T x = x in place."""
    for i in range(size):
        for k in range(i):
            x[i] -= low[i, k] * x[k]
        x[i] /= low[i, i]
    for i in range(size - 1, -1, -1):
        for k in range(i + 1, size):
            x[i] -= low[k, i] * x[k]
        x[i] /= low[i, i]
