"""Bending and twist of the threads of a net: loads on nodes, which turn, and on bodies.

Every node at which a thread bends has an attitude and an angular momentum. Its inertia is that of half
of each of its elements. It turns as a rigid body does, `rigid_turn`: torques kick its angular
momentum, and between kicks it turns freely. What a thread pulls along itself is that of
`elements`; what comes besides is that of `beam_element`.

    step < 2/w (sqrt(1 + z^2) - z),   z = w t/2,  t the time of the dampers

    w   largest frequency of bending and twist by Gershgorin's circles, as if every turn of a node
        were about its axis of least inertia: then it holds however the thread is bent
A thread that breaks loses what it held, recorded as breakage. Nodes in a closed canister turn with
the chaser.
Validity: that of `beam_element`; contact pushes nodes without turning them; neither gravity nor air
turns a node. Source: the laws named.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.rotations import apply, apply_transposed, quaternion_product, rotation_matrix
from haptos.core.vectors import add_scaled, norm, scale, subtract
from haptos.dynamics.cable.beam_arrays import (
    BEAM_AXIAL,
    BEAM_BENDING,
    BEAM_BENDING_DAMPING,
    BEAM_THRUST,
    BEAM_TORSION,
    BEAM_TORSION_DAMPING,
    BENT,
    PUSHED,
    SWIVEL,
    TWISTED,
)
from haptos.dynamics.cable.beam_element import beam_load, swivel_load, thrust_of
from haptos.dynamics.cable.thread_beam import BeamJoint
from haptos.dynamics.rigid.bodies import attitude_of, put, rates_of, three, turned_back
from haptos.dynamics.rigid.latches import HOLDER
from haptos.dynamics.rigid.rigid_turn import body_rates, turn_freely, turning_energy
from haptos.dynamics.system import BREAKAGE, WELDING

CITES: tuple[str, ...] = ()

LEAN, TWIST = 6.0, 2.0  # [-] of EJ/L and GJp/L: bounds on what resists the turn of one end
LARGEST_TURN = 0.3  # [rad] of a node in one round of `relax`


@device
def four(rows, i):
    """Row i of an array as a quaternion."""
    return (rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3])


@device
def write_four(rows, i, q):
    """Write a quaternion into row i."""
    for k in range(4):
        rows[i, k] = q[k]


@device
def joint_of(numbers, c):
    """Stiffness and damping of beam c; pulls and their dampers are those of the thread."""
    return BeamJoint(
        0.0, numbers[c, BEAM_TORSION], numbers[c, BEAM_BENDING],
        0.0, numbers[c, BEAM_TORSION_DAMPING], numbers[c, BEAM_BENDING_DAMPING],
    )  # fmt: skip


@routine
def renew_rates(system, motion):
    """Rates of nodes and bodies as they are now, and attitudes of the bodies."""
    turning, n = motion.turning, len(motion.turning.momentum)
    for i in range(n):
        q, h = four(turning.attitude, i), three(turning.momentum, i)
        put(turning.rate, i, body_rates(q, h, three(system.beams.inverse_inertia, i)))
    for b in range(len(turning.attitude) - n):
        put(turning.rate, n + b, rates_of(system, motion, b))
        write_four(turning.attitude, n + b, attitude_of(motion, b))


@device
def end_of(system, motion, c, side):
    """(attitude, rate) of one end of beam c."""
    row, r = system.beams.holder[c, side], system.beams.reference
    own = (r[c, side, 0], r[c, side, 1], r[c, side, 2], r[c, side, 3])
    return quaternion_product(four(motion.turning.attitude, row), own), three(
        motion.turning.rate, row
    )


@routine
def loads_of_beam(system, motion, c):
    """(force on the second point [N], moments on both holders [N m], energies, power lost, thrust).

    energies  of bending, twist and thrust [J]      power [W]       thrust [N]
    """
    beams, x, v = system.beams, motion.points.x, motion.points.v
    e = beams.element[c]
    i, j, length = system.threads.ends[e, 0], system.threads.ends[e, 1], motion.elements.length[e]
    d, speed = subtract(three(x, j), three(x, i)), subtract(three(v, j), three(v, i))
    none = (0.0, 0.0, 0.0)
    force, first, second, bent, twisted, lost = none, none, none, 0.0, 0.0, 0.0
    has_first, has_second = beams.holder[c, 0] != SWIVEL, beams.holder[c, 1] != SWIVEL
    joint = joint_of(beams.numbers, c)
    if has_first and has_second:
        a, b = end_of(system, motion, c, 0), end_of(system, motion, c, 1)
        force, first, second, held, lost = beam_load(joint, length, d, speed, a, b)
        bent, twisted = held
    elif has_first:
        end = end_of(system, motion, c, 0)
        force, first, bent, lost = swivel_load(joint, length, d, speed, end)
    elif has_second:
        end = end_of(system, motion, c, 1)
        force, second, bent, lost = swivel_load(joint, length, d, speed, end)
    distance = norm(d)
    thrust, pushed = thrust_of(
        beams.numbers[c, BEAM_AXIAL], beams.numbers[c, BEAM_THRUST], length, distance
    )
    if distance > 0.0:
        force = add_scaled(force, thrust / distance, d)
    return force, (first, second), (bent, twisted, pushed), lost, thrust


@device
def add_row(rows, i, value):
    """Add a tuple to row i."""
    for k in range(3):
        rows[i, k] += value[k]


@routine
def beam_forces(system, motion, force, share):
    """(energy held [J], power lost in dampers [W], longest next step [s]) with forces on points [N].

    Torques on nodes and bodies go to `turning`; those of the step before are kept.
    """
    beams, turning = system.beams, motion.turning
    if len(beams.element) == 0:
        return 0.0, 0.0, math.inf
    renew_rates(system, motion)
    for row in range(len(turning.torque)):
        put(turning.before, row, three(turning.torque, row))
        put(turning.torque, row, (0.0, 0.0, 0.0))
    bent, twisted, pushed, lost, step = 0.0, 0.0, 0.0, 0.0, share * beams.limit
    for c in range(len(beams.element)):
        e = beams.element[c]
        if turning.whole[c] == 0:
            continue
        pull, moments, held, power, thrust = loads_of_beam(system, motion, c)
        if motion.elements.whole[e] == 0:
            turning.whole[c] = 0
            motion.ledger.work[BREAKAGE] -= held[0] + held[1] + held[2]
            continue
        add_row(force, system.threads.ends[e, 1], pull)
        add_row(force, system.threads.ends[e, 0], scale(-1.0, pull))
        for side in range(2):
            if beams.holder[c, side] != SWIVEL:
                add_row(turning.torque, beams.holder[c, side], moments[side])
        bent, twisted, pushed = bent + held[0], twisted + held[1], pushed + held[2]
        lost += power
        if 0.0 < thrust < beams.numbers[c, BEAM_THRUST]:
            step = min(step, share * motion.elements.stiff[e])
    turning.tally[BENT], turning.tally[TWISTED], turning.tally[PUSHED] = bent, twisted, pushed
    return bent + twisted + pushed, lost, step


@device
def both_stable(one, other):
    """Longest step [s] with two kinds of springs on the same masses, stable with each alone."""
    if not other < math.inf:
        return one
    return 1.0 / math.sqrt(1.0 / (one * one) + 1.0 / (other * other))


@routine
def change_turns(motion, half):
    """Bring the torques of beams to bodies; let their change act on nodes for half a step [s]."""
    turning, n = motion.turning, len(motion.turning.momentum)
    for i in range(n):
        for k in range(3):
            turning.momentum[i, k] += half * (turning.torque[i, k] - turning.before[i, k])
    for row in range(n, len(turning.torque)):
        for k in range(3):
            motion.bodies.torque[row - n, k] += turning.torque[row, k]


@routine
def kick_turns(motion, time):
    """Let the torques on nodes act for a time [s]."""
    turning = motion.turning
    for i in range(len(turning.momentum)):
        for k in range(3):
            turning.momentum[i, k] += time * turning.torque[i, k]


@routine
def drift_turns(system, motion, time):
    """Turn the nodes freely for a time [s], then on to the momenta foreseen at its end."""
    turning = motion.turning
    for i in range(len(turning.momentum)):
        q, h = four(turning.attitude, i), three(turning.momentum, i)
        q = turn_freely(q, h, three(system.beams.inverse_inertia, i), time)
        write_four(turning.attitude, i, q)
    kick_turns(motion, 0.5 * time)


@routine
def turns_energy(system, motion):
    """Kinetic energy [J] of the turning of nodes."""
    total, turning = 0.0, motion.turning
    for i in range(len(turning.momentum)):
        q, h = four(turning.attitude, i), three(turning.momentum, i)
        total += turning_energy(q, h, three(system.beams.inverse_inertia, i))
    return total


@routine
def enforce_turn_latches(system, motion, time):
    """Nodes that the chaser still holds at a time [s] turn with it; it takes what they lose."""
    if not time < system.orders.nodes_held:
        return
    turning = motion.turning
    before = turns_energy(system, motion) + _chaser_energy(system, motion)
    rate = rates_of(system, motion, HOLDER)
    for i in range(len(turning.momentum)):
        dcm = rotation_matrix(four(turning.attitude, i))
        w = apply_transposed(dcm, rate)
        inverse = three(system.beams.inverse_inertia, i)
        h = apply(dcm, (_over(w[0], inverse[0]), _over(w[1], inverse[1]), _over(w[2], inverse[2])))
        add_row(motion.bodies.momentum, HOLDER, subtract(three(turning.momentum, i), h))
        put(turning.momentum, i, h)
    after = turns_energy(system, motion) + _chaser_energy(system, motion)
    motion.ledger.work[WELDING] += after - before


@device
def _over(rate, inverse):
    return rate / inverse if inverse > 0.0 else 0.0


@device
def _chaser_energy(system, motion):
    return turning_energy(
        attitude_of(motion, HOLDER), three(motion.bodies.momentum, HOLDER), three(system.inverse_inertia, HOLDER)
    )  # fmt: skip


@uncounted_entry
def relax(system, motion, force, stiffness, rounds):
    """Turn the nodes where they are to where their torques nearly vanish: attitudes to start with.

    stiffness (n,) room [N m/rad]      rounds  of turning each node by its torque over its stiffness
    """
    beams, turning = system.beams, motion.turning
    n = len(turning.momentum)
    for c in range(len(beams.element)):
        for side in range(2):
            if 0 <= beams.holder[c, side] < n:
                stiffness[beams.holder[c, side]] += (
                    LEAN * beams.numbers[c, BEAM_BENDING] + TWIST * beams.numbers[c, BEAM_TORSION]
                )
    for _ in range(rounds):
        beam_forces(system, motion, force, 1.0)
        for i in range(n):
            if stiffness[i] > 0.0:
                turn = scale(-1.0 / stiffness[i], three(turning.torque, i))
                size = norm(turn)
                turn = scale(min(1.0, LARGEST_TURN / size) if size > 0.0 else 0.0, turn)
                write_four(turning.attitude, i, turned_back(four(turning.attitude, i), turn))
    for row in range(len(turning.torque)):
        put(turning.torque, row, (0.0, 0.0, 0.0))
