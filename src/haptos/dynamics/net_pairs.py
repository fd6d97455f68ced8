"""Points of a net and balls of bullets against each other, over one step.

Each pair near enough, `net_pairs_search`, is followed along the free ways of both points from where
they meet: nothing passes through, however far a step goes. Two nodes press along the line of their
centres, `ball_flow`; where a bullet takes part its body may turn, and friction acts, `net_meet`.

    d = x_i - x_j,   gap = |d| - reach,   n = d/|d|

    reach  sum of both radii [m]; less for a pair that overlapped before it met
A pair that overlaps without having met, because others pushed it so, meets where it is: that depth is
given back only as the pair parts by itself, or the contact would make energy out of nothing.
Pairs are worked on one after the other, forwards and backwards in turn, each with the impulses of those
before it. Nothing touches while the net is held in its canister, and no bullet before its shot.
Frame: N axes. Validity: nodes do not rub on each other; a point that presses on several others at once
does so to first order in the step. Source: the scheme is ours; spheres for nodes and bullets are those
of [Salvi2014] 3.4 and 3.7.
"""

from __future__ import annotations

from haptos.contact.ball_flow import ball_energy, ball_flow, meeting_time
from haptos.contact.contact_flow import OPEN
from haptos.core.jit import device, routine
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.net_bodies import place_points, rates_of, three
from haptos.dynamics.net_layout import (
    CONTACT_DAMPING,
    PAIR_COUNT,
    PAIR_LOOKED,
    PAIR_MARGIN,
    PAIR_MET,
    PAIR_PEAK,
    PAIR_SINCE,
    STEPS,
    TIME,
)
from haptos.dynamics.net_meet import meet, pair_numbers, push_point
from haptos.dynamics.net_pairs_search import first_point, relative_way, renew_pairs

CITES: tuple[str, ...] = ("Salvi2014",)


@routine
def touch_pairs(net, motion, time):
    """(elastic energy at the end [J], largest force [N]) of all points with each other."""
    options, tally = net.options, motion.pairs.tally
    if not (options.has_self or options.has_bullets_net or options.has_bullets):
        return 0.0, 0.0
    if motion.clock[TIME] < net.orders.nodes_held:
        return 0.0, 0.0
    place_points(net, motion)
    begin = first_point(net)
    way = relative_way(net, motion, begin, time)
    tally[PAIR_SINCE] += way
    if not tally[PAIR_SINCE] + way < tally[PAIR_MARGIN]:
        renew_pairs(net, motion, begin, way)
    count, peak = int(tally[PAIR_COUNT]), 0.0
    is_back = int(motion.clock[STEPS]) % 2 == 1
    for c in range(count):
        force = _touch_pair(net, motion, count - 1 - c if is_back else c, time)
        peak = max(peak, force)
    tally[PAIR_LOOKED] += count
    return (_pressed(net, motion, time) if peak > 0.0 else 0.0), peak


@device
def path_of(net, motion, i):
    """(place, velocity) of a point's free way: where it would have begun to end as it now will."""
    owner = net.points.owner[i]
    x = three(motion.x, i)
    if owner < 0:
        return subtract(x, three(motion.shift, i)), three(motion.v, i)
    arm = subtract(x, three(motion.place, owner))
    v = add(three(motion.speed, owner), cross(rates_of(net, motion, owner), arm))
    return subtract(x, three(motion.body_shift, owner)), v


@device
def _is_held(net, motion, i):
    owner = net.points.owner[i]
    return owner >= 0 and motion.clock[TIME] < net.orders.held[owner]


