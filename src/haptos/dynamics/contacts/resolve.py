"""A point of a system and a body that press on each other: the masses they show, the impulses they get.

    J  impulse on the point,   E = sum of kicks times their times within the step
    v' = v + J/m,   x' = x + h v' - E/m

A point that gets J drifts with its new velocity; as its kicks fell at times within the step, that
goes too far by E/m, which is kept as a shift; what a body turns too far is kept as a turn. The body
gets the opposite of the change of the point's angular momentum about the origin, whatever
approximations led to J and E: momenta are kept to rounding.

    J  [N s]      E  [N s^2]      h  step [s]      m  mass of the node, or of the body of the point [kg]
Contacts of one step act one after the other. One that is closed takes what others gave to its node in this
step for a pull that is spread over it; one that opens in this step meets the node with the velocity it has got
by then, or two impacts of one node in one step would both be given its first velocity, and make energy:

    gap at the start = gap at the end + closing speed x h

A node has no extent of its own, so what pushes it acts at its centre; a ball of a bullet is pushed
where its surface touches.
Frame: N axes. Validity: attitudes change little within a step. Source: the scheme is ours; the force
is that of `contact_flow`.
"""

from __future__ import annotations

from haptos.contact.contact_flow import OPEN, contact_flow
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract, tangential
from haptos.dynamics.contacts.body_kicks import book_body_losses, kick_of, spread_rest
from haptos.dynamics.field import UNIFORM
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import (
    attitude_of,
    put,
    rates_of,
    strike,
    three,
    turned,
    turned_back,
)
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    GRAVITY,
    RUBBING,
)

CITES: tuple[str, ...] = ()

TURNING = 4.0  # [-] inverse mass a body shows at most over that of its centre


@device
def pair_numbers(pairs, surface, kind):
    """Row of contact numbers as a tuple."""
    row = pairs[surface, kind]
    return (
        row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10],
    )  # fmt: skip


@device
def world_inverse(dcm, inverse, a):
    """I^-1 a with both in inertial axes."""
    h = apply_transposed(dcm, a)
    return apply(dcm, (inverse[0] * h[0], inverse[1] * h[1], inverse[2] * h[2]))


@device
def effective_inverse_mass(dcm, inverse, inverse_mass, arm, n):
    """Inverse mass [1/kg] a body shows along the unit vector n at an arm [m] from its centre."""
    turn = cross(arm, n)
    return inverse_mass + dot(world_inverse(dcm, inverse, turn), turn)


@device
def turned_by(dcm, inverse, arm, n):
    """Velocity [m/s] per impulse along n that a body gets at an arm [m] by turning alone [1/kg]."""
    return cross(world_inverse(dcm, inverse, cross(arm, n)), arm)


@device
def moved_by(body, impulse):
    """Velocity [m/s] that an impulse [N s] gives to a place of a body, (dcm_NB, inverse moments, inverse mass, arm)."""
    dcm, inverse, inverse_mass, arm = body
    return add_scaled(turned_by(dcm, inverse, arm, impulse), inverse_mass, impulse)


@device
def book_rub(motion, impulse, moved, inverse_t):
    """Book what friction did more than `contact_flow` says, for a body that is not alike in all directions.

    impulse  J of friction [N s]        moved  velocity K J that it gave [m/s]
    The flow takes K for inverse_t [1/kg] in all directions across the normal; the work of J is J.(s + K J/2).
    """
    motion.ledger.work[RUBBING] += 0.5 * (dot(impulse, moved) - inverse_t * dot(impulse, impulse))


@device
def across_of(slip, drag, time, n):
    """Unit vector of the slip [m/s] that a drag [m/s^2] makes in a time [s]; the normal if there is none."""
    ahead = add_scaled(slip, time, drag)
    size = norm(ahead)
    return scale(1.0 / size, ahead) if size > 0.0 else n


@device
def effective_inverse_masses(body, n, across):
    """(inverse masses [1/kg] along n and across it, their coupling [1/kg]) that one body shows.

    body  (dcm_NB, inverse moments, inverse mass, arm [m])     coupling  3-tuple, of `contact_flow`
    """
    dcm, inverse, inverse_mass, arm = body
    coupling = tangential(turned_by(dcm, inverse, arm, n), n)
    return (
        effective_inverse_mass(dcm, inverse, inverse_mass, arm, n),
        effective_inverse_mass(dcm, inverse, inverse_mass, arm, across),
        coupling,
    )


@device
def effective_inverse_masses_of_both(body, other, n, across):
    """The same of two bodies that press on each other."""
    one_n, one_t, turned = effective_inverse_masses(body, n, across)
    two_n, two_t, spun = effective_inverse_masses(other, n, across)
    return one_n + two_n, one_t + two_t, add(turned, spun)


