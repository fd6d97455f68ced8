"""Weightless flight in an aircraft on a parabola: what a floating thing seems to feel.

    a = a_dist - 2 w x v - w x (w x r) - w' x r,  `turning_frame`
    a_dist = a_IMU + w x (w x r_IMU) + w' x r_IMU
    w = (0, d alpha/dt, 0)

    r, v   place [m] and velocity [m/s] in the aircraft, r from the centre it turns about
    w, w'  rate of the aircraft [rad/s] and its derivative [rad/s^2]       alpha  pitch [rad]
    a_IMU  what an accelerometer fixed at r_IMU [m] reads, taken as the acceleration of free things
           relative to the aircraft there [m/s^2]
Gravity is left out: the aircraft falls with what it carries.
Frame: aircraft axes, x fore along the roll axis, y the pitch axis, z up; w_y > 0 puts the nose down.
Validity: the aircraft flies the parabola; what it misses is in a_IMU. Where a linear profile bends,
w steps and velocities in the aircraft jump by -(w_after - w_before) x r; a spline has no steps.
Source: [Salvi2014] App. A, Eqs. (A.1) to (A.9).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device
from haptos.core.vectors import add, cross

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]

NOMINAL_PITCH = math.radians(90.0)  # [rad], from -45 to +45 degrees
NOMINAL_DURATION = 22.0  # [s]
BEND = 1e-9  # [s], two times this near are one
SEARCHES = 40  # [-], bound of the bisection; enough for 1e12 entries


@dataclass(frozen=True)
class PitchProfile:
    """alpha(t) as cubic pieces: alpha = c0 + c1 s + c2 s^2 + c3 s^3, s = t - times[k].

    times (n + 1,) [s], rising        pieces (n, 4) [rad, rad/s, rad/s^2, rad/s^3]
    Before the first and after the last time the rate is zero and the angle stays.
    """

    times: Floats
    pieces: Floats


def pitch_profile(times: ArrayLike, angles: ArrayLike, kind: str = "linear") -> PitchProfile:
    """Profile through angles [rad] at rising times [s]; "linear" or "spline" (smooth rate)."""
    t, alpha = np.asarray(times, dtype=float), np.asarray(angles, dtype=float)
    _check_table("pitch profile", t, alpha, 1)
    if kind == "linear":
        pieces = np.zeros((t.size - 1, 4))
        pieces[:, 0], pieces[:, 1] = alpha[:-1], np.diff(alpha) / np.diff(t)
    elif kind == "spline":
        from scipy.interpolate import CubicSpline

        pieces = np.ascontiguousarray(CubicSpline(t, alpha).c[::-1].T)
    else:
        raise ConfigError("pitch profile", f"kind '{kind}'", "linear, spline", "use 'spline'")
    return PitchProfile(t, pieces)


def rate_profile(times: ArrayLike, rates: ArrayLike) -> PitchProfile:
    """Profile whose rate is linear between rates [rad/s] at rising times [s]; angle 0 at the first."""
    t, rate = np.asarray(times, dtype=float), np.asarray(rates, dtype=float)
    _check_table("pitch profile", t, rate, 1)
    width = np.diff(t)
    pieces = np.zeros((t.size - 1, 4))
    pieces[:, 1], pieces[:, 2] = rate[:-1], 0.5 * np.diff(rate) / width
    gained = 0.5 * (rate[:-1] + rate[1:]) * width
    pieces[1:, 0] = np.cumsum(gained)[:-1]
    return PitchProfile(t, pieces)


def nominal_profile() -> PitchProfile:
    """-45 to +45 degrees in 22 s, at an even 4 degrees a second (rounded in the thesis)."""
    half = 0.5 * NOMINAL_PITCH
    return pitch_profile([0.0, NOMINAL_DURATION], [-half, half])


def disturbance_table(times: ArrayLike, accelerations: ArrayLike) -> tuple[Floats, Floats]:
    """Measured accelerations (n, 3) [m/s^2] at rising times (n,) [s], checked, for `interpolated`."""
    t, a = np.asarray(times, dtype=float), np.asarray(accelerations, dtype=float)
    _check_table("disturbance table", t, a, 2)
    return t, np.ascontiguousarray(a)


def _check_table(where: str, times: Floats, values: Floats, dimensions: int) -> None:
    shape = (times.size,) if dimensions == 1 else (times.size, 3)
    if times.ndim != 1 or times.size < 2 or values.shape != shape:
        found = f"times {times.shape}, values {values.shape}"
        raise ConfigError(where, found, "two or more times, a value each", "check the columns")
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise ConfigError(where, "values that are no numbers", "finite numbers", "fill the gaps")
    if not (np.diff(times) > 0.0).all():
        raise ConfigError(where, "times that do not rise", "rising times", "sort the rows by time")


@device
def interval(times, t):
    """Index k with times[k] <= t < times[k + 1], held within the table."""
    low, high = 0, len(times) - 1
    for _ in range(SEARCHES):
        if high - low <= 1:
            break
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return low


@device
def pitch(times, pieces, t):
    """(alpha [rad], its rate [rad/s], its second derivative [rad/s^2]) at a time [s]."""
    k = interval(times, t)
    inside = min(max(t, times[0]), times[len(times) - 1])
    s = inside - times[k]
    c0, c1, c2, c3 = pieces[k, 0], pieces[k, 1], pieces[k, 2], pieces[k, 3]
    angle = c0 + s * (c1 + s * (c2 + s * c3))
    if inside != t:
        return angle, 0.0, 0.0
    return angle, c1 + s * (2.0 * c2 + 3.0 * s * c3), 2.0 * c2 + 6.0 * s * c3


@device
def mean_pitch(times, pieces, t):
    """(rate [rad/s], its derivative [rad/s^2]) at a time [s]; at a bend the mean of both sides.

    A scheme that steps from bend to bend and kicks half before and half after then gives all of
    the change of the rate, no more and no less.
    """
    k = interval(times, t)
    if k > 0 and t - times[k] < BEND:
        before, after = pitch(times, pieces, times[k] - BEND), pitch(times, pieces, times[k])
        return after[1], 0.5 * (before[2] + after[2])
    if k + 2 < len(times) and times[k + 1] - t < BEND:
        before, after = pitch(times, pieces, t), pitch(times, pieces, times[k + 1])
        return after[1], 0.5 * (before[2] + after[2])
    _, rate, change = pitch(times, pieces, t)
    return rate, change


@device
def time_to_bend(times, t):
    """Time [s] to the next entry of a profile; infinite behind the last."""
    for j in range(interval(times, t), len(times)):
        if times[j] > t + BEND:
            return times[j] - t
    return math.inf


@device
def interpolated(times, values, t):
    """3-tuple linear between rows of values (n, 3) at times (n,); the ends are held."""
    k = interval(times, t)
    share = min(max((t - times[k]) / (times[k + 1] - times[k]), 0.0), 1.0)
    keep = 1.0 - share
    return (
        keep * values[k, 0] + share * values[k + 1, 0],
        keep * values[k, 1] + share * values[k + 1, 1],
        keep * values[k, 2] + share * values[k + 1, 2],
    )


@device
def disturbance_from_imu(reading, omega, omega_rate, r_imu):
    """a_dist [m/s^2] at the centre of turning, from a reading [m/s^2] at r_imu [m]. Eq. (A.6)."""
    turning = add(cross(omega, cross(omega, r_imu)), cross(omega_rate, r_imu))
    return add(reading, turning)


@device
def velocity_step(rate_before, rate_after, r):
    """Jump [m/s] of velocities in the aircraft where the pitch rate [rad/s] steps, at r [m]."""
    return cross((0.0, rate_before - rate_after, 0.0), r)
