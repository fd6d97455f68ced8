"""Glue: a point of a net that touches a body stays where it touched, until it is pulled off.

The limit of `sticky` for a stiff spring: no stiffness to choose, nothing stored. At the end of every step the
point is where it first touched and moves with the body. Both follow from the impulse and from the
time within the step at which it acts:

    J = -A^-1 (w + a h/2),      E = A^-1 s + h J
    loss = T - T' - a . (E - h J/2) - u . (E/h - J) - j . A^-1 (w - a h/2 - u - j/2)

    J, E  impulse on the point [N s], sum of kicks times their times within the step [N s^2]
    s, w  how far from its place [m], how fast against it [m/s], the point would end the drift
    a     its acceleration against the body by threads and fields [m/s^2], half of which is in w
    u     what other contacts gave a node in this step [m/s]: spread over it, as a pull
    j     what the change of a since the step before gave it [m/s], half of that step long
    A     inverse mass [1/kg], symmetric 3 x 3, that both show there         h  step [s]
    T, T' kinetic energy [J] of both before and after J
A point that is pulled and stays makes no heat: then w = j + a h/2 and s = h w. Opposite impulses act at one
point, those of `resolve`: momenta are kept to rounding, and the body is turned.
What pulls off or shears is the glue's force without its push out of the body, as a mean that forgets
within SETTLES, so that a blow counts by its impulse and not by the length of a step. More than the
strength breaks the glue of that point for good: from the next step on it touches as without glue.
Frame: N axes; place, normal and load in axes of the touched body.
Validity: a baseline to compare with. Points are held one after the other, so that what they share, a
bullet or a light body, comes to rest over some steps. A node has no attitude; a bullet held by one ball
turns about its centre. Source: the first contact law of [Salvi2014] sec. 4.2.3; the scheme is ours.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.symmetric import solve_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.contacts.memories import (
    BOX_PEAK,
    FREE,
    GLUED,
    GLUED_BEFORE,
    SPENT,
    UNGLUED,
)
from haptos.dynamics.contacts.resolve import (
    book_pull,
    path_of,
    pose_at,
    push_point,
    take,
    turned_by,
    world_inverse,
)
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.motion import MET_PEAK
from haptos.dynamics.rigid.bodies import attitude_of, put, rates_of, three
from haptos.dynamics.rigid.rigid_turn import turning_energy
from haptos.dynamics.system import CONTACT_DAMPING

CITES: tuple[str, ...] = ("Salvi2014",)

SETTLES = 1e-3  # [s] within which a load is forgotten: some periods of a stiff joint; assumed


@routine
def stick(system, motion, i, body, ways, gaps, n, until):
    """Glue point i to a body where it is when it touches; a ball by its centre.

    ways   both ends of its free way [m], axes of the body      gaps  there [m], one of them <= 0
    n      unit normal out of the body, its axes       until  end of that way within the step [s]
    """
    glue = motion.contacts.glue
    share = gaps[0] / (gaps[0] - gaps[1]) if gaps[0] > 0.0 else 0.0
    place = add_scaled(ways[0], share, subtract(ways[1], ways[0]))
    put(glue.anchor, i, place)
    put(glue.normal, i, n)
    put(glue.load, i, (0.0, 0.0, 0.0))
    glue.body[i] = body
    met = scale(1.0 / until, subtract(ways[1], ways[0]))
    note_contact_speed(motion, system.points.owner[i], met, 1.0)
    glue.held[glue.tally[GLUED]] = i
    glue.tally[GLUED] += 1
    if body == system.surface.body:
        motion.step.touched_at = min(motion.step.touched_at, motion.step.time + until)


@routine
def hold(system, motion, time):
    """(largest load [N], points held) of all that is glued, over a step [s]: the last of its contacts."""
    glue, peak = motion.contacts.glue, 0.0
    count, is_backwards = glue.tally[GLUED], motion.step.count % 2.0 == 1.0
    for a in range(count):
        at = count - 1 - a if is_backwards else a
        was_held = at < glue.tally[GLUED_BEFORE]
        peak = max(peak, hold_point(system, motion, glue.held[at], time, was_held))
    kept = 0
    for a in range(count):
        i = glue.held[a]
        if glue.body[i] != SPENT:
            glue.held[kept] = i
            kept += 1
    glue.tally[GLUED] = glue.tally[GLUED_BEFORE] = kept
    glue.tally[UNGLUED] += count - kept
    return peak, count


@routine
def hold_point(system, motion, i, time, was_held):
    """Load [N] of the glue of point i, which gets its impulse over a step [s] and may break at its end.

    was_held  in the step before as well
    """
    glue, body = motion.contacts.glue, motion.contacts.glue.body[i]
    dcm = rotation_matrix(attitude_of(motion, body))
    moved, dcm_end = pose_at(system, motion, body, time)
    ahead = apply(dcm_end, three(glue.anchor, i))
    arm = scale(0.5, add(apply(dcm, three(glue.anchor, i)), ahead))
    away, rate, pull, lever = apart(system, motion, i, (moved, arm, ahead), time)
    mass = effective_inverse_tensor(
        dcm, three(system.inverse_inertia, body), motion.bodies.inverse_mass[body], arm
    )
    mass = with_both(mass, effective_inverse_tensor_of_point(system, motion, i, lever))
    if not mass[0] + mass[3] + mass[5] > 0.0:
        return 0.0  # nothing there can move
    impulse = solve_symmetric(mass, scale(-1.0, add_scaled(rate, 0.5 * time, pull)))
    early = add_scaled(solve_symmetric(mass, away), time, impulse)
    load = settled_load(
        three(glue.load, i), apply_transposed(dcm, scale(1.0 / time, impulse)), time
    )
    put(glue.load, i, load)
    work = work_foreseen(motion, i, (rate, pull), (impulse, early), mass, time, was_held)
    work -= energy_of_both(system, motion, i, body)
    book_pull(system, motion, body, impulse, early, time)
    spun = push_point(system, motion, i, lever, impulse, early)
    take(system, motion, body, arm, impulse, early, spun)
    motion.ledger.work[CONTACT_DAMPING] += work + energy_of_both(system, motion, i, body)
    put(glue.pull, i, pull)
    if pulled_off(load, three(glue.normal, i)) > system.options.glue_strength:
        glue.body[i] = SPENT
    note_load(system, motion, system.points.owner[i], body, norm(load))
    return norm(load)


@device
def work_foreseen(motion, i, rates, kicks, mass, time, was_held):
    """Work [J] of the glue besides the change of kinetic energy: what pulls do over the way that is gone.

    rates  w [m/s] and a [m/s^2]        kicks  J [N s] and E [N s^2]       mass  A [1/kg]
    """
    (rate, pull), (impulse, early) = rates, kicks
    kick = three(motion.points.kick, i)  # 0 of a bullet
    work = dot(pull, add_scaled(early, -0.5 * time, impulse))
    work += dot(kick, add_scaled(scale(-1.0, impulse), 1.0 / time, early))
    if not was_held:
        return work
    half = 0.5 * motion.step.last
    put_right = scale(half, subtract(pull, three(motion.contacts.glue.pull, i)))
    begun = subtract(add_scaled(rate, -0.5 * time, pull), kick)
    begun = add_scaled(begun, -0.5, put_right)
    return work + dot(put_right, solve_symmetric(mass, begun))


@routine
def apart(system, motion, i, touched, time):
    """Point i against its place on the body: (away, rate, pull, lever), N axes.

    away   [m] at the end of the drift of a step [s]      rate  [m/s] there, of the drift
    pull   acceleration by threads and fields [m/s^2]     lever from the centre of its own body [m]
    touched  its body: centre at the end, arm from it to the place half way and at the end [m]
    """
    owner, body = system.points.owner[i], motion.contacts.glue.body[i]
    moved, arm, ahead = touched
    lever = (0.0, 0.0, 0.0)
    if owner < 0:
        begin, v = path_of(system, motion, i)
        x, a = add_scaled(begin, time, v), three(motion.points.a, i)
    else:
        own, turned = pose_at(system, motion, owner, time)
        spot = three(system.points.offset, i)
        end = apply(turned, spot)
        x = add(own, end)
        v = add(three(motion.bodies.speed, owner), cross(rates_of(system, motion, owner), end))
        lever = apply(rotation_matrix(attitude_of(motion, owner)), spot)
        lever = scale(0.5, add(lever, end))  # or what swings would be driven
        a = pulled_at(system, motion, owner, lever)
    away = subtract(x, add(moved, ahead))
    carried = add(three(motion.bodies.speed, body), cross(rates_of(system, motion, body), ahead))
    return away, subtract(v, carried), subtract(a, pulled_at(system, motion, body, arm)), lever


@device
def pulled_at(system, motion, b, arm):
    """Acceleration [m/s^2] by threads and fields of a body at an arm [m] from its centre."""
    dcm = rotation_matrix(attitude_of(motion, b))
    turn = world_inverse(dcm, three(system.inverse_inertia, b), three(motion.bodies.torque, b))
    return add_scaled(
        cross(turn, arm), motion.bodies.inverse_mass[b], three(motion.bodies.force, b)
    )


@device
def effective_inverse_tensor(dcm, inverse, inverse_mass, arm):
    """Inverse mass [1/kg], six numbers, of a body at an arm [m]; light: that of its centre."""
    x = turned_by(dcm, inverse, arm, (1.0, 0.0, 0.0))
    y = turned_by(dcm, inverse, arm, (0.0, 1.0, 0.0))
    z = turned_by(dcm, inverse, arm, (0.0, 0.0, 1.0))
    return (inverse_mass + x[0], x[1], x[2], inverse_mass + y[1], y[2], inverse_mass + z[2])


@device
def effective_inverse_tensor_of_point(system, motion, i, lever):
    """The same of a node, or of the body of a point at a lever [m] from its centre."""
    owner = system.points.owner[i]
    if owner < 0:
        inverse_mass = 1.0 / motion.points.mass[i]
        return (inverse_mass, 0.0, 0.0, inverse_mass, 0.0, inverse_mass)
    dcm = rotation_matrix(attitude_of(motion, owner))
    return effective_inverse_tensor(
        dcm, three(system.inverse_inertia, owner), motion.bodies.inverse_mass[owner], lever
    )


@device
def with_both(a, b):
    """Sum of two inverse masses [1/kg]."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@device
