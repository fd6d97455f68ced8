"""Linear drive: a straight line of speed over load, held by its own friction when it stands.

    x' = v (1 - F/F_s)   for 0 <= F <= F_s,   x' = v for loads that help,   x' = 0 beyond F_s or with v = 0

    v    speed asked for [m/s], signed; it changes on a ramp, not at once
    F    load against the way it goes [N]       F_s  stall [N]
A load that grows with the speed, F = F_0 + c |x'|, is solved in closed form, so no step lags behind the other.
Self-locking: no load moves a standing drive or drives one that moves.
Validity: inertia of motor and gear neglected. Source: line of a motor, textbook material; self-locking assumed.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

# speed before and after a ramp [m/s], its start and duration [s], stall [N]
Drive = namedtuple("Drive", "before after start ramp stall")


@device
def asked_speed(drive, t):
    """Speed [m/s] asked for at a time [s]: on the ramp, or after it."""
    if drive.ramp <= 0.0 or t >= drive.start + drive.ramp:
        return drive.after
    share = max(t - drive.start, 0.0) / drive.ramp
    return drive.before + share * (drive.after - drive.before)


@device
def drive_speed(speed, stall, load, resistance):
    """x' [m/s] of a drive that is asked for `speed`; the load along +x is load + resistance x' [N].

    load  force that the drive has to exert along +x at x' = 0
    """
    if speed == 0.0:
        return 0.0
    against = load if speed > 0.0 else -load
    share = (1.0 - against / stall) / (1.0 + abs(speed) * resistance / stall)
    return speed * min(max(share, 0.0), 1.0)
