"""Points of a net and balls of bullets against each other, over one step.

Each pair near enough, `point_point_search`, is followed along the free ways of both points from where
they meet: nothing passes through, however far a step goes. Two nodes press along the line of their
centres, `ball_flow`; where a bullet takes part its body may turn, and friction acts, `resolve`.

    d = x_i - x_j,   gap = |d| - reach,   n = d/|d|

    reach  sum of both radii [m]; less for a pair that overlapped before it met
    x_i, x_j  places of both points [m]     n  unit, along which they press
A pair that overlaps without having met, because others pushed it so, meets where it is: that depth
is given back only as the pair parts by itself, or the contact would make energy out of nothing.
Where several pairs press, or a bullet, all go through the step together in parts as short as the
stiffest asks; within a part one after the other, forwards and backwards in turn. Nothing touches
while the net is held in its canister, and no bullet before its shot.
Frame: N axes. Validity: nodes do not rub on each other. Source: the scheme is ours; spheres for
nodes and bullets are those of [Salvi2014] 3.4 and 3.7.
"""

from __future__ import annotations

import math

from haptos.contact.ball_flow import ball_energy, ball_flow, meeting_time
from haptos.contact.contact_flow import OPEN, longest_step
from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, norm, scale, subtract
from haptos.dynamics.contacts.detect import centres_apart
from haptos.dynamics.contacts.memories import (
    PAIR_COUNT,
    PAIR_LOOKED,
    PAIR_MARGIN,
    PAIR_MET,
    PAIR_PEAK,
    PAIR_SINCE,
)
from haptos.dynamics.contacts.point_point_search import (
    first_point,
    has_pairs,
    pair_kind,
    relative_way,
    renew_pairs,
)
from haptos.dynamics.contacts.resolve import (
    centre_of,
    largest_inverse_mass,
    pair_numbers,
    path_of,
    push_point,
    resolve_contact,
)
from haptos.dynamics.rigid.bodies import place_points, three
from haptos.dynamics.system import CONTACT_DAMPING

CITES: tuple[str, ...] = ("Salvi2014",)

CLOSE = 2.0  # [-] ways of this step within which a pair may meet in it, whatever pushes
MOST_PARTS = 1000  # [-] of a step


@routine
def touch_pairs(system, motion, time):
    """(elastic energy at the end [J], largest force [N]) of all points with each other."""
    tally = motion.contacts.pairs.tally
    if not has_pairs(system.options):
        return 0.0, 0.0
    if motion.step.time < system.orders.nodes_held:
        return 0.0, 0.0
    place_points(system, motion)
    begin = first_point(system)
    way = relative_way(system, motion, begin, time)
    tally[PAIR_SINCE] += way
    if not tally[PAIR_SINCE] + way < tally[PAIR_MARGIN]:
        renew_pairs(system, motion, begin, way)
    count, parts = _close_pairs(system, motion, way, time)
    tally[PAIR_LOOKED] += tally[PAIR_COUNT] + count * parts
    peak, part = 0.0, time / parts
    for p in range(parts):
        for c in range(count):
            k = motion.contacts.pairs.close[count - 1 - c if p % 2 == 1 else c]
            peak = max(peak, _touch_pair(system, motion, k, p * part, part))
    return (_pressed(system, motion, time) if peak > 0.0 else 0.0), peak


@routine
def _close_pairs(system, motion, way, time):
    """(pairs that may touch in this step, parts it is cut into)."""
    pairs, radius = motion.contacts.pairs, system.spheres.radius
    count, pressing, shortest = 0, 0, time
    turns = False
    for k in range(int(pairs.tally[PAIR_COUNT])):
        i, j = pairs.first[k], pairs.second[k]
        distance = norm(subtract(three(motion.points.x, i), three(motion.points.x, j)))
        if pairs.factor[k] == OPEN and distance > radius[i] + radius[j] + CLOSE * way:
            continue
        pairs.close[count] = k
        count += 1
        x_i, v_i = path_of(system, motion, i)
        x_j, v_j = path_of(system, motion, j)
        d, w = subtract(x_i, x_j), subtract(v_i, v_j)
        if pairs.factor[k] == OPEN and not meeting_time(d, w, radius[i] + radius[j]) < time:
            continue
        pressing += 1
        turns = turns or system.points.owner[j] >= 0
        pair = pair_numbers(system.spheres.numbers, system.points.kind[i], system.points.kind[j])
        inverse = largest_inverse_mass(system, motion, i) + largest_inverse_mass(system, motion, j)
        depth = max(pairs.reach[k] - distance, 0.0)
        shortest = min(shortest, longest_step(pair, inverse, depth, norm(w), False, inverse))
    if pressing < 2 and not turns:
        return count, 1
    return count, int(min(math.ceil(time / shortest), MOST_PARTS))


