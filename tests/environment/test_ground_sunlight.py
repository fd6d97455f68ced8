"""Sunlight near a small body that turns: direction in its axes, strength, shadow."""

from __future__ import annotations

import math

import numpy as np

from haptos.environment.ground_sunlight import Sun, no_sun, sunlight_at

SUN = Sun(True, (1.0, 0.0, 0.0), 2e-7, 1.5e11, 100.0)
STILL = (1.0, 0.0, 0.0, 0.0)


def test_it_pushes_away_from_the_sun():
    np.testing.assert_allclose(sunlight_at(SUN, STILL, (200.0, 0.0, 0.0)), (-2e-7, 0.0, 0.0))


def test_axes_that_turned_by_a_quarter_see_the_sun_from_the_side():
    quarter = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    found = sunlight_at(SUN, quarter, (0.0, -200.0, 0.0))
    np.testing.assert_allclose(found, (0.0, 2e-7, 0.0), atol=1e-22)


def test_behind_the_body_there_is_none_and_beside_its_shadow_all():
    assert np.linalg.norm(sunlight_at(SUN, STILL, (-200.0, 50.0, 0.0))) == 0.0
    assert np.linalg.norm(sunlight_at(SUN, STILL, (-200.0, 150.0, 0.0))) == 2e-7


def test_no_sun_is_off():
    assert not no_sun().is_on