def settled_load(load, force, time):
    """Load [N] after a force [N] for a time [s]: its mean, forgotten within SETTLES."""
    return add_scaled(load, -math.expm1(-time / SETTLES), subtract(force, load))


@device
def pulled_off(load, n):
    """What of a load [N] on a point is no push along the unit normal out of the body [N]."""
    return norm(add_scaled(load, -max(dot(load, n), 0.0), n))


@device
def energy_of_both(system, motion, i, body):
    """Kinetic energy [J] of a body, and of a node or of the body of a point."""
    owner = system.points.owner[i]
    if owner >= 0:
        return energy_of(system, motion, body) + energy_of(system, motion, owner)
    v = three(motion.points.v, i)
    return energy_of(system, motion, body) + 0.5 * motion.points.mass[i] * dot(v, v)


@device
def energy_of(system, motion, b):
    """Kinetic energy [J] of a body; a held one has that of its turning only."""
    v, inverse = three(motion.bodies.speed, b), three(system.inverse_inertia, b)
    moving = 0.0
    if motion.bodies.inverse_mass[b] > 0.0:
        moving = 0.5 * dot(v, v) / motion.bodies.inverse_mass[b]
    return moving + turning_energy(
        attitude_of(motion, b), three(motion.bodies.momentum, b), inverse
    )


@device
def note_load(system, motion, owner, body, load):
    """Keep the largest load [N]: of the target or of a box, and of a bullet."""
    if owner >= 0:
        motion.bodies.met[owner, MET_PEAK] = max(motion.bodies.met[owner, MET_PEAK], load)
    if body == system.surface.body:
        motion.step.peak_force = max(motion.step.peak_force, load)
    for b in range(len(system.boxes.body)):
        if system.boxes.body[b] == body:
            motion.contacts.boxes.tally[b, BOX_PEAK] = max(
                motion.contacts.boxes.tally[b, BOX_PEAK], load
            )


@device
def is_glued(system, motion, i, body):
    """Whether point i is glued to a body."""
    return system.options.has_glue and motion.contacts.glue.body[i] == body


@device
def will_stick(system, motion, i, gaps):
    """Whether point i, at these gaps [m] at the ends of its way, touches and may be glued."""
    return (
        system.options.has_glue
        and motion.contacts.glue.body[i] == FREE
        and min(gaps[0], gaps[1]) <= 0.0
    )