@device
def _is_held(system, motion, i):
    """Whether a point is of a body that the chaser still holds."""
    owner = system.points.owner[i]
    return owner >= 0 and motion.step.time < system.orders.held[owner]


@routine
def _touch_pair(system, motion, k, begin, time):
    """Largest force [N] between the points of a pair, for a time [s] from `begin` of the step."""
    pairs, radius = motion.contacts.pairs, system.spheres.radius
    i, j = pairs.first[k], pairs.second[k]
    x_i, v_i = path_of(system, motion, i)
    x_j, v_j = path_of(system, motion, j)
    w = subtract(v_i, v_j)
    d = add_scaled(subtract(x_i, x_j), begin, w)
    factor = pairs.factor[k]
    if factor == OPEN:
        pairs.reach[k] = min(radius[i] + radius[j], norm(d))
        if dot(d, w) >= 0.0 or not meeting_time(d, w, pairs.reach[k]) < time:
            return 0.0
        if _is_held(system, motion, i) or _is_held(system, motion, j):
            return 0.0
    pair = pair_numbers(system.spheres.numbers, system.points.kind[i], system.points.kind[j])
    kind = pair_kind(system, i, j)
    state, interval = (factor, pairs.reach[k]), (begin, time)
    if kind == 0:
        force, now = _press_nodes(system, motion, i, j, (d, w), state, pair, interval)
    else:
        force, now = _press_body(system, motion, i, j, (d, w), state, pair, interval)
    pairs.factor[k] = now
    pairs.tally[PAIR_PEAK + kind] = max(pairs.tally[PAIR_PEAK + kind], force)
    if factor == OPEN and force > 0.0:
        pairs.tally[PAIR_MET + kind] += 1.0
    return force


@routine
def _press_nodes(system, motion, i, j, ways, state, pair, interval):
    """(largest force [N], factor at the end [s/m]) of two nodes.

    ways   x_i - x_j [m] and its rate [m/s]        state  (factor [s/m], reach [m])
    pair   numbers of the contact                  interval  start within the step, length [s]
    """
    inverse = 1.0 / motion.points.mass[i] + 1.0 / motion.points.mass[j]
    impulses, losses, factor = ball_flow(
        pair, state[0], state[1], ways[0], ways[1], interval[1], inverse
    )
    here, impulse = (0.0, 0.0, 0.0), impulses[0]
    early = add_scaled(impulses[1], interval[0], impulse)
    push_point(system, motion, i, here, impulse, early)
    push_point(system, motion, j, here, scale(-1.0, impulse), scale(-1.0, early))
    motion.ledger.work[CONTACT_DAMPING] -= losses[0]
    return losses[1], factor


@routine
def _press_body(system, motion, i, j, ways, state, pair, interval):
    """(largest force [N], factor at the end [s/m]) of a point and a ball of a body, as above."""
    d, w = ways
    factor, reach = state
    owner, body = system.points.owner[i], system.points.owner[j]
    wait = meeting_time(d, w, reach) if factor == OPEN else 0.0
    left = interval[1] - wait
    if factor == OPEN:
        line = add_scaled(d, wait, w)
        n = centres_apart(line)[1]
        gaps = (0.0, dot(n, w) * left)
    else:
        line = add_scaled(d, 0.5 * left, w)
        n = centres_apart(line)[1]
        gaps = (norm(d) - reach, norm(add_scaled(d, left, w)) - reach)
    start = interval[0] + wait
    x_i, v_i = path_of(system, motion, i)
    contact, lever = add_scaled(x_i, start, v_i), (0.0, 0.0, 0.0)
    if owner >= 0:
        contact = add_scaled(contact, -system.spheres.radius[i], n)
        lever = subtract(contact, centre_of(motion, owner, start))
    arm = subtract(contact, centre_of(motion, body, start))
    whole = (
        left if owner < 0 and start == 0.0 else 0.0
    )  # else the pull of threads acts between contacts
    found, memory = resolve_contact(
        system, motion, i, body, (arm, lever), n, gaps, (start, left, whole), pair,
        (factor, (0.0, 0.0, 0.0)), False,
    )  # fmt: skip
    return found[1], memory[0] if found[0] < 0.0 else OPEN


@routine
def _pressed(system, motion, time):
    """Elastic energy [J] of all pairs at the end of the step, once all impulses are given."""
    pairs, total = motion.contacts.pairs, 0.0
    for k in range(int(pairs.tally[PAIR_COUNT])):
        if pairs.factor[k] == OPEN:
            continue
        i, j = pairs.first[k], pairs.second[k]
        x_i, v_i = path_of(system, motion, i)
        x_j, v_j = path_of(system, motion, j)
        distance = norm(add_scaled(subtract(x_i, x_j), time, subtract(v_i, v_j)))
        pair = pair_numbers(system.spheres.numbers, system.points.kind[i], system.points.kind[j])
        total += ball_energy(pair, pairs.reach[k], distance)
    return total
