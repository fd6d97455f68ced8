"""Points of a net and balls of bullets that press on bodies: forces, losses and energy of the moment.

    f = k depth^(3/2) max(0, 1 + a depth') n + f_t(slip),   both sides get it at the same place

    n   unit, out of the touched body      a  factor of losses [s/m], that of the speed at entry
A node is pushed at its centre, a ball of a bullet where its surface touches, so that momentum and
angular momentum go from one to the other without remainder. The forces on bodies are gathered in the
scratch's body_force and body_torque. Laws: Hertz with losses, `impact_damping`, and friction, `slip_friction`.

Frame: N. Validity: friction has no memory; one contact per point, with the nearest triangle.
Source: the laws named.
"""

from __future__ import annotations

from haptos.contact.contact_flow import (
    FRICTION,
    NORMAL_LAW,
    OPEN,
    STIFFNESS,
    V_EPS,
    V_TH,
    entry_factor,
)
from haptos.contact.laws.normal import normal_energy, normal_heat, normal_load
from haptos.contact.slip_friction import slip_friction
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add_scaled, cross, dot, norm, scale, subtract, tangential
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.detect import mesh_contact
from haptos.dynamics.contacts.point_mesh import TINY, renew_list
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import attitude_of, rates_of, three
from haptos.dynamics.rigid.loads import point_speed
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING

CITES: tuple[str, ...] = ()


@device
def push_body(motion, scratch, b, place, size, f):
    """Add a force of `size` f [N] at a place [m] to what contacts do to a body."""
    g = scale(size, f)
    twist = cross(subtract(place, three(motion.bodies.place, b)), g)
    for k in range(3):
        scratch.body_force[b, k] += g[k]
        scratch.body_torque[b, k] += twist[k]


@routine
def force_of(pair, factor, depth, relative, n):
    """(force on what touches [N], normal part of it, (loss, friction) [W], rate of depth [m/s]).

    relative  velocity against what is touched [m/s]        factor  OPEN: that of an entry now
    """
    rate = -dot(relative, n)
    if factor == OPEN:
        factor = entry_factor(pair, max(rate, 0.0))
    load = normal_load(pair[NORMAL_LAW], pair[STIFFNESS], factor, depth, rate)
    rub, heat = slip_friction(
        pair[FRICTION], pair[V_EPS], pair[V_TH], load, tangential(relative, n)
    )
    lost = normal_heat(pair[NORMAL_LAW], pair[STIFFNESS], factor, depth, rate)
    return add_scaled(rub, load, n), load, (lost, heat), rate


@device
def book_press(motion, dy, works, pair, depth, powers, load):
    """Book losses [W] as rates; the energy held [J] and the largest push [N] go to the motion."""
    dy[works + CONTACT_DAMPING] -= powers[0]
    dy[works + RUBBING] -= powers[1]
    motion.ledger.energy.pressed += normal_energy(pair[NORMAL_LAW], pair[STIFFNESS], depth)
    motion.step.peak_force = max(motion.step.peak_force, load)


@routine
def relative_speed(system, motion, i, body, radius, n):
    """(velocity of point i against a body where they touch [m/s], that place [m])."""
    owner, x = system.points.owner[i], three(motion.points.x, i)
    if owner < 0:
        return subtract(three(motion.points.v, i), point_speed(system, motion, body, x)), x
    place = add_scaled(x, -radius, n)
    own = point_speed(system, motion, owner, place)
    return subtract(own, point_speed(system, motion, body, place)), place


@routine
def press(system, motion, scratch, i, body, radius, gap, n, pair, factor, dy, works):
    """Largest push [N] after point i, a ball of a radius [m], is pushed out of a body and it back.

    gap  [m] < 0 of the surfaces      n  unit, out of the body
    """
    owner = system.points.owner[i]
    relative, place = relative_speed(system, motion, i, body, radius, n)
    f, load, powers, _ = force_of(pair, factor, -gap, relative, n)
    if owner < 0:
        for k in range(3):
            scratch.force[i, k] += f[k]
    else:
        push_body(motion, scratch, owner, place, 1.0, f)
        motion.bodies.met[owner, MET_PEAK] = max(motion.bodies.met[owner, MET_PEAK], load)
    push_body(motion, scratch, body, place, -1.0, f)
    book_press(motion, dy, works, pair, -gap, powers, load)
    return load


