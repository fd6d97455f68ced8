"""Latitudes of release: closed form on a made-up meridian, order of shares, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.liftoff.release_latitude import arrival_speed, release_latitudes
from tests.close import assert_close

LATITUDE = np.radians(np.linspace(-90.0, 90.0, 361))
LONGITUDE = np.radians(np.array([-90.0, 0.0, 90.0]))
SHARES = [1.0, 0.5, 0.1]


def world(height: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """W = 1 - height sin^2, and a ridge at the equator that lets go at 0.1 m/s."""
    w = np.repeat((1.0 - height * np.sin(LATITUDE) ** 2)[:, None], 3, axis=1)
    speed = np.repeat((0.1 + np.abs(LATITUDE))[:, None], 3, axis=1)
    return w, speed


def test_latitudes_have_the_closed_form_of_their_meridian():
    found = release_latitudes(LATITUDE, LONGITUDE, *world(), SHARES)
    expected = np.arcsin(np.sqrt(0.5 * 0.1**2 / (0.1 * np.array(SHARES))))
    assert_close(found.north, np.repeat(expected[:, None], 3, axis=1), rtol=1e-4)
    assert_close(found.south, -np.repeat(expected[:, None], 3, axis=1), rtol=1e-4)
    assert_close(found.ridge_speed, np.full(3, 0.1), rtol=1e-12)


def test_lower_shares_need_higher_latitudes_until_no_slope_is_long_enough():
    found = release_latitudes(LATITUDE, LONGITUDE, *world(), [1.0, 0.5, 0.2, 0.049])
    assert np.all(np.diff(found.north[:3, 0]) > 0.0)
    assert np.isnan(found.north[3]).all()


def test_things_arrive_at_the_speed_they_need():
    w, speed = world()
    found = release_latitudes(LATITUDE, LONGITUDE, w, speed, SHARES)
    for z, share in enumerate(SHARES):
        start = 1.0 - 0.1 * np.sin(found.north[z, 0]) ** 2
        assert_close(arrival_speed(1.0 - start, share), 0.1, rtol=1e-3)
    assert arrival_speed(-1.0, 1.0) == 0.0


def test_a_meridian_without_lift_off_has_no_latitude():
    w, speed = world()
    speed[:, 1] = np.inf
    found = release_latitudes(LATITUDE, LONGITUDE, w, speed, SHARES)
    assert np.isnan(found.north[:, 1]).all()
    assert np.isfinite(found.north[:, 0]).all()


def test_odd_input_is_refused():
    w, speed = world()
    with pytest.raises(ConfigError, match="shares"):
        release_latitudes(LATITUDE, LONGITUDE, w, speed, [0.0])
    with pytest.raises(ConfigError, match="shapes"):
        release_latitudes(LATITUDE, LONGITUDE, w.T, speed, SHARES)
