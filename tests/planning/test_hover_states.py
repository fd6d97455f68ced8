"""States of a mothership: transport theorem by differences, frames, waiting, drift."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.environment.sun_direction import SpinPole, body_axes
from haptos.planning.hover_states import (
    descent_states,
    descent_times,
    east_north_up,
    home_axes,
    pre_release_manoeuvre,
    state_in_body,
    times_over_longitude,
)
from tests.close import assert_close

PERIOD_H = 7.627
RATE = 2.0 * np.pi / (3600.0 * PERIOD_H)
OMEGA = np.array([0.0, 0.0, RATE])


def test_velocity_over_the_body_is_the_derivative_of_the_place_over_it():
    pole, start = SpinPole(96.4, -66.4, PERIOD_H, epoch_jd=0.0), np.array([1.0, 2.0, 30.0])
    velocity, h = np.array([0.1, -0.2, 0.05]), 1.0

    def place(t):
        return state_in_body(start + t * velocity, velocity, body_axes(pole, t / 86400.0), OMEGA)

    slope = (place(100.0 + h)[0] - place(100.0 - h)[0]) / (2.0 * h)
    assert_close(place(100.0)[1], slope, rtol=1e-7)


def test_home_axes_are_orthonormal_with_the_earth_on_z_and_the_sun_at_positive_x():
    axes = home_axes([0.0, 3.0, 4.0], [1.0, 1.0, 0.0])
    assert_close(axes @ axes.T, np.eye(3), rtol=1e-15)
    assert_close(axes @ [0.0, 0.6, 0.8], [0.0, 0.0, 1.0], rtol=1e-15)
    sun = axes @ [1.0, 1.0, 0.0]
    assert sun[0] > 0.0
    assert abs(sun[1]) < 1e-15
    with pytest.raises(ConfigError, match="one line"):
        home_axes([0.0, 0.0, 1.0], [0.0, 0.0, -2.0])


def test_a_longitude_is_below_the_hover_when_its_time_comes():
    wanted, hover = np.radians([30.0, 150.0, 240.0, -60.0]), 0.4
    times = times_over_longitude(wanted, hover, RATE)
    assert np.all((times >= 0.0) & (times < 3600.0 * PERIOD_H))
    below = np.remainder(hover - RATE * times, 2.0 * np.pi)
    assert_close(below, np.remainder(wanted, 2.0 * np.pi), rtol=1e-12)


def test_a_ball_like_ryugu_carries_its_equator_at_a_tenth_of_a_metre_per_second():
    still = pre_release_manoeuvre([448.1, 0.0, 0.0], [0.0, 0.0, 0.0], OMEGA)
    assert_close(still, [0.0, 0.1026, 0.0], rtol=1e-3)


def test_manoeuvre_leaves_no_drift_over_the_ground():
    r, eject = np.array([300.0, -200.0, 350.0]), np.array([0.1, 0.15, -0.05])
    v = pre_release_manoeuvre(r, eject, OMEGA)
    drift = v + eject - np.cross(OMEGA, r)
    assert_close(np.cross(drift, r), np.zeros(3), rtol=1e-14, scale=100.0)
    assert abs(v @ r) < 1e-13
    with pytest.raises(AssertionError):  # 1 % less spin is noticed
        assert_close(pre_release_manoeuvre(r, eject, 0.99 * OMEGA), v, rtol=1e-4)


def test_descent_of_hayabusa2_takes_a_day():
    times = descent_times([20_000.0, 5_000.0, 60.0], [0.4, 0.1])
    assert_close(times, [0.0, 37_500.0, 86_900.0], rtol=1e-12)
    with pytest.raises(ConfigError, match="descent"):
        descent_times([100.0, 200.0], [0.1])


def test_the_ground_passes_below_a_descent_and_its_speeds_are_kept_in_space():
    times, r, v = descent_states([1.0, 0.0, 0.3], 448.1, [5000.0, 500.0, 55.0], [0.4, 0.1], RATE)
    assert_close(np.linalg.norm(r, axis=1), 448.1 + np.array([5000.0, 500.0, 55.0]), rtol=1e-14)
    turned = np.remainder(-np.arctan2(r[:, 1], r[:, 0]), 2.0 * np.pi)
    assert_close(turned, np.remainder(RATE * times, 2.0 * np.pi), rtol=1e-12)
    in_space = v + np.cross(OMEGA, r)
    assert_close(np.linalg.norm(in_space, axis=1), [0.4, 0.1, 0.0], rtol=1e-13)
    assert np.all(np.einsum("ni,ni->n", in_space, r)[:2] < 0.0)


def test_east_north_up_is_right_handed_and_points_where_it_says():
    axes = east_north_up([0.0, 500.0, 0.0])
    assert_close(axes, [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], rtol=1e-15)
    assert_close(np.linalg.det(east_north_up([0.0, 0.0, 3.0])), 1.0, rtol=1e-15)
