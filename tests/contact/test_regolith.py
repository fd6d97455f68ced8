"""Restitution by the angle of impact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.regolith import critical_angle, impact_angle, regolith_restitution
from tests.close import assert_close
from tests.contact.bodies import random_direction, random_rotation, triple


@given(st.floats(1e-3, math.pi / 2), st.floats(1e-6, 1e3), st.integers(0, 2**32 - 1))
def test_angle_is_that_above_the_ground_for_any_speed_and_axes(theta, speed, seed):
    turn = random_rotation(np.random.default_rng(seed))
    nu = speed * turn @ np.array([math.cos(theta), 0.0, -math.sin(theta)])
    # asin loses half the digits near 90 deg
    assert_close(impact_angle(triple(nu), triple(turn[:, 2])), theta, rtol=1e-7)


@pytest.mark.parametrize("nu", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 2.0)])
def test_a_point_that_does_not_approach_grazes(nu):
    assert impact_angle(nu, (0.0, 0.0, 1.0)) == 0.0


def test_angle_never_leaves_its_range():
    rng = np.random.default_rng(1)
    for _ in range(200):
        n = triple(random_direction(rng))
        assert 0.0 <= impact_angle(triple(-np.array(n) * rng.uniform(0.1, 9)), n) <= math.pi / 2


def test_equal_grains_and_probe_give_the_scale_of_the_fit():
    assert_close(critical_angle(1500.0, 1500.0, 0.01, 0.01), math.radians(210.0), rtol=1e-15)
    assert_close(critical_angle(4.0, 1.0, 1.0, 8.0), math.radians(105.0), rtol=1e-14)


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
def test_sizes_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="above zero"):
        critical_angle(1500.0, wrong, 0.01, 0.1)


def test_restitution_falls_from_grazing_to_the_floor():
    e1, e0, theta_c = 0.7, 0.2, math.radians(40.0)
    angles = np.radians([0.0, 20.0, 40.0, 70.0, 90.0])
    found = [regolith_restitution(e1, e0, theta_c, theta) for theta in angles]
    assert_close(found, [0.7, 0.45, 0.2, 0.2, 0.2], rtol=1e-14)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(
            regolith_restitution(0.7, 0.2, 1.01, 0.5),
            regolith_restitution(0.7, 0.2, 1.0, 0.5), rtol=1e-6,
        )  # fmt: skip
