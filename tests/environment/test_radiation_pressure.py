"""Light on faces: from the Sun and from the Earth below."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.environment.radiation_pressure import (
    EARTH_LIGHT_TOP,
    EMITTED,
    REFLECTED,
    SOLAR_PRESSURE,
    earth_power,
    face_pressure,
    light_on_face,
)
from tests.close import assert_close
from tests.environment.face_bodies import box_faces

RADIUS = 6378137.0
parts = st.floats(-1.0, 1.0)


def test_pressure_of_sunlight_near_the_earth():
    assert_close(SOLAR_PRESSURE, 4.53e-6, rtol=1e-3)


@given(st.tuples(parts, parts, parts))
def test_light_pushes_a_box_along_its_way_by_its_shadow(along):
    size = math.hypot(*along)
    if size < 0.1:
        return
    s = np.array(along) / size
    force, _ = face_pressure(SOLAR_PRESSURE, tuple(s), *box_faces(10.0, 6.0, 5.0, 1.3))
    seen = abs(s[0]) * 30.0 + abs(s[1]) * 50.0 + abs(s[2]) * 60.0
    assert_close(force, SOLAR_PRESSURE * 1.3 * seen * s, rtol=1e-12, scale=SOLAR_PRESSURE * 100.0)


def test_faces_turned_away_stay_dark():
    assert light_on_face(1.0, 2.0, 1.5, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert light_on_face(1.0, 2.0, 1.5, (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == (3.0, 0.0, 0.0)


def test_a_face_off_the_centre_turns_the_body():
    normals, centres = np.array([[-1.0, 0.0, 0.0]]), np.array([[0.0, 2.0, 0.0]])
    force, torque = face_pressure(1.0, (1.0, 0.0, 0.0), normals, centres, np.ones(1), np.ones(1))
    assert force == (1.0, 0.0, 0.0)
    assert_close(torque, (0.0, 0.0, -2.0), rtol=1e-15)


def test_power_of_the_earth_falls_with_the_square_of_the_distance_and_ends():
    found = earth_power([0.0, RADIUS, EARTH_LIGHT_TOP + 1.0], RADIUS)
    total = EMITTED + REFLECTED
    assert_close(found, [total, total / 4.0, 0.0], rtol=1e-13)


def test_net_flux_of_a_shining_ball_is_its_power_over_the_sphere():
    """Sum over the lit cap of M cos cos / (pi d^2), seen from one radius above the ground."""
    r, n = 2.0, 400
    mu = np.cos((np.arange(n) + 0.5) * math.pi / n)
    weights = 2.0 * math.pi * np.sin((np.arange(n) + 0.5) * math.pi / n) * math.pi / n
    d2 = r * r + 1.0 - 2.0 * r * mu
    leaving, arriving = (r * mu - 1.0) / np.sqrt(d2), (r - mu) / np.sqrt(d2)
    flux = np.sum(np.where(leaving > 0.0, leaving * arriving / (math.pi * d2), 0.0) * weights)
    assert_close(flux, 1.0 / r**2, rtol=1e-4)
    assert_close(earth_power(RADIUS, RADIUS), (EMITTED + REFLECTED) / 4.0, rtol=1e-13)


def test_check_has_teeth():
    force, _ = face_pressure(SOLAR_PRESSURE, (1.0, 0.0, 0.0), *box_faces(10.0, 6.0, 5.0, 1.01))
    with pytest.raises(AssertionError):
        assert_close(force, (SOLAR_PRESSURE * 30.0, 0.0, 0.0), rtol=1e-12)
