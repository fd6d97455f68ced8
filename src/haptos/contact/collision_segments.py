"""Stretches of an impact: straight, turning, or up to the halt of the slip.

Each takes a motion as far as nothing new happens: slip stops, compression ends (nu3 = 0), or the goal
of restitution is reached; then it says what happened and what is left of the goal.

    straight   constant rates: nu3 = nu3_0 + a p, s = s_0 + g p, xi = nu3_0 p + a p^2/2
    turning    one step of the power series of collision_slip, events as roots of polynomials
    halting    the rest of a slip at once, by collision_halt, if nothing else happens before

    left  of the goal of restitution: work (energetic), speed (kinematic) or impulse (kinetic)
Units and frame: as collision_slip.
Validity: as collision_path.
Source: [VanWal2018] section 2.5.2; closed forms ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.collision_halt import halt_sums, halting_direction
from haptos.contact.collision_reversal import direction_slope, slip_rates
from haptos.contact.collision_slip import (
    LEAST_WEIGHT,
    NU3,
    RISE,
    SLIP,
    WORK,
    P,
    crossing,
    fill_series,
    series_value,
    series_values,
)
from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2018",)

ENERGETIC, KINEMATIC, KINETIC = 0, 1, 2  # laws of restitution: Stronge, Newton, Poisson
GOING_ON, COMPRESSED, REACHED, STOPPED = 0, 1, 2, 3  # how a stretch ends

STILL = 1e-13  # [-] slip over |nu| that counts as none: the rounding of nu
TURN = 4e-16  # [-] h over the size of its terms that counts as zero: its rounding
SETTLED = 3e-14  # [rad] from the direction that draws slip in, times slip: what a step leaves open
ENDLESS, TINY = 1e300, 1e-300

# direction (cos, sin) and speed of slip, nu3, impulse, works; all divided by their units
SlipMotion = namedtuple("SlipMotion", "c s slip nu3 p1 p2 p work rub")


@device
def straight(m, f, motion, holding, restoring, law, left):
    """(motion, how it ended, what is left of the goal) after rates are constant as long as they can be.

    f is the friction in use: f*, or f, or 0; the direction is that of the motion.
    """
    g, _ = slip_rates(m, f, motion.c, motion.s)
    if holding:
        g = 0.0
    rise = m[5] - f * (m[2] * motion.c + m[4] * motion.s)
    nu3 = motion.nu3
    stop, goal = ENDLESS, ENDLESS
    if g < 0.0 and motion.slip > 0.0:
        stop = -motion.slip / g
    if not restoring:
        if rise > 0.0:
            goal = -nu3 / rise
    elif law == ENERGETIC:
        square = nu3 * nu3 + 2.0 * rise * left
        if square >= 0.0 and nu3 >= 0.0:
            goal = 2.0 * left / max(nu3 + math.sqrt(square), TINY)
        elif rise > 0.0:
            goal = (math.sqrt(square) - nu3) / rise
    elif law == KINEMATIC:
        if rise > 0.0:
            goal = left / rise
    else:
        goal = left
    length = min(stop, goal)
    work = length * (nu3 + 0.5 * rise * length)
    after = SlipMotion(
        motion.c,
        motion.s,
        0.0 if stop <= goal else motion.slip + g * length,
        0.0 if goal < stop and not restoring else nu3 + rise * length,
        motion.p1 - f * motion.c * length,
        motion.p2 - f * motion.s * length,
        motion.p + length,
        motion.work + work,
        motion.rub - f * length * (motion.slip + 0.5 * g * length),
    )
    ended = STOPPED if stop <= goal else (REACHED if restoring else COMPRESSED)
    return after, ended, left - _progress(law, work, rise * length, length)


@device
def _progress(law, work, gain, p):
    """How far the goal of restitution comes by this work, gain of nu3 and normal impulse."""
    if law == ENERGETIC:
        return work
    if law == KINEMATIC:
        return gain
    return p


@device
def turning(m, f, motion, restoring, law, left, series):
    """The same for one step of slip that turns."""
    v1, v2 = motion.slip * motion.c, motion.slip * motion.s
    t = fill_series(m, f, v1, v2, motion.nu3, series)
    goal_row, rate_row, level = NU3, RISE, 0.0
    if restoring:
        if law == ENERGETIC:
            goal_row, rate_row, level = WORK, NU3, left
        elif law == KINEMATIC:
            level = motion.nu3 + left
        else:
            goal_row, rate_row, level = P, SLIP, left
    # What rises and falls again within a step could pass its goal unseen: look at the top.
    if series[0, rate_row] > 0.0 and series_value(series, rate_row, t) < 0.0:
        top = _top(series, rate_row, t)
        if series_value(series, goal_row, top) >= level:
            t = top
    ended = GOING_ON
    if series_value(series, goal_row, t) >= level:
        t = crossing(series, goal_row, level, t)
        ended = REACHED if restoring else COMPRESSED
    v1, v2, nu3, p1, p2, p, work, rub = series_values(series, t)
    slip = max(math.sqrt(v1 * v1 + v2 * v2), TINY)
    after = SlipMotion(
        v1 / slip,
        v2 / slip,
        slip if slip > STILL else 0.0,
        0.0 if ended == COMPRESSED else nu3,
        motion.p1 + p1,
        motion.p2 + p2,
        motion.p + p,
        motion.work + work,
        motion.rub + rub,
    )
    return after, ended, left - _progress(law, work, nu3 - motion.nu3, p)


@device
def _top(series, rate_row, t):
    """tau at which a rate that is positive at 0 and negative at t vanishes, by bisection."""
    low, high = 0.0, t
    for _ in range(60):
        middle = 0.5 * (low + high)
        if series_value(series, rate_row, middle) > 0.0:
            low = middle
        else:
            high = middle
    return low


@device
def settled(m, f, motion):
    """(whether slip keeps its direction, motion): it does not turn, or what draws it in is reached."""
    c, s = motion.c, motion.s
    _, h = slip_rates(m, f, c, s)
    if abs(h) <= TURN * (f * (m[0] + m[3]) + abs(m[2]) + abs(m[4])):
        return True, motion
    slope = direction_slope(m, f, c, s)
    if slope < 0.0 and abs(h) * max(motion.slip, LEAST_WEIGHT) <= -SETTLED * slope:
        turn = -h / slope
        return True, SlipMotion(
            c - turn * s, s + turn * c, motion.slip, motion.nu3, motion.p1, motion.p2, motion.p,
            motion.work, motion.rub,
        )  # fmt: skip
    return False, motion


@device
def halting(m, f, motion, restoring, law, left, table):
    """(whether slip halts before anything else happens, motion, what is left) for slip that turns."""
    slip, nu3 = motion.slip, motion.nu3
    g, _ = slip_rates(m, f, motion.c, motion.s)
    before = m[5] - f * (m[2] * motion.c + m[4] * motion.s)
    # A straight guess saves the series where it would not be of use.
    if not g < 0.0 or (not restoring and nu3 - before * slip / g > 0.0):
        return False, motion, left
    found, d, c, s = halting_direction(m, f, motion.c, motion.s)
    if not found:
        return False, motion, left
    found, (p, z1, z2, gain, square, moment) = halt_sums(m, f, d, c, s, table)
    p, gain = slip * p, slip * gain
    end = nu3 + gain
    work = end * p - slip * slip * moment
    after = m[5] - f * (m[2] * c + m[4] * s)
    # nu3 or its work may have passed the goal on the way; then the way is taken step by step.
    if not restoring:
        free = end < 0.0 and not before > 0.0 > after
    elif law == ENERGETIC:
        free = nu3 >= 0.0 and end >= 0.0 and not before < 0.0 < after and work < left
    elif law == KINEMATIC:
        free = gain < left and not before > 0.0 > after
    else:
        free = p < left
    halted = SlipMotion(
        c,
        s,
        0.0,
        end,
        motion.p1 - f * slip * z1,
        motion.p2 - f * slip * z2,
        motion.p + p,
        motion.work + work,
        motion.rub - f * slip * slip * square,
    )
    return found and free, halted, left - _progress(law, work, gain, p)
