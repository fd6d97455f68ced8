"""Parabolic flight: a straight line in space is a curve in the aircraft."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.errors import ConfigError
from haptos.environment.parabolic_flight import (
    disturbance_from_imu,
    disturbance_table,
    interpolated,
    mean_pitch,
    nominal_profile,
    pitch,
    pitch_profile,
    rate_profile,
    time_to_bend,
    velocity_step,
)
from haptos.environment.turning_frame import apparent_acceleration, apparent_torque
from tests.close import assert_close

NONE = (0.0, 0.0, 0.0)
RATE = math.radians(4.0)


def fly(r0, v0, profile, seconds, disturbance=NONE, dense=False):
    """Place and velocity in the aircraft after some seconds."""

    def rate(t, y):
        _, w, dw = pitch(profile.times, profile.pieces, t)
        a = apparent_acceleration(
            tuple(y[:3]), tuple(y[3:]), (0.0, w, 0.0), (0.0, dw, 0.0), disturbance
        )
        return [*y[3:], *a]

    found = solve_ivp(
        rate, (0.0, seconds), [*r0, *v0], "DOP853", rtol=1e-11, atol=1e-12, dense_output=dense,
        max_step=0.2,
    )  # fmt: skip
    return found.sol if dense else (found.y[:3, -1], found.y[3:, -1])


def turn(angle):
    """Aircraft components to inertial ones, after a turn about +y."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


