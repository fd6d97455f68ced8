"""Rates of change of a net, for schemes that take the whole motion as one differential equation.

    x' = v,  v' = F/m + g,  X' = V,  V' = F/M,  q' = q (0, w)/2,  H' = T,  W' = powers

    x, v  nodes [m], [m/s]        X, V, q, H  bodies [m], [m/s], quat_NB, [N m s]
    W     works in the order of BOOKS [J], so that the books are as exact as the motion
Contact is a force law here: Hertz with losses, `impact_damping`, and friction `slip_friction`, at the
depth and the velocities of the moment. The factor of losses that follows from the speed at entry is
that of the first accepted step in which the point touches.

State: one row of numbers, all x, all v, all X, V, q, H, W. Frame: N.
Validity: no winches, nothing held by the chaser, no friction with memory, no threads on edges: those
act in steps of `net_step`. Friction that fades below v_eps is stiff: rate mu f/(m v_eps).
Source: the laws named.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.contact_flow import FRICTION, OPEN, STIFFNESS, V_EPS, V_TH, entry_factor
from haptos.contact.hertz import hertz_energy
from haptos.contact.impact_damping import dissipated_power, normal_force
from haptos.contact.slip_friction import slip_friction
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract, tangential
from haptos.dynamics.net_air import blow_threads, push_bodies, push_powers
from haptos.dynamics.net_bodies import (
    attitude_of,
    gather_forces,
    place_points,
    rates_of,
    three,
)
from haptos.dynamics.net_field import field_on_bodies, pull_at, pull_of, renew_within
from haptos.dynamics.net_layout import (
    BOOKS,
    CONTACT_DAMPING,
    DRAG,
    ELASTIC,
    GRAVITY,
    LOAD_AXES,
    LOAD_BODY,
    LOAD_BOOK,
    LOAD_FORCE,
    LOAD_FORCE_END,
    LOAD_REACTION,
    LOAD_TORQUE,
    LOAD_TORQUE_END,
    PEAK,
    PRESSED,
    RADIATION,
    RUBBING,
    THREAD_DAMPING,
    TOUCHED_AT,
)
from haptos.dynamics.net_loads import load_place, point_speed, span_of
from haptos.dynamics.net_meet import pair_numbers
from haptos.dynamics.net_threads import line_forces, pull, pulled
from haptos.dynamics.net_touch import gap_to
from haptos.dynamics.thread_link import link_energy, link_tension

CITES: tuple[str, ...] = ()

WORKS = len(BOOKS)
NODE_SIZE, BODY_SIZE = 6, 13  # [-] numbers of the state

Flow = namedtuple("Flow", "net motion scratch nodes middle")
# what the rates are of     nodes  how many      middle  (1,) time [s] in the middle of the step: loads
# that are on then are on for all of it


def state_size(nodes: int, bodies: int) -> int:
    """How many numbers the state has."""
    return NODE_SIZE * nodes + BODY_SIZE * bodies + WORKS


@routine
def pack(motion, nodes, y):
    """Write the motion into a row of numbers."""
    bodies = len(motion.inverse_mass)
    at, b = 3 * nodes, 6 * nodes
    for i in range(nodes):
        for k in range(3):
            y[3 * i + k], y[at + 3 * i + k] = motion.x[i, k], motion.v[i, k]
    for i in range(bodies):
        for k in range(3):
            y[b + 3 * i + k] = motion.place[i, k]
            y[b + 3 * (bodies + i) + k] = motion.speed[i, k]
            y[b + 10 * bodies + 3 * i + k] = motion.momentum[i, k]
        for k in range(4):
            y[b + 6 * bodies + 4 * i + k] = motion.attitude[i, k]
    for k in range(WORKS):
        y[b + BODY_SIZE * bodies + k] = motion.books[k]


@routine
def unpack(y, motion, nodes):
    """Bring the motion to a row of numbers; works stay as they are in the books."""
    bodies = len(motion.inverse_mass)
    at, b = 3 * nodes, 6 * nodes
    for i in range(nodes):
        for k in range(3):
            motion.x[i, k], motion.v[i, k] = y[3 * i + k], y[at + 3 * i + k]
    for i in range(bodies):
        for k in range(3):
            motion.place[i, k] = y[b + 3 * i + k]
            motion.speed[i, k] = y[b + 3 * (bodies + i) + k]
            motion.momentum[i, k] = y[b + 10 * bodies + 3 * i + k]
        for k in range(4):
            motion.attitude[i, k] = y[b + 6 * bodies + 4 * i + k]


@routine
def net_rate(flow, time, y, dy):
    """Rates dy of the state y at a time [s]; tensions and stored energies go to the motion."""
    net, motion, force, nodes = flow.net, flow.motion, flow.scratch.force, flow.nodes
    bodies = len(motion.inverse_mass)
    unpack(y, motion, nodes)
    place_points(net, motion)
    renew_within(net.field, time, flow.middle[0])
    works = NODE_SIZE * nodes + BODY_SIZE * bodies
    for k in range(WORKS):
        dy[works + k] = 0.0
    force[:, :] = 0.0
    held, lost = thread_pulls(net.threads, motion, force)
    more, leaked, _ = line_forces(net.lines, net.points, net.inverse_inertia, motion, force, 1.0)
    motion.clock[ELASTIC] = held + more
    has_air = net.air.has_drag or net.air.has_light
    if net.air.has_drag:
        blow_threads(net, motion, flow.scratch.blown, force)
    push, twist, heat = surface_pushes(net, motion, force)
    gather_forces(net, motion, force)
    body = net.surface.body
    if body >= 0:
        for k in range(3):
            motion.force[body, k] -= push[k]
            motion.torque[body, k] -= twist[k]
    gained = field_on_bodies(net, motion)
    if has_air:
        push_bodies(net, motion, flow.scratch.pushed)
        drag, light = push_powers(net, motion, flow.scratch.blown, flow.scratch.pushed)
        dy[works + DRAG] += drag
        dy[works + RADIATION] += light
    load_pushes(net, motion, time, flow.middle[0], dy, works)
    field = pull_of(net.field)
    for i in range(nodes):
        g = pull_at(field, three(motion.x, i), three(motion.v, i))
        for k in range(3):
            dy[3 * i + k] = motion.v[i, k]
            dy[3 * (nodes + i) + k] = force[i, k] / motion.mass[i] + g[k]
            gained += motion.mass[i] * g[k] * motion.v[i, k]
    body_rates_into(net, motion, dy, NODE_SIZE * nodes)
    dy[works + THREAD_DAMPING] -= lost + leaked
    dy[works + CONTACT_DAMPING] -= heat[0]
    dy[works + RUBBING] -= heat[1]
    dy[works + GRAVITY] += gained


@routine
def body_rates_into(net, motion, dy, b):
    """Rates of all bodies from the forces on them, from number b of the state on."""
    bodies = len(motion.inverse_mass)
    for i in range(bodies):
        q = attitude_of(motion, i)
        h = apply_transposed(rotation_matrix(q), three(motion.momentum, i))
        w = three(net.inverse_inertia, i)
        turn = quaternion_rate(q, (w[0] * h[0], w[1] * h[1], w[2] * h[2]))
        for k in range(3):
            dy[b + 3 * i + k] = motion.speed[i, k]
            dy[b + 3 * (bodies + i) + k] = motion.inverse_mass[i] * motion.force[i, k]
            dy[b + 10 * bodies + 3 * i + k] = motion.torque[i, k]
        for k in range(4):
            dy[b + 6 * bodies + 4 * i + k] = turn[k]


@routine
def thread_pulls(threads, motion, force):
    """(energy held [J], power lost in dampers [W]) after adding the pulls of all threads [N]."""
    held, lost = 0.0, 0.0
    x = motion.x
    for e in range(len(threads.stretching)):
        motion.tension[e] = 0.0
        if motion.whole[e] == 0:
            continue
        i, j, length = threads.ends[e, 0], threads.ends[e, 1], motion.length[e]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        if dx * dx + dy * dy + dz * dz <= length * length:
            continue
        distance, rate, u = pulled(x, motion.v, i, j)
        tension, spring = link_tension(
            threads.stretching[e], threads.damping[e], length, distance, rate
        )
        motion.tension[e] = tension
        pull(force, i, j, tension, u)
        held += link_energy(threads.stretching[e], length, distance)
        lost += (tension - spring) * rate
    return held, lost


@device
def meeting(net, motion, i, pose):
    """(gap [m], normal, rate of depth [m/s], slip [m/s], row of the mesh) of a point that is near."""
    place, dcm, omega, speed = pose
    arm = subtract(three(motion.x, i), place)
    gap, n_body, row = gap_to(
        net.surface.mesh, motion.near[i], motion.near_count[i], apply_transposed(dcm, arm)
    )
    n = apply(dcm, n_body)
    relative = subtract(subtract(three(motion.v, i), speed), cross(omega, arm))
    return gap - net.points.radius[i], n, -dot(relative, n), tangential(relative, n), row


@device
def surface_pose(net, motion):
    """(place, dcm, omega, speed) of the touched body."""
    b = net.surface.body
    return (
        three(motion.place, b),
        rotation_matrix(attitude_of(motion, b)),
        rates_of(net, motion, b),
        three(motion.speed, b),
    )


@routine
def surface_pushes(net, motion, force):
    """(force, torque on the points from the touched body [N], [N m], (loss, friction) [W]).

    Adds the pushes to the forces on points; stored energy and the largest push go to the clock.
    """
    push, twist = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    damped, rubbed, stored, strongest = 0.0, 0.0, 0.0, 0.0
    if net.surface.body < 0:
        return push, twist, (0.0, 0.0)
    pose = surface_pose(net, motion)
    for i in range(len(net.points.owner)):
        if motion.near_count[i] == 0:
            continue
        gap, n, rate, slip, row = meeting(net, motion, i, pose)
        if gap >= 0.0:
            continue
        pair = pair_numbers(net.surface.pairs, net.surface.surface[row], net.points.kind[i])
        factor = motion.factor[i]
        if factor == OPEN:
            factor = entry_factor(pair, max(rate, 0.0))
        load = normal_force(pair[STIFFNESS], factor, -gap, rate)
        rub, heat = slip_friction(pair[FRICTION], pair[V_EPS], pair[V_TH], load, slip)
        f = add_scaled(rub, load, n)
        for k in range(3):
            force[i, k] += f[k]
        push = add(push, f)
        twist = add(twist, cross(subtract(three(motion.x, i), pose[0]), f))
        damped += dissipated_power(pair[STIFFNESS], factor, -gap, rate)
        rubbed += heat
        stored += hertz_energy(pair[STIFFNESS], -gap)
        strongest = max(strongest, load)
    motion.clock[PRESSED] = stored
    motion.clock[PEAK] = max(motion.clock[PEAK], strongest)
    return push, twist, (damped, rubbed)


@routine
def remember_touch(net, motion, time):
    """Keep which points touch, with their factors of loss, after a step that ended at a time [s]."""
    if net.surface.body < 0:
        return
    pose = surface_pose(net, motion)
    for i in range(len(net.points.owner)):
        if motion.near_count[i] == 0:
            motion.factor[i] = OPEN
            continue
        gap, _, rate, _, row = meeting(net, motion, i, pose)
        if gap >= 0.0:
            motion.factor[i] = OPEN
            continue
        if motion.factor[i] == OPEN:
            pair = pair_numbers(net.surface.pairs, net.surface.surface[row], net.points.kind[i])
            motion.factor[i] = entry_factor(pair, max(rate, 0.0))
        motion.clock[TOUCHED_AT] = min(motion.clock[TOUCHED_AT], time)


@device
def load_now(loads, row, first, last, share):
    """Linear load at a share of its time: three numbers."""
    return (
        (1.0 - share) * loads[row, first] + share * loads[row, last],
        (1.0 - share) * loads[row, first + 1] + share * loads[row, last + 1],
        (1.0 - share) * loads[row, first + 2] + share * loads[row, last + 2],
    )


@routine
def load_pushes(net, motion, time, middle, dy, works):
    """Add the loads of a time [s] to forces and torques of the bodies; their powers to dy.

    Steps end where loads begin and end; what is on in the middle of a step is on at both its ends.
    """
    loads = net.orders.loads
    for row in range(len(loads)):
        share, _, whole = span_of(loads, row, middle, middle, motion.clock[TOUCHED_AT])
        if not whole > 0.0 or not math.isfinite(whole):
            continue
        share = min(max(share + (time - middle) / whole, 0.0), 1.0)
        body, axes = int(loads[row, LOAD_BODY]), int(loads[row, LOAD_AXES])
        f = load_now(loads, row, LOAD_FORCE, LOAD_FORCE_END, share)
        torque = load_now(loads, row, LOAD_TORQUE, LOAD_TORQUE_END, share)
        if axes >= 0:
            dcm = rotation_matrix(attitude_of(motion, axes))
            f, torque = apply(dcm, f), apply(dcm, torque)
        place = load_place(loads, row, motion)
        power = _pushed(net, motion, body, place, f, torque)
        other = int(loads[row, LOAD_REACTION])
        if other >= 0:
            power += _pushed(net, motion, other, place, scale(-1.0, f), scale(-1.0, torque))
        dy[works + int(loads[row, LOAD_BOOK])] += power


@device
def _pushed(net, motion, b, place, f, torque):
    """Add a force at a place and a torque to a body; their power [W]."""
    twist = add(cross(subtract(place, three(motion.place, b)), f), torque)
    for k in range(3):
        motion.force[b, k] += f[k]
        motion.torque[b, k] += twist[k]
    return dot(f, point_speed(net, motion, b, place)) + dot(torque, rates_of(net, motion, b))