@device
def surface_pose(system, motion):
    """(place, dcm) of the touched body."""
    b = system.surface.body
    return three(motion.bodies.place, b), rotation_matrix(attitude_of(motion, b))


@routine
def meeting(system, motion, i, pose):
    """(gap [m], normal, row of the mesh) of a point that is near the target."""
    y = apply_transposed(pose[1], subtract(three(motion.points.x, i), pose[0]))
    gap, n_body, row = mesh_contact(system, motion, i, y)
    return gap, apply(pose[1], n_body), row


@routine
def press_target(system, motion, scratch, dy, works):
    """Push the points that touch the target out of it."""
    surface = system.surface
    if surface.body < 0:
        return
    pose = surface_pose(system, motion)
    for i in range(len(system.points.owner)):
        if motion.contacts.mesh.near_count[i] == 0:
            continue
        gap, n, row = meeting(system, motion, i, pose)
        if gap < 0.0:
            pair = pair_numbers(surface.pairs, surface.surface[row], system.points.kind[i])
            press(
                system, motion, scratch, i, surface.body, system.points.radius[i], gap, n, pair,
                motion.contacts.mesh.factor[i], dy, works,
            )  # fmt: skip


@routine
def nearest_point(system, motion):
    """Least gap [m] of all points near the target; a metre if none is."""
    nearest = 1.0
    if system.surface.body < 0:
        return nearest
    pose = surface_pose(system, motion)
    for i in range(len(system.points.owner)):
        if motion.contacts.mesh.near_count[i] > 0:
            nearest = min(nearest, meeting(system, motion, i, pose)[0])
    return nearest


@routine
def remember_touch(system, motion):
    """Keep the factors of loss of points that touch, after a step."""
    surface = system.surface
    if surface.body < 0:
        return
    pose = surface_pose(system, motion)
    for i in range(len(system.points.owner)):
        if motion.contacts.mesh.near_count[i] == 0:
            motion.contacts.mesh.factor[i] = OPEN
            continue
        gap, n, row = meeting(system, motion, i, pose)
        if gap >= 0.0:
            motion.contacts.mesh.factor[i] = OPEN
        elif motion.contacts.mesh.factor[i] == OPEN:
            relative, _ = relative_speed(
                system, motion, i, surface.body, system.points.radius[i], n
            )
            note_contact_speed(motion, system.points.owner[i], relative, 1.0)
            pair = pair_numbers(surface.pairs, surface.surface[row], system.points.kind[i])
            motion.contacts.mesh.factor[i] = entry_factor(pair, max(-dot(relative, n), 0.0))


@routine
def way_against(system, motion, i, time):
    """How far point i may move against the target in a step [s], in metres; speeds may double."""
    b = system.surface.body
    arm = subtract(three(motion.points.x, i), three(motion.bodies.place, b))
    carried = cross(rates_of(system, motion, b), arm)
    relative = subtract(subtract(three(motion.points.v, i), three(motion.bodies.speed, b)), carried)
    return 2.0 * AMPLE * norm(relative) * time + TINY


@routine
def renew_lists(system, motion, time, stack):
    """Look up again what is near each point whose budget does not last for a step [s]."""
    if system.surface.body < 0:
        return
    pose = surface_pose(system, motion)
    for i in range(len(system.points.owner)):
        if system.points.radius[i] <= 0.0:
            continue
        way = way_against(system, motion, i, time)
        if motion.contacts.mesh.budget[i] < way:
            y = apply_transposed(pose[1], subtract(three(motion.points.x, i), pose[0]))
            renew_list(system, motion, i, y, 2.0 * way, stack)


@routine
def use_up(system, motion, time):
    """Take the ways of a step [s] that was accepted from the budgets of points."""
    if system.surface.body < 0:
        return
    for i in range(len(system.points.owner)):
        if system.points.radius[i] > 0.0:
            motion.contacts.mesh.budget[i] -= way_against(system, motion, i, time)
