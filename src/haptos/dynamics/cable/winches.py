"""Threads whose length without load follows the clock: closing winches and reels.

The length goes linearly from its first to its last value between two times, counted from the first
touch if asked. The winch's work is that of `winding_power`, by the tensions at both ends of a step,
which is of second order as the steps are. The thread taken up moves from the two ends of the
element to the point of the winch with its momentum kept; the energy it loses in that is booked as
reeled mass. A winch in a body makes its mass and moments grow by the same share.

A winch of limited force and power follows its clock as long as it can:

    speed <= 2 v min(1, (F - T_e)/(0.1 F)),   speed <= P/T_e,   wound in a step <= (F - T_e) L/EA

    v    speed by the clock [m/s]; twice that makes up for what it has missed
    F, P stall force [N] and power [W]      T_e  elastic tension of its thread [N]
So its speed falls evenly over the last tenth below the stall force, and in no step it pulls beyond it;
above it the thread is held, not given back. Where the speed of a winch changes from step to step, the damper
of its thread works against the new speed with the tension of before: that is booked, or a winch that
starts and stops at its limit would make energy.

    m' = m + dm,   v' = v + (dm/m') u,   dE = -(1/2) (dm m/m') u^2,   u = v_i - v

    m, v   mass [kg] and velocity [m/s] of the winch's point or body      dm  mass taken up [kg]
    v_i    velocity of the node it comes from [m/s]                       dE  booked [J]
Frame: N axes.
Validity: the thread arrives at the winch at once, so angular momentum is not kept; with a density
of 0 nothing is carried and it is. Source: [Salvi2014] section 2.8; booking the loss is ours.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, scale, subtract
from haptos.dynamics.cable.draw_cord import winding_power
from haptos.dynamics.cable.reel import straight_length
from haptos.dynamics.rigid.bodies import attitude_of, put, three
from haptos.dynamics.rigid.loads import clock_times
from haptos.dynamics.rigid.rigid_turn import turning_energy
from haptos.dynamics.system import (
    LINE_LOST,
    REELED,
    SLIVER,
    THREAD_DAMPING,
    THREADS_SINCE,
    TIME,
    TOUCHED_AT,
    WINCH,
    WIND_AFTER_TOUCH,
    WIND_DENSITY,
    WIND_ELEMENT,
    WIND_FIRST,
    WIND_LAST,
    WIND_POINT,
    WIND_POWER,
    WIND_STALL,
    WIND_START,
    WIND_STOP,
    WOUND,
)

CITES: tuple[str, ...] = ("Salvi2014",)

DROOP = 0.1  # [-] of the stall force, the last part, over which the speed of a winch falls to zero
LEAST_SHARE = 0.05  # [-] share of its mass a node keeps in one go, whatever is reeled in


@device
def wind_times(winds, row, touched_at):
    """(start, stop) [s] of a winding by the clock."""
    return clock_times(
        winds[row, WIND_START], winds[row, WIND_STOP], winds[row, WIND_AFTER_TOUCH], touched_at
    )


@device
def is_limited(winds, row):
    """Whether the winch of a row has a stall force."""
    return math.isfinite(winds[row, WIND_STALL])


@device
def is_winding(winds, row, begin, end, touched_at):
    """Whether a winding is on within begin to end [s]; the last of a limited winch, from its start on."""
    start, stop = wind_times(winds, row, touched_at)
    if not start < end:
        return False
    return stop > begin or (is_limited(winds, row) and is_last(winds, row))


@device
def is_last(winds, row):
    """Whether no later row winds the same element; rows of one element follow each other."""
    return row + 1 == len(winds) or winds[row + 1, WIND_ELEMENT] != winds[row, WIND_ELEMENT]


@device
def wound_length(winds, row, time, touched_at):
    """Length [m] without load at a time [s]."""
    start, stop = wind_times(winds, row, touched_at)
    return straight_length(time, start, stop, winds[row, WIND_FIRST], winds[row, WIND_LAST])[0]


@device
def held_back(winds, row, new, old, spring, stretching, time):
    """Length [m] that a winch of limited force and power gets to in a time [s].

    new, old  length it should have, and has [m]      spring  elastic tension of its thread [N]
    stretching  EA of the thread [N]
    """
    speed = 2.0 * abs(winds[row, WIND_FIRST] - winds[row, WIND_LAST])
    speed /= winds[row, WIND_STOP] - winds[row, WIND_START]
    if new >= old:
        return min(new, old + speed * time)
    stall = winds[row, WIND_STALL]
    spare = stall - spring
    if spare <= 0.0:
        return old
    speed *= min(1.0, spare / (DROOP * stall))
    if spring > 0.0:
        speed = min(speed, winds[row, WIND_POWER] / spring)
    return max(new, old - min(speed * time, spare * old / stretching))


@routine
def wind(net, motion, begin, end):
    """Bring the lengths to the end of a step from begin to end [s]; reeled mass moves, is booked.

    Element e of a row is a thread element, or for e < 0 the running line -1 - e. Several rows of
    one element whose times follow each other make a profile.
    """
    winds, longest = net.orders.winds, 0.0
    for row in range(len(winds)):
        set_pace(motion, int(winds[row, WIND_ELEMENT]), 0.0, end - begin)
    for row in range(len(winds)):
        if not is_winding(winds, row, begin, end, motion.clock[TOUCHED_AT]):
            continue
        e = int(winds[row, WIND_ELEMENT])
        old = motion.length[e] if e >= 0 else motion.line_length[-1 - e]
        new = wound_length(winds, row, end, motion.clock[TOUCHED_AT])
        if is_limited(winds, row):
            spring = motion.spring[e] if e >= 0 else motion.line_spring[-1 - e]
            stretching = net.threads.stretching[e] if e >= 0 else net.lines.stretching[-1 - e]
            new = held_back(winds, row, new, old, spring, stretching, end - begin)
        if e >= 0 and motion.whole[e] == 0:
            continue
        longest = max(longest, abs(new - old))
        work_begun(net, motion, e, begin, end, new - old)
        take_up(net, motion, row, old - new)
        if e >= 0:
            motion.length[e] = new
        else:
            motion.line_length[-1 - e] = new
    motion.clock[THREADS_SINCE] += longest
    motion.clock[WOUND] += longest


@device
def work_begun(net, motion, e, begin, end, change):
    """Set the pace of a winding by its change of length [m]; book half its work, by the tension now."""
    set_pace(motion, e, change / (end - begin), end - begin)
    motion.books[WINCH] += 0.5 * (end - begin) * _power(net, motion, e)


@device
def set_pace(motion, e, pace, time):
    """Set the rate of a length [m/s] for a step [s], and book the damper's work against the change.

    The tension of now, in which the damper has the pace of before, acts for half of the step.
    """
    if e >= 0:
        change, damper = pace - motion.pace[e], motion.tension[e] - motion.spring[e]
        motion.pace[e] = pace
    else:
        q = -1 - e
        change, damper = pace - motion.line_pace[q], motion.line_tension[q] - motion.line_spring[q]
        motion.line_pace[q] = pace
        motion.line_was[q, LINE_LOST] -= damper * change
    motion.books[THREAD_DAMPING] += 0.5 * time * damper * change


@device
def _power(net, motion, e):
    """Power [W] of the winch of an element, or of running line -1 - e."""
    if e >= 0:
        return winding_power(
            motion.tension[e], motion.spring[e], net.threads.stretching[e], motion.pace[e]
        )
    q = -1 - e
    return winding_power(
        motion.line_tension[q], motion.line_spring[q], net.lines.stretching[q], motion.line_pace[q]
    )


@routine
def book_winding(net, motion, begin, end):
    """Book the other half of the winches' work in a step [s], by the tensions at its end."""
    winds = net.orders.winds
    for row in range(len(winds)):
        if is_winding(winds, row, begin, end, motion.clock[TOUCHED_AT]):
            e = int(winds[row, WIND_ELEMENT])
            motion.books[WINCH] += 0.5 * (end - begin) * _power(net, motion, e)


