"""Threads whose length without load follows the clock: closing winches and reels.

The length goes linearly from its first to its last value between two times, counted from the first
touch if asked. The winch's work is that of `winding_power`, by the tensions at both ends of a step,
which is of second order as the steps are. The thread taken up moves from the two ends of the
element to the point of the winch with its momentum kept; the energy it loses in that is recorded as
reeled mass. A winch in a body makes its mass and moments grow by the same share.

A winch of limited force and power follows its clock as long as it can:

    speed <= 2 v min(1, (F - T_e)/(0.1 F)),   speed <= P/T_e,   wound in a step <= (F - T_e) L/EA

    v    speed by the clock [m/s]; twice that makes up for what it has missed
    F, P stall force [N] and power [W]      T_e  elastic tension of its thread [N]
So its speed falls evenly over the last tenth below the stall force, and in no step it pulls beyond it;
above it the thread is held, not given back. Where the speed of a winch changes from step to step, the damper
of its thread works against the new speed with the tension of before: that is recorded, or a winch that
starts and stops at its limit would make energy.

    m' = m + dm,   v' = v + (dm/m') u,   dE = -(1/2) (dm m/m') u^2,   u = v_i - v

    m, v   mass [kg] and velocity [m/s] of the winch's point or body      dm  mass taken up [kg]
    v_i    velocity of the node it comes from [m/s]                       dE  recorded [J]
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
from haptos.dynamics.cable.reel_laws import winding_speed
from haptos.dynamics.motion import LINE_LOST
from haptos.dynamics.rigid.bodies import attitude_of, put, three
from haptos.dynamics.rigid.loads import clock_times
from haptos.dynamics.rigid.rigid_turn import turning_energy
from haptos.dynamics.system import (
    REELED,
    SLIVER,
    THREAD_DAMPING,
    WINCH,
)

CITES: tuple[str, ...] = ("Salvi2014",)

LEAST_SHARE = 0.05  # [-] share of its mass a node keeps in one go, whatever is reeled in


@device
def winch_times(winches, row, touched_at):
    """(start, stop) [s] of a winding by the clock."""
    return clock_times(
        winches[row].start,
        winches[row].stop,
        winches[row].after_touch,
        touched_at,
    )


@device
def is_limited(winches, row):
    """Whether the winch of a row has a stall force."""
    return math.isfinite(winches[row].stall)


@device
def is_winding(winches, row, begin, end, touched_at):
    """Whether a winding is on within begin to end [s]; the last of a limited winch, from its start on."""
    start, stop = winch_times(winches, row, touched_at)
    if not start < end:
        return False
    return stop > begin or (is_limited(winches, row) and is_last(winches, row))


@device
def is_last(winches, row):
    """Whether no later row winds the same element; rows of one element follow each other."""
    return row + 1 == len(winches) or winches[row + 1].element != winches[row].element


@device
def wound_length(winches, row, time, touched_at):
    """Length [m] without load at a time [s]."""
    start, stop = winch_times(winches, row, touched_at)
    return straight_length(time, start, stop, winches[row].first, winches[row].last)[0]


@device
def held_back(winches, row, new, old, spring, stretching, time):
    """Length [m] that a winch of limited force and power gets to in a time [s].

    new, old  length it should have, and has [m]      spring  elastic tension of its thread [N]
    stretching  EA of the thread [N]
    """
    speed = 2.0 * abs(winches[row].first - winches[row].last)
    speed /= winches[row].stop - winches[row].start
    if new >= old:
        return min(new, old + speed * time)
    stall = winches[row].stall
    spare = stall - spring
    if spare <= 0.0:
        return old
    speed = winding_speed(speed, spring, stall, winches[row].power)
    return max(new, old - min(speed * time, spare * old / stretching))


@routine
def run_winches(system, motion, begin, end):
    """Bring the lengths to the end of a step from begin to end [s]; reeled mass moves, is recorded.

    Element e of a row is a thread element, or for e < 0 the running line -1 - e. Several rows of
    one element whose times follow each other make a profile.
    """
    winches, longest = system.orders.winches, 0.0
    for row in range(len(winches)):
        set_pace(motion, int(winches[row].element), 0.0, end - begin)
    for row in range(len(winches)):
        if not is_winding(winches, row, begin, end, motion.step.touched_at):
            continue
        e = int(winches[row].element)
        old = motion.elements.length[e] if e >= 0 else motion.lines.length[-1 - e]
        new = wound_length(winches, row, end, motion.step.touched_at)
        if is_limited(winches, row):
            spring = motion.elements.spring[e] if e >= 0 else motion.lines.spring[-1 - e]
            stretching = system.threads.stretching[e] if e >= 0 else system.lines.stretching[-1 - e]
            new = held_back(winches, row, new, old, spring, stretching, end - begin)
        if e >= 0 and motion.elements.whole[e] == 0:
            continue
        longest = max(longest, abs(new - old))
        work_begun(system, motion, e, begin, end, new - old)
        take_up(system, motion, row, old - new)
        if e >= 0:
            motion.elements.length[e] = new
        else:
            motion.lines.length[-1 - e] = new
    motion.lists.state.stretched += longest
    motion.lists.state.wound += longest


@device
def work_begun(system, motion, e, begin, end, change):
    """Set the pace of a winding by its change of length [m]; book half its work, by the tension now."""
    set_pace(motion, e, change / (end - begin), end - begin)
    motion.ledger.work[WINCH] += 0.5 * (end - begin) * _power(system, motion, e)


@device
def set_pace(motion, e, pace, time):
    """Set the rate of a length [m/s] for a step [s], and book the damper's work against the change.

    The tension of now, in which the damper has the pace of before, acts for half of the step.
    """
    if e >= 0:
        change, damper = (
            pace - motion.elements.pace[e],
            motion.elements.tension[e] - motion.elements.spring[e],
        )
        motion.elements.pace[e] = pace
    else:
        q = -1 - e
        change, damper = (
            pace - motion.lines.pace[q],
            motion.lines.tension[q] - motion.lines.spring[q],
        )
        motion.lines.pace[q] = pace
        motion.lines.was[q, LINE_LOST] -= damper * change
    motion.ledger.work[THREAD_DAMPING] += 0.5 * time * damper * change


@device
def _power(system, motion, e):
    """Power [W] of the winch of an element, or of running line -1 - e."""
    if e >= 0:
        return winding_power(
            motion.elements.tension[e],
            motion.elements.spring[e],
            system.threads.stretching[e],
            motion.elements.pace[e],
        )
    q = -1 - e
    return winding_power(
        motion.lines.tension[q],
        motion.lines.spring[q],
        system.lines.stretching[q],
        motion.lines.pace[q],
    )


@routine
def book_winding(system, motion, begin, end):
    """Book the other half of the winches' work in a step [s], by the tensions at its end."""
    winches = system.orders.winches
    for row in range(len(winches)):
        if is_winding(winches, row, begin, end, motion.step.touched_at):
            e = int(winches[row].element)
            motion.ledger.work[WINCH] += 0.5 * (end - begin) * _power(system, motion, e)


