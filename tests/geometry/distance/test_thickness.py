"""Thickness below points of a surface: box, ball, nothing below a half-space."""

from __future__ import annotations

import math

import numpy as np

from haptos.geometry.distance.reference import box, half_space, revolved
from haptos.geometry.distance.revolution import ball_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.distance.thickness import thickness_below, thin_part
from haptos.geometry.mesh.icosphere import icosphere
from tests.close import assert_close

UP = np.array([[0.0, 0.0, 1.0]])


def test_a_box_is_as_thick_as_its_edge_and_a_slanted_ray_is_longer():
    body, top = box([1.0, 2.0, 0.1]), np.array([[0.1, 0.2, 0.05]])
    assert_close(thickness_below(body, top, UP, 4.0), [0.1], rtol=1e-4)
    slanted = np.array([[0.0, math.sin(0.5), math.cos(0.5)]])
    assert_close(thickness_below(body, top, slanted, 4.0), [0.1 / math.cos(0.5)], rtol=1e-3)


def test_a_half_space_has_no_end_and_a_ball_has_its_diameter():
    assert thickness_below(half_space(), np.zeros((1, 3)), UP, 4.0)[0] == math.inf
    points, faces = icosphere(1)
    ball = revolved(section(ball_pieces(0.3)))
    assert_close(thin_part(ball, 0.3 * points[faces], 4.0), 0.6, rtol=1e-3)
