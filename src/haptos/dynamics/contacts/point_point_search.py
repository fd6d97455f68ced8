"""Which points of a net are near enough to each other to touch soon: the list `point_point` works on.

Every point is sorted into a cube, `point_cells`, and looks through the 27 cubes about it. Pairs
nearer than the sum of their radii and a margin are listed. The list holds until the way any two
points may have gone relative to each other adds up to the margin, so that a search is made only now
and then, and where nothing is near, little is done.

Not listed, ever: what an element ties together, and points of one body. Not listed for now: pairs
that overlap without having met, as in a folded net, until a search finds them apart. Pairs that
touch stay.
Validity: points spread so that few share a cube; then time is proportional to the points.
Source: the list with a margin is that of [Verlet1967]; the cubes are those of [Ericson2005] 7.1.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN
from haptos.core.jit import device, routine
from haptos.core.vectors import norm, subtract
from haptos.dynamics.contacts.memories import (
    PAIR_COUNT,
    PAIR_LEFT_OUT,
    PAIR_LOOKED,
    PAIR_MARGIN,
    PAIR_SINCE,
)
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.system import NODE
from haptos.geometry.terrain.point_cells import bucket_of, sort_cells

CITES: tuple[str, ...] = ("Ericson2005", "Verlet1967")

FORESEEN = 12.0  # [-] steps a list shall last where ways are long against the margin
SPARE = 3.0  # [-] ways of this step that a list covers at least
HALVINGS = 20  # [-] of the margin where the list would not fit


@device
def has_pairs(options):
    """Whether points may touch each other at all."""
    return options.has_self or options.has_bullets_net or options.has_bullets


@device
def pair_kind(system, i, j):
    """0 for two nodes, 1 for a node and a bullet, 2 for two bullets."""
    return (1 if system.points.owner[i] >= 0 else 0) + (1 if system.points.owner[j] >= 0 else 0)


@device
def first_point(system):
    """First point that takes part: nodes, if anything touches them, come before the bullets'."""
    if system.options.has_self or system.options.has_bullets_net:
        return 0
    i = 0
    while i < len(system.points.owner) and system.points.owner[i] == NODE:
        i += 1
    return i


@routine
def relative_way(system, motion, begin, time):
    """How far any two points may move relative to each other in this step [m], a bound.

    The diagonal of the box all velocities lie in.
    """
    v, radius = motion.points.v, system.spheres.radius
    total = 0.0
    for k in range(3):
        low, high = math.inf, -math.inf
        for i in range(begin, len(v)):
            if radius[i] > 0.0:
                low, high = min(low, v[i, k]), max(high, v[i, k])
        if high > low:
            total += (high - low) * (high - low)
    return math.sqrt(total) * time


@device
def may_touch(system, i, j):
    """Whether points i < j may ever touch."""
    a, b = system.points.owner[i], system.points.owner[j]
    if a >= 0:
        return system.options.has_bullets and a != b
    if b >= 0:
        return system.options.has_bullets_net and not _is_joined(
            system.spheres, i, len(system.points.owner) + b
        )
    return system.options.has_self and not _is_joined(system.spheres, i, j)


@device
def _is_joined(spheres, i, other):
    """Whether an element ties node i to another, a node or p + body."""
    for c in range(spheres.joined_start[i], spheres.joined_start[i + 1]):
        if spheres.joined[c] == other:
            return True
    return False


@routine
def renew_pairs(system, motion, begin, way):
    """List again what is near; `way` [m] of this step. The margin shrinks until the list fits."""
    pairs, radius = motion.contacts.pairs, system.spheres.radius
    widest = 0.0
    for i in range(begin, len(radius)):
        widest = max(widest, radius[i])
    least = SPARE * way
    margin = max(system.options.margin, min(FORESEEN * way, 2.0 * widest), least)
    kept = _keep_touching(pairs)
    for _ in range(HALVINGS):
        left_out = _list_pairs(system, motion, begin, kept, 2.0 * widest + margin, margin)
        if left_out == 0 or margin <= least:
            break
        margin = max(0.5 * margin, least)
    pairs.tally[PAIR_LEFT_OUT] += left_out
    pairs.tally[PAIR_SINCE], pairs.tally[PAIR_MARGIN] = way, margin


@routine
def _keep_touching(pairs):
    """Move the pairs that touch to the front of the list and chain them by their first points."""
    kept = 0
    pairs.head[:] = -1
    for k in range(int(pairs.tally[PAIR_COUNT])):
        if pairs.factor[k] == OPEN:
            continue
        i = pairs.first[k]
        pairs.first[kept], pairs.second[kept] = i, pairs.second[k]
        pairs.factor[kept], pairs.reach[kept] = pairs.factor[k], pairs.reach[k]
        pairs.chain[kept], pairs.head[i] = pairs.head[i], kept
        kept += 1
    return kept


@device
def _is_kept(pairs, i, j):
    """Whether points i < j touch and so are in the list already."""
    k = pairs.head[i]
    while k >= 0:
        if pairs.second[k] == j:
            return True
        k = pairs.chain[k]
    return False


@routine
def _list_pairs(system, motion, begin, kept, size, margin):
    """Pairs that did not fit into the list after those kept."""
    pairs, radius, owner = motion.contacts.pairs, system.spheres.radius, system.points.owner
    sort_cells(motion.points.x, radius, begin, size, pairs.cell, pairs.order, pairs.start)
    count, left_out, looked = kept, 0, 0
    for j in range(begin, len(radius)):
        if radius[j] <= 0.0 or (owner[j] == NODE and not system.options.has_self):
            continue
        for c in range(27):
            a = pairs.cell[j, 0] + c // 9 - 1
            b = pairs.cell[j, 1] + c // 3 % 3 - 1
            d = pairs.cell[j, 2] + c % 3 - 1
            bucket = bucket_of(a, b, d, len(pairs.start) - 1)
            for o in range(pairs.start[bucket], pairs.start[bucket + 1]):
                i = pairs.order[o]
                if (
                    i >= j
                    or pairs.cell[i, 0] != a
                    or pairs.cell[i, 1] != b
                    or pairs.cell[i, 2] != d
                ):
                    continue
                looked += 1
                gap = (
                    norm(subtract(three(motion.points.x, i), three(motion.points.x, j)))
                    - radius[i]
                    - radius[j]
                )
                if (
                    gap <= 0.0
                    or gap >= margin
                    or not may_touch(system, i, j)
                    or _is_kept(pairs, i, j)
                ):
                    continue
                if count == len(pairs.first):
                    left_out += 1
                    continue
                pairs.first[count], pairs.second[count] = i, j
                pairs.factor[count], pairs.reach[count] = OPEN, radius[i] + radius[j]
                count += 1
    pairs.tally[PAIR_COUNT] = count
    pairs.tally[PAIR_LOOKED] += looked
    return left_out
