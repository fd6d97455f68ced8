"""Which thread elements are looked at: in every step only those that may be taut.

Three lists, each drawn from the one before: elements within a margin of their length, sorted again once all
points together may have moved by it; of them those that may be taut within some steps, watched; and
of these the taut. A list is made for points that move straight on, with a little to spare, and holds
until one strays further: nothing that becomes taut is missed, and no list has an effect on forces.

Validity: between two lists speeds grow by less than a tenth, or points stay within what is to spare. Source: [Verlet1967] for lists of what is near;
those for straight paths are ours.
"""

from __future__ import annotations

import math

from haptos.core.flat_views import flat
from haptos.core.jit import device, routine
from haptos.core.row_index import row
from haptos.dynamics.rigid.bodies import fastest_square, lightest

CITES: tuple[str, ...] = ("Verlet1967",)

AMPLE = 1.1  # [-] that a bound on a way is longer than foreseen
WATCH = 10.0  # [-] steps for which elements that may become taut are listed
LEAST_STRAY = 1e-3  # [-] of the way of the fastest in that time: allowed off the paths foreseen
WIDER, NARROWER = (
    2.0,
    0.75,
)  # [-] what is allowed next, after points strayed further, and if none did


@device
def ends_of(threads, e):
    """The two points that element e joins."""
    return row(threads.ends[e, 0]), row(threads.ends[e, 1])


@device
def square_of(x, i, j):
    """Square of the distance of two points [m^2]."""
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    return dx * dx + dy * dy + dz * dz


@routine
def sort_threads(threads, points, inverse_inertia, motion, slack, room):
    """Find again the elements near their length, and how stiff the net is about each.

    slack  [m] that an element may lack and still be looked at in every step is twice this
    room   (p, 3) scratch
    What is kept is the longest stable step [s] of each; its frequency is bounded by Gershgorin's
    circles of the stiffness scaled by the masses, all elements taken as taut: at each end the sum
    over its elements of k/m + k/sqrt(m m'). A fixed point counts with the inverse mass it could at most show,
    1/M + r^2/I.
    """
    count = 0
    for i in range(len(points.owner)):
        room[i, 0] = 0.0
        room[i, 1] = lightest(points, inverse_inertia, motion, i)
    for e in range(len(threads.stretching)):
        if motion.elements.whole[e] == 0:
            continue
        i, j = ends_of(threads, e)
        k = threads.stretching[e] / motion.elements.length[e]
        both = math.sqrt(room[i, 1] * room[j, 1])
        room[i, 0] += k * (room[i, 1] + both)
        room[j, 0] += k * (room[j, 1] + both)
    for e in range(len(threads.stretching)):
        i, j = ends_of(threads, e)
        motion.elements.stiff[e] = 2.0 / math.sqrt(max(room[i, 0], room[j, 0], 1e-300))
        if motion.elements.whole[e] == 0:
            continue
        near = motion.elements.length[e] - 2.0 * slack
        dx = motion.points.x[j, 0] - motion.points.x[i, 0]
        dy = motion.points.x[j, 1] - motion.points.x[i, 1]
        dz = motion.points.x[j, 2] - motion.points.x[i, 2]
        motion.elements.ready[e] = 0.0
        if near <= 0.0 or dx * dx + dy * dy + dz * dz > near * near:
            motion.lists.near[count] = e
            count += 1
    motion.lists.state.near_count, motion.lists.state.stretched = count, 0.0
    motion.lists.state.valid_until = -math.inf


