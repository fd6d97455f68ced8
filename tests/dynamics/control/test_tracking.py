"""Path and attitude control: gains, closed loop of a free body, the shortest way round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.rotations import quaternion_from_yaw_pitch_roll
from haptos.dynamics.control.tracking import (
    clear_of_mode,
    rotation_between,
    tracking_force,
    tracking_gains,
    tracking_torque,
)
from tests.close import assert_close

REST = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_gains_of_a_spacecraft_from_bandwidth_and_damping():
    assert_close(tracking_gains(500.0, 0.02, 0.7), (0.2, 14.0), rtol=1e-12)


def free_body(mass: float, bandwidth: float, damping: float) -> float:
    """Place after 100 s of a free body of 500 kg that starts a metre off, led by a controller for `mass`."""

    def rate(_: float, y: np.ndarray) -> list[float]:
        push = tracking_force(mass, bandwidth, damping, (y[0], 0, 0), (y[1], 0, 0), REST)
        return [y[1], push[0] / 500.0]

    return float(solve_ivp(rate, (0.0, 100.0), [1.0, 0.0], rtol=1e-11, atol=1e-13).y[0, -1])


def test_the_error_of_a_free_body_is_a_damped_oscillation():
    w, z, t = 0.02, 0.7, 100.0
    wd = w * math.sqrt(1 - z * z)
    closed = math.exp(-z * w * t) * (math.cos(wd * t) + z * w / wd * math.sin(wd * t))
    assert_close(free_body(500.0, w, z), closed, rtol=1e-8)
    with pytest.raises(AssertionError):  # a mass known to 1 %
        assert_close(free_body(505.0, w, z), closed, rtol=1e-3)


def test_feed_forward_follows_an_accelerated_path_without_error():
    path = ((1.0, 2.0, 3.0), (0.1, 0.0, 0.0), (0.01, -0.02, 0.0))
    push = tracking_force(500.0, 0.02, 0.7, path[0], path[1], path)
    assert_close(push, (5.0, -10.0, 0.0), rtol=1e-14)


@pytest.mark.parametrize("degrees", [1.0, 90.0, 179.0, 181.0, 350.0])
def test_the_turn_is_the_shortest_one(degrees):
    wanted = quaternion_from_yaw_pitch_roll(math.radians(degrees), 0.0, 0.0)
    turn = rotation_between((1.0, 0.0, 0.0, 0.0), tuple(wanted))
    short = math.remainder(math.radians(degrees), 2.0 * math.pi)
    assert_close(turn, (0.0, 0.0, short), rtol=1e-12)
    assert rotation_between(tuple(wanted), tuple(wanted)) == (0.0, 0.0, 0.0)


def test_torque_has_the_gains_of_every_axis():
    moments = (300.0, 300.0, 200.0)
    small = tuple(quaternion_from_yaw_pitch_roll(0.01, 0.0, 0.0))
    path = (small, (0.0, 0.0, 0.002), (0.0, 1e-4, 0.0))
    torque = tracking_torque(moments, 0.1, 0.9, (1.0, 0, 0, 0), (0.0, 0.0, 0.0), path)
    stiff, slow = tracking_gains(200.0, 0.1, 0.9)
    assert_close(torque, (0.0, 0.03, stiff * 0.01 + slow * 0.002), rtol=1e-12)


def test_a_bandwidth_near_a_mode_is_warned_of():
    assert clear_of_mode(0.1, 0.31) == ""
    assert "flexible mode" in clear_of_mode(0.1, 0.25)
