"""How fast a reel pays out, where its work goes, and its own numbers: one dispatch over the laws of reels.

    T(u) = T_0 - k u          tension of the end spring while it is taut, `feed_line`

    u   payout [m/s], > 0 pays out

    HOLD              u = 0; a jam
    PRESCRIBED        u(t) from a length profile with corners        COSINE  with cosine ramps between them
    CONSTANT_TENSION  u so that T = T_set, both ways
    BRAKE             u = 0 while T < T_set, else u so that T = T_set; never reels in
    CLUTCH            a profile, and pay-out (T - T_slip)/b above T_slip
    SERVO             a drum whose motor follows the rate of a profile: u is a number of the state
T_set rises linearly from 0 over a ramp. Limits: a brake lowers its setting with its power, the reel slips at its largest force, a motor reels in more slowly, |u| <= the fastest the reel can do. A slack line is taken up at a speed of its own. With a largest acceleration, u is a number of the state that follows the law
with a lag of LAG and at most that acceleration.
Numbers of the state: payout (servo, or limited acceleration), gathered error of the servo [m], temperature of the brake [K].
Frame: scalars. Validity: c > 0, or a slope b > 0, for the laws of tension.
Source: laws of `reel_laws.py`, `reel_power.py`, `reel_servo.py`; the brake is that of [Quadrelli2017] section 8.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.dynamics.cable.reel import reel_length
from haptos.dynamics.cable.reel_laws import (
    CLUTCH,
    COSINE,
    HOLD,
    PRESCRIBED,
    SERVO,
    faded,
    force_limited,
    motor_limited,
    pay_out_speed,
    power_setting,
    ramped,
    winding_speed,
)
from haptos.dynamics.cable.reel_power import (
    DRUM,
    brake_split,
    shaft_power,
    winch_power,
)
from haptos.dynamics.cable.reel_servo import drum_acceleration, servo_force
from haptos.dynamics.cable.tether_material import series_tension

CITES: tuple[str, ...] = ("Quadrelli2017",)

Reel = namedtuple("Reel", "kind times lengths numbers")
# kind of the law; times [s], lengths paid out [m] of a profile; numbers (24,) of the law:
(
    TENSION_SET, RAMP_START, RAMP_TIME, FASTEST, LEAST_STORED, IS_DRUM, SLOPE, LARGEST_FORCE, LARGEST_POWER,
    LARGEST_ACCELERATION, GENERATOR_SHARE, GENERATOR_POWER, MOTOR_SHARE, BRAKE_CAPACITY, DRUM_INERTIA,
    BANDWIDTH, DAMPING_RATIO, TAKE_UP, FADE_START, FADE_SPAN, FADE_SHARE, STALL,
) = range(22)  # fmt: skip
REEL_NUMBERS = 24
PAYOUT, GATHERED, BRAKE_TEMPERATURE = 0, 1, 2  # in the four numbers of the state
LAG = 0.02  # [s] of a reel of limited acceleration, assumed

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
def feed_line(feed):
    """(T_0 [N], k [N s/m]) of T(u) = T_0 - k u; zero where the line is slack."""
    if not feed.is_taut:
        return 0.0, 0.0
    damper = feed.damping / feed.length
    _, loss, is_on = feed.series
    if is_on != 0.0:
        damper = damper * loss / (damper + loss)
    return feed_tension(feed, 0.0), damper * (1.0 + feed.strain)


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
def commanded_payout(reel, t):
    """u [m/s] of the profile: with corners, or smooth for COSINE, CLUTCH and SERVO."""
    if reel.kind == PRESCRIBED:
        return reel_length(t, reel.times, reel.lengths, len(reel.times))[1]
    if reel.kind in (COSINE, CLUTCH, SERVO):
        return cosine_payout(t, reel.times, reel.lengths)
    return 0.0


@device
def wanted_payout(reel, feed, temperature):
    """(u [m/s] of law and limits, share of the spring's slopes that the reel takes out of the tension)."""
    numbers = reel.numbers
    commanded = commanded_payout(reel, feed.t)
    still, fall = feed_line(feed)
    slope, fastest = numbers[SLOPE], numbers[FASTEST]
    setting = ramped(numbers[TENSION_SET], feed.t, numbers[RAMP_START], numbers[RAMP_TIME])
    setting = faded(
        setting, temperature, numbers[FADE_START], numbers[FADE_SPAN], numbers[FADE_SHARE]
    )
    flux, drawn = feed.density * (1.0 + feed.strain), feed.approach / (1.0 + feed.strain)
    setting = power_setting(setting, drawn, flux, numbers[LARGEST_POWER])
    speed = pay_out_speed(reel.kind, commanded, setting, slope, still, fall, numbers[TAKE_UP])
    speed = force_limited(speed, still, fall, slope, numbers[LARGEST_FORCE])
    speed = motor_limited(speed, still, fall, feed.energy, numbers[LARGEST_POWER])
    if speed < 0.0 and numbers[STALL] < math.inf:
        speed = -winding_speed(-speed, still, numbers[STALL], math.inf)
    if abs(speed) >= fastest:
        return math.copysign(fastest, speed), 0.0
    follows = speed != commanded and fall > 0.0
    return speed, fall / (fall + slope) if follows else 0.0


@device
def reel_payout(reel, feed, state):
    """(u [m/s], 1 if u follows the tension so that T does not depend on rates, 0 if not, between for a clutch)."""
    if reel.kind == HOLD:
        return 0.0, 0.0
    if reel.kind == SERVO or reel.numbers[LARGEST_ACCELERATION] < math.inf:
        return state[PAYOUT], 0.0
    return wanted_payout(reel, feed, state[BRAKE_TEMPERATURE])


@device
def _moved_mass(reel, feed):
    """J/R^2 + mu s [kg] that a drum turns."""
    return reel.numbers[DRUM_INERTIA] + feed.density * feed.stored


@device
def reel_state_rates(reel, feed, payout, tension, state):
    """Rates of the four numbers of the law's own."""
    numbers = reel.numbers
    faster, gathering = 0.0, 0.0
    if reel.kind == SERVO:
        inertia = _moved_mass(reel, feed)
        error = payout - commanded_payout(reel, feed.t)  # of s' = -u
        forward = tension * (1.0 + feed.strain) - feed.energy
        force, gathering = servo_force(
            inertia, numbers[BANDWIDTH], numbers[DAMPING_RATIO], error, state[GATHERED], forward,
            -payout, numbers[LARGEST_FORCE], numbers[LARGEST_POWER],
        )  # fmt: skip
        faster = -drum_acceleration(
            inertia, force, tension, feed.strain, feed.energy, feed.density, -payout
        )
    elif reel.kind != HOLD and numbers[LARGEST_ACCELERATION] < math.inf:
        wanted, _ = wanted_payout(reel, feed, state[BRAKE_TEMPERATURE])
        most = numbers[LARGEST_ACCELERATION]
        faster = min(max((wanted - payout) / LAG, -most), most)
    heating = 0.0
    if numbers[BRAKE_CAPACITY] > 0.0:
        heating = reel_powers(reel, feed, payout, tension, state)[4] / numbers[BRAKE_CAPACITY]
    return (faster, gathering, heating, 0.0)


@device
def reel_powers(reel, feed, payout, tension, state):
    """(shaft, feed loss, drawn, recovered, brake heat) [W] of a reel; the shaft puts in what is above 0."""
    numbers, rate = reel.numbers, -payout
    way = DRUM if numbers[IS_DRUM] != 0.0 else 0
    net = winch_power(rate, tension, feed.strain, feed.energy, feed.density)
    shaft = shaft_power(way, rate, tension, feed.strain, feed.energy, feed.density)
    recovered, heat, drawn = brake_split(
        shaft, numbers[GENERATOR_SHARE], numbers[GENERATOR_POWER], numbers[MOTOR_SHARE]
    )
    return shaft, net - shaft, drawn, recovered, heat
