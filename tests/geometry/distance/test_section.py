"""Sections of lines and arcs: exact distance, wall speed, sampling by curvature, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import gaps_of, revolved
from haptos.geometry.distance.revolution import (
    ball_pieces,
    capsule_pieces,
    cone_pieces,
    cylinder_pieces,
    funnel_pieces,
    nozzle_pieces,
    torus_pieces,
)
from haptos.geometry.distance.section import segment_point
from haptos.geometry.distance.section_build import Arc, SectionLine, polyline, section, spline
from tests.close import assert_close

RNG = np.random.default_rng(5)
SHAPES = {
    "ball": section(ball_pieces(0.4)),
    "cylinder": section(cylinder_pieces(0.3, 0.8)),
    "capsule": section(capsule_pieces(0.2, 0.5)),
    "cone": section(cone_pieces(math.radians(25.0), 0.9)),
    "funnel": section(funnel_pieces(math.radians(20.0), 1.0), "outside"),
    "torus": section(torus_pieces(0.4, 0.15)),
    "nozzle": section(nozzle_pieces(), "outside"),
}


def points_near(profile, count=400):
    """Random points of the size of the section, in space."""
    size = np.abs(profile.segments[:, 1:5]).max()
    size = min(size, 1.0)
    return size * RNG.uniform(-1.0, 1.0, (count, 3))


def sampled_distance(profile, points):
    """Distance to a dense cloud of points of the section: an upper bound, close to the distance."""
    cloud = []
    for k in range(len(profile.segments)):
        cloud += [segment_point(profile, k, share, 0.0)[0] for share in np.linspace(0, 1, 4001)]
    cloud = np.array(cloud)
    flat = np.stack([points[:, 0], np.hypot(points[:, 1], points[:, 2])], axis=1)
    return np.array([np.linalg.norm(cloud - p, axis=1).min() for p in flat])


@pytest.mark.parametrize("name", SHAPES)
def test_distance_is_that_to_the_nearest_point_of_the_section(name):
    profile = SHAPES[name]
    points = points_near(profile, 60)
    gaps, normals, _ = gaps_of(revolved(profile), points)
    near = sampled_distance(profile, points)
    spacing = np.max(
        np.linalg.norm(np.diff(profile.segments[:, 1:5].reshape(-1, 2, 2), axis=1), axis=2)
    )
    arcs = np.abs(profile.segments[:, 16] * profile.segments[:, 7]).max()
    tolerance = max(spacing, arcs) / 4000
    assert np.all(np.abs(gaps) <= near + 1e-12)
    assert np.all(near - np.abs(gaps) <= tolerance)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, rtol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_normal_is_the_gradient_of_the_gap(name):
    body = revolved(SHAPES[name])
    points = points_near(SHAPES[name], 200)
    normals = gaps_of(body, points)[1]
    step = 1e-6
    slope = np.stack(
        [
            (gaps_of(body, points + step * axis)[0] - gaps_of(body, points - step * axis)[0])
            / (2 * step)
            for axis in np.eye(3)
        ],
        axis=1,
    )
    smooth = np.abs(np.linalg.norm(slope, axis=1) - 1.0) < 1e-5  # not on the medial axis
    assert smooth.mean() > 0.9
    np.testing.assert_allclose(slope[smooth], normals[smooth], atol=2e-5)


def test_signs_of_ball_cylinder_and_torus_match_their_formulas():
    points = RNG.uniform(-1.0, 1.0, (500, 3))
    rho = np.hypot(points[:, 1], points[:, 2])
    ball = np.linalg.norm(points, axis=1) - 0.4
    torus = np.hypot(rho - 0.4, points[:, 0]) - 0.15
    np.testing.assert_allclose(gaps_of(revolved(SHAPES["ball"]), points)[0], ball, atol=1e-14)
    np.testing.assert_allclose(gaps_of(revolved(SHAPES["torus"]), points)[0], torus, atol=1e-14)


def test_a_funnel_measures_along_its_normal():
    angle = math.radians(20.0)
    gap = gaps_of(revolved(SHAPES["funnel"]), [[0.5, 0.05, 0.0]])[0][0]
    assert_close(gap, math.cos(angle) * (0.5 * math.tan(angle) - 0.05), rtol=1e-14)


def test_gap_never_changes_faster_than_the_point_moves():
    for profile in SHAPES.values():
        points = points_near(profile)
        gaps = gaps_of(revolved(profile), points)[0]
        apart = np.linalg.norm(points[1:] - points[:-1], axis=1)
        assert np.all(np.abs(np.diff(gaps)) <= apart * (1 + 1e-12))


def test_wall_speed_is_the_rate_of_the_gap():
    first, second = torus_pieces(0.05, 0.004), torus_pieces(0.09, 0.006)
    moving = section(first, second=second)
    points = 0.1 * RNG.uniform(-1.0, 1.0, (100, 3))
    step = 1e-6
    before, after = (gaps_of(revolved(moving), points, 0.4 + s * step)[0] for s in (-1, 1))
    walls = gaps_of(revolved(moving), points, 0.4)[2]
    np.testing.assert_allclose(-(after - before) / (2 * step), walls, atol=1e-8)


def test_wall_speed_of_lines_and_corners():
    moving = section(cylinder_pieces(0.3, 0.8), second=cylinder_pieces(0.35, 0.7))
    points = RNG.uniform(-1.0, 1.0, (200, 3))
    before, after = (gaps_of(revolved(moving), points, 0.5 + s * 1e-6)[0] for s in (-1, 1))
    walls = gaps_of(revolved(moving), points, 0.5)[2]
    wrong = np.abs(-(after - before) / 2e-6 - walls) > 1e-6
    assert wrong.mean() < 0.01  # only where two pieces are equally near


def test_spline_is_finer_where_it_bends():
    t = np.linspace(0.0, math.pi, 9)
    points = np.stack(
        [np.concatenate([[-3.0], -np.cos(t), [3.0]]), [0.2, *(0.2 + np.sin(t)), 0.2]], axis=1
    )
    pieces = spline(points, chord_error=1e-4, shortest=1e-3, longest=0.5)
    lengths = np.array([math.dist(p.start, p.end) for p in pieces])
    assert lengths.max() <= 0.5 * 1.01
    assert lengths.min() < 0.2 * lengths.max()
    finer = spline(points, chord_error=2.5e-5, shortest=1e-3, longest=0.5)
    assert 1.5 < len(finer) / len(pieces) < 2.2


@pytest.mark.parametrize(
    ("pieces", "word"),
    [
        (lambda: polyline([[0, 0.1], [1, -0.2]]), "negative radius"),
        (lambda: polyline([[0, 0], [1, 1], [0, 1], [1, 0.2]]), "crosses itself"),
        (lambda: [SectionLine((0, 0), (1, 1)), SectionLine((2, 1), (3, 0))], "gap"),
        (lambda: polyline([[0, 0], [0, 0], [1, 1]]), "without length"),
        (lambda: [Arc((0, 1), -0.5, 0, 1)], "radius > 0"),
        (lambda: polyline([[0, 0]]), "at least two rows"),
        (lambda: ball_pieces(-1.0), "above 0"),
        (lambda: torus_pieces(0.1, 0.2), "above 0"),
        (lambda: cylinder_pieces(float("nan"), 1.0), "above 0"),
    ],
)
def test_what_is_no_section_is_refused(pieces, word):
    with pytest.raises(GeometryError, match=word):
        section(pieces())


def test_two_shapes_must_be_alike():
    with pytest.raises(GeometryError, match="different pieces"):
        section(torus_pieces(0.1, 0.02), second=ball_pieces(0.1))
