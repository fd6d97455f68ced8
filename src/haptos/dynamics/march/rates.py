"""Rates of change of a system, for schemes that take the whole motion as one differential equation.

    x' = v,  v' = F/m + g,  X' = V,  V' = F/M,  q' = q (0, w)/2,  H' = T,  W' = powers

    x, v  nodes [m], [m/s]        X, V, q, H  bodies [m], [m/s], quat_NB, [N m s]
    W     works in the order of WORK_KINDS [J], so that the ledger is as exact as the motion
Contact is a force law here, at the depth and the velocities of the moment: points on the target in
`point_mesh_rates`, threads on its edges in `element_edge_rates`, points on boxes and on each other in
`point_box_rates` and `point_point_rates`, bodies on bodies in `body_rates`. The factor of losses that follows from the speed at entry is
that of the first accepted step in which a contact is closed. Winches are those of `winch_rates`.

State: one row of numbers, all x, all v, all X, V, q, H, W. Frame: N.
Validity: nothing held by the chaser, no winches that stall, no friction with memory: those act in
steps of `splitting`. Friction that fades below v_eps is stiff: rate mu f/(m v_eps).
Source: the laws named.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.vectors import add, cross, dot, scale, subtract
from haptos.dynamics.air_loads import blow_threads, push_bodies, push_powers
from haptos.dynamics.cable.elements import pull, pulled
from haptos.dynamics.cable.reeled_rates import base_of, carry_masses, reel_rates
from haptos.dynamics.cable.running_lines import line_forces
from haptos.dynamics.cable.thread_link import link_energy, link_tension
from haptos.dynamics.cable.winch_rates import set_lengths, winch_powers
from haptos.dynamics.contacts.element_edge_rates import press_edges
from haptos.dynamics.contacts.point_box_rates import press_boxes
from haptos.dynamics.contacts.point_ground_rates import press_ground
from haptos.dynamics.contacts.point_mesh_rates import press_target
from haptos.dynamics.contacts.point_point_rates import press_pairs
from haptos.dynamics.field import (
    SMALL_BODY,
    body_pull,
    field_on_bodies,
    pull_at,
    pull_of,
    renew_within,
)
from haptos.dynamics.motion import Motion, SystemScratch
from haptos.dynamics.rigid.bodies import (
    attitude_of,
    gather_forces,
    place_points,
    rates_of,
    three,
)
from haptos.dynamics.rigid.body_rates import press_bodies
from haptos.dynamics.rigid.loads import load_place, point_speed, span_of
from haptos.dynamics.system import (
    DRAG,
    GRAVITY,
    NODE,
    RADIATION,
    THREAD_DAMPING,
    WORK_KINDS,
    System,
)

CITES: tuple[str, ...] = ()

WORKS = len(WORK_KINDS)
NODE_SIZE, BODY_SIZE = 6, 13  # [-] numbers of the state

Flow = namedtuple("Flow", "system motion scratch nodes middle base")
# what the rates are of     nodes  how many      base  what the step began with, `reeled_rates`
# middle  (1,) time [s] in the middle of the step: loads and winches that are on then are on for all of it


def state_size(nodes: int, bodies: int) -> int:
    """How many numbers the state has."""
    return NODE_SIZE * nodes + BODY_SIZE * bodies + WORKS


def flow_of(system: System, motion: Motion, scratch: SystemScratch, middle: float = 0.0) -> Flow:
    """Flow of a system about a middle of the step [s]."""
    nodes = int((system.points.owner == NODE).sum())
    return Flow(system, motion, scratch, nodes, np.array([middle]), base_of(system, motion))


@routine
def pack(motion, nodes, y):
    """Write the motion into a row of numbers."""
    bodies = len(motion.bodies.inverse_mass)
    at, b = 3 * nodes, 6 * nodes
    for i in range(nodes):
        for k in range(3):
            y[3 * i + k], y[at + 3 * i + k] = motion.points.x[i, k], motion.points.v[i, k]
    for i in range(bodies):
        for k in range(3):
            y[b + 3 * i + k] = motion.bodies.place[i, k]
            y[b + 3 * (bodies + i) + k] = motion.bodies.speed[i, k]
            y[b + 10 * bodies + 3 * i + k] = motion.bodies.momentum[i, k]
        for k in range(4):
            y[b + 6 * bodies + 4 * i + k] = motion.bodies.attitude[i, k]
    for k in range(WORKS):
        y[b + BODY_SIZE * bodies + k] = motion.ledger.work[k]


@routine
def unpack(y, motion, nodes):
    """Bring the motion to a row of numbers; works stay as they are in the ledger."""
    bodies = len(motion.bodies.inverse_mass)
    at, b = 3 * nodes, 6 * nodes
    for i in range(nodes):
        for k in range(3):
            motion.points.x[i, k], motion.points.v[i, k] = y[3 * i + k], y[at + 3 * i + k]
    for i in range(bodies):
        for k in range(3):
            motion.bodies.place[i, k] = y[b + 3 * i + k]
            motion.bodies.speed[i, k] = y[b + 3 * (bodies + i) + k]
            motion.bodies.momentum[i, k] = y[b + 10 * bodies + 3 * i + k]
        for k in range(4):
            motion.bodies.attitude[i, k] = y[b + 6 * bodies + 4 * i + k]


@routine
def net_rate(flow, time, y, dy):
    """Rates dy of the state y at a time [s]; tensions and stored energies go to the motion."""
    system, motion, force, nodes = flow.system, flow.motion, flow.scratch.force, flow.nodes
    bodies = len(motion.bodies.inverse_mass)
    unpack(y, motion, nodes)
    set_lengths(system, motion, time, flow.middle[0])
    carry_masses(system, motion, flow.base, flow.middle[0])
    place_points(system, motion)
    renew_within(system.field, time, flow.middle[0])
    works = NODE_SIZE * nodes + BODY_SIZE * bodies
    for k in range(WORKS):
        dy[works + k] = 0.0
    force[:, :] = 0.0
    held, lost = thread_pulls(system.threads, motion, force)
    more, leaked, _ = line_forces(
        system.lines, system.points, system.inverse_inertia, motion, force, 1.0
    )
    motion.ledger.energy.elastic = held + more
    winch_powers(system, motion, flow.middle[0], dy, works)
    has_air = system.air.has_drag or system.air.has_light
    if system.air.has_drag:
        blow_threads(system, motion, flow.scratch.blown, force)
    press_all(system, motion, flow.scratch, dy, works)
    gather_forces(system, motion, force)
    for b in range(bodies):
        for k in range(3):
            motion.bodies.force[b, k] += flow.scratch.body_force[b, k]
            motion.bodies.torque[b, k] += flow.scratch.body_torque[b, k]
    gained = field_on_bodies(system, motion)
    if has_air:
        push_bodies(system, motion, flow.scratch.pushed)
        drag, light = push_powers(system, motion, flow.scratch.blown, flow.scratch.pushed)
        dy[works + DRAG] += drag
        dy[works + RADIATION] += light
    load_pushes(system, motion, time, flow.middle[0], dy, works)
    field = pull_of(system.field)
    for i in range(nodes):
        if system.field.kind == SMALL_BODY:
            g = body_pull(system.field, three(motion.points.x, i), three(motion.points.v, i))
        else:
            g = pull_at(field, three(motion.points.x, i), three(motion.points.v, i))
        for k in range(3):
            dy[3 * i + k] = motion.points.v[i, k]
            dy[3 * (nodes + i) + k] = force[i, k] / motion.points.mass[i] + g[k]
            gained += motion.points.mass[i] * g[k] * motion.points.v[i, k]
    body_rates_into(system, motion, dy, NODE_SIZE * nodes)
    reel_rates(system, motion, flow.base, flow.middle[0], nodes, dy, works)
    dy[works + THREAD_DAMPING] -= lost + leaked
    dy[works + GRAVITY] += gained


@routine
def press_all(system, motion, scratch, dy, works):
    """Forces of all contacts; those on bodies go to the scratch's body_force and body_torque."""
    scratch.body_force[:, :] = 0.0
    scratch.body_torque[:, :] = 0.0
    motion.ledger.energy.pressed = 0.0
    press_target(system, motion, scratch, dy, works)
    press_edges(system, motion, scratch, dy, works)
    press_boxes(system, motion, scratch, dy, works)
    press_pairs(system, motion, scratch, dy, works)
    press_bodies(system, motion, scratch, dy, works)
    press_ground(system, motion, scratch, dy, works)


