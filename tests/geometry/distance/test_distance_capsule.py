"""Distance to a capsule: closed forms at side, end and seam, a search over the axis, curvature by differences."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.distance.distance_capsule import capsule_curvature, capsule_distance
from tests.close import assert_close

RADIUS, HALF = 0.7, 1.9


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6])
def test_side_is_that_of_a_cylinder_and_end_that_of_a_ball(size):
    gap, normal = capsule_distance((-1.0 * size, 3.0 * size, -4.0 * size), 2.0 * size, 1.5 * size)
    assert_close(gap, 3.0 * size, rtol=1e-15)
    assert_close(normal, (0.0, 0.6, -0.8), rtol=1e-15)
    gap, normal = capsule_distance((3.5 * size, -3.0 * size, 6.0 * size), 5.0 * size, 1.5 * size)
    assert_close(gap, 2.0 * size, rtol=1e-15)
    assert_close(normal, (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0), rtol=1e-15)


def test_gap_is_the_least_over_balls_along_the_axis():
    points = np.random.default_rng(4).uniform(-4.0, 4.0, (200, 3))
    along = np.linspace(-HALF, HALF, 20001)
    centres = np.column_stack([along, np.zeros_like(along), np.zeros_like(along)])
    for x in points:
        searched = np.linalg.norm(x - centres, axis=1).min() - RADIUS
        assert_close(capsule_distance(tuple(x), RADIUS, HALF)[0], searched, rtol=1e-7, scale=1.0)


def test_on_the_axis_it_has_the_full_depth_and_a_stated_normal():
    assert capsule_distance((1.0, 0.0, -0.0), RADIUS, HALF) == (-RADIUS, (0.0, 0.0, 1.0))


@pytest.mark.parametrize("x", [(0.3, 0.5, -0.8), (2.4, 0.3, 0.5), (-2.2, -0.6, 0.1)])
def test_normal_and_curvature_are_derivatives(x):
    def normal_at(place):
        return np.array(capsule_distance(tuple(place), RADIUS, HALF)[1])

    h, axes = 1e-5, np.eye(3)
    slope = [
        (capsule_distance(tuple(x + h * e), RADIUS, HALF)[0] - capsule_distance(tuple(x - h * e), RADIUS, HALF)[0]) / (2 * h)
        for e in axes
    ]  # fmt: skip
    assert_close(np.array(slope), normal_at(x), rtol=1e-9, scale=1.0)
    bent = np.array([(normal_at(x + h * e) - normal_at(x - h * e)) / (2 * h) for e in axes])
    found = capsule_curvature(x, HALF)
    assert_close(np.array(found), bent[np.triu_indices(3)], rtol=1e-8, scale=1.0)


def test_without_length_it_is_a_ball():
    gap, normal = capsule_distance((2.0, -3.0, 6.0), 5.0, 0.0)
    assert_close(gap, 2.0, rtol=1e-15)
    assert_close(normal, (2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0), rtol=1e-15)
