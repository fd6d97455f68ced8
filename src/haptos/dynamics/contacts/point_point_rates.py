"""Points of a net and balls of bullets pressed on each other: forces of the moment.

    d = x_i - x_j,   gap = |d| - reach,   n = d/|d|,   f = k depth^(3/2) max(0, 1 + a depth') n

    reach  sum of both radii [m]
Two nodes press along the line of their centres; where a bullet takes part friction acts too, at the
centre of a node or on the surface of a ball, `point_mesh_rates`. Pairs near enough are those of
`point_point_search`; steps are so short that no pair of them passes through each other unseen.

Frame: N. Validity: nodes do not rub on each other. Source: the law is `impact_damping`; spheres for
nodes and bullets are those of [Salvi2014] 3.4 and 3.7.
"""

from __future__ import annotations

import math

from haptos.contact.ball_flow import meeting_time
from haptos.contact.contact_flow import NORMAL_LAW, OPEN, STIFFNESS, entry_factor
from haptos.contact.laws.normal import normal_heat, normal_load
from haptos.core.jit import device, routine
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.detect import centres_apart
from haptos.dynamics.contacts.memories import (
    PAIR_COUNT,
    PAIR_LOOKED,
    PAIR_MARGIN,
    PAIR_MET,
    PAIR_PEAK,
    PAIR_SINCE,
)
from haptos.dynamics.contacts.point_mesh_rates import book_press, press, relative_speed
from haptos.dynamics.contacts.point_point_search import (
    first_point,
    has_pairs,
    pair_kind,
    relative_way,
    renew_pairs,
)
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.rigid.bodies import three

CITES: tuple[str, ...] = ("Salvi2014",)

SEEN = 0.2  # [-] of its reach that a pair which is about to meet may move in a step


@device
def apart(motion, i, j):
    """(distance [m], unit vector from point j to point i)."""
    return centres_apart(subtract(three(motion.points.x, i), three(motion.points.x, j)))


@routine
def press_pairs(system, motion, scratch, dy, works):
    """Push all pairs apart that touch."""
    if not has_pairs(system.options):
        return
    pairs = motion.contacts.pairs
    for k in range(int(pairs.tally[PAIR_COUNT])):
        i, j = pairs.first[k], pairs.second[k]
        distance, n = apart(motion, i, j)
        depth = pairs.reach[k] - distance
        if not depth > 0.0:
            continue
        pair = pair_numbers(system.spheres.numbers, system.points.kind[i], system.points.kind[j])
        body, kind = system.points.owner[j], pair_kind(system, i, j)
        if body < 0:
            load = _press_nodes(motion, scratch, i, j, depth, n, pair, pairs.factor[k], dy, works)
        else:
            load = press(
                system, motion, scratch, i, body, system.spheres.radius[i], -depth, n, pair,
                pairs.factor[k], dy, works,
            )  # fmt: skip
        pairs.tally[PAIR_PEAK + kind] = max(pairs.tally[PAIR_PEAK + kind], load)


@routine
def _press_nodes(motion, scratch, i, j, depth, n, pair, factor, dy, works):
    """Push [N] of two nodes along the line of their centres."""
    rate = -dot(subtract(three(motion.points.v, i), three(motion.points.v, j)), n)
    if factor == OPEN:
        factor = entry_factor(pair, max(rate, 0.0))
    load = normal_load(pair[NORMAL_LAW], pair[STIFFNESS], factor, depth, rate)
    for k in range(3):
        scratch.force[i, k] += load * n[k]
        scratch.force[j, k] -= load * n[k]
    lost = normal_heat(pair[NORMAL_LAW], pair[STIFFNESS], factor, depth, rate)
    book_press(motion, dy, works, pair, depth, (lost, 0.0), load)
    return load


@routine
def way_of_pairs(system, motion, time):
    """How far two points may move against each other in a step [s], in metres; speeds may double."""
    return 2.0 * AMPLE * relative_way(system, motion, first_point(system), time)


@routine
def renew_near_pairs(system, motion, time):
    """List pairs again if the list does not hold for a step [s], and keep the factors of those that touch."""
    if not has_pairs(system.options):
        return
    pairs = motion.contacts.pairs
    way = way_of_pairs(system, motion, time)
    if not pairs.tally[PAIR_SINCE] + way < pairs.tally[PAIR_MARGIN]:
        renew_pairs(system, motion, first_point(system), way)
        pairs.tally[PAIR_SINCE] = 0.0
    pairs.tally[PAIR_LOOKED] += pairs.tally[PAIR_COUNT]
    for k in range(int(pairs.tally[PAIR_COUNT])):
        i, j = pairs.first[k], pairs.second[k]
        distance, n = apart(motion, i, j)
        if not distance < pairs.reach[k]:
            pairs.factor[k] = OPEN
        elif pairs.factor[k] == OPEN:
            pairs.factor[k] = _entered(system, motion, i, j, n)
            pairs.tally[PAIR_MET + pair_kind(system, i, j)] += 1.0


@routine
def _entered(system, motion, i, j, n):
    """Factor of losses [s/m] of a pair that has met."""
    body = system.points.owner[j]
    relative = subtract(three(motion.points.v, i), three(motion.points.v, j))
    if body >= 0:
        relative, _ = relative_speed(system, motion, i, body, system.spheres.radius[i], n)
    pair = pair_numbers(system.spheres.numbers, system.points.kind[i], system.points.kind[j])
    return entry_factor(pair, max(-dot(relative, n), 0.0))


@routine
def pair_limit(system, motion):
    """Longest step [s] in which no pair passes unseen: to where it meets, or a share of its reach."""
    step = math.inf
    if not has_pairs(system.options):
        return step
    pairs = motion.contacts.pairs
    for k in range(int(pairs.tally[PAIR_COUNT])):
        i, j = pairs.first[k], pairs.second[k]
        d = subtract(three(motion.points.x, i), three(motion.points.x, j))
        w = subtract(three(motion.points.v, i), three(motion.points.v, j))
        speed = norm(w)
        if not dot(d, w) < 0.0 or not speed > 0.0:
            continue
        wait = meeting_time(d, w, pairs.reach[k])
        if math.isfinite(wait):
            step = min(step, max(wait, SEEN * pairs.reach[k] / speed))
    return step


@routine
def use_up_pairs(system, motion, time):
    """Take the way of a step [s] that was accepted from what the list of pairs holds for."""
    if has_pairs(system.options):
        motion.contacts.pairs.tally[PAIR_SINCE] += way_of_pairs(system, motion, time)
