"""Effective gravity and slope: closed forms on planes and spinning spheres, and their edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.environment.effective_gravity import (
    effective_gravity,
    pressing_gravity,
    slope_angles,
)
from tests.close import assert_close

UP = np.array([[0.0, 0.0, 1.0]])


def test_spin_pushes_away_from_its_axis():
    places = np.array([[3.0, 4.0, 12.0]])
    found = effective_gravity(np.zeros((1, 3)), (0.0, 0.0, 0.1), places)
    assert_close(found, [[0.03, 0.04, 0.0]], rtol=1e-14)


def test_it_is_the_gradient_of_gravity_and_spin():
    omega, mu, step = np.array([0.01, -0.02, 0.03]), 5.0, 1e-3

    def potential(x: np.ndarray) -> float:
        return mu / float(np.linalg.norm(x)) + 0.5 * float(np.sum(np.cross(omega, x) ** 2))

    place = np.array([3.0, -2.0, 4.0])
    slope = [
        (potential(place + step * unit) - potential(place - step * unit)) / (2.0 * step)
        for unit in np.eye(3)
    ]
    gravity = -mu * place / np.linalg.norm(place) ** 3
    assert_close(effective_gravity(gravity[None], omega, place[None])[0], slope, rtol=1e-7)


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.5 * math.pi, 2.0, math.pi])
def test_slope_is_the_angle_to_what_pulls(tilt: float):
    pull = np.array([[math.sin(tilt), 0.0, -math.cos(tilt)]])
    assert_close(slope_angles(pull, UP), [tilt], rtol=1e-14, scale=1.0)
    assert_close(pressing_gravity(pull, UP), [math.cos(tilt)], rtol=1e-14, scale=1.0)


def test_ground_on_which_nothing_pulls_is_level():
    """The other sign of zero would turn it over."""
    assert slope_angles(np.zeros((1, 3)), UP).tolist() == [0.0]
    assert slope_angles(np.array([[0.0, 0.0, 0.0]]), -UP).tolist() == [0.0]


def test_a_sphere_that_spins_slopes_towards_its_equator():
    radius, mu, rate, latitude = 100.0, 2.0, 3e-4, 0.7
    normal = np.array([[math.cos(latitude), 0.0, math.sin(latitude)]])
    outward = rate**2 * radius * math.cos(latitude)
    expected = math.atan2(
        outward * math.sin(latitude), mu / radius**2 - outward * math.cos(latitude)
    )
    pull = effective_gravity(-mu / radius**2 * normal, (0.0, 0.0, rate), radius * normal)
    assert_close(slope_angles(pull, normal), [expected], rtol=1e-10)
    spoiled = effective_gravity(-mu / radius**2 * normal, (0.0, 0.0, 1.01 * rate), radius * normal)
    with pytest.raises(AssertionError):
        assert_close(slope_angles(spoiled, normal), [expected], rtol=1e-10)
