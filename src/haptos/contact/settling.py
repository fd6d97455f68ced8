"""Rest: slow, in contact, and both without a break for a while.

    calm    =  |v| < v_f  and  |w| < w_f  and  at least one vertex in contact
    settled =  calm for `hold` seconds without interruption

    in place = its centre stays within a distance `limit`, in contact, for `place_hold` seconds

    v_f [m/s], w_f [rad/s]  thresholds, relative to the ground      hold, place_hold [s] persistence
    limit [m]  a small share of the probe
The last bounces of a compliant lander happen between 1e-2 and 1e-5 m/s, and the top of a hop is
slow too: thresholds alone would call both rest.
What is in place without being settled spins, like a top on one corner, or creeps: a point contact has no torque about its
normal, so that nothing would ever end it.
Frame: sizes only, relative to the ground.
Validity: hold longer than a swing on the springs; a creep below the thresholds counts as rest.
Source: [VanWal2017] section 5.1; contact and persistence are ours.
"""

from __future__ import annotations

from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2017",)

NOT_CALM = -1.0  # [s] stands for "no calm going on"


@device
def calm_since(before, time, speed, rate, contact_count, v_f, w_f):
    """Start [s] of the calm that holds at `time`, or NOT_CALM."""
    if contact_count == 0 or not (speed < v_f and rate < w_f):
        return NOT_CALM
    if before == NOT_CALM:
        return time
    return before


@device
def is_settled(since, time, hold):
    return since != NOT_CALM and time - since >= hold


@device
def has_stayed(since, time, hold):
    """Whether a body has been in place long enough; never if hold is 0."""
    return hold > 0.0 and time - since >= hold
