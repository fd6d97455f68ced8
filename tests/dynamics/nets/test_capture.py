"""Winding of a bag about a point, its mouth, and the verdict."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.nets.capture import (
    is_captured,
    mouth_area,
    net_triangles,
    solid_angles,
    winding_number,
)
from tests.close import assert_close

RINGS, AROUND = 12, 24


def disc():
    """Knots of a flat net in the y-z plane with x along the shot: a centre and rings about it."""
    rows = [[0.0, 0.0, 0.0]]
    for ring in range(1, RINGS + 1):
        for k in range(AROUND):
            angle = 2.0 * math.pi * k / AROUND
            rows.append([0.0, ring * math.cos(angle), ring * math.sin(angle)])
    mouth = 1 + (RINGS - 1) * AROUND + np.arange(AROUND)
    return np.array(rows), mouth


def bag(opening, radius=1.0):
    """The flat net drawn over a ball that comes from +x; the mouth leaves a cap of `opening` [rad]."""
    knots, mouth = disc()
    away = np.linalg.norm(knots[:, 1:], axis=1)
    polar = (math.pi - opening) * away / RINGS
    turn = np.arctan2(knots[:, 2], knots[:, 1])
    sphere = radius * np.stack(
        [np.cos(polar), np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn)], axis=1
    )
    return sphere, net_triangles(knots), mouth


BAG = bag(0.4)
SMALL = (0.6, 0.5, 0.4)  # sides of a target [m]


def test_a_flat_net_is_cut_into_triangles_that_face_the_shot():
    knots, _ = disc()
    triangles = net_triangles(knots)
    a, b, c = (knots[triangles[:, k]] for k in range(3))
    normals = 0.5 * np.cross(b - a, c - a)
    assert np.all(normals[:, 0] > 0.0)
    area = 0.5 * RINGS**2 * AROUND * math.sin(2.0 * math.pi / AROUND)
    assert_close(normals[:, 0].sum(), area, rtol=1e-12)


def test_a_face_of_a_cube_seen_from_its_middle_is_a_sixth_of_all_around():
    square = np.array([[1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0]])
    corners = np.stack([square[[0, 1, 2]], square[[0, 2, 3]]])
    assert_close(solid_angles(corners, (0.0, 0.0, 0.0)).sum(), 4.0 * math.pi / 6.0, rtol=1e-14)
    assert_close(solid_angles(corners, (2.0, 0.0, 0.0)).sum(), -4.0 * math.pi / 6.0, rtol=1e-14)


@pytest.mark.parametrize("opening", [0.1, 0.5, 1.2])
def test_a_bag_winds_once_about_what_is_inside_and_not_about_what_is_outside(opening):
    sphere, triangles, mouth = bag(opening)
    for inside in ((0.0, 0.0, 0.0), (0.3, -0.2, 0.1), (0.8, 0.0, 0.0)):
        assert_close(abs(winding_number(sphere, triangles, mouth, inside)), 1.0, rtol=1e-12)
    for outside in ((2.0, 0.0, 0.0), (0.0, 1.2, 0.0), (-1.01, 0.0, 0.0), (40.0, 3.0, 1.0)):
        assert abs(winding_number(sphere, triangles, mouth, outside)) < 1e-12


moves = st.tuples(*[st.floats(-0.2, 0.2)] * 3)


@given(st.integers(0, 2**31), st.floats(0.0, 0.25))
def test_a_crumpled_bag_still_winds_once(seed, rough):
    sphere, triangles, mouth = BAG
    crumpled = sphere * (1.0 + rough * np.random.default_rng(seed).uniform(-1, 1, (len(sphere), 1)))
    assert_close(abs(winding_number(crumpled, triangles, mouth, (0, 0, 0))), 1.0, rtol=1e-10)
    assert abs(winding_number(crumpled, triangles, mouth, (0.0, 2.0, 0.0))) < 1e-10


@given(st.floats(0.1, 10.0), st.floats(0.0, 6.0), st.floats(0.0, 6.0), moves)
def test_mouth_of_a_square_has_its_area_however_it_lies(side, first, second, move):
    square = 0.5 * side * np.array([[0, 1, 1], [0, -1, 1], [0, -1, -1], [0, 1, -1.0]])
    c, s = math.cos(first), math.sin(first)
    d, t = math.cos(second), math.sin(second)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.array(
        [[1, 0, 0], [0, d, -t], [0, t, d]]
    )
    knots = square @ turn.T + np.array(move)
    assert_close(mouth_area(knots, np.arange(4)), side * side, rtol=1e-11)


def test_a_mouth_drawn_to_a_line_has_no_area():
    knots = np.array([[0.0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 1, 0]])
    assert mouth_area(knots, np.arange(4)) < 1e-15


def test_a_target_in_a_closed_bag_is_captured():
    sphere, triangles, mouth = bag(0.2)
    assert mouth_area(sphere, mouth) < SMALL[1] * SMALL[2]
    assert is_captured(sphere, triangles, mouth, (0.1, 0.0, 0.0), SMALL)


def test_a_target_in_a_bag_with_an_open_mouth_is_not():
    sphere, triangles, mouth = bag(0.5)
    assert mouth_area(sphere, mouth) > SMALL[1] * SMALL[2]
    assert not is_captured(sphere, triangles, mouth, (0.1, 0.0, 0.0), SMALL)
    assert is_captured(sphere, triangles, mouth, (0.1, 0.0, 0.0), (2.0, 1.0, 1.0))


def test_a_target_beside_a_closed_bag_is_not_captured():
    sphere, triangles, mouth = bag(0.2)
    assert not is_captured(sphere, triangles, mouth, (0.0, 1.5, 0.0), SMALL)
    assert not is_captured(sphere, triangles, mouth, (-1.3, 0.0, 0.0), SMALL)


def test_a_flat_net_in_front_of_a_target_captures_nothing():
    knots, mouth = disc()
    assert not is_captured(0.05 * knots, net_triangles(knots), mouth, (0.3, 0.0, 0.0), SMALL)


def test_mouth_counts_against_the_two_smallest_sides_in_any_order():
    sphere, triangles, mouth = bag(0.3)
    area = mouth_area(sphere, mouth)
    for grow, expected in ((1.01, True), (0.99, False)):
        side = math.sqrt(grow * area)
        for sides in ((side, side, 5.0), (5.0, side, side), (side, 5.0, side)):
            assert is_captured(sphere, triangles, mouth, (0.0, 0.0, 0.0), sides) is expected
