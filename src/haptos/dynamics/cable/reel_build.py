"""Reels of tethers, made and checked: what they follow, what limits them, what their brake and motor are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_laws import (
    BRAKE,
    CLUTCH,
    CONSTANT_TENSION,
    COSINE,
    HOLD,
    PRESCRIBED,
    SERVO,
)
from haptos.dynamics.cable.reel_power import (
    BRAKE_HEAT,
    BRAKE_MASS,
    GENERATOR_EFFICIENCY,
    MOTOR_EFFICIENCY,
)
from haptos.dynamics.cable.reel_servo import SERVO_BANDWIDTH, SERVO_DAMPING
from haptos.dynamics.cable.tether_reel import (
    BANDWIDTH,
    BRAKE_CAPACITY,
    DAMPING_RATIO,
    DRUM_INERTIA,
    FADE_SHARE,
    FADE_SPAN,
    FADE_START,
    FASTEST,
    GENERATOR_POWER,
    GENERATOR_SHARE,
    IS_DRUM,
    LARGEST_ACCELERATION,
    LARGEST_FORCE,
    LARGEST_POWER,
    LEAST_STORED,
    MOTOR_SHARE,
    RAMP_START,
    RAMP_TIME,
    REEL_NUMBERS,
    SLOPE,
    STALL,
    TAKE_UP,
    TENSION_SET,
    Reel,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReelParts:
    """What every reel has, whatever it follows.

    take_up [m/s]  at which a slack line is taken in; assumed
    fastest [m/s], force [N], power [W], acceleration [m/s^2]   largest it can do; none if left out
    stall [N]  force at which its motor takes no more line in, as a net's winch (`winding_speed`)
    least_stored [m]  that stays on it: there the line ends       is_drum  else a coil
    generator (share [-], largest power [W])       motor  shaft over electric power [-]
    brake (mass [kg], specific heat [J/kg/K])      of what the brake heats
    fade  (from [K], over [K], share of the force left [-])  of a hot brake; no event and no loss if left out
    """

    fastest: float = math.inf
    force: float = math.inf
    power: float = math.inf
    stall: float = math.inf
    acceleration: float = math.inf
    least_stored: float = 0.0
    take_up: float = 1.0
    is_drum: bool = True
    generator: tuple[float, float] = (GENERATOR_EFFICIENCY, math.inf)
    motor: float = MOTOR_EFFICIENCY
    brake: tuple[float, float] = (BRAKE_MASS, BRAKE_HEAT)
    fade: tuple[float, float, float] = (math.inf, 1.0, 1.0)

    def __post_init__(self) -> None:
        for name in ("fastest", "force", "power", "stall", "acceleration", "motor", "take_up"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(
                    f"reel.{name}", f"{getattr(self, name)}", "above 0", "leave it out"
                )
        if not 0.0 <= self.generator[0] < 1.0:
            raise ConfigError(
                "reel.generator", f"{self.generator[0]}", "a share of 0 to below 1", "0.25"
            )
        if not (self.fade[0] > 0.0 and self.fade[1] > 0.0 and 0.0 < self.fade[2] <= 1.0):
            allowed = "two temperatures above 0 and a share above 0, at most 1"
            raise ConfigError("reel.fade", f"{self.fade}", allowed, "(1200.0, 300.0, 0.5)")

    def numbers(self, **own: float) -> np.ndarray:
        """The numbers of the reel's law."""
        row = np.zeros(REEL_NUMBERS)
        row[[FASTEST, LARGEST_FORCE, LARGEST_POWER, LARGEST_ACCELERATION]] = (
            self.fastest, self.force, self.power, self.acceleration,
        )  # fmt: skip
        row[TAKE_UP], row[STALL] = self.take_up, self.stall
        row[LEAST_STORED], row[IS_DRUM] = self.least_stored, float(self.is_drum)
        row[[GENERATOR_SHARE, GENERATOR_POWER]], row[MOTOR_SHARE] = self.generator, self.motor
        row[BRAKE_CAPACITY] = self.brake[0] * self.brake[1]
        row[[FADE_START, FADE_SPAN, FADE_SHARE]] = self.fade
        places = {
            "tension": TENSION_SET, "start": RAMP_START, "ramp": RAMP_TIME, "slope": SLOPE,
            "inertia": DRUM_INERTIA, "bandwidth": BANDWIDTH, "damping": DAMPING_RATIO,
        }  # fmt: skip
        for name, value in own.items():
            row[places[name]] = value
        return row