@device
def take_up(system, motion, row, length):
    """Carry the mass of a length [m] of thread to the winch of a row, and book it."""
    winches, lines = system.orders.winches, system.lines
    e, to = int(winches[row].element), int(winches[row].point)
    mass = winches[row].density * length
    if mass == 0.0 or to < 0:
        return
    if e >= 0:
        for k in range(2):
            motion.ledger.work[REELED] += carry(
                system, motion, system.threads.ends[e, k], to, 0.5 * mass
            )
        return
    first, last = lines.start[-1 - e], lines.start[-e]
    for s in range(first, last):
        motion.ledger.work[REELED] += carry(
            system, motion, lines.point[s], to, mass / (last - first)
        )


@device
def carry(system, motion, i, to, mass):
    """Move mass [kg] from node i to the point of a winch, momentum kept; the energy change [J]."""
    body = system.points.owner[to] if to >= 0 else -1
    if mass == 0.0 or i == to or to < 0 or system.points.owner[i] >= 0:
        return 0.0
    if motion.points.mass[i] - mass < LEAST_SHARE * motion.points.mass[i]:
        return 0.0
    motion.points.mass[i] -= mass
    if body < 0:
        gap = subtract(three(motion.points.v, i), three(motion.points.v, to))
        held, whole = motion.points.mass[to], motion.points.mass[to] + mass
        put(motion.points.v, to, add_scaled(three(motion.points.v, to), mass / whole, gap))
        motion.points.mass[to] = whole
        return -0.5 * mass * held / whole * dot(gap, gap)
    gap = subtract(three(motion.points.v, i), three(motion.bodies.speed, body))
    if motion.bodies.inverse_mass[body] == 0.0:  # one that is held takes any mass, and its energy
        return -0.5 * mass * dot(gap, gap)
    held = 1.0 / motion.bodies.inverse_mass[body]
    whole = held + mass
    put(motion.bodies.speed, body, add_scaled(three(motion.bodies.speed, body), mass / whole, gap))
    motion.bodies.inverse_mass[body] = 1.0 / whole
    inertia = three(system.inverse_inertia, body)
    before = turning_energy(attitude_of(motion, body), three(motion.bodies.momentum, body), inertia)
    put(system.inverse_inertia, body, scale(held / whole, inertia))
    return -0.5 * mass * held / whole * dot(gap, gap) - (1.0 - held / whole) * before


@routine
def winch_limit(system, motion, share):
    """Longest step [s] that ends where winding begins, and is short until a winch has its pace."""
    winches, now = system.orders.winches, motion.step.time
    step = math.inf
    for row in range(len(winches)):
        start, stop = winch_times(winches, row, motion.step.touched_at)
        if not stop - now > SLIVER or not math.isfinite(start):
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
            continue
        step = min(step, stop - now)
        e = int(winches[row].element)
        if e >= 0 and motion.elements.pace[e] == 0.0 and motion.elements.whole[e] == 1:
            step = min(step, share * motion.elements.stiff[e])
    return step
