"""Where a step with error control has to end: a thread breaks, the first touch, a thread slides off an edge.

After a step that is exact enough these three are looked for at its end. If one has happened, the time
of the first is found by halving on the interpolant, and the step is taken anew up to it.

    [t, t + h] -> part,   |part - exact| <= h 2^-40 + error of the interpolant

What a thread held that breaks is recorded as breakage, to the tension of its strength.
Validity: what has happened at a time has also happened at all later times of the step.
Source: the interpolant is that of `dormand_prince`.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import norm, subtract
from haptos.dynamics.cable.thread_link import link_energy
from haptos.dynamics.contacts.element_edge_rates import look_at_crossings
from haptos.dynamics.contacts.ground_arrays import GROUND_PEAK
from haptos.dynamics.contacts.memories import BOX_PEAK, PAIR_PEAK
from haptos.dynamics.contacts.point_ground_rates import nearest_ground
from haptos.dynamics.contacts.point_mesh_rates import nearest_point
from haptos.dynamics.ledger.extremes import note_broken
from haptos.dynamics.march.dormand_prince import interpolate
from haptos.dynamics.march.rates import net_rate
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.system import BREAKAGE

CITES: tuple[str, ...] = ()

HALVINGS = 40  # [-] of the search
STRONG, BEYOND = 1.0 - 1e-6, 1.0 + 1e-6  # [-] of the breaking tension: broken there; gone too far
NUDGE = 1e-11  # [s] that a step ends later than a thread slides off, so that it has
NOTHING, BREAKS, TOUCHES, SLIDES = 0, 1, 2, 4
KINDS = 3  # [-] of pairs, each with its largest force


@routine
def overloaded(threads, motion):
    """Largest tension over breaking tension [-]; 0 where nothing breaks."""
    worst = 0.0
    for e in range(len(threads.breaking)):
        if motion.elements.whole[e] == 1 and motion.elements.tension[e] > 0.0:
            worst = max(worst, motion.elements.tension[e] / threads.breaking[e])
    return worst


@routine
def happened(system, motion, strength):
    """What has happened as all is now: a sum of BREAKS, TOUCHES, SLIDES; strength as a share [-]."""
    found = NOTHING
    if overloaded(system.threads, motion) >= strength:
        found += BREAKS
    nearest, slid = look_at_crossings(system, motion)
    is_new = motion.step.touched_at == math.inf
    if (is_new and min(nearest_point(system, motion), nearest) < 0.0) or (
        is_new and system.surface.body < 0 and nearest_ground(system, motion) < 0.0
    ):
        found += TOUCHES
    if slid > 0:
        found += SLIDES
    return found


@routine
def time_of_first(flow, room, time, h):
    """(part [s] of a step h from a time [s] after which the first thing happens, what)."""
    low, high, size = 0.0, 1.0, len(room.y)
    found = NOTHING
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        interpolate(middle, h, room.y, room.y1, size, room.k, room.between)
        net_rate(flow, time + middle * h, room.between, room.spare)
        seen = happened(flow.system, flow.motion, 1.0)
        if seen == NOTHING:
            low = middle
        else:
            high, found = middle, seen
    return high * h + (NUDGE if found >= SLIDES else 0.0), found


@routine
def cut_broken(threads, motion, time):
    """Cut what pulls with its breaking tension at a time [s]; records what it held. How many."""
    count = 0
    for e in range(len(threads.breaking)):
        if (
            motion.elements.whole[e] == 0
            or not motion.elements.tension[e] >= STRONG * threads.breaking[e]
        ):
            continue
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        distance = norm(subtract(three(motion.points.x, j), three(motion.points.x, i)))
        held = link_energy(threads.stretching[e], motion.elements.length[e], distance)
        motion.ledger.work[BREAKAGE] -= held
        motion.ledger.energy.elastic -= held
        note_broken(motion.ledger.extremes, e, motion.elements.tension[e], time)
        motion.elements.whole[e], motion.elements.tension[e] = 0, 0.0
        count += 1
    motion.step.broken += count
    return count


@routine
def keep_peaks(motion, peaks):
    """Keep the largest forces so far, which a step that is thrown away must not raise."""
    peaks[0] = motion.step.peak_force
    for k in range(KINDS):
        peaks[1 + k] = motion.contacts.pairs.tally[PAIR_PEAK + k]
    bodies = len(motion.bodies.met)
    for b in range(bodies):
        peaks[1 + KINDS + b] = motion.bodies.met[b, MET_PEAK]
    for b in range(len(motion.contacts.boxes.tally)):
        peaks[1 + KINDS + bodies + b] = motion.contacts.boxes.tally[b, BOX_PEAK]
    peaks[len(peaks) - 1] = motion.contacts.ground.tally[GROUND_PEAK]


@routine
def restore_peaks(motion, peaks):
    """Bring back the largest forces that were kept."""
    motion.step.peak_force = peaks[0]
    for k in range(KINDS):
        motion.contacts.pairs.tally[PAIR_PEAK + k] = peaks[1 + k]
    bodies = len(motion.bodies.met)
    for b in range(bodies):
        motion.bodies.met[b, MET_PEAK] = peaks[1 + KINDS + b]
    for b in range(len(motion.contacts.boxes.tally)):
        motion.contacts.boxes.tally[b, BOX_PEAK] = peaks[1 + KINDS + bodies + b]
    motion.contacts.ground.tally[GROUND_PEAK] = peaks[len(peaks) - 1]


@device
def peak_count(motion):
    """How many largest forces there are."""
    return 2 + KINDS + len(motion.bodies.met) + len(motion.contacts.boxes.tally)
