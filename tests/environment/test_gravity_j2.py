"""J2: gradient of its potential, the orbit-angle form of the thesis, the turning of a node."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.environment.gravity_j2 import EARTH_J2, j2_difference, j2_gravity
from haptos.environment.orbit_frames import (
    EARTH_MU,
    EARTH_RADIUS,
    KeplerElements,
    lvlh_axes,
    state_from_elements,
)
from tests.close import assert_close

MU, RADIUS, J2 = 3.986e14, 6378e3, 1.08271e-3  # numbers of the thesis
R = 6878e3


def by_angles(i, u, r):
    """Eq. (2.8) of the thesis per unit mass: V, H and R components [m/s^2]."""
    si, ci, su, cu = math.sin(i), math.cos(i), math.sin(u), math.cos(u)
    k = -3.0 * J2 * MU * RADIUS**2 / r**4
    return k * np.array([si * si * su * cu, -si * ci * su, 1.5 * si * si * su * su - 0.5])


@given(st.floats(0.0, 3.1), st.floats(-3.1, 3.1), st.floats(-3.1, 3.1))
def test_cartesian_form_is_the_one_with_orbit_angles(i, u, node):
    place, velocity = state_from_elements(KeplerElements(R, 0.0, i, node, 0.0, u), MU)
    dcm_LN = np.array(lvlh_axes(tuple(place), tuple(velocity)))
    found = dcm_LN @ np.array(j2_gravity(tuple(place), MU, RADIUS, J2)[1])
    assert_close(found, by_angles(i, u, R), rtol=1e-12, scale=0.0235)


def test_its_scale_at_500_kilometres():
    assert_close(3.0 * J2 * MU * RADIUS**2 / R**4, 0.02353, rtol=2e-4)


def test_acceleration_is_the_gradient_of_the_potential():
    x, step = np.array([5e6, -3e6, 4e6]), 100.0
    slope = [
        (
            j2_gravity(tuple(x + step * e), MU, RADIUS, J2)[0]
            - j2_gravity(tuple(x - step * e), MU, RADIUS, J2)[0]
        )
        / (2.0 * step)
        for e in np.eye(3)
    ]
    assert_close(slope, j2_gravity(tuple(x), MU, RADIUS, J2)[1], rtol=1e-7)


def test_equatorial_and_polar_places_need_no_angle():
    _, equator = j2_gravity((R, 0.0, 0.0), MU, RADIUS, J2)
    _, pole = j2_gravity((0.0, 0.0, R), MU, RADIUS, J2)
    assert_close(equator, (-0.5 * 0.02353, 0.0, 0.0), rtol=2e-4)
    assert_close(pole, (0.0, 0.0, 0.02353), rtol=2e-4)


def test_the_node_of_a_sun_synchronous_orbit_turns_once_a_year():
    """Mean torque about the node axis, over h sin i: 0.9856 deg a day at 98.6 deg and 800 km."""
    a, i = EARTH_RADIUS + 800e3, math.radians(98.603)
    rate = 0.0
    anomalies = np.linspace(0.0, 2.0 * math.pi, 64, endpoint=False)
    for u in anomalies:
        place, velocity = state_from_elements(KeplerElements(a, 0.0, i, 0.0, 0.0, u))
        pole = np.cross(place, velocity)
        h = np.linalg.norm(pole)
        push = np.array(j2_gravity(tuple(place), EARTH_MU, EARTH_RADIUS, EARTH_J2)[1]) @ pole / h
        rate += a * math.sin(u) * push / (h * math.sin(i)) / anomalies.size
    assert_close(math.degrees(rate) * 86400.0, 0.9856, rtol=1e-3)


def test_difference_across_a_few_metres_is_the_gradient():
    origin, r = (5e6, -3e6, 4e6), np.array([3.0, -2.0, 5.0])
    found = j2_difference(tuple(r), origin, MU, RADIUS, J2)
    far = np.array(j2_difference(tuple(100.0 * r), origin, MU, RADIUS, J2)) / 100.0
    assert_close(found, far, rtol=1e-3)


def test_check_has_teeth():
    _, spoiled = j2_gravity((0.0, 0.0, R), MU, RADIUS, 1.01 * J2)
    with pytest.raises(AssertionError):
        assert_close(spoiled, (0.0, 0.0, 0.02353), rtol=2e-4)
