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
from haptos.dynamics.cable.winches import winch_times
from haptos.dynamics.system import SLIVER, WINCH

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def wound(winches, row, time, middle, touched_at):
    """(length [m], its pace [m/s], whether it counts) of a row at a time of the step about a middle [s]."""
    start, stop = winch_times(winches, row, touched_at)
    first, last = winches[row].first, winches[row].last
    if not start < middle:
        return first, 0.0, False
    if not middle < stop:
        return last, 0.0, True
    pace = (last - first) / (stop - start)
    return first + pace * (time - start), pace, True


@routine
def set_lengths(system, motion, time, middle):
    """Bring all wound lengths and paces to a time [s]; of several rows of one element the last that has begun."""
    winches = system.orders.winches
    for row in range(len(winches)):
        length, pace, is_on = wound(winches, row, time, middle, motion.step.touched_at)
        e = int(winches[row].element)
        if not is_on:
            continue
        if e >= 0:
            motion.elements.length[e], motion.elements.pace[e] = length, pace
        else:
            motion.lines.length[-1 - e], motion.lines.pace[-1 - e] = length, pace


@routine
def winch_powers(system, motion, middle, dy, works):
    """Add the powers [W] of all that winds in the middle of the step [s], with the tensions of now."""
    winches = system.orders.winches
    for row in range(len(winches)):
        start, stop = winch_times(winches, row, motion.step.touched_at)
        if not (start < middle and middle < stop):
            continue
        e = int(winches[row].element)
        if e >= 0:
            dy[works + WINCH] += winding_power(
                motion.elements.tension[e],
                motion.elements.spring[e],
                system.threads.stretching[e],
                motion.elements.pace[e],
            )
        else:
            q = -1 - e
            dy[works + WINCH] += winding_power(
                motion.lines.tension[q], motion.lines.spring[q], system.lines.stretching[q],
                motion.lines.pace[q],
            )  # fmt: skip


@routine
def winding_limit(system, motion):
    """Longest step [s] that ends where a winding begins or ends."""
    winches, now, step = system.orders.winches, motion.step.time, math.inf
    for row in range(len(winches)):
        start, stop = winch_times(winches, row, motion.step.touched_at)
        if not math.isfinite(start):
            continue
        if start - now > SLIVER:
            step = min(step, start - now)
        elif stop - now > SLIVER:
            step = min(step, stop - now)
    return step
