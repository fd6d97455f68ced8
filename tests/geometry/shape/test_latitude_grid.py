"""Numbers of a body on a grid of latitudes and longitudes."""

from __future__ import annotations

import numpy as np

from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape.latitude_grid import grid_angles, nearest_points, on_grid
from tests.close import assert_close


def test_the_grid_has_both_poles_and_each_meridian_once():
    latitude, longitude = grid_angles(np.radians(2.0))
    assert (len(latitude), len(longitude)) == (91, 180)
    assert_close(latitude[[0, -1]], [-0.5 * np.pi, 0.5 * np.pi], rtol=1e-15)
    assert longitude[0] == -np.pi
    assert longitude[-1] < np.pi


def test_smooth_values_come_back_and_weights_sum_to_one():
    points, _ = icosphere(5)
    latitude, longitude = grid_angles(np.radians(10.0))
    near = nearest_points(300.0 * points, latitude, longitude)
    assert_close(near[1].sum(axis=-1), np.ones((19, 36)), rtol=1e-12)
    height = on_grid(points[:, 2], near)
    expected = np.broadcast_to(np.sin(latitude)[:, None], height.shape)
    assert_close(height, expected, rtol=0.02)


def test_the_nearest_value_is_one_of_those_given():
    points, _ = icosphere(3)
    values = np.where(points[:, 2] > 0.0, np.inf, 1.0)
    near = nearest_points(points, *grid_angles(np.radians(10.0)))
    assert set(np.unique(on_grid(values, near, smooth=False))) == {1.0, np.inf}
