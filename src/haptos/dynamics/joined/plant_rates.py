"""Rates of joined bodies: momenta from all loads, modes, wheels, drives, and the works of the ledger.

    r' = V,   q' = 1/2 q (x) (0, w),   p' = sum of forces,   L' = sum of torques about N's origin
    (V, w), eta' from (p, L - r x p - sum h a) and pi       as appendages.py, at the mass that is left
Momenta are states, so that their sum over all bodies changes by what comes from outside alone, to rounding.
Validity: as the laws it adds up. Source: as the laws it adds up.
"""

from __future__ import annotations

import math

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.vectors import add_scaled, cross, dot, subtract
from haptos.dynamics.flexible.appendages import (
    hub_velocity,
    mode_rate,
    set_body,
    vector,
    wing_power,
)
from haptos.dynamics.joined.plant_booms import add_boom
from haptos.dynamics.joined.plant_contacts import add_contacts
from haptos.dynamics.joined.plant_model import (
    ANGULAR,
    ATTITUDE,
    BODY,
    MOMENTUM,
    POSITION,
    W_MODE_DAMPING,
    W_WHEELS,
    W_WINGS,
)
from haptos.dynamics.joined.plant_outer import (
    add_gravity,
    add_thrusters,
    row_of,
    three,
)
from haptos.dynamics.rigid.reaction_wheels import wheel_torque

CITES: tuple[str, ...] = ()


@routine
def set_velocities(plant, y):
    """Attitude, velocity and rate of every body from its momenta, into the scratch of the plant."""
    bodies, a, at, wheels = plant.bodies, plant.appendages, plant.layout, plant.wheels
    for b in range(at.bodies):
        first = b * BODY
        spent = y[at.propellant + b]
        if bodies.flags[0] == 1 or a.spent[b] != spent:
            a.spent[b] = spent
            set_body(a, b, y, at.angles)
            _set_centre(bodies, a.rigid[b], b)
        q = (y[first + 3], y[first + 4], y[first + 5], y[first + 6])
        size = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
        dcm = rotation_matrix((size * q[0], size * q[1], size * q[2], size * q[3]))
        r, p = three(y, first + POSITION), three(y, first + MOMENTUM)
        spin = apply_transposed(dcm, subtract(three(y, first + ANGULAR), cross(r, p)))
        for k in range(wheels.body_first[b], wheels.body_first[b + 1]):
            spin = add_scaled(spin, -y[at.wheels + k], row_of(wheels.axis, k))
        for k in range(a.body_wing[b], a.body_wing[b + 1]):
            spin = add_scaled(spin, -a.spin[k] * bodies.wing_rate[k], vector(a.axis, k, 0))
        v, w = hub_velocity(a, b, apply_transposed(dcm, p), spin, y, at.momenta)
        v_N, w_N = apply(dcm, v), apply(dcm, w)
        for i in range(3):
            bodies.local[b, i], bodies.local[b, 3 + i] = v[i], w[i]
            bodies.velocity[b, i], bodies.velocity[b, 3 + i] = v_N[i], w_N[i]
            for j in range(3):
                bodies.dcm[b, 3 * i + j] = dcm[i][j]


@device
def _set_centre(bodies, rigid, b):
    """Mass and its centre in body axes, of the mass matrix."""
    mass = rigid[0, 0]
    bodies.mass[b] = mass
    bodies.centre[b, 0] = rigid[5, 1] / mass
    bodies.centre[b, 1] = rigid[3, 2] / mass
    bodies.centre[b, 2] = rigid[4, 0] / mass


@routine
def rates(plant, t, y, dy):
    """d/dt of the state of all bodies."""
    _add_loads(plant, t, y, dy)
    add_contacts(plant, t, y, dy)
    _move(plant, y, dy)


@routine
def _add_loads(plant, t, y, dy):
    """Loads of all but contacts, on rates of zero."""
    at, bodies = plant.layout, plant.bodies
    plant.record.counts[0] += 1
    for i in range(at.size):
        dy[i] = 0.0
    for b in range(at.bodies):
        for i in range(6):
            bodies.load[b, i] = 0.0
    set_velocities(plant, y)
    add_gravity(plant, t, y, dy)
    add_thrusters(plant, t, y, dy)
    for k in range(at.booms):
        add_boom(plant, k, t, y, dy)


@routine
def _move(plant, y, dy):
    for b in range(plant.layout.bodies):
        _move_body(plant, b, y, dy)
        _move_wings(plant, b, y, dy)
        _move_wheels(plant, b, y, dy)


@device
def _move_body(plant, b, y, dy):
    first, bodies = b * BODY, plant.bodies
    q = (y[first + 3], y[first + 4], y[first + 5], y[first + 6])
    dq = quaternion_rate(q, three(bodies.local[b], 3))
    for i in range(4):
        dy[first + ATTITUDE + i] = dq[i]
    for i in range(3):
        dy[first + POSITION + i] = bodies.velocity[b, i]
        dy[first + MOMENTUM + i] = bodies.load[b, i]
        dy[first + ANGULAR + i] = bodies.load[b, 3 + i]


@routine
def _move_wings(plant, b, y, dy):
    """Modes of the wings of body b; work of their drives and of their damping."""
    a, at, bodies = plant.appendages, plant.layout, plant.bodies
    v, w = row_of(bodies.local, b), three(bodies.local[b], 3)
    for m in range(a.body_first[b], a.body_first[b + 1]):
        omega, zeta = a.omega[m], a.zeta[m]
        rate = mode_rate(a, m, v, w, y[at.momenta + m])
        drag = 2.0 * zeta * omega * rate
        dy[at.amplitudes + m] = rate
        dy[at.momenta + m] = -omega * omega * y[at.amplitudes + m] - drag
        dy[at.works + W_MODE_DAMPING] += drag * rate
    for k in range(a.body_wing[b], a.body_wing[b + 1]):
        turn = bodies.wing_rate[k]
        if turn != 0.0:
            dy[at.angles + k] = turn
            power = wing_power(a, k, y[at.angles + k], turn, v, w, y, at.momenta)
            dy[at.works + W_WINGS] += power


@device
def _move_wheels(plant, b, y, dy):
    at, wheels = plant.layout, plant.wheels
    w = three(plant.bodies.local[b], 3)
    for k in range(wheels.body_first[b], wheels.body_first[b + 1]):
        torque, change = wheel_torque(wheels, k, y[at.torques + k], y[at.wheels + k])
        dy[at.wheels + k] = -torque
        dy[at.torques + k] = change
        dy[at.works + W_WHEELS] += torque * dot(row_of(wheels.axis, k), w)


@routine
def kinetic_energy(plant, y):
    """Energy of motion [J] of all bodies with their modes, in N; velocities must be set."""
    a, at, bodies = plant.appendages, plant.layout, plant.bodies
    total = 0.0
    for b in range(at.bodies):
        v, w = row_of(bodies.local, b), three(bodies.local[b], 3)
        for i in range(6):
            for j in range(6):
                total += 0.5 * bodies.local[b, i] * a.rigid[b, i, j] * bodies.local[b, j]
        for m in range(a.body_first[b], a.body_first[b + 1]):
            rate = mode_rate(a, m, v, w, y[at.momenta + m])
            pull = y[at.momenta + m] - rate  # D^T x
            total += rate * (pull + 0.5 * rate)
    return total


@routine
def mode_energy(plant, y):
    """Elastic energy [J] of all modes."""
    a, at = plant.appendages, plant.layout
    total = 0.0
    for m in range(len(a.omega)):
        total += 0.5 * (a.omega[m] * y[at.amplitudes + m]) ** 2
    return total
