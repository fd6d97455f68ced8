"""Rigid bodies of a net against each other, over one step: chaser, target, bodies of the user's own.

Corners of one body, and points along its edges, touch the surface of the other, and the other way
round. Two bodies are not looked at while the gap found last is longer than what they may have moved
since. Once near, a step is cut into parts as short as the stiffest contact asks, and all corners go
through each part one after the other, forwards and backwards in turn.

    part <= 0.05/(w sqrt(n)),   w  frequency of one contact at its deepest [1/s]    n  corners that press

Impulses go to both bodies as in `resolve`: momenta are kept to rounding.
Frame: N axes. Validity: edges that cross meet at points of theirs, an eighth of an edge apart; friction
has no memory. Source: the scheme is ours; the force is that of `contact_flow`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, contact_energy, contact_flow, longest_step
from haptos.core.jit import routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, norm, scale, subtract, tangential
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.detect import hull_gap
from haptos.dynamics.contacts.memories import HULL_MET, HULL_PEAK
from haptos.dynamics.contacts.point_mesh import TINY
from haptos.dynamics.contacts.resolve import (
    TURNING,
    effective_inverse_masses_of_both,
    pair_numbers,
    pose_at,
    push_body,
    rates_of_fast,
    take,
)
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import attitude_of, rates_of, three
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING

CITES: tuple[str, ...] = ()

MOST_PARTS = 4000  # [-] of a step
FINER = 4.0  # [-] parts beside those of one contact alone: corners share a body and act in turn


@routine
def corner_at(system, motion, h, c, time):
    """Corner c of pair h after a time [s] of its free way within this step: (place in the axes of
    the touched body [m], from the centre of its own body and of the touched one [m], N axes)."""
    own, dcm_own = pose_at(system, motion, system.hulls.owner[h], time)
    place, dcm = pose_at(system, motion, system.hulls.body[h], time)
    lever = apply(dcm_own, three(system.hulls.corner, system.hulls.begin[h] + c))
    arm = subtract(add(own, lever), place)
    return apply_transposed(dcm, arm), lever, arm


@routine
def way_of(system, motion, h, time):
    """How far any corner of a pair may move relative to the touched body in a step [m], a bound."""
    a, b = system.hulls.owner[h], system.hulls.body[h]
    apart = norm(subtract(three(motion.bodies.place, a), three(motion.bodies.place, b)))
    speed = norm(subtract(three(motion.bodies.speed, a), three(motion.bodies.speed, b)))
    speed += norm(rates_of(system, motion, a)) * system.hulls.reach[a]
    speed += norm(rates_of(system, motion, b)) * (apart + system.hulls.reach[a])
    return speed * time * AMPLE + TINY


@routine
def look_for(system, motion, h, time, count, stack):
    """Corners near their body so far, after those of pair h that may touch in a step [s]."""
    memory, hulls = motion.contacts.hulls, system.hulls
    way = way_of(system, motion, h, time)
    memory.clear[h] -= way
    if memory.clear[h] > 0.0:
        return count
    a, b = hulls.owner[h], hulls.body[h]
    apart = norm(subtract(three(motion.bodies.place, a), three(motion.bodies.place, b)))
    least = apart - hulls.reach[a] - hulls.reach[b]
    if least <= way:
        least = math.inf
        for c in range(hulls.end[h] - hulls.begin[h]):
            gap, _ = hull_gap(system, motion, h, c, corner_at(system, motion, h, c, 0.0)[0], stack)
            least = min(least, gap)
            if gap > way:
                memory.factor[h, c] = OPEN
                continue
            memory.near[count, 0], memory.near[count, 1] = h, c
            count += 1
    memory.clear[h] = least - way
    return count


@routine
def parts_of(system, motion, time, count, stack):
    """Parts a step [s] is cut into, 1 if nothing presses."""
    shortest, pressing = time, 0.0
    for k in range(count):
        h, c = motion.contacts.hulls.near[k, 0], motion.contacts.hulls.near[k, 1]
        a, b = system.hulls.owner[h], system.hulls.body[h]
        gap, _ = hull_gap(system, motion, h, c, corner_at(system, motion, h, c, 0.0)[0], stack)
        end, _ = hull_gap(system, motion, h, c, corner_at(system, motion, h, c, time)[0], stack)
        if gap > 0.0 and end > 0.0:
            continue
        pressing += 1.0
        inverse = TURNING * (motion.bodies.inverse_mass[a] + motion.bodies.inverse_mass[b])
        speed = way_of(system, motion, h, time) / time
        pair = pair_numbers(system.hulls.numbers, h, 0)
        shortest = min(shortest, longest_step(pair, inverse, -gap, speed, False, inverse))
    if pressing == 0.0:
        return 1
    return int(min(math.ceil(FINER * math.sqrt(pressing) * time / shortest), MOST_PARTS))


@routine
def press_corner(system, motion, h, c, interval, stack):
    """Largest force [N] of one corner in a part of a step; interval: its start and length [s]."""
    memory = motion.contacts.hulls
    y, lever, arm = corner_at(system, motion, h, c, interval[0])
    y_end, _, _ = corner_at(system, motion, h, c, interval[0] + interval[1])
    gap, _ = hull_gap(system, motion, h, c, y, stack)
    gap_end, n_body = hull_gap(system, motion, h, c, y_end, stack)
    before = memory.factor[h, c]
    if gap > 0.0 and gap_end > 0.0:
        memory.factor[h, c] = OPEN
        return 0.0
    _, dcm_end = pose_at(system, motion, system.hulls.body[h], interval[0] + interval[1])
    n = apply(dcm_end, n_body)
    force, memory.factor[h, c] = resolve_bodies(
        system, motion, (system.hulls.owner[h], system.hulls.body[h]), (arm, lever), n, (gap, gap_end),
        interval, pair_numbers(system.hulls.numbers, h, 0), before,
    )  # fmt: skip
    if before == OPEN and force > 0.0:
        memory.tally[h, HULL_MET] += 1.0
    memory.tally[h, HULL_PEAK] = max(memory.tally[h, HULL_PEAK], force)
    return force


@routine
def resolve_bodies(system, motion, who, places, n, gaps, interval, pair, factor):
    """Let two bodies press on each other along n; both get their impulses, the ledger the losses.

    who    body of the corner, and the touched one     n    unit, out of the touched body
    places  of the contact from the centre of the touched body, and of the other [m]
    (largest force [N], factor [s/m]) of `contact_flow`; the rest as in `resolve.resolve_contact`.
    """
    owner, body = who
    dcm, inverse = rotation_matrix(attitude_of(motion, body)), three(system.inverse_inertia, body)
    own, turning = rotation_matrix(attitude_of(motion, owner)), three(system.inverse_inertia, owner)
    carried = cross(rates_of_fast(dcm, inverse, motion, body), places[0])
    v = cross(rates_of_fast(own, turning, motion, owner), places[1])
    v = add(v, subtract(three(motion.bodies.speed, owner), three(motion.bodies.speed, body)))
    slip = tangential(subtract(v, carried), n)
    size = norm(slip)
    across = scale(1.0 / size, slip) if size > 0.0 else n
    inverse_n, inverse_t, coupling = effective_inverse_masses_of_both(
        (dcm, inverse, motion.bodies.inverse_mass[body], places[0]),
        (own, turning, motion.bodies.inverse_mass[owner], places[1]), n, across,
    )  # fmt: skip
    none = (0.0, 0.0, 0.0)
    impulses, losses, factor, _ = contact_flow(
        pair,
        factor,
        none,
        False,
        gaps,
        interval[1],
        inverse_n,
        inverse_t,
        slip,
        coupling,
        0.0,
        none,
    )
    note_contact_speed(motion, owner, subtract(v, carried), losses[3])
    motion.ledger.work[CONTACT_DAMPING] -= losses[0]
    motion.ledger.work[RUBBING] -= losses[1]
    impulse = add_scaled(impulses[2], impulses[0], n)
    early = add_scaled(add_scaled(impulses[3], impulses[1], n), interval[0], impulse)
    spun = push_body(system, motion, owner, places[1], impulse, early)
    take(system, motion, body, places[0], impulse, early, spun)
    return losses[3], factor


@routine
def held_by_corners(system, motion, time, count, stack):
    """Energy [J] that the contacts hold at the end of a step [s], all impulses given."""
    energy = 0.0
    for k in range(count):
        h, c = motion.contacts.hulls.near[k, 0], motion.contacts.hulls.near[k, 1]
        if motion.contacts.hulls.factor[h, c] != OPEN:
            y, _, _ = corner_at(system, motion, h, c, time)
            gap, _ = hull_gap(system, motion, h, c, y, stack)
            energy += contact_energy(pair_numbers(system.hulls.numbers, h, 0), gap)
    return energy


@routine
def touch_bodies(system, motion, time, stack):
    """(elastic energy at the end of a step [J], largest force [N]) of bodies on bodies."""
    count, peak = 0, 0.0
    for h in range(len(system.hulls.owner)):
        count = look_for(system, motion, h, time, count, stack)
    if count == 0:
        return 0.0, 0.0
    parts = parts_of(system, motion, time, count, stack)
    for p in range(parts):
        interval = p * time / parts, time / parts
        for k in range(count):
            at = count - 1 - k if p % 2 == 1 else k
            h, c = motion.contacts.hulls.near[at, 0], motion.contacts.hulls.near[at, 1]
            peak = max(peak, press_corner(system, motion, h, c, interval, stack))
    return held_by_corners(system, motion, time, count, stack), peak
