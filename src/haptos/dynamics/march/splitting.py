"""Steps of a system: half a kick, drift with contacts, half a kick, with an energy ledger.

The scheme is that of Stoermer and Verlet: second order, momenta kept to rounding, energy without
drift where nothing is lost. Dampers see the velocity the step would end with if the acceleration
stayed as it was, which keeps the second order. Contacts act inside the drift in steps of their own,
`contact_flow`, so that a stiff touch of a light node does not shorten the steps of the whole system.
Loads by the clock act in the kicks with their exact impulses.

    stable for  step < 2/w,  w the highest frequency of what is taut: element length over the speed
    of sound in the thread, sqrt(EA/rho)

The step is a share of that; where nothing is taut it goes on to where the first element will be.
Elements far from their length are not looked at until the ways of all points add up to a margin,
those near it only if they may be taut within a few steps.

Validity: the jump of a damper as an element goes taut is of first order. Source: [Hairer2003].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.flat_views import flat
from haptos.core.jit import device, routine, uncounted_entry
from haptos.dynamics.air_loads import blow_threads, book_pushes, push_bodies
from haptos.dynamics.cable.beams import (
    beam_forces,
    both_stable,
    change_turns,
    drift_turns,
    enforce_turn_latches,
    kick_turns,
    turns_energy,
)
from haptos.dynamics.cable.candidates import AMPLE, sort_threads
from haptos.dynamics.cable.elements import catch_up, damper_power, thread_forces
from haptos.dynamics.cable.running_lines import catch_lines, line_forces, line_limit
from haptos.dynamics.cable.winches import book_winding, run_winches, winch_limit
from haptos.dynamics.contacts.ball_mesh import touch_balls
from haptos.dynamics.contacts.body_body import touch_bodies
from haptos.dynamics.contacts.body_kicks import clear_kicks, keep_speeds, note_kicks
from haptos.dynamics.contacts.element_edge import held_by_edges, touch_edges
from haptos.dynamics.contacts.glue import hold
from haptos.dynamics.contacts.point_box import touch_boxes
from haptos.dynamics.contacts.point_ground import touch_ground
from haptos.dynamics.contacts.point_mesh import held_by_points, start_touching, touch_nodes
from haptos.dynamics.contacts.point_point import touch_pairs
from haptos.dynamics.field import field_limit, field_on_bodies, renew_field
from haptos.dynamics.guard.ground_guard import watch_ground
from haptos.dynamics.guard.system_guard import watch_surfaces
from haptos.dynamics.ledger.extremes import note_lines
from haptos.dynamics.ledger.system_phases import nodes_sums, note_phase
from haptos.dynamics.march.node_accelerations import renew_nodes
from haptos.dynamics.march.pauses import NOT_PAUSED, keep_on, pauses_after, pauses_before
from haptos.dynamics.rigid.bodies import (
    body_energy,
    drift_bodies,
    gather_forces,
    kick_bodies,
    place_points,
    turn_back,
    turn_limit,
)
from haptos.dynamics.rigid.latches import enforce_latches
from haptos.dynamics.rigid.loads import kick_loads, load_limit
from haptos.dynamics.system import GRAVITY, THREAD_DAMPING

CITES: tuple[str, ...] = ("Hairer2003",)

PRESSING = 0.4  # [-] of the step that a spring as stiff as a contact would allow
ALL_BUT = 0.999999  # [-] of what is left of a march: a step that takes this much takes all
GROWTH = 1.3  # [-] of a step over the one before, so that what pulls is seen before it grows long


@routine
def slow_forces(system, motion, scratch, half, share):
    """Forces of threads and fields as all is now; velocities corrected for half a step [s].

    Velocities came with the old accelerations; the change of these acts on them for `half`.
    ((power lost in dampers, of the field) [W], longest next step [s]); energies go to the ledger.
    """
    place_points(system, motion)
    renew_field(system.field, motion.step.time)
    clear(scratch.force)
    pulls = thread_forces(system.threads, motion, scratch.force, 2.0 * half, share)
    lines = line_forces(
        system.lines, system.points, system.inverse_inertia, motion, scratch.force, share
    )
    bends = beam_forces(system, motion, scratch.force, share)
    has_air = system.air.has_drag or system.air.has_light
    if system.air.has_drag:
        blow_threads(system, motion, scratch.blown, scratch.force)
    note_threads(motion, pulls[0] + lines[0] + bends[0], pulls[1])
    keep_loads(motion, scratch)
    gather_forces(system, motion, scratch.force)
    change_turns(motion, half)
    gained = renew_nodes(system, motion, scratch.force, scratch.inverse_mass, half)
    gained += field_on_bodies(system, motion)
    if has_air:
        push_bodies(system, motion, scratch.pushed)
    change_loads(motion, scratch, half)
    catch_up(system, motion)
    place_points(system, motion)
    leaked = catch_lines(system, motion, half)
    if has_air:
        book_pushes(system, motion, scratch, half)
    lost = damper_power(system.threads, motion)
    step = both_stable(both_stable(pulls[2], lines[2]), bends[2])
    return (lost + leaked + bends[1], gained), step


@routine
def clear(force):
    """Set all forces to 0."""
    force[:, :] = 0.0


@device
def note_threads(motion, held, broken):
    """Bring the energy held [J] by threads and the count of broken ones to the motion."""
    motion.ledger.energy.elastic = held
    motion.step.broken += broken


@device
def keep_loads(motion, scratch):
    """Keep the forces and torques on bodies as they were."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            scratch.body_force[b, k] = motion.bodies.force[b, k]
            scratch.body_torque[b, k] = motion.bodies.torque[b, k]