PROFILES = {
    "even": pitch_profile([0.0, 22.0], [-0.7, 0.7]),
    "spline": pitch_profile([0.0, 3.0, 8.0, 15.0, 22.0], [-0.7, -0.5, 0.1, 0.3, 0.7], "spline"),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_floating_thing_moves_straight_in_space(name):
    """The Euler term matters: the spline's rate changes all the time."""
    profile = PROFILES[name]
    r0, v0 = np.array([5.0, 2.0, 2.0]), np.array([0.4, 0.05, -0.1])
    r, _ = fly(r0, v0, profile, 6.0)
    first, last = (pitch(profile.times, profile.pieces, t) for t in (0.0, 6.0))
    V0 = turn(first[0]) @ (v0 + np.cross([0.0, first[1], 0.0], r0))  # noqa: N806
    wanted = turn(first[0]) @ r0 + 6.0 * V0
    assert_close(turn(last[0]) @ r, wanted, rtol=1e-8)


def test_the_example_of_the_thesis():
    """Offset (5, 2, 2) m, 0.4 m/s fore, 4 deg/s: 2 m after 4.66 s, 0.755 m high, at 0.54 m/s."""
    profile = pitch_profile([0.0, 22.0], [-0.5 * 22.0 * RATE, 0.5 * 22.0 * RATE])
    path = fly([5.0, 2.0, 2.0], [0.4, 0.0, 0.0], profile, 8.0, dense=True)
    times = np.linspace(0.0, 8.0, 80001)
    moved = path(times)[0] - 5.0
    at = times[np.argmax(moved >= 2.0)]
    state = path(at)
    assert_close(at, 4.66, rtol=0.002)
    assert_close(state[2] - 2.0, 0.755, rtol=0.002)
    assert_close(np.linalg.norm(state[3:]), 0.54, rtol=0.01)
    assert state[1] == 2.0  # no lateral deviation at all


def test_nominal_parabola_turns_four_degrees_a_second():
    profile = nominal_profile()
    angle, rate, change = pitch(profile.times, profile.pieces, 11.0)
    assert_close(math.degrees(rate), 4.0, rtol=0.03)
    assert abs(angle) < 1e-12
    assert change == 0.0
    assert pitch(profile.times, profile.pieces, 30.0)[1:] == (0.0, 0.0)
    assert_close(pitch(profile.times, profile.pieces, 30.0)[0], math.radians(45.0), rtol=1e-14)
    assert_close(pitch(profile.times, profile.pieces, -5.0)[0], -math.radians(45.0), rtol=1e-14)


@pytest.mark.parametrize("kind", ["linear", "spline"])
def test_profiles_pass_through_their_table_and_rates_are_their_slopes(kind):
    times, angles = [0.0, 2.0, 5.0, 9.0, 10.0], [0.1, 0.4, 0.2, 0.9, 1.0]
    profile = pitch_profile(times, angles, kind)
    found = [pitch(profile.times, profile.pieces, t)[0] for t in times]
    assert_close(found, angles, rtol=1e-14)
    for t in (0.7, 3.3, 6.1, 9.5):
        below, here, above = (
            pitch(profile.times, profile.pieces, t + d) for d in (-1e-4, 0.0, 1e-4)
        )
        assert_close(here[1], (above[0] - below[0]) / 2e-4, rtol=1e-7, scale=0.1)
        assert_close(here[2], (above[1] - below[1]) / 2e-4, rtol=1e-7, scale=0.1)


def test_measured_rates_are_linear_between_samples_and_the_angle_is_their_sum():
    times, rates = [0.0, 2.0, 5.0], [0.1, 0.3, 0.0]
    profile = rate_profile(times, rates)
    found = [pitch(profile.times, profile.pieces, t) for t in (0.0, 1.0, 2.0, 3.5, 5.0)]
    assert_close([rate for _, rate, _ in found], [0.1, 0.2, 0.3, 0.15, 0.0], rtol=1e-14)
    assert_close([angle for angle, _, _ in found], [0.0, 0.15, 0.4, 0.7375, 0.85], rtol=1e-14)
    assert_close([change for *_, change in found[1:4:2]], [0.1, -0.1], rtol=1e-13)


def test_at_a_bend_the_mean_of_both_sides_is_taken_and_bends_are_foreseen():
    profile = rate_profile([0.0, 2.0, 5.0], [0.1, 0.3, 0.0])
    found = [mean_pitch(profile.times, profile.pieces, t) for t in (0.0, 1.0, 2.0, 3.5, 5.0)]
    assert_close(found, [(0.1, 0.1), (0.2, 0.1), (0.3, 0.0), (0.15, -0.1), (0.0, -0.1)], rtol=1e-8)
    near = mean_pitch(profile.times, profile.pieces, 2.0 - 1e-12)
    assert_close(near, (0.3, 0.0), rtol=1e-8)
    ways = [time_to_bend(profile.times, t) for t in (-1.0, 0.0, 1.5, 2.0 - 1e-12, 4.0)]
    assert_close(ways, [1.0, 2.0, 0.5, 3.0, 1.0], rtol=1e-11)
    assert time_to_bend(profile.times, 5.0) == math.inf


def test_a_free_body_keeps_its_angular_momentum_in_space():
    """Its change in the aircraft, from the apparent torque, is that of a fixed vector seen from there."""
    moments, rate = np.array([2.0, 3.0, 4.5]), np.array([0.3, -0.2, 0.5])
    omega, change = np.array([0.05, 0.4, -0.1]), np.array([0.02, -0.03, 0.01])
    torque = apparent_torque(*(tuple(map(float, a)) for a in (moments, rate, omega, change)))
    # B axes turn with u + w: I u' = T - u x I u, w' in B axes is w' less u x w
    turning = (np.array(torque) - np.cross(rate, moments * rate)) / moments
    carried = change - np.cross(rate, omega)
    total = moments * (turning + carried)
    assert_close(total, -np.cross(rate + omega, moments * (rate + omega)), rtol=1e-13)


def test_a_step_of_the_rate_is_a_jump_of_velocity():
    """Just before and after the bend of a linear profile the inertial velocity is the same."""
    r, v = np.array([5.0, 2.0, 2.0]), np.array([0.4, 0.0, 0.1])
    before, after = 0.05, 0.09
    jump = velocity_step(before, after, tuple(r))
    total = [u + np.cross([0.0, w, 0.0], r) for u, w in ((v, before), (v + np.array(jump), after))]
    assert_close(total[0], total[1], rtol=1e-14)


def test_an_accelerometer_reads_what_a_free_thing_beside_it_does():
    """At rest at the accelerometer, the apparent acceleration is the reading itself."""
    reading, omega, change = (0.01, -0.02, 0.03), (0.0, 0.07, 0.0), (0.0, 0.004, 0.0)
    place = (3.0, 1.0, -0.5)
    disturbance = disturbance_from_imu(reading, omega, change, place)
    found = apparent_acceleration(place, NONE, omega, change, disturbance)
    assert_close(found, reading, rtol=1e-13)


def test_the_two_ways_of_writing_it_agree():
    """a_IMU - 2 w x v - w x (w x (r - r_IMU)) at an even rate, Eq. (A.8)."""
    reading, omega, imu = np.array([0.01, -0.02, 0.03]), np.array([0.0, RATE, 0.0]), (2.0, 0.0, 1.0)
    r, v = np.array([5.0, 2.0, 2.0]), np.array([0.4, 0.1, -0.2])
    disturbance = disturbance_from_imu(tuple(reading), tuple(omega), NONE, imu)
    found = apparent_acceleration(tuple(r), tuple(v), tuple(omega), NONE, disturbance)
    wanted = reading - 2 * np.cross(omega, v) - np.cross(omega, np.cross(omega, r - np.array(imu)))
    assert_close(found, wanted, rtol=1e-13)


def test_measured_accelerations_are_linear_between_samples_and_held_outside():
    times, values = disturbance_table([0.0, 1.0, 3.0], [[0, 0, 0], [1, 2, 3], [2, 2, 1]])
    assert_close(interpolated(times, values, 0.25), (0.25, 0.5, 0.75), rtol=1e-14)
    assert_close(interpolated(times, values, 2.0), (1.5, 2.0, 2.0), rtol=1e-14)
    assert interpolated(times, values, 9.0) == (2.0, 2.0, 1.0)
    assert interpolated(times, values, -1.0) == NONE


@pytest.mark.parametrize(
    "call",
    [
        lambda: pitch_profile([0.0], [1.0]),
        lambda: pitch_profile([0.0, 0.0], [1.0, 2.0]),
        lambda: pitch_profile([0.0, 1.0], [1.0, math.nan]),
        lambda: pitch_profile([0.0, 1.0], [1.0, 2.0], "cubic"),
        lambda: disturbance_table([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]),
        lambda: disturbance_table([1.0, 0.0], np.zeros((2, 3))),
    ],
)
def test_tables_that_are_none_are_refused(call):
    with pytest.raises(ConfigError, match="allowed"):
        call()


def test_check_has_teeth():
    profile = pitch_profile([0.0, 22.0], [-0.7, 0.7 * 1.02])
    r, _ = fly([5.0, 2.0, 2.0], [0.4, 0.0, 0.0], profile, 6.0)
    wanted, _ = fly([5.0, 2.0, 2.0], [0.4, 0.0, 0.0], PROFILES["even"], 6.0)
    with pytest.raises(AssertionError):
        assert_close(r, wanted, rtol=1e-5)
