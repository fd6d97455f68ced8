"""Threads whose length without load follows the clock: closing winches and reels.

The length goes linearly from its first to its last value between two times, counted from the first
touch if asked. The winch's work is that of `winding_power`, by the tensions at both ends of a step,
which is of second order as the steps are. The thread taken up moves from the two ends of the
element to the point of the winch with its momentum kept; the energy it loses in that is booked as
reeled mass. A winch in a body makes its mass and moments grow by the same share.

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
from haptos.dynamics.closing import winding_power
from haptos.dynamics.net_bodies import attitude_of, put, three
from haptos.dynamics.net_layout import (
    REELED,
    SLIVER,
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
    WIND_STALL,
    WIND_START,
    WIND_STOP,
    WOUND,
)
from haptos.dynamics.net_loads import clock_times
from haptos.dynamics.reel import straight_length
from haptos.dynamics.rigid_turn import turning_energy

CITES: tuple[str, ...] = ("Salvi2014",)

LEAST_SHARE = 0.05  # [-] share of its mass a node keeps in one go, whatever is reeled in


@device
def wind_times(winds, row, touched_at):
    """(start, stop) [s] of a winding by the clock."""
    return clock_times(
        winds[row, WIND_START], winds[row, WIND_STOP], winds[row, WIND_AFTER_TOUCH], touched_at
    )


@device
def is_winding(winds, row, begin, end, touched_at):
    """Whether a winding is on within begin to end [s]; one that may stall, from its start on."""
    start, stop = wind_times(winds, row, touched_at)
    return (start < end and stop > begin) or (start < end and math.isfinite(winds[row, WIND_STALL]))


@device
def wound_length(winds, row, time, touched_at):
    """Length [m] without load at a time [s]."""
    start, stop = wind_times(winds, row, touched_at)
    return straight_length(time, start, stop, winds[row, WIND_FIRST], winds[row, WIND_LAST])[0]


@device
def held_back(winds, row, new, old, tension, time):
    """Length [m] that a winch of limited force gets to; above its stall force it stays at the old.

    new, old  length it should have, and has [m]       tension  of its thread [N]
    time      since it was asked last [s]
    What it has missed it takes up at twice its speed at most, so that it never jerks.
    """
    if tension > winds[row, WIND_STALL]:
        return old
    pace = (winds[row, WIND_FIRST] - winds[row, WIND_LAST]) / (
        winds[row, WIND_STOP] - winds[row, WIND_START]
    )
    most = 2.0 * abs(pace) * time
    return min(max(new, old - most), old + most)


@routine
def wind(net, motion, begin, end):
    """Bring the lengths to the end of a step from begin to end [s]; reeled mass moves, is booked.

    Element e of a row is a thread element, or for e < 0 the running line -1 - e. Several rows of
    one element whose times follow each other make a profile.
    """
    winds, longest = net.orders.winds, 0.0
    for row in range(len(winds)):
        e = int(winds[row, WIND_ELEMENT])
        if e >= 0:
            motion.pace[e] = 0.0
        else:
            motion.line_pace[-1 - e] = 0.0
    for row in range(len(winds)):
        if not is_winding(winds, row, begin, end, motion.clock[TOUCHED_AT]):
            continue
        e = int(winds[row, WIND_ELEMENT])
        old = motion.length[e] if e >= 0 else motion.line_length[-1 - e]
        new = wound_length(winds, row, end, motion.clock[TOUCHED_AT])
        if math.isfinite(winds[row, WIND_STALL]):
            tension = motion.tension[e] if e >= 0 else motion.line_tension[-1 - e]
            new = held_back(winds, row, new, old, tension, end - begin)
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
    pace = change / (end - begin)
    if e >= 0:
        motion.pace[e] = pace
    else:
        motion.line_pace[-1 - e] = pace
    motion.books[WINCH] += 0.5 * (end - begin) * _power(net, motion, e)


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