@device
def change_loads(motion, scratch, half):
    """Let the change of forces and torques on bodies act for half a step [s]."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            change = motion.bodies.force[b, k] - scratch.body_force[b, k]
            motion.bodies.speed[b, k] += half * motion.bodies.inverse_mass[b] * change
            motion.bodies.momentum[b, k] += half * (
                motion.bodies.torque[b, k] - scratch.body_torque[b, k]
            )


@routine
def update_inverse_mass(motion, inverse_mass):
    """Write the inverse mass [1/kg] of each node beside each of its three forces."""
    for i in range(int(motion.step.nodes)):
        for k in range(3):
            inverse_mass[i, k] = 1.0 / motion.points.mass[i]


@device
def nodes_energy(motion):
    """Kinetic energy of the nodes [J]."""
    return nodes_sums(motion)[0]


@routine
def kick_nodes(system, motion, time):
    """Let the accelerations of the nodes act for a time [s]."""
    v, a = flat(motion.points.v), flat(motion.points.a)
    for i in range(3 * int(motion.step.nodes)):
        v[i] += time * a[i]


@routine
def drift(system, motion, time, half, has_touched):
    """Free motion with the velocities of now, then on to the velocity foreseen at the end.

    What the kicks of contacts went too far is taken back.
    """
    places, v, a, count = (
        flat(motion.points.x),
        flat(motion.points.v),
        flat(motion.points.a),
        int(motion.step.nodes),
    )
    for i in range(3 * count):
        places[i] += time * v[i]
    for i in range(3 * count):
        v[i] += half * a[i]
    drift_bodies(system, motion, time)
    if has_touched:
        shift = flat(motion.points.shift)
        for i in range(len(places)):
            places[i] -= shift[i]
        motion.points.shift[:, :], motion.points.kick[:, :] = 0.0, 0.0
        motion.points.rubbed[:, :], motion.points.damped[:, :] = 0.0, 0.0
        clear_kicks(motion)
        for b in range(len(motion.bodies.inverse_mass)):
            for k in range(3):
                motion.bodies.place[b, k] -= motion.bodies.shift[b, k]
                motion.bodies.shift[b, k] = 0.0
            turn_back(motion, b)


@routine
def touch_target(system, motion, time, stack):
    """(largest force [N], contacts) with the target: forwards in one step and backwards in the next.

    Contacts act one after the other; both orders in turn make two steps symmetric in time.
    """
    is_backwards = motion.step.count % 2.0 == 1.0
    peak, touching = 0.0, 0
    keep_speeds(motion)
    for turn in range(2):
        if (turn == 0) != is_backwards:
            force, count = touch_nodes(system, motion, time, is_backwards, stack)
            peak, touching = max(peak, force), touching + count
        elif system.options.has_edges:
            force, count = touch_edges(system, motion, time, is_backwards, stack)
            peak, touching = max(peak, force), touching + count
    note_kicks(motion)
    force, count = touch_balls(system, motion, time)
    return max(peak, force), touching + count


@device
def touch_corners(rows, system, motion, time, stack):
    """As `touch_bodies`: bodies touch each other at corners, there are no rows of polygons."""
    return touch_bodies(system, motion, time, stack)


@routine
def touch(touch_rigid, rows, system, motion, time, stack):
    """Contacts of a step; whether there were any."""
    pressed, peak = 0.0, 0.0
    motion.step.stiffest, motion.step.length = 0.0, time
    if system.surface.body >= 0:
        place_points(system, motion)
        start_touching(system, motion, time)
        touching = 0
        if motion.contacts.search.point_count > 0.0 or system.options.has_edges:
            peak, touching = touch_target(system, motion, time, stack)
        if touching > 0 or motion.ledger.energy.pressed > 0.0:
            pressed = held_by_points(system, motion, time)
            if system.options.has_edges:
                pressed += held_by_edges(system, motion, time)
        motion.step.peak_force = max(motion.step.peak_force, peak)
        if peak > 0.0 and motion.step.touched_at == np.inf:  # a bounce may be over within the step
            motion.step.touched_at = motion.step.time + time
    in_boxes, on_boxes = touch_boxes(system, motion, time)
    in_pairs, on_pairs = touch_pairs(system, motion, time)
    in_bodies, on_bodies = touch_rigid(rows, system, motion, time, stack)
    in_ground, on_ground = touch_ground(system, motion, time)
    motion.ledger.energy.pressed = pressed + in_boxes + in_pairs + in_bodies + in_ground
    peak = max(peak, on_boxes, on_pairs, on_bodies, on_ground)
    is_holding = False
    if system.options.has_glue:
        is_holding = hold(system, motion, time)[1] > 0
    return peak > 0.0 or is_holding


@routine
def take_step(touch_rigid, rows, system, motion, time, powers, scratch, share):
    """One step [s]; powers (dampers, field) [W] at its start; those at its end and the next step."""
    half = 0.5 * time
    begin = motion.step.time
    kick_nodes(system, motion, half)
    kick_bodies(motion, half)
    kick_turns(motion, half)
    kick_loads(system, motion, begin, begin + half)
    enforce_latches(system, motion, begin)
    enforce_turn_latches(system, motion, begin)
    has_touched = touch(touch_rigid, rows, system, motion, time, scratch.stack)
    pass_time(motion, time)
    if has_touched or system.surface.body < 0:
        place_points(system, motion)
    if len(system.orders.winches) > 0:
        run_winches(system, motion, begin, begin + time)
        update_inverse_mass(motion, scratch.inverse_mass)  # what is reeled in takes its mass along
    drift(system, motion, time, half, has_touched)
    drift_turns(system, motion, time)
    kick_bodies(motion, half)  # as foreseen: dampers are evaluated with it, then it is corrected
    renew_threads(system, motion, scratch.force)
    now, step = slow_forces(system, motion, scratch, half, share)
    book_winding(system, motion, begin, begin + time)
    kick_loads(system, motion, begin + half, begin + time)
    enforce_latches(system, motion, begin + half)
    enforce_turn_latches(system, motion, begin + half)
    book_powers(motion, half, powers, now)
    note_lines(motion, begin + time)
    update_energy_ledger(system, motion)
    watch_surfaces(system, motion, begin + time, scratch.stack, False)
    watch_ground(system, motion, begin + time, False)
    return now, step


@device
def pass_time(motion, time):
    """Let the time go on by a step [s], and what elements may have come nearer to their length."""
    motion.step.time += time
    motion.step.count += 1.0
    motion.lists.state.stretched += 2.0 * AMPLE * motion.lists.state.fastest * time


@device
def book_powers(motion, half, powers, now):
    """Book what powers at both ends of a step of twice half [s] have done."""
    motion.ledger.work[THREAD_DAMPING] -= half * (powers[0] + now[0])
    motion.ledger.work[GRAVITY] += half * (powers[1] + now[1])


@routine
def renew_threads(system, motion, room):
    """Sort threads again if points have moved far enough, what they may stray from now on included."""
    slack = system.options.slack
    if not motion.lists.state.stretched + max(motion.lists.state.spare_way - slack, 0.0) < slack:
        place_points(system, motion)
        sort_threads(
            system.threads,
            system.points,
            system.inverse_inertia,
            motion,
            system.options.slack,
            room,
        )


@routine
def update_energy_ledger(system, motion):
    """Kinetic energy of nodes and bodies, and the largest remainder of the ledger so far."""
    nodes = nodes_sums(motion)
    motion.ledger.energy.kinetic = nodes[0] + body_energy(system, motion)
    motion.ledger.energy.kinetic += turns_energy(system, motion)
    total = (
        motion.ledger.energy.kinetic + motion.ledger.energy.elastic + motion.ledger.energy.pressed
    )
    for work in motion.ledger.work:
        total -= work
    if motion.step.count == 0.0:
        motion.ledger.energy.start = total
    motion.ledger.energy.largest = max(
        motion.ledger.energy.largest, abs(total - motion.ledger.energy.start)
    )
    note_phase(system, motion, total - motion.ledger.energy.start, nodes)


@device
def press_limit(motion, share):
    """Longest step [s] by what presses on the target: contacts that share points act in turn."""
    square = motion.step.stiffest
    return PRESSING * share * 2.0 / math.sqrt(square) if square > 0.0 else math.inf


@device
def surface_limit(system, motion):
    """Longest step [s] by the turn of the bodies whose surfaces points and threads touch.

    A contact sees the surface turn along a chord, with the normal of the end of the step.
    """
    step = math.inf
    if system.surface.body >= 0:
        step = turn_limit(system, motion, system.surface.body)
    for b in system.boxes.body:
        step = min(step, turn_limit(system, motion, b))
    return step


@device
def pace_limit(system, motion):
    """Longest step [s] in which no element can become longer by more than its slack allows."""
    fastest = 2.0 * motion.lists.state.fastest * AMPLE
    return 0.5 * system.options.slack / fastest if fastest > 0.0 else math.inf


@device
def within(time, left):
    """A step [s] that ends with what is left [s], or leaves room for one as long, not for a sliver."""
    if time >= ALL_BUT * left:
        return left
    return 0.5 * left if time > 0.5 * left else time


@device
def note_step(motion, step):
    """Keep the step [s] just done, for the next march."""
    motion.step.last = step


@device
def set_time(motion, time):
    """Set the time [s], free of the roundings of a sum."""
    motion.step.time = time


@uncounted_entry
def march(system, motion, scratch, until, share, longest, most):
    """March to a time [s]; see `march_with`. Rigid bodies touch each other at corners."""
    return march_with(touch_corners, (), system, motion, scratch, until, share, longest, most)


@routine
def march_with(touch_rigid, rows, system, motion, scratch, until, share, longest, most):
    """March to a time [s], or until `most` steps are done, or to a pause; whether the time was reached.

    touch_rigid, rows  how bodies touch each other, and with what
    share    of the longest stable step [-]      longest  step allowed [s]
    A pause changes no bit of the motion, as long as the same scratch is given again.
    """
    if scratch.march.goes_on == 0.0:
        renew_threads(system, motion, scratch.force)
        update_inverse_mass(motion, scratch.inverse_mass)
        powers, step = slow_forces(system, motion, scratch, 0.0, share)
        keep_on(scratch.march, powers, step)
        if motion.step.count == 0.0:
            update_energy_ledger(system, motion)
            note_step(motion, min(step, longest))
            watch_surfaces(system, motion, motion.step.time, scratch.stack, False)
            watch_ground(system, motion, motion.step.time, False)
    powers = scratch.march.lost_power, scratch.march.field_power
    step, last = scratch.march.stable_step, motion.step.last
    scratch.march.is_paused = NOT_PAUSED
    while motion.step.time < until and motion.step.count < most:
        ahead = until - motion.step.time
        left = min(ahead, field_limit(system.field, motion.step.time))
        time = min(
            press_limit(motion, share),
            surface_limit(system, motion),
            step,
            longest,
            GROWTH * last,
            pace_limit(system, motion),
            load_limit(system, motion),
            winch_limit(system, motion, share),
        )
        time = within(line_limit(system, motion, share, time), left)
        if pauses_before(scratch.march, motion.step.time + time):
            break
        powers, step = take_step(touch_rigid, rows, system, motion, time, powers, scratch, share)
        last = time
        note_step(motion, last)
        keep_on(scratch.march, powers, step)
        if time == ahead:
            set_time(motion, until)
        if pauses_after(scratch.march, motion.step):
            break
    is_there = motion.step.time >= until
    if is_there:
        watch_surfaces(system, motion, motion.step.time, scratch.stack, True)
        watch_ground(system, motion, motion.step.time, True)
    return is_there
