"""Steps of a net: half a kick, drift with contacts, half a kick, with all books kept.

The scheme is that of Stoermer and Verlet: second order, momenta kept to rounding, energy without
drift where nothing is lost. Dampers see the velocity the step would end with if the acceleration
stayed as it was, which keeps the second order. Contacts act inside the drift in steps of their own,
`contact_flow`, so that a stiff touch of a light node does not shorten the steps of the whole net.
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
from haptos.core.jit import device, routine, uncounted_entry, woven
from haptos.dynamics.air_loads import blow_threads, book_pushes, push_bodies
from haptos.dynamics.cable.beams import (
    beam_forces,
    both_stable,
    change_turns,
    drift_turns,
    kick_turns,
    turns_energy,
    weld_turns,
)
from haptos.dynamics.cable.candidates import AMPLE, sort_threads
from haptos.dynamics.cable.elements import catch_up, damper_power, thread_forces
from haptos.dynamics.cable.running_lines import catch_lines, line_forces, line_limit
from haptos.dynamics.cable.winches import book_winding, wind, wind_limit
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
)
from haptos.dynamics.rigid.latches import weld
from haptos.dynamics.rigid.loads import kick_loads, load_limit
from haptos.dynamics.system import (
    ACTIVE_POINTS,
    BROKEN,
    ELASTIC,
    FASTEST,
    FIELD_POWER,
    GOES_ON,
    GRAVITY,
    IS_PAUSED,
    KINETIC,
    LARGEST,
    LAST_STEP,
    LOST_POWER,
    NODES,
    PEAK,
    PRESSED,
    SPARE_WAY,
    STABLE_STEP,
    START,
    STEPS,
    STIFFEST,
    THIS_STEP,
    THREAD_DAMPING,
    THREADS_SINCE,
    TIME,
    TOUCHED_AT,
)

CITES: tuple[str, ...] = ("Hairer2003",)

PRESSING = 0.4  # [-] of the step that a spring as stiff as a contact would allow
ALL_BUT = 0.999999  # [-] of what is left of a march: a step that takes this much takes all
GROWTH = 1.3  # [-] of a step over the one before, so that what pulls is seen before it grows long


@woven
def slow_forces(net, motion, scratch, half, share):
    """Forces of threads and fields as all is now; velocities put right for half a step [s].

    Velocities came with the old accelerations; the change of these acts on them for `half`.
    ((power lost in dampers, of the field) [W], longest next step [s]); energies go to the clock.
    """
    place_points(net, motion)
    renew_field(net.field, motion.clock[TIME])
    clear(scratch.force)
    pulls = thread_forces(net.threads, motion, scratch.force, 2.0 * half, share)
    lines = line_forces(net.lines, net.points, net.inverse_inertia, motion, scratch.force, share)
    bends = beam_forces(net, motion, scratch.force, share)
    has_air = net.air.has_drag or net.air.has_light
    if net.air.has_drag:
        blow_threads(net, motion, scratch.blown, scratch.force)
    note_threads(motion, pulls[0] + lines[0] + bends[0], pulls[1])
    keep_loads(motion, scratch)
    gather_forces(net, motion, scratch.force)
    change_turns(motion, half)
    gained = renew_nodes(net, motion, scratch.force, scratch.light, half)
    gained += field_on_bodies(net, motion)
    if has_air:
        push_bodies(net, motion, scratch.pushed)
    change_loads(motion, scratch, half)
    catch_up(net, motion)
    place_points(net, motion)
    leaked = catch_lines(net, motion, half)
    if has_air:
        book_pushes(net, motion, scratch, half)
    lost = damper_power(net.threads, motion)
    step = both_stable(both_stable(pulls[2], lines[2]), bends[2])
    return (lost + leaked + bends[1], gained), step


@routine
def clear(force):
    """Set all forces to 0."""
    force[:, :] = 0.0


@device
def note_threads(motion, held, broken):
    """Bring the energy held [J] by threads and the count of broken ones to the clock."""
    motion.clock[ELASTIC] = held
    motion.clock[BROKEN] += broken


@device
def keep_loads(motion, scratch):
    """Keep the forces and torques on bodies as they were."""
    for b in range(len(motion.inverse_mass)):
        for k in range(3):
            scratch.body_force[b, k] = motion.force[b, k]
            scratch.body_torque[b, k] = motion.torque[b, k]


@device
def change_loads(motion, scratch, half):
    """Let the change of forces and torques on bodies act for half a step [s]."""
    for b in range(len(motion.inverse_mass)):
        for k in range(3):
            change = motion.force[b, k] - scratch.body_force[b, k]
            motion.speed[b, k] += half * motion.inverse_mass[b] * change
            motion.momentum[b, k] += half * (motion.torque[b, k] - scratch.body_torque[b, k])


@routine
def lighten(motion, light):
    """Write the inverse mass [1/kg] of each node beside each of its three forces."""
    for i in range(int(motion.clock[NODES])):
        for k in range(3):
            light[i, k] = 1.0 / motion.mass[i]


@device
def nodes_energy(motion):
    """Kinetic energy of the nodes [J]."""
    return nodes_sums(motion)[0]


@routine
def kick_nodes(net, motion, time):
    """Let the accelerations of the nodes act for a time [s]."""
    v, a = flat(motion.v), flat(motion.a)
    for i in range(3 * int(motion.clock[NODES])):
        v[i] += time * a[i]


@routine
def drift(net, motion, time, half, has_touched):
    """Free motion with the velocities of now, then on to the velocity foreseen at the end.

    What the kicks of contacts went too far is taken back.
    """
    places, v, a, count = flat(motion.x), flat(motion.v), flat(motion.a), int(motion.clock[NODES])
    for i in range(3 * count):
        places[i] += time * v[i]
    for i in range(3 * count):
        v[i] += half * a[i]
    drift_bodies(net, motion, time)
    if has_touched:
        shift = flat(motion.shift)
        for i in range(len(places)):
            places[i] -= shift[i]
        motion.shift[:, :], motion.kick[:, :] = 0.0, 0.0
        motion.rubbed[:, :], motion.damped[:, :] = 0.0, 0.0
        for b in range(len(motion.inverse_mass)):
            for k in range(3):
                motion.place[b, k] -= motion.body_shift[b, k]
                motion.body_shift[b, k] = 0.0
            turn_back(motion, b)


@routine
def touch_target(net, motion, time, stack):
    """(largest force [N], contacts) with the target: forwards in one step and backwards in the next.

    Contacts act one after the other; both orders in turn make two steps symmetric in time.
    """
    is_backwards = motion.clock[STEPS] % 2.0 == 1.0
    peak, touching = 0.0, 0
    keep_speeds(motion)
    for turn in range(2):
        if (turn == 0) != is_backwards:
            force, count = touch_nodes(net, motion, time, is_backwards, stack)
            peak, touching = max(peak, force), touching + count
        elif net.options.has_edges:
            force, count = touch_edges(net, motion, time, is_backwards, stack)
            peak, touching = max(peak, force), touching + count
    note_kicks(motion)
    force, count = touch_balls(net, motion, time)
    return max(peak, force), touching + count


@routine
def touch(net, motion, time, stack):
    """Contacts of a step; whether there were any."""
    clock = motion.clock
    pressed, peak = 0.0, 0.0
    clock[STIFFEST], clock[THIS_STEP] = 0.0, time
    clear_kicks(motion)
    if net.surface.body >= 0:
        place_points(net, motion)
        start_touching(net, motion, time)
        touching = 0
        if clock[ACTIVE_POINTS] > 0.0 or net.options.has_edges:
            peak, touching = touch_target(net, motion, time, stack)
        if touching > 0 or clock[PRESSED] > 0.0:
            pressed = held_by_points(net, motion, time)
            if net.options.has_edges:
                pressed += held_by_edges(net, motion, time)
        clock[PEAK] = max(clock[PEAK], peak)
        if peak > 0.0 and clock[TOUCHED_AT] == np.inf:  # a bounce may be over within the step
            clock[TOUCHED_AT] = clock[TIME] + time
    in_boxes, on_boxes = touch_boxes(net, motion, time)
    in_pairs, on_pairs = touch_pairs(net, motion, time)
    in_bodies, on_bodies = touch_bodies(net, motion, time, stack)
    in_ground, on_ground = touch_ground(net, motion, time)
    clock[PRESSED] = pressed + in_boxes + in_pairs + in_bodies + in_ground
    peak = max(peak, on_boxes, on_pairs, on_bodies, on_ground)
    is_holding = False
    if net.options.has_glue:
        is_holding = hold(net, motion, time)[1] > 0
    return peak > 0.0 or is_holding


@woven
def take_step(net, motion, time, powers, scratch, share):
    """One step [s]; powers (dampers, field) [W] at its start; those at its end and the next step."""
    half = 0.5 * time
    begin = motion.clock[TIME]
    kick_nodes(net, motion, half)
    kick_bodies(motion, half)
    kick_turns(motion, half)
    kick_loads(net, motion, begin, begin + half)
    weld(net, motion, begin)
    weld_turns(net, motion, begin)
    has_touched = touch(net, motion, time, scratch.stack)
    pass_time(motion, time)
    if has_touched or net.surface.body < 0:
        place_points(net, motion)
    if len(net.orders.winds) > 0:
        wind(net, motion, begin, begin + time)
        lighten(motion, scratch.light)  # what is reeled in takes its mass along
    drift(net, motion, time, half, has_touched)
    drift_turns(net, motion, time)
    kick_bodies(motion, half)  # as foreseen: dampers are evaluated with it, then it is put right
    renew_threads(net, motion, scratch.force)
    now, step = slow_forces(net, motion, scratch, half, share)
    book_winding(net, motion, begin, begin + time)
    kick_loads(net, motion, begin + half, begin + time)
    weld(net, motion, begin + half)
    weld_turns(net, motion, begin + half)
    book_powers(motion, half, powers, now)
    note_lines(motion, begin + time)
    weigh(net, motion)
    watch_surfaces(net, motion, begin + time, scratch.stack, False)
    watch_ground(net, motion, begin + time, False)
    return now, step


@device
def pass_time(motion, time):
    """Let the clock go on by a step [s], and what elements may have come nearer to their length."""
    motion.clock[TIME] += time
    motion.clock[STEPS] += 1.0
    motion.clock[THREADS_SINCE] += 2.0 * AMPLE * motion.clock[FASTEST] * time


@device
def book_powers(motion, half, powers, now):
    """Book what powers at both ends of a step of twice half [s] have done."""
    motion.books[THREAD_DAMPING] -= half * (powers[0] + now[0])
    motion.books[GRAVITY] += half * (powers[1] + now[1])


@routine
def renew_threads(net, motion, room):
    """Sort threads again if points have moved far enough, what they may stray from now on included."""
    slack = net.options.slack
    if not motion.clock[THREADS_SINCE] + max(motion.clock[SPARE_WAY] - slack, 0.0) < slack:
        place_points(net, motion)
        sort_threads(net.threads, net.points, net.inverse_inertia, motion, net.options.slack, room)


@routine
def weigh(net, motion):
    """Take stock: kinetic energy of nodes and bodies, and the largest remainder of the books so far."""
    clock = motion.clock
    nodes = nodes_sums(motion)
    clock[KINETIC] = nodes[0] + body_energy(net, motion)
    clock[KINETIC] += turns_energy(net, motion)
    total = clock[KINETIC] + clock[ELASTIC] + clock[PRESSED]
    for work in motion.books:
        total -= work
    if clock[STEPS] == 0.0:
        clock[START] = total
    clock[LARGEST] = max(clock[LARGEST], abs(total - clock[START]))
    note_phase(net, motion, total - clock[START], nodes)


@device
def press_limit(motion, share):
    """Longest step [s] by what presses on the target: contacts that share points act in turn."""
    square = motion.clock[STIFFEST]
    return PRESSING * share * 2.0 / math.sqrt(square) if square > 0.0 else math.inf


@device
def pace_limit(net, motion):
    """Longest step [s] in which no element can become longer by more than its slack allows."""
    fastest = 2.0 * motion.clock[FASTEST] * AMPLE
    return 0.5 * net.options.slack / fastest if fastest > 0.0 else math.inf


@device
def within(time, left):
    """A step [s] that ends with what is left [s], or leaves room for one as long, not for a sliver."""
    if time >= ALL_BUT * left:
        return left
    return 0.5 * left if time > 0.5 * left else time


@device
def note_step(motion, step):
    """Keep the step [s] just done, for the next march."""
    motion.clock[LAST_STEP] = step


@device
def set_time(motion, time):
    """Set the clock [s], free of the roundings of a sum."""
    motion.clock[TIME] = time


@uncounted_entry
def march(net, motion, scratch, until, share, longest, most):
    """March to a time [s], or until `most` steps are done, or to a pause; whether the time was reached.

    share    of the longest stable step [-]      longest  step allowed [s]
    A pause changes no bit of the motion, as long as the same scratch is given again.
    """
    if scratch.march[GOES_ON] == 0.0:
        renew_threads(net, motion, scratch.force)
        lighten(motion, scratch.light)
        powers, step = slow_forces(net, motion, scratch, 0.0, share)
        keep_on(scratch.march, powers, step)
        if motion.clock[STEPS] == 0.0:
            weigh(net, motion)
            note_step(motion, min(step, longest))
            watch_surfaces(net, motion, motion.clock[TIME], scratch.stack, False)
            watch_ground(net, motion, motion.clock[TIME], False)
    powers = scratch.march[LOST_POWER], scratch.march[FIELD_POWER]
    step, last = scratch.march[STABLE_STEP], motion.clock[LAST_STEP]
    scratch.march[IS_PAUSED] = NOT_PAUSED
    while motion.clock[TIME] < until and motion.clock[STEPS] < most:
        ahead = until - motion.clock[TIME]
        left = min(ahead, field_limit(net.field, motion.clock[TIME]))
        time = min(
            press_limit(motion, share),
            step,
            longest,
            GROWTH * last,
            pace_limit(net, motion),
            load_limit(net, motion),
            wind_limit(net, motion, share),
        )
        time = within(line_limit(net, motion, share, time), left)
        if pauses_before(scratch.march, motion.clock[TIME] + time):
            break
        powers, step = take_step(net, motion, time, powers, scratch, share)
        last = time
        note_step(motion, last)
        keep_on(scratch.march, powers, step)
        if time == ahead:
            set_time(motion, until)
        if pauses_after(scratch.march, motion.clock):
            break
    is_there = motion.clock[TIME] >= until
    if is_there:
        watch_surfaces(net, motion, motion.clock[TIME], scratch.stack, True)
        watch_ground(net, motion, motion.clock[TIME], True)
    return is_there
