"""Threads whose length without load follows the clock: closing winches and reels.

The length goes linearly from its first to its last value between two times, counted from the first
touch if asked. What the spring gains at a fixed place is the winch's work. The thread taken up moves
from the two ends of the element to the point of the winch with its momentum kept; the speed it loses
in that is booked as reeled mass. A winch in a body makes its mass and moments grow by the same share.
Validity: the thread arrives at the winch at once, so angular momentum is not kept; with a density of
0 nothing is carried and it is. Source: [Salvi2014] section 2.8.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, dot, scale, subtract
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
)
from haptos.dynamics.net_threads import pulled
from haptos.dynamics.rigid_turn import turning_energy
from haptos.dynamics.thread_link import link_energy

CITES: tuple[str, ...] = ("Salvi2014",)

LEAST_SHARE = 0.05  # [-] share of its mass a node keeps in one go, whatever is reeled in


@device
def wound_length(winds, row, time, touched_at):
    """Length [m] without load at a time [s]."""
    start, stop = winds[row, WIND_START], winds[row, WIND_STOP]
    if winds[row, WIND_AFTER_TOUCH] > 0.0:
        start, stop = start + touched_at, stop + touched_at
    first, last = winds[row, WIND_FIRST], winds[row, WIND_LAST]
    if time <= start:
        return first
    if time >= stop:
        return last
    return first + (last - first) * (time - start) / (stop - start)


@device
def held_back(winds, row, new, old, tension, time):
    """Length [m] a winch of limited force reaches: none above its stall force, and never a jerk.

    What it has missed it takes up at twice its speed; time [s] since it was asked last.
    """
    if tension > winds[row, WIND_STALL]:
        return old
    pace = (winds[row, WIND_FIRST] - winds[row, WIND_LAST]) / (
        winds[row, WIND_STOP] - winds[row, WIND_START]
    )
    most = 2.0 * abs(pace) * time
    return min(max(new, old - most), old + most)


@device
def line_distance(lines, motion, q):
    """Length [m] of the way of a running line."""
    total = 0.0
    for s in range(lines.start[q], lines.start[q + 1] - 1):
        total += pulled(motion.x, motion.v, lines.point[s], lines.point[s + 1])[0]
    return total


@routine
def wind(net, motion, time, span, carries):
    """Bring the lengths to a time [s], `span` [s] after the last, and book the winches' work.

    If it carries, reeled mass moves and is booked too.

    Half of a step's winding is done before the drift and half after it, which makes it of second
    order; mass is carried in the first half only, and follows by half a step.

    Element e of a row is a thread element, or for e < 0 the running line -1 - e.
    """
    winds = net.orders.winds
    for row in range(len(winds)):
        e = int(winds[row, WIND_ELEMENT])
        new = wound_length(winds, row, time, motion.clock[TOUCHED_AT])
        to, density = int(winds[row, WIND_POINT]), winds[row, WIND_DENSITY]
        if not carries:
            to = -1
        if math.isfinite(winds[row, WIND_STALL]) and e >= 0:
            new = held_back(winds, row, new, motion.length[e], motion.tension[e], span)
        if e >= 0:
            _wind_element(net, motion, e, new, to, density, span, carries)
        else:
            _wind_line(net, motion, -1 - e, new, to, density)


@device
def _wind_element(net, motion, e, new, to, density, span, is_first):
    old, stretching = motion.length[e], net.threads.stretching[e]
    motion.pace[e] = (new - old) / span
    if is_first:
        motion.wound[e] = 0.0
    if new == old or motion.whole[e] == 0:
        return
    i, j = net.threads.ends[e, 0], net.threads.ends[e, 1]
    distance = pulled(motion.x, motion.v, i, j)[0]
    work = link_energy(stretching, new, distance) - link_energy(stretching, old, distance)
    motion.books[WINCH] += work
    motion.wound[e] += work
    motion.length[e] = new
    motion.clock[THREADS_SINCE] += abs(new - old)
    taken = density * (old - new)  # of this half step and, to come, of the other
    motion.books[REELED] += carry(net, motion, i, to, taken) + carry(net, motion, j, to, taken)


@device
def _wind_line(net, motion, q, new, to, density):
    lines = net.lines
    old, stretching = motion.line_length[q], lines.stretching[q]
    if new == old:
        return
    distance = line_distance(lines, motion, q)
    motion.books[WINCH] += link_energy(stretching, new, distance)
    motion.books[WINCH] -= link_energy(stretching, old, distance)
    motion.line_length[q] = new
    begin, end = lines.start[q], lines.start[q + 1]
    for s in range(begin, end):
        taken = 2.0 * density * (old - new) / (end - begin)
        motion.books[REELED] += carry(net, motion, lines.point[s], to, taken)


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
    """Longest step [s] that ends where winding begins, and is short until a winch is at its pace."""
    winds, now = net.orders.winds, motion.clock[TIME]
    step = math.inf
    for row in range(len(winds)):
        start, stop = winds[row, WIND_START], winds[row, WIND_STOP]
        if winds[row, WIND_AFTER_TOUCH] > 0.0:
            start, stop = start + motion.clock[TOUCHED_AT], stop + motion.clock[TOUCHED_AT]
        e = int(winds[row, WIND_ELEMENT])
        if not stop > now or not math.isfinite(start) or e < 0:
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
        elif motion.pace[e] == 0.0 and motion.whole[e] == 1:
            step = min(step, share * motion.stiff[e])
    return step
