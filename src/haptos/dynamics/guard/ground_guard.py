"""Guard of the ground: nothing sinks deep into it or gets below it unseen.

The path that was stepped is checked at the end of steps, by itself: without the lists, gaps and forces of contacts.

    |x - x0| < clear(x0) + 3/4 of the depth allowed   =>   since x0 it has not been deeper than that

A track is a point that touches by its centre, the middle of a thread element, or the centre of a body that
does not touch the ground. Allowed below ground are a radius for points, ELEMENT_DEPTH of its length for the
middle of an element, which may cut what is smaller than it, and for bodies a share BODY_DEPTH of what their centre has to
stay above it. Whatever got through a body was inside it before, so that depth is all there is to look at.
Frame: N. Validity: between two looks no speed is above twice the larger of those at both.
Source: the scheme is that of `system_guard`.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import add, scale
from haptos.dynamics.contacts.detect import clear_of_ground, ground_gap
from haptos.dynamics.contacts.ground_arrays import (
    GUARD_SPEED,
    GUARD_TIME,
    GUARD_TRAVEL,
    GUARD_WAKE,
    WORST_DEPTH,
    WORST_PLACE,
    WORST_SHARE,
    WORST_TIME,
    WORST_TRACK,
)
from haptos.dynamics.guard.system_guard import FINE, GROWN, SEEN
from haptos.dynamics.rigid.bodies import fastest_square, three

CITES: tuple[str, ...] = ()

ELEMENT_DEPTH = 0.1  # [-] of the length of an element that its middle may be below ground; assumed
BODY_DEPTH = 0.05  # [-] of what the centre of a body has to stay above ground; assumed


@routine
def track_of(system, motion, t):
    """(place [m], how far above ground it has to stay, depth allowed [m]) of a track; 0 for one that is none."""
    points, elements = len(system.points.owner), len(system.threads.stretching)
    if t < points:
        return three(motion.points.x, t), 0.0, system.points.radius[t]
    if t < points + elements:
        e = t - points
        ends = system.threads.ends
        x = scale(0.5, add(three(motion.points.x, ends[e, 0]), three(motion.points.x, ends[e, 1])))
        return (
            x,
            0.0,
            ELEMENT_DEPTH * motion.elements.length[e] if motion.elements.whole[e] != 0 else 0.0,
        )
    b = t - points - elements
    reach = system.ground.body_reach[b]
    return three(motion.bodies.place, b), reach, BODY_DEPTH * reach


@device
def note_depth(motion, t, x, depth, allowed, time):
    """Keep how deep a track is, over what is allowed, if it is the worst so far."""
    worst, share = motion.contacts.ground.worst, depth / allowed
    if share > worst[WORST_SHARE] or share != share:
        worst[WORST_SHARE], worst[WORST_DEPTH], worst[WORST_TRACK] = share, depth, t
        worst[WORST_TIME] = time
        for k in range(3):
            worst[WORST_PLACE + k] = x[k]


@routine
def watch_ground(system, motion, time, is_end):
    """Check the path of all that may touch the ground, at the end of a step at a time [s].

    is_end  whether the march ends here: then every track is looked at.
    """
    if not system.ground.is_on:
        return
    memory, still = motion.contacts.ground, (0.0, 0.0, 0.0)
    tally = memory.tally
    square = max(fastest_square(motion.points.v, still), fastest_square(motion.bodies.speed, still))
    speed = math.sqrt(square)
    tally[GUARD_TRAVEL] += GROWN * max(speed, tally[GUARD_SPEED]) * (time - tally[GUARD_TIME])
    tally[GUARD_SPEED], tally[GUARD_TIME] = speed, time
    travel = tally[GUARD_TRAVEL]
    if travel < tally[GUARD_WAKE] and not is_end:
        return
    wake = math.inf
    for t in range(len(memory.watch)):
        if travel >= memory.watch[t] or is_end:
            x, above, allowed = track_of(system, motion, t)
            if not allowed > 0.0:
                memory.watch[t] = math.inf
                continue
            clear = clear_of_ground(system, x, 0.0) - above
            if not clear > 0.0:
                depth = above - ground_gap(system.ground, x)[0]
                note_depth(motion, t, x, depth, allowed, time)
            memory.watch[t] = travel + max(clear + SEEN * allowed, FINE * allowed)
        wake = min(wake, memory.watch[t])
    tally[GUARD_WAKE] = wake
