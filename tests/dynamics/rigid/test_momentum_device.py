"""A wheel in a hull: what one gains in angular momentum the other loses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.rotations import rotation_matrices
from haptos.core.symmetric import six_of
from haptos.dynamics.rigid.momentum_device import axis_toward, device_torque, total_momentum
from tests.close import assert_close

INERTIA = np.array([[0.03, 0.004, -0.002], [0.004, 0.05, 0.003], [-0.002, 0.003, 0.04]])
SIX = six_of(INERTIA)
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
TORQUE, MOMENTUM, TIME = 0.02, 0.06, 3.0


def flown(factor=1.0):
    """(dcm_NB, w, h) at the end of a brake in free space, by an integrator of its own."""

    def rate(_, y):
        q, w, h = y[:4], y[4:7], y[7]
        push = device_torque(factor * TORQUE, tuple(AXIS), h, tuple(w))
        alpha = np.linalg.solve(INERTIA, push - np.cross(w, INERTIA @ w))
        turn = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))])
        return np.concatenate([turn, alpha, [-TORQUE]])

    start = np.concatenate([[1.0, 0.0, 0.0, 0.0], [0.3, -0.2, 0.5], [MOMENTUM]])
    y = solve_ivp(rate, (0.0, TIME), start, rtol=1e-12, atol=1e-14).y[:, -1]
    return rotation_matrices(y[:4] / np.linalg.norm(y[:4])), y[4:7], y[7]


def assert_momentum_is_kept(factor=1.0):
    first = np.array(total_momentum(SIX, (0.3, -0.2, 0.5), tuple(AXIS), MOMENTUM))
    dcm_NB, w, h = flown(factor)
    last = dcm_NB @ np.array(total_momentum(SIX, tuple(w), tuple(AXIS), float(h)))
    assert_close(last, first, rtol=1e-9)


def test_hull_and_wheel_together_keep_their_angular_momentum():
    assert_momentum_is_kept()
    assert_close(flown()[2], MOMENTUM - TORQUE * TIME, rtol=1e-9, scale=MOMENTUM)


def test_check_has_teeth():
    with pytest.raises(AssertionError, match="off by"):
        assert_momentum_is_kept(1.01)


def test_a_wheel_that_stands_has_no_say():
    assert device_torque(0.0, (0.0, 0.0, 1.0), 0.0, (1.0, 2.0, 3.0)) == (0.0, 0.0, 0.0)


def test_a_running_wheel_turns_the_hull_across_both_axes():
    """A gyroscope: h along z, turned about x, is pushed along -w x h = +y h w."""
    found = device_torque(0.0, (0.0, 0.0, 1.0), 2.0, (3.0, 0.0, 0.0))
    assert_close(found, (0.0, 6.0, 0.0), rtol=1e-15)


def test_a_body_turned_about_the_axis_rolls_the_way_it_should():
    up, way = np.array([0.0, 0.6, 0.8]), np.array([1.0, 0.5, -0.3])
    axis = np.array(axis_toward(tuple(up), tuple(way)))
    assert_close(np.linalg.norm(axis), 1.0, rtol=1e-15)
    moves = np.cross(axis, up)  # of a centre above the contact point
    level = way - (way @ up) * up
    assert_close(moves, level / np.linalg.norm(level), rtol=1e-14)


def test_a_way_straight_up_still_has_a_level_axis():
    axis = np.array(axis_toward((0.0, 0.0, 1.0), (0.0, 0.0, 5.0)))
    assert_close(np.linalg.norm(axis), 1.0, rtol=1e-15)
    assert axis[2] == 0.0