@device
def rates_of_fast(dcm, inverse, motion, b):
    """omega_BN_N [rad/s] with the attitude's matrix at hand."""
    return world_inverse(dcm, inverse, three(motion.bodies.momentum, b))


@routine
def resolve_contact(system, motion, i, body, arms, n, gaps, interval, pair, memory, has_memory):
    """Let point i and a body press on each other along n; both get their impulses, the ledger the losses.

    arms    place of the contact from the centre of the body, and of the owner of the point [m]
    n       unit, out of the body               gaps   at both ends of the free way [m]
    interval  when it begins within the step, how long it lasts, the whole step [s]; 0 for the last: nothing pulls
    pair    numbers of the contact              memory (factor [s/m], offset [m]) of `contact_flow`
    (gap left [m], largest force [N]), memory.
    """
    owner = system.points.owner[i]
    dcm, inverse = rotation_matrix(attitude_of(motion, body)), three(system.inverse_inertia, body)
    omega = rates_of_fast(dcm, inverse, motion, body)
    carried = add(three(motion.bodies.speed, body), cross(omega, arms[0]))
    other, v = (dcm, inverse, 0.0, arms[1]), three(motion.points.v, i)
    if owner >= 0:
        other = body_in_middle(system, motion, owner, arms[1], interval)
        spin = rates_of_fast(other[0], other[1], motion, owner)
        v = add(three(motion.bodies.speed, owner), cross(spin, arms[1]))
    is_pulled = interval[2] > 0.0
    pulled, ahead = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    spread, is_second, kick_n = three(motion.points.kick, i), False, 0.0
    if is_pulled and owner < 0 and memory[0] == OPEN and is_kicked(motion, i):
        start = gaps[1] - dot(subtract(v, carried), n) * interval[1]
        if start >= 0.0:
            gaps, spread, is_second = (start, gaps[1]), (0.0, 0.0, 0.0), True
    if is_pulled:
        a = three(motion.points.a, i)
        if owner >= 0:
            a = pull_of_body(motion, owner, other[0], other[1], arms[1])
            spread = kick_of(motion, owner, other[0], other[1], arms[1])
            kick_n = dot(spread, n)
        pulled, ahead = pull_against(motion, body, a, spread, interval[0], interval[2])
        gaps = bulged(gaps, -dot(pulled, n), kick_n, interval)
    drag = tangential(pulled, n)
    slip = tangential(subtract(subtract(v, carried), ahead), n)
    across = across_of(slip, drag, interval[1], n)
    touched = dcm, inverse, motion.bodies.inverse_mass[body], arms[0]
    if owner < 0:
        inverse_n, inverse_t, coupling = effective_inverse_masses(touched, n, across)
        inverse_n, inverse_t = (
            inverse_n + 1.0 / motion.points.mass[i],
            inverse_t + 1.0 / motion.points.mass[i],
        )
    else:
        inverse_n, inverse_t, coupling = effective_inverse_masses_of_both(touched, other, n, across)
    impulses, losses, factor, offset = contact_flow(
        pair, memory[0], memory[1], has_memory, gaps, interval[1], inverse_n, inverse_t, slip, coupling,
        -dot(pulled, n), drag,
    )  # fmt: skip
    note_contact_speed(motion, owner, subtract(v, carried), losses[3])
    motion.ledger.work[CONTACT_DAMPING] -= losses[0]
    motion.ledger.work[RUBBING] -= losses[1]
    impulse = add_scaled(impulses[2], impulses[0], n)
    early = add_scaled(add_scaled(impulses[3], impulses[1], n), interval[0], impulse)
    if owner >= 0:
        motion.bodies.met[owner, MET_PEAK] = max(motion.bodies.met[owner, MET_PEAK], losses[3])
        moved = add(moved_by(touched, impulses[2]), moved_by(other, impulses[2]))
        book_rub(motion, impulses[2], moved, inverse_t)
    if is_pulled:
        book_pull(system, motion, body, impulse, early, interval[2])
    kick = three(motion.points.kick, i)
    if is_second:
        book_second(motion, i, impulse, early)
    spun = push_point(system, motion, i, arms[1], impulse, early)
    take(system, motion, body, arms[0], impulse, early, spun)
    if owner < 0:
        note_lossy(motion, i, (impulses[2], scale(losses[4], n)), kick, is_pulled)
    gap_left = gaps[1] + (impulses[0] * interval[1] - impulses[1]) * inverse_n
    gap_left += dot(coupling, subtract(scale(interval[1], impulses[2]), impulses[3]))
    return (gap_left, losses[3]), (factor, offset)


@routine
def body_in_middle(system, motion, b, arm, interval):
    """(dcm_NB in the middle of a part of a step, inverse moments, inverse mass, arm [m]) of a body."""
    dcm = pose_at(system, motion, b, interval[0] + 0.5 * interval[1])[1]
    return dcm, three(system.inverse_inertia, b), motion.bodies.inverse_mass[b], arm


