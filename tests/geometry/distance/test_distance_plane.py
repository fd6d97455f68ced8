"""Distance to a plane: a closed form, an invariance, the gradient."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.distance.distance_plane import plane_distance
from haptos.geometry.distance.surface import gap_and_normal, plane
from tests.close import assert_close

NORMAL = (2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0)


def test_gap_is_the_height_over_the_plane():
    gap, normal = plane_distance((1.0, 2.0, 5.0), NORMAL, 3.0)
    assert_close(gap, (2.0 + 6.0 + 30.0) / 7.0 - 3.0, rtol=1e-15)
    assert normal == NORMAL


def test_moving_along_the_normal_changes_the_gap_by_the_way_moved():
    surface = plane((10.0, -4.0, 2.0), (1.0, 1.0, -0.3))
    start, normal = gap_and_normal(surface, (3.0, 1.0, 7.0))
    moved, _ = gap_and_normal(surface, tuple(np.array([3.0, 1.0, 7.0]) - 12.5 * np.array(normal)))
    assert_close(start - moved, 12.5, rtol=1e-15)


def test_the_given_point_lies_on_the_plane_whatever_the_length_of_the_normal():
    gap, normal = gap_and_normal(plane((10.0, -4.0, 2.0), (0.0, 30.0, 40.0)), (10.0, -4.0, 2.0))
    assert gap == 0.0
    assert_close(normal, (0.0, 0.6, 0.8), rtol=1e-15)


def test_check_has_teeth():
    gap, _ = plane_distance((1.0, 2.0, 5.0), NORMAL, 3.0 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(gap, 38.0 / 7.0 - 3.0, rtol=1e-15)