@device
def take_up(net, motion, row, length):
    """Carry the mass of a length [m] of thread to the winch of a row, and book it."""
    winds, lines = net.orders.winds, net.lines
    e, to = int(winds[row, WIND_ELEMENT]), int(winds[row, WIND_POINT])
    mass = winds[row, WIND_DENSITY] * length
    if mass == 0.0 or to < 0:
        return
    if e >= 0:
        for k in range(2):
            motion.books[REELED] += carry(net, motion, net.threads.ends[e, k], to, 0.5 * mass)
        return
    first, last = lines.start[-1 - e], lines.start[-e]
    for s in range(first, last):
        motion.books[REELED] += carry(net, motion, lines.point[s], to, mass / (last - first))


@device
def carry(net, motion, i, to, mass):
    """Move mass [kg] from node i to the point of a winch, momentum kept; the energy change [J]."""
    body = net.points.owner[to] if to >= 0 else -1
    if mass == 0.0 or i == to or to < 0 or net.points.owner[i] >= 0:
        return 0.0
    if motion.mass[i] - mass < LEAST_SHARE * motion.mass[i]:
        return 0.0
    motion.mass[i] -= mass
    if body < 0:
        gap = subtract(three(motion.v, i), three(motion.v, to))
        held, whole = motion.mass[to], motion.mass[to] + mass
        put(motion.v, to, add_scaled(three(motion.v, to), mass / whole, gap))
        motion.mass[to] = whole
        return -0.5 * mass * held / whole * dot(gap, gap)
    gap = subtract(three(motion.v, i), three(motion.speed, body))
    if motion.inverse_mass[body] == 0.0:  # one that is held takes any mass, and its energy
        return -0.5 * mass * dot(gap, gap)
    held = 1.0 / motion.inverse_mass[body]
    whole = held + mass
    put(motion.speed, body, add_scaled(three(motion.speed, body), mass / whole, gap))
    motion.inverse_mass[body] = 1.0 / whole
    inertia = three(net.inverse_inertia, body)
    before = turning_energy(attitude_of(motion, body), three(motion.momentum, body), inertia)
    put(net.inverse_inertia, body, scale(held / whole, inertia))
    return -0.5 * mass * held / whole * dot(gap, gap) - (1.0 - held / whole) * before


@routine
def wind_limit(net, motion, share):
    """Longest step [s] that ends where winding begins, and is short until a winch has its pace."""
    winds, now = net.orders.winds, motion.clock[TIME]
    step = math.inf
    for row in range(len(winds)):
        start, stop = wind_times(winds, row, motion.clock[TOUCHED_AT])
        if not stop - now > SLIVER or not math.isfinite(start):
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
            continue
        step = min(step, stop - now)
        e = int(winds[row, WIND_ELEMENT])
        if e >= 0 and motion.pace[e] == 0.0 and motion.whole[e] == 1:
            step = min(step, share * motion.stiff[e])
    return step
