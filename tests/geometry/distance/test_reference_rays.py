"""Rays against bodies that are asked for distances: closed forms, and the cones of a section."""

from __future__ import annotations

import math

import numpy as np

from haptos.geometry.distance.nozzle_section import nozzle_section, walled
from haptos.geometry.distance.reference import half_space, meshed, revolved
from haptos.geometry.distance.reference_rays import ray_ways
from haptos.geometry.distance.revolution import ball_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.distance.section_rays import ray_hit
from tests.close import assert_close

BELL = nozzle_section(0.008, 0.022, math.radians(45), 0.003, math.radians(30), 0.12, math.radians(10), 0.3)  # fmt: skip


def test_ways_to_a_plane_and_a_ball():
    way = np.array([[math.cos(0.3), math.sin(0.3), 0.0]])
    assert_close(ray_ways(half_space((-1.0, 0.0, 0.0)), [[-0.2, 0, 0]], way, 1.0), [0.2 / math.cos(0.3)], rtol=1e-8)  # fmt: skip
    ball = revolved(section(ball_pieces(0.5)))
    start = np.array([[-1.0, 0.3, 0.0]])
    assert_close(ray_ways(ball, start, [[1.0, 0.0, 0.0]], 2.0), [1.0 - 0.4], rtol=1e-8)
    assert ray_ways(ball, start, [[-1.0, 0.0, 0.0]], 2.0)[0] == math.inf
    assert ray_ways(ball, start, [[1.0, 0.0, 0.0]], 0.5)[0] == math.inf


def test_ways_in_a_bell_are_those_of_its_cones():
    """Rays outwards from the axis: the polyline of the bell has 200 points, so its cones are within micrometres."""
    from haptos.geometry.distance.section import segment_point

    profile = section(walled(BELL, 0.005))
    inner = section(BELL, "outside")
    count = len(inner.segments)
    points = np.array([
        segment_point(inner, k, share, 0.0)[0] for k in range(count) for share in np.linspace(0, 1, 100)
    ])  # fmt: skip
    points = points[np.abs(points[:, 0]) < 0.31]
    body = revolved(profile)
    for x in (0.05, 0.1, 0.2):
        for a in (1.2, 1.6, 1.9):
            start, way = np.array([x, 0.002, 0.0]), np.array([math.cos(a), math.sin(a), 0.0])
            expected = ray_hit(points, start, way)
            assert math.isfinite(expected)
            assert_close(ray_ways(body, start, way, 1.0), [expected], rtol=1e-4)


def test_a_mesh_is_met_where_its_plane_is():
    tetrahedron = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    body = meshed(tetrahedron, faces, "tetrahedron")
    way = -np.ones((1, 3)) / math.sqrt(3.0)
    assert_close(ray_ways(body, [[1.0, 1.0, 1.0]], way, 5.0), [2.0 / math.sqrt(3.0)], rtol=1e-8)


def test_a_ray_that_passes_by_within_a_millimetre_hits_nothing():
    ball = revolved(section(ball_pieces(0.5)))
    assert ray_ways(ball, [[-1.0, 0.501, 0.0]], [[1.0, 0.0, 0.0]], 5.0)[0] == math.inf
    assert math.isfinite(ray_ways(ball, [[-1.0, 0.499, 0.0]], [[1.0, 0.0, 0.0]], 5.0)[0])
