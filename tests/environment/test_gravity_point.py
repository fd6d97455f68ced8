"""Point gravity: inverse square, gradient, and the small core that keeps it finite."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.environment.gravity_point import CORE_RADIUS, point_gravity
from tests.close import assert_close

MU = 3.986004418e14  # [m^3/s^2], Earth


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e9])
def test_potential_and_acceleration_match_the_closed_form(size):
    x = np.array([2.0, -3.0, 6.0]) * size
    potential, acceleration = point_gravity(tuple(x), MU)
    assert_close(potential, MU / (7.0 * size), rtol=1e-15)
    assert_close(acceleration, -MU * x / (7.0 * size) ** 3, rtol=1e-15)


def test_acceleration_is_the_gradient_of_the_potential():
    x, step = np.array([3.0, 1.0, -2.0]), 1e-3
    shift = step * np.eye(3)
    near, far = (
        [
            point_gravity(tuple(x + k * s), 5.0)[0] - point_gravity(tuple(x - k * s), 5.0)[0]
            for s in shift
        ]
        for k in (1.0, 2.0)
    )
    slope = (8.0 * np.array(near) - np.array(far)) / (12.0 * step)
    assert_close(slope, np.array(point_gravity(tuple(x), 5.0)[1]), rtol=1e-11)


def test_core_is_continuous_and_finite():
    inner, outer = (0.0, 0.0, CORE_RADIUS * (1.0 - 1e-13)), (0.0, 0.0, CORE_RADIUS * (1.0 + 1e-13))
    for inside, outside in zip(point_gravity(inner, 2.0), point_gravity(outer, 2.0), strict=True):
        assert_close(inside, outside, rtol=1e-12)
    potential, acceleration = point_gravity((0.0, 0.0, 0.0), 2.0)
    assert_close(potential, 1.5 * 2.0 / CORE_RADIUS, rtol=1e-15)
    assert max(abs(part) for part in acceleration) == 0.0


def test_check_has_teeth():
    potential, _ = point_gravity((2.0, -3.0, 6.0), MU * 1.01)
    with pytest.raises(AssertionError):
        assert_close(potential, MU / 7.0, rtol=1e-15)