@device
def is_kicked(motion, i):
    """Whether contacts have given point i an impulse in this step."""
    kick = three(motion.points.kick, i)
    return dot(kick, kick) > 0.0


@device
def book_second(motion, i, impulse, early):
    """Take back the share of an impulse [N s] in the losses of contacts before it, `push_point`.

    They were over when it came, so that they rubbed without it.
    """
    book_lossy(motion, i, scale(-1.0, spread_rest(motion, impulse, early)))


@device
def pull_of_body(motion, b, dcm, inverse, arm):
    """Acceleration [m/s^2] that threads and fields give to a point of body b at an arm [m]."""
    turning = cross(world_inverse(dcm, inverse, three(motion.bodies.torque, b)), arm)
    return add_scaled(turning, motion.bodies.inverse_mass[b], three(motion.bodies.force, b))


@device
def pull_against(motion, body, a, kick, begin, time):
    """(acceleration [m/s^2] of a point against a body in a step [s], speed [m/s] it is ahead by at begin).

    Threads and fields pull with a all the time, of which half has acted already; what other contacts
    gave in this step, kick [m/s], counts as a pull that is spread over it.
    """
    own = add_scaled(a, -motion.bodies.inverse_mass[body], three(motion.bodies.force, body))
    to_come = 1.0 - begin / time
    return add_scaled(own, 1.0 / time, kick), add_scaled(
        scale(to_come, kick), 0.5 * time - begin, own
    )


@device
def bulged(gaps, pull, kick, interval):
    """Gaps [m] at both ends of a part of a step on the parabola of a pull into the body [m/s^2].

    kick  [m/s] along the normal that is spread over the step and part of the pull. The straight way has it from
    its start, so that the parabola is off by `body_kicks`; both end in the same place.
    """
    begin, end, whole = interval[0], interval[0] + interval[1], interval[2]
    own = pull + kick / whole
    left, last = whole - begin, whole - end
    return (
        gaps[0] + 0.5 * (own * begin + kick / whole * left) * left,
        gaps[1] + 0.5 * (own * end + kick / whole * last) * last,
    )


@device
def note_lossy(motion, i, impulses, kick, is_spread):
    """Keep the impulses [N s] of friction and of damping on a node, whose way other contacts of this step change too.

    kick       [m/s] that those before gave; those after are recorded as they come, by `push_point`
    is_spread  whether the contact took that for a pull over the step; if not, half of it came later
    Each contact acts over the mean way of the node, J . (v + v')/2, v and v' without and with all kicks. What a
    spring holds is counted when all contacts have acted.
    """
    rubbed, damped = impulses
    if not is_spread:
        motion.ledger.work[RUBBING] -= 0.5 * dot(rubbed, kick)
        motion.ledger.work[CONTACT_DAMPING] -= 0.5 * dot(damped, kick)
    put(motion.points.rubbed, i, add(three(motion.points.rubbed, i), rubbed))
    put(motion.points.damped, i, add(three(motion.points.damped, i), damped))


@device
def book_lossy(motion, i, later):
    """Book what a later impulse [N s] on a node adds to the losses of the contacts before it."""
    motion.ledger.work[RUBBING] += (
        dot(three(motion.points.rubbed, i), later) / motion.points.mass[i]
    )
    motion.ledger.work[CONTACT_DAMPING] += (
        dot(three(motion.points.damped, i), later) / motion.points.mass[i]
    )


@device
def book_pull(system, motion, body, impulse, early, time):
    """Book what a uniform field does more than by the mean of the speeds before and after a contact.

    A node that gets J and E goes (J h/2 - E)/m further than that mean says; so does a free body, the
    other way, and then both fall alike.
    """
    if system.field.kind == UNIFORM and motion.bodies.inverse_mass[body] == 0.0:
        further = subtract(scale(0.5 * time, impulse), early)
        motion.ledger.work[GRAVITY] += dot(
            (system.field.uniform[0], system.field.uniform[1], system.field.uniform[2]), further
        )


@routine
def give(system, motion, i, lever, share, impulse, early, body):
    """Give a share of an impulse [N s] to a point and its opposite to a body, momenta kept.

    lever  [m] of the point from the centre of its own body, if it has one
    """
    j, e = scale(share, impulse), scale(share, early)
    arm = subtract(three(motion.points.x, i), three(motion.bodies.place, body))
    take(system, motion, body, arm, j, e, push_point(system, motion, i, lever, j, e))


