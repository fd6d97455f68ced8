"""Forces of all thread elements on the points they join.

Validity: that of `thread_link`. Source: [Salvi2014] eqs. 2.59-2.63.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.row_index import row
from haptos.core.vectors import cross, scale, subtract
from haptos.dynamics.cable.candidates import (
    ends_of,
    find_taut,
    is_list_valid,
    list_candidates,
    square_of,
)
from haptos.dynamics.cable.thread_link import link_tension
from haptos.dynamics.ledger.extremes import note_broken, note_tension
from haptos.dynamics.rigid.bodies import strike, three
from haptos.dynamics.system import (
    BREAKAGE,
    THREAD_DAMPING,
    WINCH,
)

CITES: tuple[str, ...] = ("Salvi2014",)

SPARE = 1.5  # [-] step over that of a slack element, above which it ends before that becomes taut


@device
def pulled(x, v, i, j):
    """(distance [m], its rate [m/s], unit vector from point i to point j); no direction at 0."""
    dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
    distance = math.sqrt(dx * dx + dy * dy + dz * dz)
    if distance <= 0.0:
        return 0.0, 0.0, (0.0, 0.0, 0.0)
    inverse = 1.0 / distance
    u = (dx * inverse, dy * inverse, dz * inverse)
    rate = (v[j, 0] - v[i, 0]) * u[0] + (v[j, 1] - v[i, 1]) * u[1] + (v[j, 2] - v[i, 2]) * u[2]
    return distance, rate, u


@device
def pull(force, i, j, size, u):
    """Add a tension [N] along u to the forces on two points."""
    for k in range(3):
        force[i, k] += size * u[k]
        force[j, k] -= size * u[k]


@device
def time_to_taut(motion, i, j, length, pace, distance):
    """Time [s] until a slack element is as long as its length, as its ends move and speed up now."""
    slack = length - distance
    if distance <= 0.0:
        return math.inf
    rate, pull = -pace, 0.0
    for k in range(3):
        u = (motion.points.x[j, k] - motion.points.x[i, k]) / distance
        rate += (motion.points.v[j, k] - motion.points.v[i, k]) * u
        pull += (motion.points.a[j, k] - motion.points.a[i, k]) * u
    root = rate * rate + 2.0 * pull * slack
    if root < 0.0:
        return math.inf
    below = rate + math.sqrt(root)
    return 2.0 * slack / below if below > 0.0 else math.inf


@routine
def thread_forces(threads, motion, force, time, share):
    """(energy held [J], broken now, longest next step [s]) after adding forces on points [N].

    An element that reaches its breaking tension is cut at once; its energy goes to the ledger. The
    next step is a share [-] of the longest stable one of what is taut, and ends just before the
    first slack element becomes taut: a long step must not end with a force that was not there.
    Elements that became taut or slack within the step of `time` [s] just done are noted with the
    impulse that `catch_up` gives them. Those that stay slack for some steps are not looked at.
    """
    motion.lists.state.caught_count = 0.0
    step = release_threads(threads, motion, time, share)
    if not is_list_valid(motion, step):
        list_candidates(threads, motion, step)
    find_taut(threads, motion)
    held, broken, step = pull_threads(threads, motion, force, time, share, step)
    if step > SPARE * share * motion.lists.state.least_stable:
        step = before_taut(threads, motion, share, step)
    return held, broken, step


@routine
def release_threads(threads, motion, time, share):
    """Note elements that have become slack; share of the longest stable step [s] of what was taut."""
    step = math.inf
    for a in range(int(motion.lists.state.taut_count)):
        e = row(motion.lists.taut[a])
        step = min(step, share * motion.elements.stiff[e])
        length = motion.elements.length[e]
        i, j = ends_of(threads, e)
        if square_of(motion.points.x, i, j) <= length * length:
            note_release(threads, motion, e, time)
    return step


@routine
def pull_threads(threads, motion, force, time, share, step):
    """(energy held [J], broken now, longest next step [s]) of what is taut, with its forces [N]."""
    x, v = motion.points.x, motion.points.v
    held, broken, taut = 0.0, 0, 0
    for a in range(int(motion.lists.state.taut_count)):
        e = row(motion.lists.taut[a])
        i, j = ends_of(threads, e)
        length = motion.elements.length[e]
        distance, rate, u = pulled(x, v, i, j)
        rate -= motion.elements.pace[e]
        tension, spring = link_tension(
            threads.stretching[e], threads.damping[e], length, distance, rate
        )
        if tension >= threads.breaking[e]:
            note_break(threads, motion, e, rate, time)
            broken += 1
            continue
        if motion.elements.spring[e] == 0.0 and rate > 0.0:
            note_catch(motion, e, (tension, spring, rate), (distance - length) / rate, time)
        step = min(step, share * motion.elements.stiff[e])
        motion.elements.tension[e], motion.elements.spring[e] = tension, spring
        note_tension(motion.ledger.extremes, e, tension, motion.step.time)
        motion.lists.taut[taut] = e
        taut += 1
        pull(force, i, j, tension, u)
        held += 0.5 * spring * (distance - length)
    motion.lists.state.taut_count = taut
    return held, broken, step


@routine
def before_taut(threads, motion, share, step):
    """A long step [s] shortened to just before the first watched element becomes taut."""
    for a in range(int(motion.lists.state.candidate_count)):
        e = row(motion.lists.candidates[a])
        i, j = ends_of(threads, e)
        length = motion.elements.length[e]
        square, stable = square_of(motion.points.x, i, j), share * motion.elements.stiff[e]
        if square <= length * length and step > SPARE * stable:
            distance = math.sqrt(square)
            ahead = (
                time_to_taut(motion, i, j, length, motion.elements.pace[e], distance) - 0.5 * stable
            )
            step = min(step, max(ahead, stable))
    return step


@device
def note_catch(motion, e, loads, since, time):
    """An element became taut within the step: it pulled for a time (l - L)/l' only.

    Its impulse is that time times spring/2 + damper, which takes from the ends just what spring and
    damper have got, and not the tension times half the step.
    """
    tension, spring, rate = loads
    since, damper = min(since, time), tension - spring
    motion.ledger.work[THREAD_DAMPING] -= (since - 0.5 * time) * damper * rate
    _note(motion, e, since * (0.5 * spring + damper) - 0.5 * time * tension)


@device
def note_break(threads, motion, e, rate, time):
    """An element broke within the step: it pulled until its breaking tension and no further.

    The spring holds then what it needs to make up that tension with the damper; that energy is lost.
    """
    stiffness = threads.stretching[e] / motion.elements.length[e]
    before, last = motion.elements.tension[e], threads.breaking[e]
    held = motion.elements.spring[e] / stiffness
    stretch = (
        max(last - threads.damping[e] * max(rate, 0.0), motion.elements.spring[e], 0.0) / stiffness
    )
    pulling = min((stretch - held) / rate, time) if rate > 0.0 else 0.0
    motion.ledger.work[BREAKAGE] -= 0.5 * stiffness * stretch * stretch
    _note(motion, e, 0.5 * pulling * (before + last) - 0.5 * time * before)
    motion.elements.whole[e], motion.elements.tension[e], motion.elements.spring[e] = 0, 0.0, 0.0
    note_broken(motion.ledger.extremes, e, last, motion.step.time)
    motion.lists.state.valid_until = -math.inf


@device
def note_release(threads, motion, e, time):
    """An element became slack within the step: it pulled on for a time (l - L)/-l' only."""
    i, j = ends_of(threads, e)
    tension, spring = motion.elements.tension[e], motion.elements.spring[e]
    rate = pulled(motion.points.x, motion.points.v, i, j)[1] - motion.elements.pace[e]
    stretch = spring * motion.elements.length[e] / threads.stretching[e]
    motion.elements.tension[e], motion.elements.spring[e] = 0.0, 0.0
    if rate >= 0.0:
        return
    left = min(-stretch / rate, time)
    motion.ledger.work[THREAD_DAMPING] += 0.5 * time * (tension - spring) * rate
    motion.ledger.work[THREAD_DAMPING] -= 0.5 * stretch * (spring - tension)
    _note(motion, e, 0.5 * (left - time) * tension)


