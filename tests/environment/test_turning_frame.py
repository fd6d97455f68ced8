"""Turning axes: what is free in space moves by the forces of the frame, and keeps its angular momentum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from haptos.environment.turning_frame import apparent_acceleration, apparent_torque
from tests.close import assert_close

SPIN = np.array([0.3, -0.5, 0.8])
NONE = (0.0, 0.0, 0.0)


def triple(a):
    return tuple(map(float, a))


def drifted(spin: np.ndarray, seconds: float) -> np.ndarray:
    """Place in axes that turn with SPIN of a free thing, by the forces of axes that turn with `spin`."""

    def rate(_, y):
        return [
            *y[3:],
            *apparent_acceleration(triple(y[:3]), triple(y[3:]), triple(spin), NONE, NONE),
        ]

    start, velocity = np.array([1.0, 2.0, -0.5]), np.array([0.2, 0.1, 0.4])
    first = np.concatenate([start, velocity - np.cross(SPIN, start)])
    found = solve_ivp(rate, (0.0, seconds), first, "DOP853", rtol=1e-12, atol=1e-12)
    return found.y[:3, -1]


def straight(seconds: float) -> np.ndarray:
    start, velocity = np.array([1.0, 2.0, -0.5]), np.array([0.2, 0.1, 0.4])
    return Rotation.from_rotvec(-seconds * SPIN).apply(start + seconds * velocity)


def test_a_free_thing_goes_straight_in_space():
    assert_close(drifted(SPIN, 4.0), straight(4.0), rtol=1e-9)


def test_the_check_sees_another_spin():
    found = drifted(1.01 * SPIN, 4.0)
    with pytest.raises(AssertionError):
        assert_close(found, straight(4.0), rtol=1e-4)


def test_a_body_at_rest_in_space_feels_no_torque_in_turning_axes_but_that_which_turns_it_back():
    """u = -w: its angular momentum in space is none, seen from the axes it is -I w, which turns with -w."""
    moments, w = (1.0, 2.0, 3.0), triple(SPIN)
    u = triple(-SPIN)
    torque = apparent_torque(moments, u, w, NONE)
    momentum = np.array(moments) * u
    assert_close(torque, np.cross(u, momentum), rtol=1e-12)
