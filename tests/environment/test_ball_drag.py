"""Drag as on a ball: against the flow, with the density of the altitude, none in air that moves along."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.environment.ball_drag import GroundAir, air_acceleration
from tests.close import assert_close

UP = (0.0, 0.0, 1.0)
STILL = (0.0, 0.0, 0.0)
FLAT = GroundAir(True, 1.2, 1e-4, 0.05, STILL, True, UP, 3.0)


def test_it_is_half_rho_c_a_v_squared_against_the_way_flown():
    x, v = (4.0, -2.0, 1003.0), (3.0, -4.0, 12.0)
    expected = -0.5 * 1.2 * math.exp(-0.1) * 0.05 * 13.0 * np.array(v)
    assert_close(air_acceleration(FLAT, x, v), expected, rtol=1e-14)


def test_around_a_ball_the_altitude_is_the_distance_from_it():
    around = FLAT._replace(is_flat=False, level=500.0)
    above = (0.0, 1500.0, 0.0)
    expected = air_acceleration(FLAT, (0.0, 0.0, 1003.0), (1.0, 2.0, 3.0))
    assert_close(air_acceleration(around, above, (1.0, 2.0, 3.0)), expected, rtol=1e-13)


def test_wind_pushes_what_rests_and_leaves_what_flies_with_it():
    windy = FLAT._replace(wind=(5.0, 0.0, 0.0))
    assert air_acceleration(windy, STILL, (5.0, 0.0, 0.0)) == STILL
    pushed = air_acceleration(windy, STILL, STILL)
    assert_close(pushed, [0.5 * 1.2 * math.exp(3e-4) * 0.05 * 25.0, 0.0, 0.0], rtol=1e-14)


def test_the_check_sees_another_coefficient():
    spoiled = FLAT._replace(strength=1.01 * FLAT.strength)
    x, v = (0.0, 0.0, 3.0), (0.0, 0.0, -7.0)
    found = air_acceleration(spoiled, x, v)
    with pytest.raises(AssertionError):
        assert_close(found, [0.0, 0.0, 0.5 * 1.2 * 0.05 * 49.0], rtol=1e-6)
