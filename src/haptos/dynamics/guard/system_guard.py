"""Guard of a net: nothing sinks deep into a surface or gets through it unseen.

The path that was stepped is checked, at the end of every step and after all forces, by itself: with
distances from a tree of its own, without the lists of `point_mesh`, `element_edge`, `point_box` and
without the gaps and forces of contacts. A kernel that forgets a contact closes its energy ledger; this does not let
it pass.

    |y - y0| < d(y0) + 3/4 of the depth allowed   =>   since y0 it has not been deeper than that

A track is a point of the net or a ball of a bullet by its centre, the middle of a thread element where
threads touch edges, a corner of a body that touches bodies; y is its place, d(y0) its distance from the surface when it
was looked at last, < 0 inside. Looked at are how deep it is, over the share of the thickness there that is allowed, and whether
the straight way since the last look cuts the surface, and comes out of a face that looks away from the one it
went in by. Tracks that begin inside the chaser, as a net in its canister does, are left alone until they were well outside; what
begins inside the target is as deep as it is.
The next look comes before the first track can leave its ball at twice the largest speed of now.
Frame: axes of the touched body. Validity: closed surfaces; between two looks, some steps, no speed is
above twice the larger of those at both.
Source: the scheme is ours; balls that hold no surface are those of sphere tracing [Hart1996], looks that come before
the first can be left those of conservative advancement [Mirtich1996b].
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, dot, norm, scale, subtract
from haptos.dynamics.guard.system_guard_arrays import (
    ASLEEP,
    INSIDE,
    OUTSIDE,
    PASSED_COUNT,
    PASSED_PLACE,
    PASSED_SURFACE,
    PASSED_TIME,
    PASSED_TRACK,
    THIN,
    WORST_DEPTH,
    WORST_PLACE,
    WORST_SHARE,
    WORST_SURFACE,
    WORST_TIME,
    WORST_TRACK,
)
from haptos.dynamics.rigid.bodies import attitude_of, fastest_square, three
from haptos.geometry.distance.distance_mesh import mesh_distance
from haptos.geometry.mesh.ray_cast import meets_box, triangle_meeting
from haptos.geometry.mesh.triangle_tree import box_square

CITES: tuple[str, ...] = ("Hart1996", "Mirtich1996b")

CLEAR = 2.0  # [-] margins of the contact lists beyond its radius after which a track is awake
SEEN = 0.75  # [-] of the depth allowed: what is deeper is seen for certain
THROUGH = 0.5  # [-] of the depth allowed: what went through a body was at least as deep
FINE = 0.1  # [-] of the depth allowed: how finely depths beyond that are followed
LEAST_LEFT = 0.1  # [-] of a ball: a track nearer to its rim is looked at
GROWN = 2.0  # [-] of the largest speed: what speeds may have grown to between two looks
MOST_STEPS = 50.0  # [-] steps between two looks
RELISTED = 20.0  # [-] near distances of travel after which tracks are listed anew at the latest


@device
def axes_of(motion, b):
    """dcm_NB of a body now, as rows."""
    return rotation_matrix(attitude_of(motion, b))


@device
def turning_speed(system, motion, b):
    """Size [rad/s] of the rate of a body."""
    h = apply_transposed(axes_of(motion, b), three(motion.bodies.momentum, b))
    w = three(system.inverse_inertia, b)
    return norm((w[0] * h[0], w[1] * h[1], w[2] * h[2]))


@routine
def fastest_against(system, motion, s):
    """Largest speed [m/s] of any track against surface s, a bound."""
    guard, b = system.guard, system.guard.body[s]
    own = three(motion.bodies.speed, b)
    fastest = math.sqrt(fastest_square(motion.points.v, own))
    for k in range(len(guard.reach)):
        if guard.reach[k] > 0.0 and k != b:
            speed = norm(subtract(three(motion.bodies.speed, k), own))
            fastest = max(fastest, speed + turning_speed(system, motion, k) * guard.reach[k])
    return fastest + turning_speed(system, motion, b) * motion.guard.far[s]


@routine
def place_now(system, motion, s, t):
    """Where track t is, axes of the body of surface s [m]."""
    guard, b = system.guard, system.guard.body[s]
    owner, i, j = guard.owner[t], guard.first[t], guard.second[t]
    if owner >= 0:
        own = apply(axes_of(motion, owner), three(guard.offset, t))
        x = add(three(motion.bodies.place, owner), own)
    else:
        x = three(motion.points.x, i)
        if j != i:
            x = scale(0.5, add(x, three(motion.points.x, j)))
    return apply_transposed(axes_of(motion, b), subtract(x, three(motion.bodies.place, b)))


@device
def box_distance(half, y):
    """Distance [m] of a place from a box about the origin, negative inside."""
    q = (abs(y[0]) - half[0], abs(y[1]) - half[1], abs(y[2]) - half[2])
    out = norm((max(q[0], 0.0), max(q[1], 0.0), max(q[2], 0.0)))
    return out + min(max(q[0], q[1], q[2]), 0.0)


@routine
def distance_of(system, motion, s, t, y, stack):
    """(distance [m] of a place y from surface s, < 0 inside, far off a bound; thickness there [m])."""
    guard, half = system.guard, three(system.guard.half, s)
    if half[0] > 0.0:
        return box_distance(half, y), 2.0 * min(half[0], half[1], half[2])
    around = box_square(guard.mesh.tree.boxes, 0, y)
    if around > guard.near[s] * guard.near[s]:
        return math.sqrt(around), guard.thinnest[s]  # at least as far off as the box of all
    gap, _, row = mesh_distance(guard.mesh, y, motion.guard.row[t], stack)
    motion.guard.row[t] = row
    return gap, guard.thickness[row]


@routine
def box_hits(half, y, step):
    """As `hits_of`, for a box."""
    first, last, into, out = -math.inf, math.inf, 0, 0
    for k in range(3):
        if step[k] == 0.0:
            if abs(y[k]) > half[k]:
                return 0, 0.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            continue
        a, b = (-half[k] - y[k]) / step[k], (half[k] - y[k]) / step[k]
        if min(a, b) > first:
            first, into = min(a, b), k
        if max(a, b) < last:
            last, out = max(a, b), k
    count = 0
    if first <= last:
        count = (1 if 0.0 <= first <= 1.0 else 0) + (1 if 0.0 <= last <= 1.0 else 0)
    n = -math.copysign(1.0, step[into])
    m = math.copysign(1.0, step[out])
    normal = (n if into == 0 else 0.0, n if into == 1 else 0.0, n if into == 2 else 0.0)
    other = (m if out == 0 else 0.0, m if out == 1 else 0.0, m if out == 2 else 0.0)
    if not 0.0 <= first <= 1.0:
        first, normal = last, other
    if not 0.0 <= last <= 1.0:
        last, other = first, normal
    return count, first, last, normal, other


@routine
def hits_of(guard, s, y, step, stack):
    """(how often the way from y along step cuts surface s, shares of the way at the first and the
    last cut, outward normals there)."""
    half = three(guard.half, s)
    if half[0] > 0.0:
        return box_hits(half, y, step)
    tree, mesh = guard.mesh.tree, guard.mesh
    count, first, last, row_in, row_out = 0, math.inf, -math.inf, 0, 0
    stack[0, 0], waiting = 0.0, 1
    while waiting > 0:
        waiting -= 1
        node = int(stack[waiting, 0])
        if not meets_box(tree.boxes, node, y, step):
            continue
        begin = tree.first[node]
        if tree.count[node] == 0:
            stack[waiting, 0], stack[waiting + 1, 0] = begin, begin + 1
            waiting += 2
            continue
        for row in range(begin, begin + tree.count[node]):
            at = triangle_meeting(tree.triangles, row, y, step)
            if 0.0 <= at <= 1.0:
                count += 1
                if at < first:
                    first, row_in = at, row
                if at > last:
                    last, row_out = at, row
    normal = three(mesh.normals, mesh.features[row_in, 0])
    return count, first, last, normal, three(mesh.normals, mesh.features[row_out, 0])


@routine
def note_depth(system, motion, s, t, y, gap, thick, time):
    """Keep how deep a track is at y, over what is allowed, if it is the worst so far."""
    worst, share = motion.guard.worst, -gap / (system.guard.share[t] * max(thick, THIN))
    motion.guard.deepest[t] = max(motion.guard.deepest[t], share)
    if share > worst[WORST_SHARE]:
        worst[WORST_SHARE], worst[WORST_DEPTH], worst[WORST_TIME] = share, -gap, time
        worst[WORST_TRACK], worst[WORST_SURFACE] = t, s
        for k in range(3):
            worst[WORST_PLACE + k] = y[k]


@routine
def note_passed(motion, s, t, y, time):
    """Count a track that went through a surface; the first is kept with its place and time."""
    passed = motion.guard.passed
    if passed[PASSED_COUNT] == 0.0:
        passed[PASSED_TIME], passed[PASSED_TRACK], passed[PASSED_SURFACE] = time, t, s
        for k in range(3):
            passed[PASSED_PLACE + k] = y[k]
    passed[PASSED_COUNT] += 1.0


@routine
def look_at_way(system, motion, s, t, y, is_inside, time, stack):
    """Check the straight way of a track since it was looked at last, which ends at y, against surface s."""
    memory = motion.guard
    was_inside = memory.state[t] == INSIDE
    begin = three(memory.centre, t)
    step = subtract(y, begin)
    count, first, last, normal, other = hits_of(system.guard, s, begin, step, stack)
    if count == 0:
        return
    if not was_inside:
        memory.deepest[t] = 0.0
        for k in range(3):
            memory.normal[t, k] = normal[k]
    middle = 0.5 * ((0.0 if was_inside else first) + (1.0 if is_inside else last))
    place = add_scaled(begin, middle, step)
    gap, thick = distance_of(system, motion, s, t, place, stack)
    if gap < 0.0:
        note_depth(system, motion, s, t, place, gap, thick, time)
    is_through = not is_inside and dot(three(memory.normal, t), other) < 0.0
    if is_through and memory.deepest[t] >= THROUGH:
        note_passed(motion, s, t, place, time)


@device
def first_state(guard, s, t, gap):
    """Where a track is at its first look, by its gap [m].

    A net in its canister is inside the chaser, and bodies may begin in each other: these sleep. Nothing of a net begins in the target.
    """
    if gap >= 0.0:
        return OUTSIDE
    return ASLEEP if guard.half[s, 0] > 0.0 or guard.owner[t] >= 0 else INSIDE


@routine
def look_at(system, motion, s, t, y, time, stack):
    """Check track t at y against surface s, and give it a ball in which it is safe from now on."""
    guard, memory = system.guard, motion.guard
    gap, thick = distance_of(system, motion, s, t, y, stack)
    if memory.state[t] < 0:
        memory.state[t] = first_state(guard, s, t, gap)
        if memory.state[t] == INSIDE:
            note_depth(system, motion, s, t, y, gap, thick, time)
    elif memory.state[t] == ASLEEP:
        if gap > guard.radius[t] + CLEAR * system.options.margin:
            memory.state[t] = OUTSIDE
    else:
        away = norm(subtract(y, three(memory.centre, t)))
        if not away < abs(gap):
            look_at_way(system, motion, s, t, y, gap < 0.0, time, stack)
        memory.state[t] = INSIDE if gap < 0.0 else OUTSIDE
        if gap < 0.0:
            note_depth(system, motion, s, t, y, gap, thick, time)
    allowed = guard.share[t] * guard.thinnest[s]
    safe = max(gap + SEEN * allowed, FINE * allowed)
    for k in range(3):
        memory.centre[t, k] = y[k]
    memory.safe[t] = safe
    memory.until[t] = memory.travel[s] + safe


@device
def is_gone(system, motion, t):
    """Whether track t is of an element that broke."""
    e = system.guard.element[t]
    return e >= 0 and motion.elements.whole[e] == 0


@routine
def keep_ball(system, motion, s, t, y, time, stack):
    """Give track t at y the rest of its ball, or look at it if little of that is left."""
    memory = motion.guard
    left = memory.safe[t] - norm(subtract(y, three(memory.centre, t)))
    if memory.state[t] >= 0 and left > LEAST_LEFT * memory.safe[t]:
        memory.until[t] = memory.travel[s] + left
    else:
        look_at(system, motion, s, t, y, time, stack)


@routine
def list_tracks(system, motion, s, time, stack):
    """Find again the tracks near surface s, which every look goes through."""
    guard, memory = system.guard, motion.guard
    travel, near = memory.travel[s], guard.near[s]
    wake, far, count = travel + RELISTED * near, 0.0, 0
    for t in range(guard.start[s], guard.start[s + 1]):
        if is_gone(system, motion, t):
            continue
        y = place_now(system, motion, s, t)
        far = max(far, norm(y))
        if memory.state[t] < 0 and t > guard.start[s]:
            memory.row[t] = memory.row[t - 1]
        if memory.until[t] - travel < 2.0 * near:
            keep_ball(system, motion, s, t, y, time, stack)
        if memory.until[t] - travel > 2.0 * near:
            wake = min(wake, memory.until[t] - near)
        else:
            memory.near[guard.start[s] + count] = t
            count += 1
    memory.count[s], memory.wake[s] = count, wake
    memory.far[s] = far + wake - travel


@routine
def watch_surface(system, motion, s, since, time, stack):
    """Time [s] until a track may leave its ball, after a look at surface s; since: of the last [s]."""
    guard, memory = system.guard, motion.guard
    speed = fastest_against(system, motion, s)
    memory.travel[s] += GROWN * max(speed, memory.speed[s]) * since
    memory.speed[s] = speed
    travel = memory.travel[s]
    if not travel < memory.wake[s]:
        list_tracks(system, motion, s, time, stack)
    left = memory.wake[s] - travel
    for a in range(memory.count[s]):
        t = memory.near[guard.start[s] + a]
        if travel >= memory.until[t]:
            if is_gone(system, motion, t):
                continue
            keep_ball(system, motion, s, t, place_now(system, motion, s, t), time, stack)
        left = min(left, memory.until[t] - travel)
    return left / (GROWN * speed) if speed > 0.0 else math.inf


@routine
def watch_surfaces(system, motion, time, stack, is_end):
    """Check the path of all that touches against all surfaces, at the end of a step at a time [s].

    is_end  whether the march ends here: then there is a look whatever the time of the next one is.
    The first look, before anything has moved, knows no speeds: the next step is looked at as well.
    """
    memory = motion.guard
    if len(system.guard.body) == 0 or (time < memory.clock[1] and not is_end):
        return
    is_first = memory.clock[1] == -math.inf
    since, left = time - memory.clock[0], MOST_STEPS * motion.step.last
    for s in range(len(system.guard.body)):
        left = min(left, watch_surface(system, motion, s, since, time, stack))
    memory.clock[0], memory.clock[1] = time, time if is_first else time + left
