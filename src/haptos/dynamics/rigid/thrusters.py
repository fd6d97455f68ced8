"""Thrusters in pulses: smallest on-time, delay, rise, noise per pulse, propellant.

    F(t) = c F_0 (ramp((t - t_on)/t_r) - ramp((t - t_off)/t_r)),   t_on = command + delay,  t_off = t_on + width
    impulse of a pulse = c F_0 width,   smallest impulse bit F_0 t_min,   propellant = impulse/(I_sp g_0)

    width  0 or at least t_min [s]; which thrusters fire and for how long: control/pulse_selection.py
    t_r    time of rise and of decay [s]; ramp(x) = x kept within 0 and 1
    c      1 + sigma n: noise of a pulse, n from the counter of that thruster and pulse
Rise and decay are alike, so the impulse is that of the commanded width whatever t_r is.
Frame: body axes, direction that of the force on the body.
Propellant is counted here; whose mass it is taken off says what carries the thrusters (joined/plant_outer.py does).
Validity: level thrust; pulses at least t_r long.
Source: pulses of a level thrust, textbook material [Wie2008].
"""

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass

from numpy.typing import ArrayLike

from haptos.core.by_reference import by_reference
from haptos.core.inlining import routine
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Wie2008",)

PULSES = 4  # per thruster that may wait or run at once

# body_first (b + 1,) thrusters of each body; position, direction (n, 3); rise (n,) [s]; flow (n,) [kg/(N s)]
# pulses (n, PULSES, 3) start [s], end [s], force [N]; level, slope (n,) thrust [N], [N/s] since `since` [s]
Thrusters = namedtuple(
    "Thrusters", "body_first position direction rise flow pulses level slope since"
)
by_reference(Thrusters)


@dataclass(frozen=True)
class Thruster:
    """One thruster: place [m] and direction of its force in body axes.

    thrust [N], minimum_on, delay, rise [s], noise [-] one sigma per pulse, specific_impulse [s]
    """

    position: ArrayLike
    direction: ArrayLike
    thrust: float
    minimum_on: float = 0.01
    delay: float = 0.0
    rise: float = 0.0
    noise: float = 0.0
    specific_impulse: float = 200.0


@device
def _ramp(t, start, rise):
    if rise <= 0.0:
        return 1.0 if t >= start else 0.0
    return min(max((t - start) / rise, 0.0), 1.0)


@device
def thrust_at(thrusters, k, t):
    """Thrust [N] of thruster k at a time [s] that is no edge of a pulse."""
    total = 0.0
    for p in range(PULSES):
        start, end, force = (
            thrusters.pulses[k, p, 0],
            thrusters.pulses[k, p, 1],
            thrusters.pulses[k, p, 2],
        )
        if force > 0.0:
            total += force * (_ramp(t, start, thrusters.rise[k]) - _ramp(t, end, thrusters.rise[k]))
    return total


@routine
def next_edge(thrusters, t):
    """Time [s] of the first corner of any thrust after t; inf without one."""
    found = math.inf
    for k in range(len(thrusters.rise)):
        for p in range(PULSES):
            if thrusters.pulses[k, p, 2] > 0.0:
                for edge in (thrusters.pulses[k, p, 0], thrusters.pulses[k, p, 1]):
                    for corner in (edge, edge + thrusters.rise[k]):
                        if corner > t and corner < found:
                            found = corner
    return found


@routine
def set_levels(thrusters, t, h):
    """Thrust and its slope over a step without corners within it."""
    thrusters.since[0] = t
    for k in range(len(thrusters.rise)):
        low, high = thrust_at(thrusters, k, t + 0.25 * h), thrust_at(thrusters, k, t + 0.75 * h)
        thrusters.slope[k] = 2.0 * (high - low) / h
        thrusters.level[k] = low - 0.25 * h * thrusters.slope[k]
