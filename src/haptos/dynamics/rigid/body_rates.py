"""Rigid bodies of a net pressed on each other: forces of the moment.

Corners of one body, and points along its edges, press on the surface of the other and the other way
round, as in `body_body`.

    f = k depth^(3/2) max(0, 1 + a depth') n + f_t(slip),   both bodies get it at the corner

Two bodies are not looked at while the gap found last is longer than what they may have moved since.
Frame: N. Validity: edges that cross meet at points of theirs; friction has no memory.
Source: geometry of `body_body`, force of `point_mesh_rates`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, entry_factor
from haptos.core.jit import routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, norm, subtract
from haptos.dynamics.contacts.body_body import way_of
from haptos.dynamics.contacts.detect import hull_gap
from haptos.dynamics.contacts.memories import HULL_MET, HULL_PEAK
from haptos.dynamics.contacts.point_mesh_rates import book_press, force_of, push_body
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import attitude_of, three
from haptos.dynamics.rigid.loads import point_speed

CITES: tuple[str, ...] = ()

FASTER = 2.0  # [-] that speeds may grow within a step


@routine
def corner_gap(system, motion, h, c, stack):
    """(gap [m], normal, place [m]) of corner c of pair h, N axes."""
    owner, body = system.hulls.owner[h], system.hulls.body[h]
    own = rotation_matrix(attitude_of(motion, owner))
    dcm = rotation_matrix(attitude_of(motion, body))
    corner = three(system.hulls.corner, system.hulls.begin[h] + c)
    place = add(three(motion.bodies.place, owner), apply(own, corner))
    y = apply_transposed(dcm, subtract(place, three(motion.bodies.place, body)))
    gap, n = hull_gap(system, motion, h, c, y, stack)
    return gap, apply(dcm, n), place


@routine
def corner_force(system, motion, h, c, gap, n, place):
    """(force on the owner of a corner [N], normal part, (loss, friction) [W], rate of depth [m/s])."""
    own = point_speed(system, motion, system.hulls.owner[h], place)
    relative = subtract(own, point_speed(system, motion, system.hulls.body[h], place))
    pair = pair_numbers(system.hulls.numbers, h, 0)
    return force_of(pair, motion.contacts.hulls.factor[h, c], -gap, relative, n)


@routine
def press_bodies(system, motion, scratch, dy, works):
    """Push bodies apart that touch."""
    for h in range(len(system.hulls.owner)):
        if motion.contacts.hulls.clear[h] > 0.0:
            continue
        for c in range(system.hulls.end[h] - system.hulls.begin[h]):
            gap, n, place = corner_gap(system, motion, h, c, scratch.stack)
            if gap < 0.0:
                f, _, powers, _ = corner_force(system, motion, h, c, gap, n, place)
                push_body(motion, scratch, system.hulls.owner[h], place, 1.0, f)
                push_body(motion, scratch, system.hulls.body[h], place, -1.0, f)
                pair = pair_numbers(system.hulls.numbers, h, 0)
                book_press(motion, dy, works, pair, -gap, powers, 0.0)


@routine
def renew_hulls(system, motion, time, stack):
    """Find how far bodies are clear of each other [m]; 0 if they may touch in a step [s]."""
    hulls = system.hulls
    for h in range(len(hulls.owner)):
        way = FASTER * way_of(system, motion, h, time)
        if motion.contacts.hulls.clear[h] > way:
            continue
        a, b = hulls.owner[h], hulls.body[h]
        apart = norm(subtract(three(motion.bodies.place, a), three(motion.bodies.place, b)))
        least = apart - hulls.reach[a] - hulls.reach[b]
        if least <= way:
            least = math.inf
            for c in range(hulls.end[h] - hulls.begin[h]):
                least = min(least, corner_gap(system, motion, h, c, stack)[0])
        motion.contacts.hulls.clear[h] = least if least > way else 0.0


@routine
def remember_hulls(system, motion, stack):
    """Keep the factors of loss of corners that touch, and the largest force, after a step."""
    memory = motion.contacts.hulls
    for h in range(len(system.hulls.owner)):
        if memory.clear[h] > 0.0:
            continue
        for c in range(system.hulls.end[h] - system.hulls.begin[h]):
            gap, n, place = corner_gap(system, motion, h, c, stack)
            if gap >= 0.0:
                memory.factor[h, c] = OPEN
                continue
            _, load, _, rate = corner_force(system, motion, h, c, gap, n, place)
            memory.tally[h, HULL_PEAK] = max(memory.tally[h, HULL_PEAK], load)
            if memory.factor[h, c] == OPEN:
                own = point_speed(system, motion, system.hulls.owner[h], place)
                other = point_speed(system, motion, system.hulls.body[h], place)
                note_contact_speed(motion, system.hulls.owner[h], subtract(own, other), 1.0)
                pair = pair_numbers(system.hulls.numbers, h, 0)
                memory.factor[h, c] = entry_factor(pair, max(rate, 0.0))
                memory.tally[h, HULL_MET] += 1.0


@routine
def use_up_hulls(system, motion, time):
    """Take the ways of a step [s] that was accepted from what bodies are clear of each other."""
    for h in range(len(system.hulls.owner)):
        if motion.contacts.hulls.clear[h] > 0.0:
            motion.contacts.hulls.clear[h] -= FASTER * way_of(system, motion, h, time)
