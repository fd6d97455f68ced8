"""What contacts gave to a body earlier in a step, for those that come after.

Contacts of a step act one after the other, but press side by side all the time. What threads over edges gave a
bullet is to its balls a pull that is spread over the step, not a velocity it had from the start:

    K = dV + (I^-1 dH) x b,   pull a + K/h,   place off the straight way  -a t (h - t)/2 + K (h - t)^2/(2 h)

    dV, dH  changes of velocity [m/s] and angular momentum [N m s] of the body by contacts so far
    b       arm of a point of the body [m]         a  acceleration of that point by threads and fields [m/s^2]
    h, t    step, and time within it [s]
The friction J_1 of an earlier contact, and the lossy part of its normal force, act over what a later impulse J makes the body move as the later one does over what
came before, together J_1 . K. The later one counts the share E/(J h) of that, E its kicks times their times; the rest is
recorded as it comes. Nodes share their kicks in the same way, `resolve`.
Frame: N axes. Validity: attitudes change little within a step. Source: the scheme is ours.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add_scaled, cross, dot, scale
from haptos.dynamics.rigid.bodies import attitude_of, three
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING

CITES: tuple[str, ...] = ()


@routine
def keep_speeds(motion):
    """Keep velocities and angular momenta of bodies as they are before the contacts of a step."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            motion.bodies.kick[b, k], motion.bodies.kick[b, 3 + k] = (
                motion.bodies.speed[b, k],
                motion.bodies.momentum[b, k],
            )


@routine
def clear_kicks(motion):
    """Forget the kicks of a step that has touched; those of others are 0."""
    motion.bodies.kick[:, :] = 0.0
    motion.bodies.lossy[:, :, :] = 0.0


@routine
def note_kicks(motion):
    """Turn what `keep_speeds` kept into what contacts have given since."""
    for b in range(len(motion.bodies.inverse_mass)):
        for k in range(3):
            motion.bodies.kick[b, k] = motion.bodies.speed[b, k] - motion.bodies.kick[b, k]
            motion.bodies.kick[b, 3 + k] = (
                motion.bodies.momentum[b, k] - motion.bodies.kick[b, 3 + k]
            )


@device
def kick_of(motion, b, dcm, inverse, arm):
    """K [m/s] of a point at an arm [m] of body b, once `note_kicks` is done."""
    turn = (motion.bodies.kick[b, 3], motion.bodies.kick[b, 4], motion.bodies.kick[b, 5])
    return _moved(dcm, inverse, arm, 1.0, three(motion.bodies.kick, b), turn)


@device
def kick_so_far(motion, b, dcm, inverse, arm):
    """K [m/s] of a point at an arm [m] of body b, before `note_kicks`."""
    kick, given = motion.bodies.kick, three(motion.bodies.speed, b)
    turn = (
        motion.bodies.momentum[b, 0] - kick[b, 3],
        motion.bodies.momentum[b, 1] - kick[b, 4],
        motion.bodies.momentum[b, 2] - kick[b, 5],
    )
    given = add_scaled(given, -1.0, three(kick, b))
    return _moved(dcm, inverse, arm, 1.0, given, turn)


@device
def _moved(dcm, inverse, arm, inverse_mass, impulse, turn):
    """Velocity [m/s] of a point at an arm [m] by an impulse times `inverse_mass` and an angular impulse."""
    h = apply_transposed(dcm, turn)
    spin = apply(dcm, (inverse[0] * h[0], inverse[1] * h[1], inverse[2] * h[2]))
    return add_scaled(cross(spin, arm), inverse_mass, impulse)


@device
def note_body_losses(motion, b, arm, impulses):
    """Keep impulses [N s] of friction and of damping at an arm [m] of a body, for what later ones make them work over."""
    for which in range(2):
        turn = cross(arm, impulses[which])
        for k in range(3):
            motion.bodies.lossy[b, which, k] += impulses[which][k]
            motion.bodies.lossy[b, which, 3 + k] += turn[k]


@device
def spread_rest(motion, impulse, early):
    """J - E/h [N s] of an impulse and its sum of kicks times their times within the step [N s^2].

    What comes before sees that share of it, as it sees E/h of what came before: both make J.
    """
    time = motion.step.length
    return add_scaled(impulse, -1.0 / time, early) if time > 0.0 else scale(0.5, impulse)


@device
def book_body_losses(system, motion, b, arm, impulse, early):
    """Book what an impulse [N s] at an arm [m] adds to the losses of the contacts before it."""
    for which in range(2):
        row = motion.bodies.lossy[b, which]
        given, turned = (row[0], row[1], row[2]), (row[3], row[4], row[5])
        if dot(turned, turned) == 0.0 and dot(given, given) == 0.0:
            continue
        dcm, inverse = rotation_matrix(attitude_of(motion, b)), three(system.inverse_inertia, b)
        moved = _moved(dcm, inverse, arm, motion.bodies.inverse_mass[b], given, turned)
        book = RUBBING if which == 0 else CONTACT_DAMPING
        motion.ledger.work[book] += dot(moved, spread_rest(motion, impulse, early))