@routine
def push_point(system, motion, i, lever, impulse, early):
    """Give an impulse [N s] to a node, or to the owner of a point at a lever [m] from its centre.

    early  sum of kicks times their times within the step [N s^2]
    The change of the angular momentum about the origin [N m s].
    """
    owner = system.points.owner[i]
    if owner >= 0:
        return push_body(system, motion, owner, lever, impulse, early)
    book_lossy(motion, i, spread_rest(motion, impulse, early))
    v = add_scaled(three(motion.points.v, i), 1.0 / motion.points.mass[i], impulse)
    start = subtract(three(motion.points.x, i), three(motion.points.shift, i))
    put(motion.points.v, i, v)
    put(
        motion.points.kick,
        i,
        add_scaled(three(motion.points.kick, i), 1.0 / motion.points.mass[i], impulse),
    )
    put(
        motion.points.shift,
        i,
        add_scaled(three(motion.points.shift, i), 1.0 / motion.points.mass[i], early),
    )
    return subtract(cross(start, impulse), cross(early, v))


@routine
def push_body(system, motion, b, lever, impulse, early):
    """Give an impulse [N s] to a body at a lever [m]; the change of its angular momentum about the origin."""
    book_body_losses(system, motion, b, lever, impulse, early)
    turn = cross(lever, impulse)
    strike(motion, b, (0.0, 0.0, 0.0), turn)
    turn_early(system, motion, b, cross(lever, early))
    return add(push_centre(motion, b, impulse, early), turn)


@routine
def take(system, motion, body, arm, impulse, early, spun):
    """Let a body take the opposite of an impulse at an arm [m], and of an angular momentum [N m s]."""
    orbital = push_centre(motion, body, scale(-1.0, impulse), scale(-1.0, early))
    strike(motion, body, (0.0, 0.0, 0.0), scale(-1.0, add(spun, orbital)))
    turn_early(system, motion, body, cross(early, arm))


@routine
def turn_early(system, motion, b, early):
    """Keep what a body will turn too far, by a sum of angular kicks times their times [N m s^2]."""
    dcm = rotation_matrix(attitude_of(motion, b))
    turn = world_inverse(dcm, three(system.inverse_inertia, b), early)
    put(motion.bodies.turn, b, add(three(motion.bodies.turn, b), turn))


@routine
def path_of(system, motion, i):
    """(place, velocity) of a point's free way: where it would have begun to end as it now will."""
    owner = system.points.owner[i]
    x = three(motion.points.x, i)
    if owner < 0:
        return subtract(x, three(motion.points.shift, i)), three(motion.points.v, i)
    arm = subtract(x, three(motion.bodies.place, owner))
    v = add(three(motion.bodies.speed, owner), cross(rates_of(system, motion, owner), arm))
    back = add(three(motion.bodies.shift, owner), cross(three(motion.bodies.turn, owner), arm))
    return subtract(x, back), v


@routine
def push_centre(motion, b, impulse, early):
    """Give an impulse to the centre of a body; the change of its angular momentum about the origin."""
    strike(motion, b, impulse, (0.0, 0.0, 0.0))
    note_impulse(motion, b, impulse)
    before = subtract(three(motion.bodies.place, b), three(motion.bodies.shift, b))
    put(
        motion.bodies.shift, b,
        add_scaled(three(motion.bodies.shift, b), motion.bodies.inverse_mass[b], early),
    )  # fmt: skip
    if motion.bodies.inverse_mass[b] == 0.0:
        return cross(before, impulse)
    return subtract(cross(before, impulse), cross(early, three(motion.bodies.speed, b)))


@device
def note_impulse(motion, b, impulse):
    """Keep the sum of the impulses [N s] that contacts gave to a body."""
    for k in range(3):
        motion.bodies.met[b, k] += impulse[k]


@routine
def centre_of(motion, b, time):
    """Centre of a body after a time [s] of its free way within this step."""
    place = subtract(three(motion.bodies.place, b), three(motion.bodies.shift, b))
    return add_scaled(place, time, three(motion.bodies.speed, b))


@routine
def pose_at(system, motion, b, time):
    """(place, dcm) of a body after a time [s] of its free way within this step."""
    q = turned_back(turned(system, motion, b, time), three(motion.bodies.turn, b))
    return centre_of(motion, b, time), rotation_matrix(q)


@routine
def carried_to(system, motion, i, time):
    """Place of a point of a body after a time [s] of its free way within this step.

    It turns with the body: a bullet that spins at 500 rad/s carries its balls round by a micrometre within
    30 microseconds besides their straight ways, which is a tenth of the depth of a hard impact.
    """
    place, dcm = pose_at(system, motion, system.points.owner[i], time)
    return add(place, apply(dcm, three(system.points.offset, i)))


@device
def largest_inverse_mass(system, motion, i):
    """Inverse mass [1/kg] a point shows at most, to choose steps by."""
    owner = system.points.owner[i]
    return 1.0 / motion.points.mass[i] if owner < 0 else TURNING * motion.bodies.inverse_mass[owner]
