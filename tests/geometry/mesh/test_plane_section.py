"""Sections of closed meshes with the plane z = 0."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.mesh.plane_section import section
from tests.close import assert_close
from tests.geometry.closed_meshes import ball


def test_a_section_of_a_ball_is_a_circle():
    points = section(*ball(4, 10.0))
    assert_close(np.hypot(*points.T), np.full(len(points), 10.0), rtol=3e-3)
    assert np.array_equal(points[0], points[-1])


def test_points_of_a_section_lie_where_edges_cross_the_plane():
    vertices, faces = ball(2, 1.0)
    lower = vertices + np.array([0.0, 0.0, 0.3])
    radius = np.hypot(*section(lower, faces).T)
    assert_close(radius.max(), np.sqrt(1.0 - 0.3**2), rtol=0.05)
    with pytest.raises(AssertionError):  # of the ball in its middle
        assert_close(np.hypot(*section(vertices, faces).T).max(), np.sqrt(1.0 - 0.3**2), rtol=0.04)