@routine
def _touch_pair(net, motion, k, time):
    """Largest force [N] between the points of a pair."""
    pairs, radius = motion.pairs, net.spheres.radius
    i, j = pairs.first[k], pairs.second[k]
    x_i, v_i = path_of(net, motion, i)
    x_j, v_j = path_of(net, motion, j)
    d, w = subtract(x_i, x_j), subtract(v_i, v_j)
    factor, reach = pairs.factor[k], pairs.reach[k]
    if factor == OPEN:
        apart = norm(subtract(three(motion.x, i), three(motion.x, j)))
        reach = min(radius[i] + radius[j], apart, norm(d))
        pairs.reach[k] = reach
        if dot(d, w) >= 0.0 or not meeting_time(d, w, reach) < time:
            return 0.0
        if _is_held(net, motion, i) or _is_held(net, motion, j):
            return 0.0
    pair = pair_numbers(net.spheres.numbers, net.points.kind[i], net.points.kind[j])
    kind = (1 if net.points.owner[i] >= 0 else 0) + (1 if net.points.owner[j] >= 0 else 0)
    if kind == 0:
        force, now = _press_nodes(net, motion, i, j, (d, w), (factor, reach), pair, time)
    else:
        ways = (x_i, v_i, d, w)
        force, now = _press_body(net, motion, i, j, ways, (factor, reach), pair, time)
    pairs.factor[k] = now
    pairs.tally[PAIR_PEAK + kind] = max(pairs.tally[PAIR_PEAK + kind], force)
    if factor == OPEN and force > 0.0:
        pairs.tally[PAIR_MET + kind] += 1.0
    return force


@routine
def _press_nodes(net, motion, i, j, ways, state, pair, time):
    """(largest force [N], factor at the end [s/m]) of two nodes."""
    inverse = 1.0 / motion.mass[i] + 1.0 / motion.mass[j]
    impulses, losses, factor = ball_flow(pair, state[0], state[1], ways[0], ways[1], time, inverse)
    here = (0.0, 0.0, 0.0)
    push_point(net, motion, i, here, impulses[0], impulses[1])
    push_point(net, motion, j, here, scale(-1.0, impulses[0]), scale(-1.0, impulses[1]))
    motion.books[CONTACT_DAMPING] -= losses[0]
    return losses[1], factor


@routine
def _press_body(net, motion, i, j, ways, state, pair, time):
    """(largest force [N], factor at the end [s/m]) of a point and a ball of a body."""
    x_i, v_i, d, w = ways
    factor, reach = state
    owner, body = net.points.owner[i], net.points.owner[j]
    start = meeting_time(d, w, reach) if factor == OPEN else 0.0
    left = time - start
    if factor == OPEN:
        line = add_scaled(d, start, w)
        n = scale(1.0 / norm(line), line)
        gaps = (0.0, dot(n, w) * left)
    else:
        line = add_scaled(d, 0.5 * time, w)
        n = scale(1.0 / norm(line), line)
        gaps = (norm(d) - reach, norm(add_scaled(d, time, w)) - reach)
    contact, lever = add_scaled(x_i, start, v_i), (0.0, 0.0, 0.0)
    if owner >= 0:
        contact = add_scaled(contact, -net.spheres.radius[i], n)
        lever = subtract(contact, _centre(motion, owner, start))
    arm = subtract(contact, _centre(motion, body, start))
    found, memory = meet(
        net, motion, i, body, (arm, lever), n, gaps, (start, left), pair,
        (factor, (0.0, 0.0, 0.0)), False,
    )  # fmt: skip
    return found[2], memory[0] if found[0] < 0.0 else OPEN


@device
def _centre(motion, b, time):
    """Centre of a body after a time [s] of its free way."""
    place = subtract(three(motion.place, b), three(motion.body_shift, b))
    return add_scaled(place, time, three(motion.speed, b))


@routine
def _pressed(net, motion, time):
    """Elastic energy [J] of all pairs at the end of the step, once all impulses are given."""
    pairs, total = motion.pairs, 0.0
    for k in range(int(pairs.tally[PAIR_COUNT])):
        if pairs.factor[k] == OPEN:
            continue
        i, j = pairs.first[k], pairs.second[k]
        x_i, v_i = path_of(net, motion, i)
        x_j, v_j = path_of(net, motion, j)
        distance = norm(add_scaled(subtract(x_i, x_j), time, subtract(v_i, v_j)))
        pair = pair_numbers(net.spheres.numbers, net.points.kind[i], net.points.kind[j])
        total += ball_energy(pair, pairs.reach[k], distance)
    return total
