"""Rays against surfaces of revolution: closed forms of cone, cylinder and disc."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.geometry.distance.section_rays import ray_hit
from tests.close import assert_close

CONE = [(0.0, 0.0), (1.0, 1.0)]
TUBE = [(-1.0, 0.2), (1.0, 0.2)]


def test_from_inside_a_tube_the_way_to_its_wall():
    way = np.array([math.cos(0.5), math.sin(0.5), 0.0])
    assert_close(ray_hit(TUBE, [-0.5, 0.05, 0.0], way), 0.15 / math.sin(0.5), rtol=1e-12)


def test_along_the_axis_into_the_tip_region_of_a_cone():
    assert_close(ray_hit(CONE, [0.9, 0.3, 0.0], [-1.0, 0.0, 0.0]), 0.6, rtol=1e-12)


def test_a_disc_across_the_axis_stops_a_ray():
    cup = [(0.0, 0.0), (0.0, 0.3), (1.0, 0.3)]
    assert_close(ray_hit(cup, [0.7, 0.1, 0.1], [-1.0, 0.0, 0.0]), 0.7, rtol=1e-12)


def test_a_ray_that_leaves_has_no_hit():
    assert ray_hit(TUBE, [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]) == math.inf
    assert ray_hit(CONE, [0.5, 0.0, 0.0], [1.0, 0.0, 0.0]) == math.inf


def test_a_fine_polyline_of_a_ball_comes_to_its_radius():
    angles = np.linspace(0.0, math.pi, 400)
    ball = np.stack([-np.cos(angles), np.sin(angles)], axis=1)
    way = np.array([0.3, -0.4, math.sqrt(0.75)])
    assert_close(ray_hit(ball, [0.0, 0.0, 0.0], way), 1.0, rtol=2e-5)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(ray_hit(CONE, [0.9, 0.3 * 1.01, 0.0], [-1.0, 0.0, 0.0]), 0.6, rtol=1e-3)
