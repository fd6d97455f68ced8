"""Reaction wheels: lag, limits, friction."""

from __future__ import annotations

import math

import numpy as np

from haptos.dynamics.rigid.reaction_wheels import Wheels, wheel_torque
from tests.close import assert_close


def wheels(lag: float = 0.0, most: float = math.inf, friction: float = 0.0) -> Wheels:
    return Wheels(
        np.array([0, 1]), np.array([[1.0, 0.0, 0.0]]), np.array([0.1]), np.array([lag]),
        np.array([most]), np.array([friction]),
    )  # fmt: skip


def test_a_wheel_without_lag_gives_what_is_asked():
    assert wheel_torque(wheels(), 0, 0.0, 5.0) == (0.1, 0.0)


def test_lag_lets_the_torque_follow():
    torque, change = wheel_torque(wheels(lag=0.5), 0, 0.04, 0.0)
    assert torque == 0.04
    assert_close(change, 0.12, rtol=1e-14)


def test_a_full_wheel_takes_no_more():
    # h' = -torque: a wheel at -12 cannot take a torque of +0.1 on the hull, one at +12 can.
    assert wheel_torque(wheels(most=12.0), 0, 0.0, -12.0)[0] == 0.0
    assert wheel_torque(wheels(most=12.0), 0, 0.0, 12.0)[0] == 0.1


def test_friction_drags_the_hull_along():
    assert_close(wheel_torque(wheels(friction=0.01), 0, 0.0, 5.0)[0], 0.15, rtol=1e-14)
