"""Distance to a sphere: closed form, centre, size."""

from __future__ import annotations

import pytest

from haptos.geometry.distance.distance_sphere import sphere_distance
from tests.close import assert_close


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
def test_gap_and_normal_match_the_closed_form(size):
    gap, normal = sphere_distance((2.0 * size, -3.0 * size, 6.0 * size), 5.0 * size)
    assert_close(gap, 2.0 * size, rtol=1e-15)
    assert_close(normal, (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0), rtol=1e-15)


def test_gap_is_negative_inside():
    assert_close(sphere_distance((0.0, 0.0, 3.0), 5.0)[0], -2.0, rtol=1e-15)


def test_centre_has_the_full_depth_and_a_stated_normal():
    assert sphere_distance((0.0, -0.0, 0.0), 5.0) == (-5.0, (0.0, 0.0, 1.0))


def test_check_has_teeth():
    gap, _ = sphere_distance((2.0, -3.0, 6.0), 5.0 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(gap, 2.0, rtol=1e-15)