@routine
def body_rates_into(system, motion, dy, b):
    """Rates of all bodies from the forces on them, from number b of the state on."""
    bodies = len(motion.bodies.inverse_mass)
    for i in range(bodies):
        q = attitude_of(motion, i)
        h = apply_transposed(rotation_matrix(q), three(motion.bodies.momentum, i))
        w = three(system.inverse_inertia, i)
        turn = quaternion_rate(q, (w[0] * h[0], w[1] * h[1], w[2] * h[2]))
        for k in range(3):
            dy[b + 3 * i + k] = motion.bodies.speed[i, k]
            dy[b + 3 * (bodies + i) + k] = motion.bodies.inverse_mass[i] * motion.bodies.force[i, k]
            dy[b + 10 * bodies + 3 * i + k] = motion.bodies.torque[i, k]
        for k in range(4):
            dy[b + 6 * bodies + 4 * i + k] = turn[k]


@routine
def thread_pulls(threads, motion, force):
    """(energy held [J], power lost in dampers [W]) after adding the pulls of all threads [N]."""
    held, lost = 0.0, 0.0
    x = motion.points.x
    for e in range(len(threads.stretching)):
        motion.elements.tension[e], motion.elements.spring[e] = 0.0, 0.0
        if motion.elements.whole[e] == 0:
            continue
        i, j, length = threads.ends[e, 0], threads.ends[e, 1], motion.elements.length[e]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        if dx * dx + dy * dy + dz * dz <= length * length:
            continue
        distance, rate, u = pulled(x, motion.points.v, i, j)
        rate -= motion.elements.pace[e]
        tension, spring = link_tension(
            threads.stretching[e], threads.damping[e], length, distance, rate
        )
        motion.elements.tension[e], motion.elements.spring[e] = tension, spring
        pull(force, i, j, tension, u)
        held += link_energy(threads.stretching[e], length, distance)
        lost += (tension - spring) * rate
    return held, lost


