"""Thrusters that are on or off: a deadband, then pulses whose width makes the impulse asked for.

    on-time = min(h, |f| h/F),   none if |f| <= deadband or the on-time is below the shortest pulse

    f  force asked for over an interval [N]     F  force of the thruster [N]     h  interval [s]
The impulse F x on-time is that of f over the interval; what a pulse too short leaves out is carried on by the caller
through the estimate. Propellant: F x on-time/(Isp g0).
Frame: along the thruster, both ways with a pair. Validity: no rise time. Source: elementary.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

STANDARD_GRAVITY = 9.80665  # [m/s^2], exact by definition
SHORTEST_PULSE = 0.02  # [s] assumed


@device
def pulse_width(force, thrust, interval, deadband, shortest):
    """Time [s] with sign that a thruster pair is on in an interval [s] to give a mean force [N]."""
    if abs(force) <= deadband:
        return 0.0
    width = min(abs(force) * interval / thrust, interval)
    if width < shortest:
        return 0.0
    return math.copysign(width, force)


@device
def propellant_used(thrust, width, specific_impulse):
    """Mass [kg] for a thrust [N] over a time [s] at a specific impulse [s]."""
    return thrust * abs(width) / (specific_impulse * STANDARD_GRAVITY)
