"""Winches in rates: lengths by the clock, their paces, and the power of winding.

    L(t) = L_1 + L' (t - t_1) between the times of a row,   power = -L' (T + T_e^2/(2 EA))

    T, T_e  tension and its elastic part [N]       L'  pace [m/s], < 0 while thread is taken up
The work of the winches is a number of the state, so that it is as exact as the motion. Steps end where
a winding begins and ends. What is on in the middle of a step is on at both its ends.

Frame: scalars. Validity: a winch keeps its pace whatever the tension. Source: [Salvi2014] section 2.8.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.dynamics.cable.draw_cord import winding_power
from haptos.dynamics.cable.winches import wind_times
from haptos.dynamics.system import (
    SLIVER,
    TIME,
    TOUCHED_AT,
    WINCH,
    WIND_ELEMENT,
    WIND_FIRST,
    WIND_LAST,
)

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def wound(winds, row, time, middle, touched_at):
    """(length [m], its pace [m/s], whether it counts) of a row at a time of the step about a middle [s]."""
    start, stop = wind_times(winds, row, touched_at)
    first, last = winds[row, WIND_FIRST], winds[row, WIND_LAST]
    if not start < middle:
        return first, 0.0, False
    if not middle < stop:
        return last, 0.0, True
    pace = (last - first) / (stop - start)
    return first + pace * (time - start), pace, True


@routine
def set_lengths(net, motion, time, middle):
    """Bring all wound lengths and paces to a time [s]; of several rows of one element the last that has begun."""
    winds = net.orders.winds
    for row in range(len(winds)):
        length, pace, is_on = wound(winds, row, time, middle, motion.clock[TOUCHED_AT])
        e = int(winds[row, WIND_ELEMENT])
        if not is_on:
            continue
        if e >= 0:
            motion.length[e], motion.pace[e] = length, pace
        else:
            motion.line_length[-1 - e], motion.line_pace[-1 - e] = length, pace


@routine
def winch_powers(net, motion, middle, dy, works):
    """Add the powers [W] of all that winds in the middle of the step [s], with the tensions of now."""
    winds = net.orders.winds
    for row in range(len(winds)):
        start, stop = wind_times(winds, row, motion.clock[TOUCHED_AT])
        if not (start < middle and middle < stop):
            continue
        e = int(winds[row, WIND_ELEMENT])
        if e >= 0:
            dy[works + WINCH] += winding_power(
                motion.tension[e], motion.spring[e], net.threads.stretching[e], motion.pace[e]
            )
        else:
            q = -1 - e
            dy[works + WINCH] += winding_power(
                motion.line_tension[q], motion.line_spring[q], net.lines.stretching[q],
                motion.line_pace[q],
            )  # fmt: skip


@routine
def winding_limit(net, motion):
    """Longest step [s] that ends where a winding begins or ends."""
    winds, now, step = net.orders.winds, motion.clock[TIME], math.inf
    for row in range(len(winds)):
        start, stop = wind_times(winds, row, motion.clock[TOUCHED_AT])
        if not math.isfinite(start):
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
        elif stop - now > SLIVER:
            step = min(step, stop - now)
    return step