@routine
def is_list_valid(motion, step):
    """Whether the list of what may be taut holds for now and a step [s] more: no point has strayed.

    A point that moved on as it did when the list was made would be at x + v t; all are compared with
    that. Winding takes its part of what they may be off.
    """
    if not motion.step.time + step < motion.lists.state.valid_until:
        return False
    most = (motion.lists.state.spare_way - motion.lists.state.wound) / (2.0 * math.sqrt(3.0))
    time, strayed = motion.step.time - motion.lists.state.made_at, 0
    x, was, pace = flat(motion.points.x), flat(motion.lists.x), flat(motion.lists.v)
    for i in range(len(x)):  # counted, not compared one by one: so it runs in vectors
        strayed += 0 if abs(x[i] - (was[i] + time * pace[i])) <= most else 1
    return strayed == 0


@device
def next_spare(motion, step, time):
    """How much a distance may grow besides that of straight paths in a time [s], by what was needed."""
    most = motion.lists.state.fastest * time
    has_strayed = motion.step.time + step < motion.lists.state.valid_until
    spare = motion.lists.state.spare_way * (WIDER if has_strayed else NARROWER)
    return min(max(spare, LEAST_STRAY * most), most)


@routine
def list_candidates(threads, motion, step):
    """List anew the elements that may be taut within WATCH steps [s], all near their length for inf.

    Between points that move straight on the distance is at most the larger of that now and that in
    the end, besides what both stray, SPARE_WAY [m] together. An element at a distance d stays slack
    for (L^2 - d^2)/(2 L) at least, as that is less than L - d.
    """
    x, v, count, least = motion.points.x, motion.points.v, 0, math.inf
    motion.lists.state.stretched += motion.lists.state.spare_way
    since = motion.lists.state.stretched
    motion.lists.state.fastest = math.sqrt(fastest_square(v, (0.0, 0.0, 0.0)))
    has_end, time = math.isfinite(step), WATCH * step
    spare = next_spare(motion, step, time) if has_end else motion.lists.state.spare_way
    until = since + 2.0 * AMPLE * motion.lists.state.fastest * time + spare if has_end else math.inf
    for a in range(int(motion.lists.state.near_count)):
        e = row(motion.lists.near[a])
        if motion.elements.ready[e] > until or motion.elements.whole[e] == 0:
            continue
        i, j = ends_of(threads, e)
        length = motion.elements.length[e]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        square = dx * dx + dy * dy + dz * dz
        motion.elements.ready[e] = since + 0.5 * (length - square / length)
        if has_end:
            dx += time * (v[j, 0] - v[i, 0])
            dy += time * (v[j, 1] - v[i, 1])
            dz += time * (v[j, 2] - v[i, 2])
            square = max(square, dx * dx + dy * dy + dz * dz)
        is_far = has_end and 0.5 * (length - square / length) > spare
        motion.lists.candidates[count] = e  # without a branch, as either is frequent
        count += 0 if is_far else 1
        least = min(least, math.inf if is_far else motion.elements.stiff[e])
    motion.lists.state.least_stable = least
    (
        motion.lists.state.candidate_count,
        motion.lists.state.spare_way,
        motion.lists.state.wound,
        motion.lists.state.made_at,
    ) = (
        count,
        spare,
        0.0,
        motion.step.time,
    )
    motion.lists.state.valid_until = motion.step.time + time if has_end else -math.inf
    if has_end:
        keep_path(motion)


@routine
def keep_path(motion):
    """Keep where all points are and how fast, for `is_list_valid`."""
    x, v, was, pace = (
        flat(motion.points.x),
        flat(motion.points.v),
        flat(motion.lists.x),
        flat(motion.lists.v),
    )
    for i in range(len(x)):
        was[i] = x[i]
        pace[i] = v[i]


@routine
def find_taut(threads, motion):
    """List the watched elements that are longer than their length; without a branch, as it is hit often."""
    x, count = motion.points.x, 0
    for a in range(int(motion.lists.state.candidate_count)):
        e = row(motion.lists.candidates[a])
        i, j = ends_of(threads, e)
        length = motion.elements.length[e]
        motion.lists.taut[count] = e
        is_taut = square_of(x, i, j) > length * length
        count += 1 if is_taut else 0
    motion.lists.state.taut_count = count
