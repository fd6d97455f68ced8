"""Attitude held by wheels: gains, poles, the gyroscopic torque, limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.control.attitude_loop import AttitudeLoop, wheel_torques
from haptos.dynamics.control.modes import LoopMode
from tests.close import assert_close

LOOP = AttitudeLoop(np.array([350.0, 600.0, 600.0]), 0.1, 0.7)


def test_gains_of_600_kg_m2_are_those_of_the_closed_form():
    spring, damper = LOOP.gains(LoopMode.ACTIVE)
    assert_close(spring[1, 1], 6.0, rtol=1e-12)
    assert_close(damper[1, 1], 84.0, rtol=1e-12)
    ask = LOOP.torque(LoopMode.ACTIVE, [0.0, math.radians(1.0), 0.0], np.zeros(3))
    assert_close(ask[1], -0.10472, rtol=1e-4)


def turned(loop: AttitudeLoop, end: float = 200.0, step: float = 0.01) -> np.ndarray:
    """Angle of a rigid body about y after a step of 1 rad, by a fourth-order method."""

    def rates(s: np.ndarray) -> np.ndarray:
        t = loop.torque(LoopMode.ACTIVE, [0.0, s[0], 0.0], [0.0, s[1], 0.0])
        return np.array([s[1], t[1] / 600.0])

    s, found = np.array([1.0, 0.0]), []
    for _ in range(round(end / step)):
        a = rates(s)
        b = rates(s + 0.5 * step * a)
        c = rates(s + 0.5 * step * b)
        s = s + step / 6.0 * (a + 2 * b + 2 * c + rates(s + step * c))
        found.append(s[0])
    return np.array(found)


def overshoot(zeta: float) -> float:
    return math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta * zeta))


def test_a_step_overshoots_as_a_second_order_system_of_that_damping():
    assert_close(-turned(LOOP, 60.0, 0.05).min(), overshoot(0.7), rtol=1e-3)


def test_check_has_teeth():
    spoiled = AttitudeLoop(LOOP.inertia, 0.1, 0.7 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(-turned(spoiled, 60.0, 0.05).min(), overshoot(0.7), rtol=1e-3)


def test_modes_damp_or_do_nothing():
    error, rate = [0.1, 0.0, 0.0], [0.0, 0.0, 0.0]
    assert not LOOP.torque(LoopMode.DAMP, error, rate).any()
    assert not LOOP.torque(LoopMode.FREE, error, [1.0, 2.0, 3.0]).any()
    assert_close(LOOP.gains(LoopMode.DAMP)[1], 0.25 * LOOP.gains(LoopMode.ACTIVE)[1], rtol=1e-12)


def test_the_gyroscopic_torque_is_taken_off_and_does_no_work():
    w, h = np.array([0.01, 0.02, -0.03]), np.array([1.0, -2.0, 5.0])
    free = LOOP.torque(LoopMode.ACTIVE, np.zeros(3), w)
    with_bias = LOOP.torque(LoopMode.ACTIVE, np.zeros(3), w, h)
    assert_close(with_bias - free, np.cross(w, h), rtol=1e-9)


def test_four_wheels_share_a_torque_and_stop_at_their_limit():
    axes = np.array([[1, 1, 1], [1, -1, -1], [1, 1, -1], [1, -1, 1]]) / math.sqrt(3.0)
    shares = wheel_torques(axes, [0.05, -0.02, 0.08], 0.2)
    assert_close(axes.T @ shares, [0.05, -0.02, 0.08], rtol=1e-12)
    assert np.abs(wheel_torques(axes, [5.0, 0.0, 0.0], 0.2)).max() == 0.2
