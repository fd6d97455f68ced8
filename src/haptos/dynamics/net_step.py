"""Steps of a net: half a kick, drift with contacts, half a kick, with all books kept.

The scheme is that of Stoermer and Verlet: second order, momenta kept to rounding, energy without
drift where nothing is lost. Dampers see the velocity the step would end with if the acceleration
stayed as it was, which keeps the second order. Contacts act inside the drift in steps of their own,
`contact_flow`, so that a stiff touch of a light node does not shorten the steps of the whole net.
Loads by the clock act in the kicks with their exact impulses.

    stable for  step < 2/w,  w the highest frequency of what is taut: element length over the speed
    of sound in the thread, sqrt(EA/rho)

The step is a share of that; where nothing is taut it goes on to where the first element will be.
Elements far from their length are not looked at until the ways of all points add up to a margin.

Validity: the jump of a damper as an element goes taut is of first order. Source: [Hairer2003].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.jit import entry, routine
from haptos.dynamics.net_bodies import (
    body_energy,
    drift_bodies,
    gather_forces,
    kick_bodies,
    place_points,
    three,
    turn_back,
)
from haptos.dynamics.net_boxes import touch_boxes
from haptos.dynamics.net_edges import touch_edges
from haptos.dynamics.net_field import field_at, field_on_bodies, renew_field
from haptos.dynamics.net_layout import (
    BROKEN,
    ELASTIC,
    FASTEST,
    GRAVITY,
    KINETIC,
    LARGEST,
    LAST_STEP,
    PEAK,
    PRESSED,
    START,
    STEPS,
    THREAD_DAMPING,
    THREADS_SINCE,
    TIME,
    TOUCHED_AT,
    WINCH,
)
from haptos.dynamics.net_loads import kick_loads, load_limit
from haptos.dynamics.net_pairs import touch_pairs
from haptos.dynamics.net_threads import (
    catch_up,
    damper_power,
    line_forces,
    sort_threads,
    thread_forces,
)
from haptos.dynamics.net_touch import AMPLE, touch_surface
from haptos.dynamics.net_touch_balls import touch_balls
from haptos.dynamics.net_weld import weld
from haptos.dynamics.net_winding import wind, wind_limit

CITES: tuple[str, ...] = ("Hairer2003",)

GROWTH = 1.3  # [-] of a step over the one before, so that what pulls is seen before it grows long


@routine
def slow_forces(net, motion, scratch, half, share):
    """Forces of threads and fields as all is now; velocities put right for half a step [s].

    Velocities came with the old accelerations; the change of these acts on them for `half`.
    ((power lost in dampers, of the field, of winches against dampers) [W], longest next step [s]);
    energies go to the clock.
    """
    clock, force = motion.clock, scratch.force
    place_points(net, motion)
    renew_field(net.field, clock[TIME])
    if not clock[THREADS_SINCE] < net.options.slack:
        sort_threads(net.threads, net.points, net.inverse_inertia, motion, net.options.slack, force)
    force[:, :] = 0.0
    held, broken, step = thread_forces(net.threads, motion, force, 2.0 * half, share)
    more, leaked, pace = line_forces(
        net.lines, net.points, net.inverse_inertia, motion, force, share
    )
    clock[ELASTIC] = held + more
    clock[BROKEN] += broken
    scratch.f[:, :] = motion.force
    scratch.t[:, :] = motion.torque
    gather_forces(net, motion, force)
    gained = renew_nodes(net, motion, force, half)
    gained += field_on_bodies(net, motion)
    for b in range(len(motion.inverse_mass)):
        for k in range(3):
            change = motion.force[b, k] - scratch.f[b, k]
            motion.speed[b, k] += half * motion.inverse_mass[b] * change
            motion.momentum[b, k] += half * (motion.torque[b, k] - scratch.t[b, k])
    catch_up(net, motion)
    place_points(net, motion)
    lost, wound = damper_power(net.threads, motion)
    fastest = 2.0 * clock[FASTEST] * AMPLE
    pace = min(pace, 0.5 * net.options.slack / fastest) if fastest > 0.0 else pace
    return (lost + leaked, gained, wound), min(step, pace)


@routine
def renew_nodes(net, motion, force, half):
    """Power of the field [W] on the nodes after their new accelerations; their greatest speed."""
    gained, fastest = 0.0, 0.0
    v, a = motion.v, motion.a
    for i in range(len(motion.mass)):
        if net.points.owner[i] >= 0:
            break
        mass = motion.mass[i]
        pull = field_at(net.field, three(motion.x, i), three(v, i))
        square = 0.0
        for k in range(3):
            new = force[i, k] / mass + pull[k]
            v[i, k] += half * (new - a[i, k])
            a[i, k] = new
            gained += mass * pull[k] * v[i, k]
            square += v[i, k] * v[i, k]
        fastest = max(fastest, square)
    for i in range(len(motion.mass) - 1, -1, -1):
        if net.points.owner[i] < 0:
            break
        fastest = max(fastest, v[i, 0] ** 2 + v[i, 1] ** 2 + v[i, 2] ** 2)
    motion.clock[FASTEST] = math.sqrt(fastest)
    return gained


@routine
def nodes_energy(net, motion):
    """Kinetic energy of the nodes [J]."""
    total = 0.0
    for i in range(len(motion.mass)):
        if net.points.owner[i] >= 0:
            break
        v = three(motion.v, i)
        total += 0.5 * motion.mass[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return total


@routine
def kick_nodes(net, motion, time):
    """Let the accelerations of the nodes act for a time [s]."""
    for i in range(len(motion.mass)):
        if net.points.owner[i] >= 0:
            break
        for k in range(3):
            motion.v[i, k] += time * motion.a[i, k]


@routine
def drift(net, motion, time, half, has_touched):
    """Free motion with the velocities of now, then on to the velocity foreseen at the end.

    What the kicks of contacts went too far is taken back.
    """
    x, v, a = motion.x, motion.v, motion.a
    for i in range(len(motion.mass)):
        if net.points.owner[i] >= 0:
            break
        for k in range(3):
            x[i, k] += time * v[i, k]
            v[i, k] += half * a[i, k]
    drift_bodies(net, motion, time)
    if has_touched:
        x -= motion.shift
        motion.shift[:, :] = 0.0
        for b in range(len(motion.inverse_mass)):
            for k in range(3):
                motion.place[b, k] -= motion.body_shift[b, k]
                motion.body_shift[b, k] = 0.0
            turn_back(motion, b)


@routine
def touch(net, motion, time, stack):
    """Contacts of a step; whether there were any."""
    clock = motion.clock
    pressed, peak, touching = 0.0, 0.0, 0
    if net.surface.body >= 0:
        place_points(net, motion)
        pressed, peak, touching = touch_surface(net, motion, time, stack)
        if net.options.has_edges:
            more, strongest, threads = touch_edges(net, motion, time, stack)
            pressed, peak, touching = pressed + more, max(peak, strongest), touching + threads
        more, strongest, balls = touch_balls(net, motion, time)
        pressed, peak, touching = pressed + more, max(peak, strongest), touching + balls
        clock[PEAK] = max(clock[PEAK], peak)
        if touching > 0 and clock[TOUCHED_AT] == np.inf:
            clock[TOUCHED_AT] = clock[TIME] + time
    in_boxes, on_boxes = touch_boxes(net, motion, time)
    in_pairs, on_pairs = touch_pairs(net, motion, time)
    clock[PRESSED] = pressed + in_boxes + in_pairs
    peak = max(peak, on_boxes, on_pairs)
    return peak > 0.0


@routine
def take_step(net, motion, time, powers, scratch, share):
    """One step [s]; powers (dampers, field, winches) [W] at its start; those at its end and the next step."""
    clock, half = motion.clock, 0.5 * time
    begin = clock[TIME]
    kick_nodes(net, motion, half)
    kick_bodies(motion, half)
    kick_loads(net, motion, begin, begin + half)
    weld(net, motion, begin)
    has_touched = touch(net, motion, time, scratch.stack)
    clock[TIME] = begin + time
    place_points(net, motion)
    wind(net, motion, begin + half, half, True)
    drift(net, motion, time, half, has_touched)
    place_points(net, motion)
    wind(net, motion, begin + time, half, False)
    kick_bodies(motion, half)  # as foreseen: dampers are evaluated with it, then it is put right
    clock[THREADS_SINCE] += 2.0 * AMPLE * clock[FASTEST] * time
    now, step = slow_forces(net, motion, scratch, half, share)
    kick_loads(net, motion, begin + half, begin + time)
    weld(net, motion, begin + half)
    motion.books[THREAD_DAMPING] -= half * (powers[0] + now[0])
    motion.books[GRAVITY] += half * (powers[1] + now[1])
    motion.books[WINCH] += half * (powers[2] + now[2])
    clock[STEPS] += 1.0
    weigh(net, motion)
    return now, step


@routine
def weigh(net, motion):
    """Take stock: kinetic energy of the bodies and the largest remainder of the books so far."""
    clock = motion.clock
    clock[KINETIC] = nodes_energy(net, motion) + body_energy(net, motion)
    total = clock[KINETIC] + clock[ELASTIC] + clock[PRESSED]
    for work in motion.books:
        total -= work
    if clock[STEPS] == 0.0:
        clock[START] = total
    clock[LARGEST] = max(clock[LARGEST], abs(total - clock[START]))


@entry
def march(net, motion, scratch, until, share, longest, most):
    """March to a time [s], or until `most` steps are done; whether the time was reached.

    share    of the longest stable step [-]      longest  step allowed [s]
    """
    clock = motion.clock
    powers, step = slow_forces(net, motion, scratch, 0.0, share)
    if clock[STEPS] == 0.0:
        weigh(net, motion)
        clock[LAST_STEP] = min(step, longest)
    last = clock[LAST_STEP]
    while clock[TIME] < until:
        if clock[STEPS] >= most:
            return False
        left = until - clock[TIME]
        time = min(
            step, longest, GROWTH * last, load_limit(net, motion), wind_limit(net, motion, share)
        )
        if time >= 0.999999 * left:
            time = left
        elif time > 0.5 * left:
            time = 0.5 * left  # two steps rather than one and a sliver
        powers, step = take_step(net, motion, time, powers, scratch, share)
        last = time
        clock[LAST_STEP] = last
        if time == left:
            clock[TIME] = until
    return True
