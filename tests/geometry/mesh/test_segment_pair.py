"""Closest points of two segments against a search, and threads over the edge of a box."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.geometry.mesh.segment_pair import closest_of_lines, closest_of_segments, edge_gap
from tests.close import assert_close

points = st.tuples(*[st.floats(-2.0, 2.0).map(lambda x: round(x, 3))] * 3)


def distance(p, u, q, w, s, t):
    return float(np.linalg.norm(np.add(p, np.multiply(s, u)) - np.add(q, np.multiply(t, w))))


def searched(p, u, q, w):
    """Least distance: the inside of both, or one end of one against the other segment."""

    def to_segment(x, a, b):
        size = np.dot(b, b)
        share = np.clip(np.dot(np.subtract(x, a), b) / size, 0.0, 1.0) if size > 0.0 else 0.0
        return np.linalg.norm(np.subtract(x, a) - share * np.array(b))

    p, u, q, w = map(np.array, (p, u, q, w))
    best = min(
        to_segment(p, q, w), to_segment(p + u, q, w), to_segment(q, p, u), to_segment(q + w, p, u)
    )
    system = np.stack([u, -w], axis=1)
    if np.linalg.matrix_rank(system, tol=1e-9) == 2:
        s, t = np.linalg.lstsq(system, q - p, rcond=None)[0]
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            best = min(best, np.linalg.norm(p + s * u - q - t * w))
    return float(best)


@given(points, points, points, points)
def test_no_other_pair_of_points_is_closer(p, u, q, w):
    s, t = closest_of_segments(p, u, q, w)
    assert 0.0 <= s <= 1.0
    assert 0.0 <= t <= 1.0
    assert_close(distance(p, u, q, w, s, t), searched(p, u, q, w), rtol=1e-6, scale=1.0)


@given(points, points, points, st.floats(-3.0, 3.0).map(lambda x: round(x, 3)))
def test_parallel_segments_have_one_of_their_closest_pairs(p, u, q, factor):
    w = tuple(factor * x for x in u)
    s, t = closest_of_segments(p, u, q, w)
    assert_close(distance(p, u, q, w, s, t), searched(p, u, q, w), rtol=1e-6, scale=1.0)


@given(points, points, points)
def test_a_segment_without_length_is_a_point(p, q, w):
    none = (0.0, 0.0, 0.0)
    assert_close(
        distance(p, none, q, w, *closest_of_segments(p, none, q, w)), searched(p, none, q, w),
        rtol=1e-9, scale=1.0,
    )  # fmt: skip
    assert_close(
        distance(q, w, p, none, *closest_of_segments(q, w, p, none)), searched(q, w, p, none),
        rtol=1e-9, scale=1.0,
    )  # fmt: skip


def test_crossing_segments_of_a_square_meet_in_its_middle_one_above_the_other():
    s, t = closest_of_segments((0.0, 0.0, 1.0), (2.0, 2.0, 0.0), (2.0, 0.0, 0.0), (-2.0, 2.0, 0.0))
    assert_close((s, t), (0.5, 0.5), rtol=1e-15)
    spoiled = distance((0.0, 0.0, 1.0), (2.0, 2.0, 0.0), (2.0, 0.0, 0.0), (-2.0, 2.0, 0.0), 0.51, t)
    assert spoiled > 1.0


@given(points, points, points, points)
def test_the_way_between_closest_points_of_lines_is_across_both(p, u, q, w):
    size = np.linalg.norm(np.cross(u, w))
    if size < 1e-2:
        return
    s, t = closest_of_lines(p, u, q, w)
    way = np.add(p, np.multiply(s, u)) - np.add(q, np.multiply(t, w))
    assert abs(np.dot(way, u)) < 1e-6
    assert abs(np.dot(way, w)) < 1e-6


# The edge along y of a box that fills x < 0, z < 0: faces x = 0 and z = 0.
Q, W = (0.0, -1.0, 0.0), (0.0, 2.0, 0.0)
FACES = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
DIAGONAL = np.array([1.0, 0.0, 1.0]) / math.sqrt(2.0)


def thread(height, aside=0.0, tilt=0.0):
    """(start, way) of a thread across the edge, `height` above it along the diagonal.

    Seen along y it runs from one face to the other, turned by `tilt` from the symmetric way.
    """
    middle = height * DIAGONAL + np.array([0.0, aside, 0.0])
    along = np.array([math.sin(0.25 * math.pi + tilt), 0.3, -math.cos(0.25 * math.pi + tilt)])
    return tuple(middle - 0.5 * along), tuple(along)


@pytest.mark.parametrize("faces", [FACES, FACES[::-1]])
@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("height", [0.2, 0.01, -0.01, -0.1])
def test_gap_is_positive_outside_and_negative_once_the_thread_has_cut_in(height, sense, faces):
    p, u = thread(height)
    if sense < 0.0:
        p, u = tuple(np.add(p, u)), tuple(-np.array(u))
    gap, n, s, t, is_contact = edge_gap(p, u, Q, W, *faces)
    assert is_contact
    assert_close(gap, height, rtol=1e-12)
    assert_close(n, DIAGONAL, rtol=1e-12)
    assert_close((s, t), (0.5, 0.5), rtol=1e-12)


def test_edge_counts_whichever_way_it_runs():
    p, u = thread(-0.02)
    turned = edge_gap(p, u, (0.0, 1.0, 0.0), (0.0, -2.0, 0.0), *FACES)
    assert_close(turned[0], -0.02, rtol=1e-12)
    assert turned[4]


@pytest.mark.parametrize("tilt", [-0.7, -0.3, 0.3, 0.7])
def test_normal_turns_with_the_thread_within_the_wedge_of_the_faces(tilt):
    p, u = thread(0.05, tilt=tilt)
    gap, n, _, _, is_contact = edge_gap(p, u, Q, W, *FACES)
    assert is_contact
    assert_close(np.linalg.norm(n), 1.0, rtol=1e-14)
    assert abs(np.dot(n, u)) < 1e-14
    assert abs(n[1]) < 1e-14
    assert_close(gap, 0.05 * math.cos(tilt), rtol=1e-12)


@pytest.mark.parametrize("tilt", [-0.9, 0.9])
def test_beyond_the_wedge_the_thread_lies_on_a_face_and_the_edge_is_silent(tilt):
    """More than 45 deg from the symmetric way."""
    p, u = thread(0.05, tilt=tilt)
    assert not edge_gap(p, u, Q, W, *FACES)[4]


def test_beyond_the_ends_of_edge_or_thread_there_is_no_contact():
    p, u = thread(-0.01, aside=1.2)
    assert not edge_gap(p, u, Q, W, *FACES)[4]
    p, u = thread(-0.01)
    short = tuple(0.4 * np.array(u))
    assert not edge_gap(p, short, Q, W, *FACES)[4]


def test_a_thread_along_the_edge_is_no_crossing():
    gap, _, _, _, is_contact = edge_gap((0.1, 0.0, 0.1), (0.0, 0.5, 0.0), Q, W, *FACES)
    assert gap == math.inf
    assert not is_contact
