"""Gravity-gradient torque: against point masses, the form in principal axes, its energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.symmetric import six_of
from haptos.environment.gravity_gradient import gravity_gradient_energy, gravity_gradient_torque
from tests.close import assert_close

MU, RADIUS = 3.986e14, 6378e3
parts = st.floats(-1.0, 1.0)


def test_torque_of_200_kilometres_and_a_thousand_kilogram_square_metres():
    """Largest at 45 degrees: 3/2 mu/r^3 dI = 2.1e-3 N m."""
    r = RADIUS + 200e3
    place = (r / math.sqrt(2.0), r / math.sqrt(2.0), 0.0)
    torque = gravity_gradient_torque(place, (1000.0, 0.0, 0.0, 2000.0, 0.0, 1500.0), MU)
    assert_close(np.linalg.norm(torque), 2.1e-3, rtol=0.005)


@given(st.tuples(parts, parts, parts))
def test_principal_axes_have_the_form_of_the_thesis(direction):
    size = float(np.linalg.norm(direction))
    if size < 0.1:
        return
    i1, i2, i3 = 900.0, 1500.0, 2100.0
    place = tuple(7e6 * x / size for x in direction)
    c1, c2, c3 = (-x / 7e6 for x in place)
    k = 3.0 * MU / 7e6**3
    wanted = [k * (i3 - i2) * c2 * c3, k * (i1 - i3) * c1 * c3, k * (i2 - i1) * c1 * c2]
    found = gravity_gradient_torque(place, (i1, 0.0, 0.0, i2, 0.0, i3), MU)
    assert_close(found, wanted, rtol=1e-12, scale=k * 1200.0)


def masses_torque(place, points, masses):
    """Torque about the centre of mass of point masses, summed with gravity at each."""
    total = np.zeros(3)
    for x, m in zip(points, masses, strict=True):
        there = place + x
        total += np.cross(x, -MU * m * there / np.linalg.norm(there) ** 3)
    return total


def test_torque_is_that_of_point_masses():
    rng = np.random.default_rng(5)
    points, masses = 40.0 * rng.normal(size=(12, 3)), rng.uniform(1.0, 9.0, 12)
    points -= masses @ points / masses.sum()
    inertia = sum(
        m * (x @ x * np.eye(3) - np.outer(x, x)) for x, m in zip(points, masses, strict=True)
    )
    place = np.array([4e6, -5e6, 3e6])
    found = gravity_gradient_torque(tuple(place), six_of(inertia), MU)
    assert_close(found, masses_torque(place, points, masses), rtol=1e-4)  # next term: size/r


def test_torque_is_minus_the_slope_of_the_energy_in_angle():
    inertia = six_of(np.array([[900.0, 30.0, -20.0], [30.0, 1500.0, 10.0], [-20.0, 10.0, 2100.0]]))
    place, step = np.array([4e6, -5e6, 3e6]), 1e-4

    def energy(turn):
        """Turning the body by a small vector turns the place the other way in its axes."""
        angle = np.linalg.norm(turn)
        axis = turn / angle
        c, s = math.cos(-angle), math.sin(-angle)
        turned = c * place + s * np.cross(axis, place) + (1 - c) * (axis @ place) * axis
        return gravity_gradient_energy(tuple(turned), inertia, MU)

    slope = [(energy(step * e) - energy(-step * e)) / (2.0 * step) for e in np.eye(3)]
    assert_close(gravity_gradient_torque(tuple(place), inertia, MU), -np.array(slope), rtol=1e-6)


def test_a_ball_feels_nothing():
    torque = gravity_gradient_torque((4e6, -5e6, 3e6), (7.0, 0.0, 0.0, 7.0, 0.0, 7.0), MU)
    assert_close(torque, (0.0, 0.0, 0.0), rtol=1e-15, scale=3.0 * MU / 7e6**3 * 7.0)


def test_check_has_teeth():
    r = RADIUS + 200e3
    place = (r / math.sqrt(2.0), r / math.sqrt(2.0), 0.0)
    torque = gravity_gradient_torque(place, (1000.0, 0.0, 0.0, 2010.0, 0.0, 1500.0), MU)
    with pytest.raises(AssertionError):
        assert_close(np.linalg.norm(torque), 2.1e-3, rtol=0.005)
