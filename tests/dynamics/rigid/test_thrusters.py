"""Pulses of thrusters: impulse, delay, rise, corners of steps."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import quad

from haptos.dynamics.rigid.thrusters import PULSES, Thrusters, next_edge, set_levels, thrust_at
from tests.close import assert_close


def jets(rise: float) -> Thrusters:
    pulses = np.zeros((2, PULSES, 3))
    pulses[0, 0] = (1.0, 1.05, 2.0)
    pulses[0, 1] = (1.2, 1.23, 2.0)
    pulses[1, 0] = (1.1, 1.15, 3.0)
    return Thrusters(
        np.array([0, 2]), np.zeros((2, 3)), np.zeros((2, 3)), np.full(2, rise), np.zeros(2), pulses,
        np.zeros(2), np.zeros(2), np.zeros(1),
    )  # fmt: skip


@pytest.mark.parametrize("rise", [0.0, 0.01])
def test_impulse_is_thrust_times_width_whatever_the_rise(rise):
    made = jets(rise)
    corners = [0.0, *sorted(c + r for c in (1.0, 1.05, 1.2, 1.23) for r in (0.0, rise)), 2.0]
    found = sum(
        quad(lambda t: thrust_at(made, 0, t), a, b)[0]
        for a, b in itertools.pairwise(corners)
        if b > a
    )
    assert_close(found, 2.0 * 0.08, rtol=1e-9)


def test_corners_come_in_order():
    made, t, found = jets(0.01), 0.0, []
    while math.isfinite(t := next_edge(made, t)):
        found.append(t)
    assert_close(found, [1.0, 1.01, 1.05, 1.06, 1.1, 1.11, 1.15, 1.16, 1.2, 1.21, 1.23, 1.24], rtol=1e-12)  # fmt: skip


def test_thrust_is_straight_between_corners():
    made = jets(0.01)
    set_levels(made, 1.05, 0.01)
    assert_close(made.level[0], 2.0, rtol=1e-9)
    assert_close(made.slope[0], -200.0, rtol=1e-9)
    set_levels(made, 1.06, 0.02)
    assert_close(made.level[0], 0.0, rtol=1e-9, scale=2.0)
