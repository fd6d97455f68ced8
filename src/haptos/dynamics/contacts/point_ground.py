"""Points of a system, nodes and balls of bodies, against the ground, over one step.

    gap = d(x)/|grad d|,   n = grad d/|grad d|

    d  field of the ground, `geometry.distance.surface`: plane, sphere, ellipsoid, grid with terrain [m]
The ground is fixed in the axes of the motion: it takes every impulse. Points that are surely clear of it are not
looked at until the ways of all points add up to what they are clear by. Nodes act one after the other, forwards in one
step and backwards in the next; balls in parts of a step as short as the stiffest contact asks, as in
`ball_mesh`. Impulses are those of `resolve`, forces those of `contact_flow`.
Frame: N axes. Validity: ways within a step and depths short against the curvature of the ground; friction
has no memory; threads between two nodes may cut the ground, which the guard sees.
Source: the scheme is ours; the force is that of `contact_flow`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, contact_energy, contact_flow, longest_step
from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract, tangential
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.ball_mesh import MOST_PARTS
from haptos.dynamics.contacts.detect import clear_of_ground, ground_contact
from haptos.dynamics.contacts.ground_arrays import (
    GROUND_AT,
    GROUND_MET,
    GROUND_PEAK,
    GROUND_TRAVEL,
    GROUND_WAKE,
)
from haptos.dynamics.contacts.point_mesh import TINY, note_stiffness
from haptos.dynamics.contacts.resolve import (
    book_rub,
    book_second,
    carried_to,
    centre_of,
    effective_inverse_masses,
    is_kicked,
    largest_inverse_mass,
    moved_by,
    note_lossy,
    pair_numbers,
    path_of,
    push_point,
    rates_of_fast,
)
from haptos.dynamics.field import NO_FIELD, field_at
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import attitude_of, fastest_square, place_points, three
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    GRAVITY,
    RUBBING,
)

CITES: tuple[str, ...] = ()

NOTHING = (0.0, 0.0, 0.0)


@device
def is_held(system, motion, i):
    """Whether point i is of a body that is held still."""
    owner = system.points.owner[i]
    return owner >= 0 and motion.step.time < system.orders.held[owner]


@routine
def touch_ground(system, motion, time):
    """(elastic energy at the end [J], largest force [N]) of points on the ground in a step [s]."""
    if not system.ground.is_on or motion.step.time < system.orders.nodes_held:
        return 0.0, 0.0
    place_points(system, motion)
    memory = motion.contacts.ground
    tally, count = memory.tally, len(system.points.owner)
    way = math.sqrt(fastest_square(motion.points.v, NOTHING)) * time * AMPLE + TINY
    tally[GROUND_TRAVEL] += way
    if tally[GROUND_TRAVEL] < tally[GROUND_WAKE]:
        return 0.0, 0.0
    is_backwards = motion.step.count % 2.0 == 1.0
    peak, wake, balls = 0.0, math.inf, 0
    for a in range(count):
        i = count - 1 - a if is_backwards else a
        if system.points.radius[i] <= 0.0 or is_held(system, motion, i):
            continue
        if tally[GROUND_TRAVEL] >= memory.clear[i]:
            clear = clear_of_ground(system, three(motion.points.x, i), system.points.radius[i])
            memory.clear[i] = tally[GROUND_TRAVEL] - way + clear
            if clear > way:
                memory.factor[i] = OPEN
            elif system.points.owner[i] >= 0:
                balls += 1
            else:
                peak = max(peak, touch_node(system, motion, i, time))
        wake = min(wake, memory.clear[i])
    if balls > 0:
        peak = max(peak, touch_balls(system, motion, time))
    tally[GROUND_WAKE], tally[GROUND_PEAK] = wake, max(tally[GROUND_PEAK], peak)
    if peak > 0.0:
        note_touch(system, motion, time)
    return held_by_ground(system, motion, time), peak


@device
def note_touch(system, motion, time):
    """Keep the end of the step [s] of the first touch; without a target it is the first touch of all."""
    now = motion.step.time + time
    motion.contacts.ground.tally[GROUND_AT] = min(motion.contacts.ground.tally[GROUND_AT], now)
    if system.surface.body < 0:
        motion.step.touched_at = min(motion.step.touched_at, now)


@routine
def touch_node(system, motion, i, time):
    """Largest force [N] of a node on the ground in a step [s]."""
    begin, v = path_of(system, motion, i)
    return touch_along(
        system,
        motion,
        i,
        three(motion.points.x, i),
        add_scaled(begin, time, v),
        NOTHING,
        (0.0, time),
    )


@routine
def touch_along(system, motion, i, x, end, centre, interval):
    """Largest force [N] of point i, whose free way goes from x to an end [m].

    centre  of its body at x [m]         interval  when it begins within the step, how long it lasts [s]
    """
    memory, radius = motion.contacts.ground, system.points.radius[i]
    gap = ground_contact(system, i, x)[0]
    gap_end, n = ground_contact(system, i, end)
    factor = memory.factor[i]
    if gap > 0.0:
        factor = OPEN
        if gap_end > 0.0:
            memory.factor[i] = OPEN
            return 0.0
    lever = NOTHING
    if system.points.owner[i] >= 0:
        lever = subtract(add_scaled(x, -radius, n), centre)
    pair = pair_numbers(system.ground.pairs, 0, system.points.kind[i])
    force, memory.factor[i] = resolve_ground(
        system, motion, i, lever, n, (gap, gap_end), interval, pair, factor
    )
    if factor == OPEN and force > 0.0:
        memory.tally[GROUND_MET] += 1.0
    return force


@routine
def resolve_ground(system, motion, i, lever, n, gaps, interval, pair, factor):
    """(largest force [N], factor [s/m]) after point i and the ground pressed on each other along n.

    lever   of the contact from the centre of the body of the point [m]; the rest as in `resolve.resolve_contact`
    """
    owner = system.points.owner[i]
    pulled, ahead = NOTHING, NOTHING
    is_pulled = owner < 0 and interval[0] == 0.0
    spread, is_second = three(motion.points.kick, i), False
    if owner >= 0:
        own = rotation_matrix(attitude_of(motion, owner))
        turning = three(system.inverse_inertia, owner)
        spin = rates_of_fast(own, turning, motion, owner)
        v = add(three(motion.bodies.speed, owner), cross(spin, lever))
    else:
        v = three(motion.points.v, i)
    if is_pulled and factor == OPEN and is_kicked(motion, i):
        start = gaps[1] - dot(v, n) * interval[1]
        if start >= 0.0:
            gaps, spread, is_second = (start, gaps[1]), NOTHING, True
    if is_pulled:
        a = three(motion.points.a, i)
        pulled, ahead = (
            add_scaled(a, 1.0 / interval[1], spread),
            add_scaled(spread, 0.5 * interval[1], a),
        )
    slip = tangential(subtract(v, ahead), n)
    size = norm(slip)
    across = scale(1.0 / size, slip) if size > 0.0 else n
    if owner < 0:
        inverse_n, inverse_t, coupling = (
            1.0 / motion.points.mass[i],
            1.0 / motion.points.mass[i],
            NOTHING,
        )
    else:
        body = own, turning, motion.bodies.inverse_mass[owner], lever
        inverse_n, inverse_t, coupling = effective_inverse_masses(body, n, across)
    impulses, losses, factor, _ = contact_flow(
        pair, factor, NOTHING, False, gaps, interval[1], inverse_n, inverse_t, slip, coupling,
        -dot(pulled, n), tangential(pulled, n),
    )  # fmt: skip
    note_contact_speed(motion, owner, v, losses[3])
    motion.ledger.work[CONTACT_DAMPING] -= losses[0]
    motion.ledger.work[RUBBING] -= losses[1]
    impulse = add_scaled(impulses[2], impulses[0], n)
    early = add_scaled(add_scaled(impulses[3], impulses[1], n), interval[0], impulse)
    if owner >= 0:
        motion.bodies.met[owner, MET_PEAK] = max(motion.bodies.met[owner, MET_PEAK], losses[3])
        book_rub(motion, impulses[2], moved_by(body, impulses[2]), inverse_t)
    if is_pulled:
        book_fall(system, motion, i, impulse, early, interval[1])
    kick = three(motion.points.kick, i)
    if is_second:
        book_second(motion, i, impulse, early)
    push_point(system, motion, i, lever, impulse, early)
    if owner < 0:
        note_lossy(motion, i, (impulses[2], scale(losses[4], n)), kick, is_pulled)
    return losses[3], factor


@device
def book_fall(system, motion, i, impulse, early, time):
    """Book what the field does more than by the mean of the speeds before and after, `resolve.book_pull`."""
    if system.field.kind != NO_FIELD:
        further = subtract(scale(0.5 * time, impulse), early)
        pull = field_at(system.field, three(motion.points.x, i), three(motion.points.v, i))
        motion.ledger.work[GRAVITY] += dot(pull, further)


@device
def is_near_ball(system, motion, i):
    """Whether a ball may touch the ground in this step."""
    if system.points.owner[i] < 0 or system.points.radius[i] <= 0.0 or is_held(system, motion, i):
        return False
    return motion.contacts.ground.tally[GROUND_TRAVEL] >= motion.contacts.ground.clear[i]


@routine
def ball_parts(system, motion, time):
    """Parts a step [s] is cut into for the balls near the ground."""
    shortest = time
    for i in range(len(system.points.owner)):
        if not is_near_ball(system, motion, i):
            continue
        gap = ground_contact(system, i, three(motion.points.x, i))[0]
        speed = norm(path_of(system, motion, i)[1])
        if gap > speed * time:
            continue
        pair = pair_numbers(system.ground.pairs, 0, system.points.kind[i])
        inverse = largest_inverse_mass(system, motion, i)
        shortest = min(shortest, longest_step(pair, inverse, -gap, speed, False, inverse))
    return int(min(math.ceil(time / shortest), MOST_PARTS))


@routine
def touch_balls(system, motion, time):
    """Largest force [N] of balls on the ground in a step [s]."""
    peak, count, parts = 0.0, len(system.points.owner), ball_parts(system, motion, time)
    for p in range(parts):
        begin, part = p * time / parts, time / parts
        for a in range(count):
            i = count - 1 - a if p % 2 == 1 else a
            if not is_near_ball(system, motion, i):
                continue
            x, end = (
                carried_to(system, motion, i, begin),
                carried_to(system, motion, i, begin + part),
            )
            centre = centre_of(motion, system.points.owner[i], begin)
            peak = max(peak, touch_along(system, motion, i, x, end, centre, (begin, part)))
    return peak


@routine
def held_by_ground(system, motion, time):
    """Energy [J] that contacts with the ground hold at the end of a step [s], all impulses given."""
    energy = 0.0
    for i in range(len(system.points.owner)):
        if motion.contacts.ground.factor[i] == OPEN:
            continue
        if system.points.owner[i] >= 0:
            end = carried_to(system, motion, i, time)
        else:
            begin, v = path_of(system, motion, i)
            end = add_scaled(begin, time, v)
        gap = ground_contact(system, i, end)[0]
        pair = pair_numbers(system.ground.pairs, 0, system.points.kind[i])
        energy += contact_energy(pair, gap)
        note_stiffness(motion, pair, largest_inverse_mass(system, motion, i), -gap)
    return energy
