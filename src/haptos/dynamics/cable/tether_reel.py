"""How fast a reel pays out: one question, one dispatch over the laws of reels.

    T(u) = T_e + c (a - u (1 + eps) - l_d')/h          tension of the end spring while it is taut

    u   payout [m/s], > 0 pays out                      a  rate at which the first cell leaves the attachment [m/s]
    h   natural length of the end spring [m]            T_e  its elastic part [N]      l_d  stretch of a damper in series

    HOLD              u = 0
    PRESCRIBED        u(t) from a length profile: corners, or cosine ramps between them
    CONSTANT_TENSION  u so that T = T_set, both ways
    BRAKE             u = 0 while T < T_set, else u so that T = T_set; never reels in
T_set rises linearly from 0 over a ramp. |u| <= the fastest the reel can do.
Frame: scalars. Validity: c > 0 for the laws of tension.
Source: [Quadrelli2017] section 8 for the brake.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.dynamics.cable.reel import reel_length
from haptos.dynamics.cable.tether_material import series_tension

CITES: tuple[str, ...] = ("Quadrelli2017",)

HOLD, PRESCRIBED, COSINE, CONSTANT_TENSION, BRAKE = 0, 1, 2, 3, 4

Reel = namedtuple("Reel", "kind times lengths numbers")
# kind of the law; times [s], lengths paid out [m] of a profile; numbers (24,) of the law:
TENSION_SET, RAMP_START, RAMP_TIME, FASTEST, LEAST_STORED, IS_DRUM = 0, 1, 2, 3, 4, 5
REEL_NUMBERS = 24

Feed = namedtuple(
    "Feed",
    "end t stored deployed length strain approach elastic energy damping density is_taut series stretch",
)
# end k   t [s]   stored, deployed [m]   length h [m]   strain eps of the line, thermal one included [-]
# approach a [m/s]   elastic T_e, active part included [N]   energy U [J/m]   damping c [N s]   density mu [kg/m]   is_taut
# series, stretch of `series_tension`


@device
def feed_tension(feed, payout):
    """T [N] of the end spring at a payout [m/s]."""
    if not feed.is_taut:
        return 0.0
    pull = feed.approach - payout * (1.0 + feed.strain)
    tension, _ = series_tension(
        feed.series, feed.stretch, feed.elastic, feed.damping / feed.length, pull
    )
    return tension


@device
def payout_for(feed, tension):
    """Payout [m/s] at which a taut end spring has a tension [N]; c > 0."""
    pull = (tension - feed.elastic) * feed.length / feed.damping
    spring, loss, is_on = feed.series
    if is_on != 0.0:
        pull += (tension - spring * feed.stretch) / loss
    return (feed.approach - pull) / (1.0 + feed.strain)


@device
def cosine_payout(t, times, lengths):
    """u [m/s] of cosine ramps between the corners of a profile of lengths paid out."""
    last = len(times) - 1
    if t <= times[0] or t >= times[last]:
        return 0.0
    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    span = times[high] - times[low]
    phase = math.pi * (t - times[low]) / span
    return 0.5 * math.pi * (lengths[high] - lengths[low]) / span * math.sin(phase)


@device
def tension_set(reel, t):
    """T_set [N] at a time [s]."""
    ramp = reel.numbers[RAMP_TIME]
    share = 1.0 if ramp <= 0.0 else min(max((t - reel.numbers[RAMP_START]) / ramp, 0.0), 1.0)
    return reel.numbers[TENSION_SET] * share


@device
def reel_payout(reel, feed, state):
    """(u [m/s], 1 if u follows the tension so that T does not depend on rates, else 0)."""
    if reel.kind == PRESCRIBED:
        return reel_length(feed.t, reel.times, reel.lengths, len(reel.times))[1], 0.0
    if reel.kind == COSINE:
        return cosine_payout(feed.t, reel.times, reel.lengths), 0.0
    if reel.kind == HOLD:
        return 0.0, 0.0
    fastest = reel.numbers[FASTEST]
    if not feed.is_taut:
        return (0.0, 0.0) if reel.kind == BRAKE else (-fastest if fastest < math.inf else 0.0, 0.0)
    wanted = payout_for(feed, tension_set(reel, feed.t))
    least = 0.0 if reel.kind == BRAKE else -fastest
    if wanted <= least:
        return least, 0.0
    if wanted >= fastest:
        return fastest, 0.0
    return wanted, 1.0


@device
def reel_state_rates(reel, feed, payout, tension, state):
    """Rates of the four numbers of the law's own; none of the laws here has any."""
    return (0.0, 0.0, 0.0, 0.0)


@device
def reel_powers(reel, feed, payout, tension, state):
    """(shaft, feed loss, drawn, recovered, brake heat) [W] of a reel.

    Shaft: what the motor puts in. A drum moves its line at rim speed: no loss at the feed. A coil rests:
    paying out it brakes with T_b, reeling in it pulls with T (1 + eps) - U, and the rest is lost at the feed.
    """
    stretch = 1.0 + feed.strain
    flux = feed.density * payout * payout * stretch
    net = -payout * (tension * stretch - feed.energy - 0.5 * flux * stretch)
    if reel.numbers[IS_DRUM] != 0.0:
        shaft = net
    elif payout > 0.0:
        shaft = -payout * (tension - flux)
    else:
        shaft = -payout * (tension * stretch - feed.energy)
    return shaft, net - shaft, max(shaft, 0.0), 0.0, max(-shaft, 0.0)