def _profile(
    times: ArrayLike, paid_out: ArrayLike, fastest: float, *, smooth: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and lengths [m] of a profile; refuses one that the reel cannot follow."""
    when, long = np.array(times, dtype=float), np.array(paid_out, dtype=float)
    if when.shape != long.shape or len(when) < 2 or not (np.diff(when) > 0.0).all():
        found = f"{len(when)} times, {len(long)} lengths"
        raise ConfigError("reel", found, "two or more of both, times rising", "times = [0, 60]")
    speed = float(np.abs(np.diff(long) / np.diff(when)).max()) * (0.5 * math.pi if smooth else 1.0)
    if speed > fastest * (1.0 + 1e-12):
        found, allowed = f"a profile of {speed:.4g} m/s", f"at most {fastest:g} m/s"
        raise ConfigError("reel", found, allowed, "give it more time")
    return when, long


def hold(parts: ReelParts | None = None) -> Reel:
    """A reel that holds its length."""
    return Reel(HOLD, np.array([0.0, 1.0]), np.zeros(2), (parts or ReelParts()).numbers())


def prescribed(
    times: ArrayLike, paid_out: ArrayLike, *, smooth: bool = False, parts: ReelParts | None = None
) -> Reel:
    """A reel that pays out lengths [m] along a broken line in time [s], or along cosines between its corners."""
    parts = parts or ReelParts()
    return Reel(
        COSINE if smooth else PRESCRIBED, *_profile(times, paid_out, parts.fastest, smooth=smooth),
        parts.numbers(),
    )  # fmt: skip


def constant_tension(
    tension: float, *, start: float = 0.0, ramp: float = 0.0, slope: float = 0.0,
    parts: ReelParts | None = None,
) -> Reel:  # fmt: skip
    """A reel that holds a tension [N] both ways, raised from 0 over a ramp [s]; slope b [N s/m] where nothing damps."""
    return _by_tension(CONSTANT_TENSION, tension, start, ramp, slope, parts)


def brake(
    tension: float, *, start: float = 0.0, ramp: float = 0.0, slope: float = 0.0,
    parts: ReelParts | None = None,
) -> Reel:  # fmt: skip
    """A reel that holds the line up to a tension [N] and pays out above it; it never reels in."""
    return _by_tension(BRAKE, tension, start, ramp, slope, parts)


def _by_tension(
    kind: int, tension: float, start: float, ramp: float, slope: float, parts: ReelParts | None
) -> Reel:
    if not (math.isfinite(tension) and tension > 0.0):
        raise ConfigError("reel.tension", f"{tension} N", "above 0", "tension = 20.0")
    if not (ramp >= 0.0 and slope >= 0.0):
        raise ConfigError("reel", f"ramp {ramp} s, slope {slope} N s/m", "0 or more", "ramp = 0.0")
    numbers = (parts or ReelParts()).numbers(tension=tension, start=start, ramp=ramp, slope=slope)
    ends = np.array([start, start + (ramp or 1.0)])  # corners of the ramp: steps end there
    return Reel(kind, ends, np.zeros(2), numbers)


def clutch(
    times: ArrayLike, paid_out: ArrayLike, tension: float, slope: float, *, parts: ReelParts | None = None
) -> Reel:  # fmt: skip
    """A smooth profile through a clutch that slips above a tension [N] by the excess over a slope b [N s/m]."""
    parts = parts or ReelParts()
    if not (tension > 0.0 and slope > 0.0):
        raise ConfigError(
            "reel", f"tension {tension} N, slope {slope} N s/m", "above 0", "2 N, 2 N s/m"
        )
    profile = _profile(times, paid_out, parts.fastest, smooth=True)
    return Reel(CLUTCH, *profile, parts.numbers(tension=tension, slope=slope))


def servo(
    times: ArrayLike, paid_out: ArrayLike, inertia: float, *, bandwidth: float = SERVO_BANDWIDTH,
    damping: float = SERVO_DAMPING, parts: ReelParts | None = None,
) -> Reel:  # fmt: skip
    """A drum of J/R^2 = inertia [kg] whose motor follows the rate of a smooth profile."""
    parts = parts or ReelParts()
    if not (inertia > 0.0 and bandwidth > 0.0 and damping > 0.0):
        found = f"inertia {inertia} kg, bandwidth {bandwidth} rad/s, damping {damping}"
        raise ConfigError("reel", found, "above 0", "inertia = 5.0")
    profile = _profile(times, paid_out, parts.fastest, smooth=True)
    numbers = parts.numbers(inertia=inertia, bandwidth=bandwidth, damping=damping)
    return Reel(SERVO, *profile, numbers)