@device
def load_now(first, last, share):
    """Linear load at a share of its time: three numbers."""
    return (
        (1.0 - share) * first[0] + share * last[0],
        (1.0 - share) * first[1] + share * last[1],
        (1.0 - share) * first[2] + share * last[2],
    )


@routine
def load_pushes(system, motion, time, middle, dy, works):
    """Add the loads of a time [s] to forces and torques of the bodies; their powers to dy.

    Steps end where loads begin and end; what is on in the middle of a step is on at both its ends.
    """
    loads = system.orders.loads
    for row in range(len(loads)):
        share, _, whole = span_of(loads, row, middle, middle, motion.step.touched_at)
        if not whole > 0.0 or not math.isfinite(whole):
            continue
        share = min(max(share + (time - middle) / whole, 0.0), 1.0)
        body, axes = int(loads[row].body), int(loads[row].axes)
        f = load_now(loads[row].force, loads[row].force_end, share)
        torque = load_now(loads[row].torque, loads[row].torque_end, share)
        if axes >= 0:
            dcm = rotation_matrix(attitude_of(motion, axes))
            f, torque = apply(dcm, f), apply(dcm, torque)
        place = load_place(loads, row, motion)
        power = _pushed(system, motion, body, place, f, torque)
        other = int(loads[row].reaction)
        if other >= 0:
            power += _pushed(system, motion, other, place, scale(-1.0, f), scale(-1.0, torque))
        dy[works + int(loads[row].work)] += power


@device
def _pushed(system, motion, b, place, f, torque):
    """Add a force at a place and a torque to a body; their power [W]."""
    twist = add(cross(subtract(place, three(motion.bodies.place, b)), f), torque)
    for k in range(3):
        motion.bodies.force[b, k] += f[k]
        motion.bodies.torque[b, k] += twist[k]
    return dot(f, point_speed(system, motion, b, place)) + dot(torque, rates_of(system, motion, b))
