"""The course of an impact at one point: compression, restitution, and slip, stick or reversal in each.

    dnu/dp = M dP/dp                                                              Eq. (2.59)
    slip      s > 0           dP/dp = [-f cos phi, -f sin phi, 1]                 Eq. (2.65)
    stick     s = 0, f >= f*  dP/dp = [-f* cos phi*, -f* sin phi*, 1]             Eq. (2.71)
    reversal  s = 0, f <  f*  dP/dp = [-f cos phi_r, -f sin phi_r, 1]             Eq. (2.78)
    compression until nu3 = 0, then restitution until the law of restitution is met

    nu  velocity of the contact point [m/s], nu3 along the normal      p  normal impulse [N s]
    s, phi  size and direction of the slip (nu1, nu2)                  M  collision matrix [1/kg]
Stick, reversal and slip that does not turn have constant rates and are closed forms; slip that
turns is a power series (collision_slip). Slip against the normal motion can make nu3 fall for a
while (jam): then s falls too, since dP . M dP > 0, so a jam ends by itself and needs no case of its own.
If nu3 falls below zero again during restitution, the impact goes on to the same goal.
Frame: the contact frame, see collision_geometry.
Validity: rigid body, one point, dry friction; position and attitude frozen.
Source: [VanWal2018] section 2.5.2.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.collision_reversal import holding_friction, reversal_direction
from haptos.contact.collision_segments import (
    COMPRESSED,
    ENERGETIC,
    KINEMATIC,
    REACHED,
    STILL,
    STOPPED,
    SlipMotion,
    halting,
    settled,
    straight,
    turning,
)
from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("VanWal2018",)

SEPARATING, SLIPPING, STICKING, REVERSING = 0, 1, 2, 3  # how the point moves at the end
FINE, CUT_SHORT, REFUSED = 0, 1, 2  # status

MOST_SEGMENTS = 256  # [-] usual are 2 to 20

# impulse (3) [N s], contact frame; normal_work, friction_work [J] on the body, minus what it loses;
# compression [N s] normal impulse at the end of compression; mode, status; steps of the series;
# segments written to the scratch path
Impact = namedtuple(
    "Impact", "impulse normal_work friction_work compression mode status steps segments"
)
# series (LENGTH, COLUMNS) of collision_slip; path (MOST_SEGMENTS, 7), one row per segment:
# p, P1, P2 [N s] at its end, dP1/dp, dP2/dp at its start and at its end
CollisionScratch = namedtuple("CollisionScratch", "series path")


@device
def is_sound(m, nu, f, e):
    """Finite numbers, M positive definite, f >= 0, 0 <= e <= 1."""
    d12 = m[0] * m[3] - m[1] * m[1]
    whole = m[5] * d12 + m[2] * (m[1] * m[4] - m[3] * m[2]) - m[4] * (m[0] * m[4] - m[1] * m[2])
    size = abs(nu[0]) + abs(nu[1]) + abs(nu[2]) + m[0] + m[3] + m[5] + f
    return (
        m[0] > 0.0 and d12 > 0.0 and whole > 0.0 and f >= 0.0 and 0.0 <= e <= 1.0 and size < 1e150
    )


@device
def restitution_goal(law, e, nu3, work, p):
    """What restitution has to bring, from nu3 before the impact and work and impulse of compression."""
    if law == ENERGETIC:
        return -e * e * work  # Eq. (2.60)
    if law == KINEMATIC:
        return -e * nu3
    return e * p


@device
def _from_rest(m, f, motion):
    """(mode, friction in use, motion with its direction) of a point without slip, f > 0."""
    t1, t2 = holding_friction(m)
    star = math.sqrt(t1 * t1 + t2 * t2)
    if f >= star:
        c, s = (t1 / star, t2 / star) if star > 0.0 else (1.0, 0.0)
        mode, friction = STICKING, star
    else:
        c, s = reversal_direction(m, f)
        mode, friction = REVERSING, f
    return mode, friction, SlipMotion(c, s, 0.0, motion.nu3, motion.p1, motion.p2, motion.p,
                                  motion.work, motion.rub)  # fmt: skip


@device
def _record(row, unit, friction, before, after):
    """One segment of the path, for laws that follow it."""
    row[0], row[1], row[2] = unit * after.p, unit * after.p1, unit * after.p2
    row[3], row[4] = -friction * before.c, -friction * before.s
    row[5], row[6] = -friction * after.c, -friction * after.s


@routine
def impulse_path(m, nu, f, e, law, scratch):
    """Impact from M [1/kg] (six numbers) and the velocity nu [m/s] of the point; contact frame.

    law ENERGETIC, KINEMATIC or KINETIC. Never fails: senseless input gives no impulse and the
    status REFUSED, and an impact of more than MOST_SEGMENTS ends without friction, CUT_SHORT.
    """
    if not is_sound(m, nu, f, e):
        return Impact((0.0, 0.0, 0.0), 0.0, 0.0, 0.0, SEPARATING, REFUSED, 0, 0)
    if not nu[2] < 0.0:
        return Impact((0.0, 0.0, 0.0), 0.0, 0.0, 0.0, SEPARATING, FINE, 0, 0)
    speed = math.sqrt(nu[0] * nu[0] + nu[1] * nu[1] + nu[2] * nu[2])
    if speed == 0.0:  # squares below the range of numbers: no motion, no impact
        return Impact((0.0, 0.0, 0.0), 0.0, 0.0, 0.0, SEPARATING, FINE, 0, 0)
    unit, energy = speed / m[5], speed * speed / m[5]
    m = (m[0] / m[5], m[1] / m[5], m[2] / m[5], m[3] / m[5], m[4] / m[5], 1.0)
    slip = math.sqrt(nu[0] * nu[0] + nu[1] * nu[1])
    motion = SlipMotion(1.0, 0.0, 0.0, nu[2] / speed, 0.0, 0.0, 0.0, 0.0, 0.0)
    if slip > STILL * speed:
        motion = SlipMotion(
            nu[0] / slip, nu[1] / slip, slip / speed, nu[2] / speed, 0.0, 0.0, 0.0, 0.0, 0.0
        )
    restoring, compression, left = False, 0.0, 0.0
    mode, status, steps, segments = SLIPPING, FINE, 0, 0
    for _ in range(MOST_SEGMENTS):
        before, friction = motion, f
        if segments >= MOST_SEGMENTS - 2:
            status, friction = CUT_SHORT, 0.0
        elif f == 0.0:
            friction = 0.0
        elif motion.slip == 0.0:
            mode, friction, before = _from_rest(m, f, motion)
        even = mode != SLIPPING or friction == 0.0
        if not even:
            even, before = settled(m, f, before)
        if even:
            held = mode == STICKING or friction == 0.0
            motion, ended, left = straight(m, friction, before, held, restoring, law, left)
        else:
            halts, motion, after = halting(m, f, before, restoring, law, left, scratch.series)
            if halts:
                ended, left = STOPPED, after
            else:
                motion, ended, left = turning(m, f, before, restoring, law, left, scratch.series)
                steps += 1
        _record(scratch.path[segments], unit, friction, before, motion)
        segments += 1
        if ended == COMPRESSED:
            restoring, compression = True, motion.p
            left = restitution_goal(law, e, nu[2] / speed, motion.work, motion.p)
        left = max(left, 0.0)
        if ended == REACHED or (restoring and left == 0.0):
            break
    impulse = (unit * motion.p1, unit * motion.p2, unit * motion.p)
    work = motion.work
    if law == ENERGETIC:
        work = min(work, 0.0)  # e = 1 gives all back, to rounding
    return Impact(
        impulse, energy * work, energy * motion.rub, unit * compression, mode, status,
        steps, segments,
    )  # fmt: skip
