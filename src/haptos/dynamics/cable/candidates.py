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
from haptos.dynamics.rigid.bodies import fastest_square, lightest
from haptos.dynamics.system import (
    ACTIVE_THREADS,
    FASTEST,
    LEAST_STABLE,
    SPARE_WAY,
    TAUT,
    THREADS_SINCE,
    TIME,
    WATCHED,
    WATCHED_AT,
    WATCHED_UNTIL,
    WOUND,
)

CITES: tuple[str, ...] = ("Verlet1967",)

AMPLE = 1.1  # [-] that a bound on a way is longer than foreseen
WATCH = 10.0  # [-] steps for which elements that may become taut are listed
LEAST_STRAY = 1e-3  # [-] of the way of the fastest in that time: allowed off the paths foreseen
WIDER, NARROWER = (
    2.0,
    0.75,
)  # [-] what is allowed next, after points strayed further, and if none did


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
        if motion.whole[e] == 0:
            continue
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        k = threads.stretching[e] / motion.length[e]
        both = math.sqrt(room[i, 1] * room[j, 1])
        room[i, 0] += k * (room[i, 1] + both)
        room[j, 0] += k * (room[j, 1] + both)
    for e in range(len(threads.stretching)):
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        motion.stiff[e] = 2.0 / math.sqrt(max(room[i, 0], room[j, 0], 1e-300))
        if motion.whole[e] == 0:
            continue
        near = motion.length[e] - 2.0 * slack
        dx = motion.x[j, 0] - motion.x[i, 0]
        dy = motion.x[j, 1] - motion.x[i, 1]
        dz = motion.x[j, 2] - motion.x[i, 2]
        motion.ready[e] = 0.0
        if near <= 0.0 or dx * dx + dy * dy + dz * dz > near * near:
            motion.active_threads[count] = e
            count += 1
    motion.clock[ACTIVE_THREADS], motion.clock[THREADS_SINCE] = count, 0.0
    motion.clock[WATCHED_UNTIL] = -math.inf


@routine
def is_watched(motion, step):
    """Whether the list of what may be taut holds for now and a step [s] more: no point has strayed.

    A point that moved on as it did when the list was made would be at x + v t; all are compared with
    that. Winding takes its part of what they may be off.
    """
    clock = motion.clock
    if not clock[TIME] + step < clock[WATCHED_UNTIL]:
        return False
    most = (clock[SPARE_WAY] - clock[WOUND]) / (2.0 * math.sqrt(3.0))
    time, strayed = clock[TIME] - clock[WATCHED_AT], 0
    x, was, pace = flat(motion.x), flat(motion.watch_x), flat(motion.watch_v)
    for i in range(len(x)):  # counted, not compared one by one: so it runs in vectors
        strayed += 0 if abs(x[i] - (was[i] + time * pace[i])) <= most else 1
    return strayed == 0


@device
def next_spare(clock, step, time):
    """How much a distance may grow besides that of straight paths in a time [s], by what was needed."""
    most = clock[FASTEST] * time
    has_strayed = clock[TIME] + step < clock[WATCHED_UNTIL]
    spare = clock[SPARE_WAY] * (WIDER if has_strayed else NARROWER)
    return min(max(spare, LEAST_STRAY * most), most)


@routine
def watch_threads(threads, motion, step):
    """List anew the elements that may be taut within WATCH steps [s], all near their length for inf.

    Between points that move straight on the distance is at most the larger of that now and that in
    the end, besides what both stray, SPARE_WAY [m] together. An element at a distance d stays slack
    for (L^2 - d^2)/(2 L) at least, as that is less than L - d.
    """
    x, v, clock, count, least = motion.x, motion.v, motion.clock, 0, math.inf
    clock[THREADS_SINCE] += clock[SPARE_WAY]
    since = clock[THREADS_SINCE]
    clock[FASTEST] = math.sqrt(fastest_square(v, (0.0, 0.0, 0.0)))
    has_end, time = math.isfinite(step), WATCH * step
    spare = next_spare(clock, step, time) if has_end else clock[SPARE_WAY]
    until = since + 2.0 * AMPLE * clock[FASTEST] * time + spare if has_end else math.inf
    for a in range(int(clock[ACTIVE_THREADS])):
        e = motion.active_threads[a]
        if motion.ready[e] > until or motion.whole[e] == 0:
            continue
        i, j, length = threads.ends[e, 0], threads.ends[e, 1], motion.length[e]
        dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
        square = dx * dx + dy * dy + dz * dz
        motion.ready[e] = since + 0.5 * (length - square / length)
        if has_end:
            dx += time * (v[j, 0] - v[i, 0])
            dy += time * (v[j, 1] - v[i, 1])
            dz += time * (v[j, 2] - v[i, 2])
            square = max(square, dx * dx + dy * dy + dz * dz)
            if 0.5 * (length - square / length) > spare:
                continue
        motion.watched[count] = e
        count += 1
        least = min(least, motion.stiff[e])
    clock[LEAST_STABLE] = least
    clock[WATCHED], clock[SPARE_WAY], clock[WOUND], clock[WATCHED_AT] = (
        count,
        spare,
        0.0,
        clock[TIME],
    )
    clock[WATCHED_UNTIL] = clock[TIME] + time if has_end else -math.inf
    if has_end:
        keep_path(motion)


@routine
def keep_path(motion):
    """Keep where all points are and how fast, for `is_watched`."""
    x, v, was, pace = flat(motion.x), flat(motion.v), flat(motion.watch_x), flat(motion.watch_v)
    for i in range(len(x)):
        was[i] = x[i]
        pace[i] = v[i]


@routine
def find_taut(threads, motion):
    """List the watched elements that are longer than their length; without a branch, as it is hit often."""
    x, count = motion.x, 0
    for a in range(int(motion.clock[WATCHED])):
        e = motion.watched[a]
        length = motion.length[e]
        motion.taut[count] = e
        is_taut = square_of(x, threads.ends[e, 0], threads.ends[e, 1]) > length * length
        count += 1 if is_taut else 0
    motion.clock[TAUT] = count