@device
def _note(motion, e, impulse):
    """Keep an impulse [N s] for `catch_up`; a winch that pulls works by it too."""
    motion.ledger.work[WINCH] -= impulse * motion.elements.pace[e]
    c = int(motion.lists.state.caught_count)
    motion.lists.caught[c], motion.lists.impulse[c] = e, impulse
    motion.lists.state.caught_count = c + 1.0


@routine
def damper_power(threads, motion):
    """Power [W] lost in the dampers of taut elements, of now."""
    lost = 0.0
    for a in range(int(motion.lists.state.taut_count)):
        e = row(motion.lists.taut[a])
        damper = motion.elements.tension[e] - motion.elements.spring[e]
        if damper != 0.0:
            i, j = ends_of(threads, e)
            _, rate, _ = pulled(motion.points.x, motion.points.v, i, j)
            lost += damper * (rate - motion.elements.pace[e])
    return lost


@routine
def catch_up(system, motion):
    """Give elements that became taut or slack within a step the impulses noted for them."""
    threads = system.threads
    for c in range(int(motion.lists.state.caught_count)):
        e = row(motion.lists.caught[c])
        i, j = ends_of(threads, e)
        _, _, u = pulled(motion.points.x, motion.points.v, i, j)
        tug(system, motion, i, motion.lists.impulse[c], u)
        tug(system, motion, j, -motion.lists.impulse[c], u)


@device
def tug(system, motion, i, size, u):
    """Give an impulse [N s] along u to a point."""
    body = system.points.owner[i]
    if body < 0:
        for k in range(3):
            motion.points.v[i, k] += size / motion.points.mass[i] * u[k]
        return
    impulse = scale(size, u)
    arm = subtract(three(motion.points.x, i), three(motion.bodies.place, body))
    strike(motion, body, impulse, cross(arm, impulse))
