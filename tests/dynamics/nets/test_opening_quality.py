"""Quality of a deployment: the index, the distance, the band, the predictions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.dynamics.nets.opening_quality import (
    centre_of_mass,
    deployment,
    predicted_distance,
    predicted_speed,
    predicted_wrap_time,
    quality_index,
)
from haptos.geometry.nets.net_mesh import net_mesh
from tests.close import assert_close

NET = net_mesh("planar-a", 2.0, 2.0, 5, 5).knots
ZERO = np.zeros(3)


def test_a_deployed_net_has_100_and_a_point_has_none():
    moved = NET + np.array([3.0, -1.0, 2.0])
    assert_close(quality_index(moved, moved.mean(axis=0), NET, ZERO), 100.0, rtol=1e-14)
    assert_close(quality_index(0.0 * NET, ZERO, NET, ZERO), 0.0, rtol=1e-14, scale=100.0)
    assert quality_index(-NET, ZERO, NET, ZERO) < 0.0


@given(st.floats(0.0, 1.0))
def test_a_net_open_to_a_share_has_that_share_of_quality(share):
    assert_close(
        quality_index(share * NET, ZERO, NET, ZERO), 100.0 * share, rtol=1e-13, scale=100.0
    )


def test_a_turned_net_is_not_well_deployed():
    turned = NET[:, [1, 0, 2]]  # standing upright across the shooting direction
    assert quality_index(turned, ZERO, NET, ZERO) < 30.0


def test_curve_over_time_is_that_of_its_instants():
    several = np.stack([0.1 * NET, 0.5 * NET, NET])
    found = quality_index(several, np.zeros((3, 3)), NET, ZERO)
    assert_close(found, [10.0, 50.0, 100.0], rtol=1e-13)


def test_other_knots_are_refused():
    with pytest.raises(ConfigError, match="the same knots"):
        quality_index(NET[:-1], ZERO, NET, ZERO)


def test_centre_follows_masses_that_change():
    positions = np.array([[[0.0, 0, 0], [2.0, 0, 0]], [[0.0, 0, 0], [2.0, 0, 0]]])
    found = centre_of_mass(positions, [[1.0, 1.0], [1.0, 3.0]])
    assert_close(found, [[1.0, 0, 0], [1.5, 0, 0]], rtol=1e-15)
    assert_close(centre_of_mass(positions, [1.0, 3.0])[1], [1.5, 0, 0], rtol=1e-15)


def test_capture_distance_and_band_of_a_parabola():
    travel = np.linspace(0.0, 5.0, 38)
    quality = 90.0 - 20.0 * (travel - 2.45) ** 2
    found = deployment(travel, quality)
    assert_close(found.capture_distance, 2.45, rtol=1e-12)
    assert_close(found.best_quality, 90.0, rtol=1e-12)
    assert_close(found.band, (1.45, 3.45), rtol=5e-3)  # linear between samples 0.14 m apart
    assert_close(found.tolerance, 2.0 / 2.45, rtol=1e-2)
    assert found.is_band_complete


def test_band_is_that_around_the_best():
    travel = np.arange(7.0)
    found = deployment(travel, [75.0, 60.0, 80.0, 90.0, 80.0, 60.0, 75.0])
    assert_close(found.band, (1.5, 4.5), rtol=1e-14)


def test_curves_without_a_band_or_with_half_of_one_say_so():
    low = deployment([0.0, 1.0, 2.0], [10.0, 20.0, 10.0])
    assert all(math.isnan(end) for end in low.band)
    assert not low.is_band_complete
    rising = deployment([0.0, 1.0, 2.0], [10.0, 75.0, 95.0])
    assert rising.band[1] == rising.capture_distance == 2.0
    assert not rising.is_band_complete
    flat = deployment([0.0, 1.0, 2.0], [80.0, 80.0, 80.0])
    assert flat.best_quality == 80.0


@pytest.mark.parametrize("travel", [[0.0, 1.0, 1.0], [0.0, 1.0], [0.0]])
def test_curves_that_are_none_are_refused(travel):
    with pytest.raises(ConfigError, match="deployment"):
        deployment(travel, [1.0, 2.0, 3.0])


def test_reference_net_is_predicted_at_its_distance_and_speed():
    """2 m net, 30 degrees, 1 m/s, bullet ratio 0.5: 2.45 m and 0.433 m/s."""
    assert_close(predicted_distance(2.0, math.radians(30.0)), 2.449, rtol=1e-3)
    assert_close(predicted_speed(0.5, 1.0, math.radians(30.0)), 0.4330, rtol=1e-4)


@pytest.mark.parametrize(
    ("size", "degrees", "metres"), [(0.9, 18, 1.96), (0.9, 33, 0.98), (0.6, 24, 0.95)]
)
def test_distances_at_the_published_limits(size, degrees, metres):
    assert_close(predicted_distance(size, math.radians(degrees)), metres, rtol=5e-3)


def test_wrapping_is_a_quarter_turn_about_the_edge_of_the_target():
    assert_close(predicted_wrap_time(2.0, 0.5, 0.5), math.pi * 0.75, rtol=1e-14)
    assert predicted_wrap_time(1.0, 1.5, 0.5) == 0.0
    with pytest.raises(ConfigError):
        predicted_wrap_time(2.0, 0.5, 0.0)


@pytest.mark.parametrize("degrees", [0.0, 90.0, -5.0, math.nan])
def test_angles_without_a_distance_are_refused(degrees):
    with pytest.raises(ConfigError, match="above 0"):
        predicted_distance(2.0, math.radians(degrees))


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(quality_index(0.99 * NET, ZERO, NET, ZERO), 100.0, rtol=1e-3)
