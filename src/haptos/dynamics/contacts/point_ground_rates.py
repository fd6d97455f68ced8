"""Points of a system pressed on the ground: forces of the moment.

    gap by `ground_contact`,   f = k depth^(3/2) max(0, 1 + a depth') n and friction, `point_mesh_rates`

Which points may touch is settled before a step, by the way they are clear and may go in it.
Frame: N; the ground is fixed in it. Validity: friction has no memory; threads between two nodes may cut the ground.
Source: force in `point_mesh_rates`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, entry_factor
from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, norm
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.detect import clear_of_ground, ground_contact
from haptos.dynamics.contacts.ground_arrays import GROUND_AT, GROUND_MET, GROUND_PEAK
from haptos.dynamics.contacts.point_mesh import TINY
from haptos.dynamics.contacts.point_mesh_rates import book_press, force_of, push_body
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.rigid.loads import point_speed

CITES: tuple[str, ...] = ()

SEEN = 0.5  # [-] of its radius that a point near the ground may move in a step


@device
def speed_on_ground(system, motion, i, n):
    """(velocity of point i where it touches [m/s], that place [m])."""
    owner, x = system.points.owner[i], three(motion.points.x, i)
    if owner < 0:
        return three(motion.points.v, i), x
    place = add_scaled(x, -system.points.radius[i], n)
    return point_speed(system, motion, owner, place), place


@routine
def press_ground(system, motion, scratch, dy, works):
    """Push points out of the ground."""
    if not system.ground.is_on:
        return
    for i in range(len(system.points.owner)):
        if motion.contacts.ground.near[i] == 0:
            continue
        gap, n = ground_contact(system, i, three(motion.points.x, i))
        if not gap < 0.0:
            continue
        owner, peak = system.points.owner[i], motion.step.peak_force
        relative, place = speed_on_ground(system, motion, i, n)
        pair = pair_numbers(system.ground.pairs, 0, system.points.kind[i])
        f, load, powers, _ = force_of(pair, motion.contacts.ground.factor[i], -gap, relative, n)
        if owner < 0:
            for k in range(3):
                scratch.force[i, k] += f[k]
        else:
            push_body(motion, scratch, owner, place, 1.0, f)
            motion.bodies.met[owner, MET_PEAK] = max(motion.bodies.met[owner, MET_PEAK], load)
        book_press(motion, dy, works, pair, -gap, powers, load)
        motion.step.peak_force = peak  # of the target alone
        tally = motion.contacts.ground.tally
        tally[GROUND_PEAK] = max(tally[GROUND_PEAK], load)


@device
def way_over_ground(motion, i, time):
    """How far point i may move in a step [s], in metres; speeds may double."""
    return 2.0 * AMPLE * norm(three(motion.points.v, i)) * time + TINY


@routine
def renew_ground(system, motion, time):
    """Find the points that may touch the ground within a step [s]."""
    if not system.ground.is_on:
        return
    memory = motion.contacts.ground
    for i in range(len(system.points.owner)):
        if system.points.radius[i] <= 0.0:
            continue
        way = way_over_ground(motion, i, time)
        if memory.clear[i] < way:
            memory.clear[i] = clear_of_ground(
                system, three(motion.points.x, i), system.points.radius[i]
            )
        memory.near[i] = 1 if memory.clear[i] < way else 0


@routine
def use_up_ground(system, motion, time):
    """Take the ways of a step [s] that was accepted from what points are clear of the ground."""
    if system.ground.is_on:
        for i in range(len(system.points.owner)):
            motion.contacts.ground.clear[i] -= way_over_ground(motion, i, time)


@routine
def nearest_ground(system, motion):
    """Least gap [m] of all points near the ground; a metre if none is, or it was touched already."""
    nearest = 1.0
    if not system.ground.is_on or motion.contacts.ground.tally[GROUND_AT] < math.inf:
        return nearest
    for i in range(len(system.points.owner)):
        if motion.contacts.ground.near[i] != 0:
            gap = ground_contact(system, i, three(motion.points.x, i))[0]
            nearest = min(nearest, gap)
    return nearest


@device
def note_first_ground(system, motion, time):
    """Keep the time [s] of a step that ends at the first touch, where there is nothing but the ground to touch."""
    if system.ground.is_on and system.surface.body < 0:
        tally = motion.contacts.ground.tally
        tally[GROUND_AT] = min(tally[GROUND_AT], time)


@routine
def remember_ground(system, motion, time):
    """Keep the factors of loss of points that touch, after a step that ended at a time [s]."""
    if not system.ground.is_on:
        return
    memory = motion.contacts.ground
    for i in range(len(system.points.owner)):
        if memory.near[i] == 0:
            memory.factor[i] = OPEN
            continue
        gap, n = ground_contact(system, i, three(motion.points.x, i))
        if gap >= 0.0:
            memory.factor[i] = OPEN
        elif memory.factor[i] == OPEN:
            relative, _ = speed_on_ground(system, motion, i, n)
            note_contact_speed(motion, system.points.owner[i], relative, 1.0)
            pair = pair_numbers(system.ground.pairs, 0, system.points.kind[i])
            memory.factor[i] = entry_factor(pair, max(-dot(relative, n), 0.0))
            memory.tally[GROUND_MET] += 1.0
            memory.tally[GROUND_AT] = min(memory.tally[GROUND_AT], time)


@routine
def ground_limit(system, motion):
    """Longest step [s] in which no point near the ground goes deep: to it, or a share of its radius."""
    step = math.inf
    if not system.ground.is_on:
        return step
    for i in range(len(system.points.owner)):
        if motion.contacts.ground.near[i] == 0 or motion.contacts.ground.factor[i] != OPEN:
            continue
        speed = norm(three(motion.points.v, i))
        gap = ground_contact(system, i, three(motion.points.x, i))[0]
        if speed > 0.0:
            step = min(step, max(gap, SEEN * system.points.radius[i]) / speed)
    return step
