"""Slopes of a set of polygons: against differences of its wrench, closed forms of a ball on a plane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import PolygonPair, foundation_law
from haptos.contact.sets.polygons_slope import DAMPING, STIFFNESS, fill_slopes
from haptos.contact.sets.polygons_sum import FORCE
from haptos.geometry.distance.reference import half_space, revolved
from haptos.geometry.distance.revolution import funnel_pieces, torus_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import octahedron_faces, revolution_faces
from tests.close import assert_close

R, K, D, D_T = 0.05, 3e9, 2e5, 1e5
DEPTH = 0.05 * R
LAW = foundation_law(
    K,
    damping=D,
    damping_depth=1e-9,
    shear=0.4 * K,
    shear_damping=D_T,
    friction=50.0,
    stick_speed=1.0,
)
BALL = PolygonPair(half_space(), octahedron_faces(3, R, 4), LAW)
PLACE = np.array([0.02, -0.01, R - DEPTH])


def quaternion(turn):
    size = np.linalg.norm(turn)
    return np.array([math.cos(0.5 * size), *(0.5 * np.sinc(0.5 * size / math.pi) * turn)])


def wrench(pair, place, motion=(0.0,) * 6, twist=(0.0,) * 6, found=None):
    """(6,) on B about A's origin, B moved by a shift at A's origin and a turn about it."""
    shift, turn = np.array(motion[:3]), np.array(motion[3:])
    at = place + shift + np.cross(turn, place)
    v, w = np.array(twist[:3]), np.array(twist[3:])
    seen = np.array([*(v + np.cross(w, at)), *w])
    row = pair.sums([at], [quaternion(turn)], [seen], found=found)[0]
    return row[FORCE : FORCE + 6]


def slopes(pair, place):
    found, out = pair.new_set(), np.zeros((2, 6, 6))
    wrench(pair, place, found=found)
    fill_slopes(pair.law, found, out)
    return out


@pytest.fixture(scope="module")
def ball_slopes():
    return slopes(BALL, PLACE)


def test_a_ball_on_a_plane_is_as_stiff_as_its_area(ball_slopes):
    """K times the area of its patch, 2 pi R d."""
    area = 2.0 * math.pi * R * DEPTH
    assert_close(ball_slopes[STIFFNESS][2, 2], K * area, rtol=0.01)
    assert_close(ball_slopes[DAMPING][0, 0], D_T * area, rtol=0.01)
    assert_close(ball_slopes[STIFFNESS][0, 0], 0.4 * K * area, rtol=0.01)


def test_damping_is_the_slope_of_the_wrench_over_velocities(ball_slopes):
    expected = np.stack(
        [(wrench(BALL, PLACE) - wrench(BALL, PLACE, twist=1e-6 * u)) / 1e-6 for u in np.eye(6)],
        axis=1,
    )
    assert_close(ball_slopes[DAMPING], expected, rtol=1e-6, scale=np.abs(expected).max())


def test_stiffness_is_the_slope_of_the_wrench_over_shifts():
    """A ring of wire in a cone, off its axis and without friction: 3 % is what leaves and turns of normals leave."""
    half_angle, ring, wire, depth = 0.5, 0.02, 0.002, 5e-5
    cone = revolved(section(funnel_pieces(half_angle, 0.1), "outside"))
    faces = revolution_faces(section(torus_pieces(ring, wire)), 3, chord_error=2e-5)
    pair = PolygonPair(cone, faces, foundation_law(K))
    along = (ring * math.cos(half_angle) + wire - depth) / math.sin(half_angle)
    place = np.array([along, 1e-5, -2e-5])
    found = slopes(pair, place)[STIFFNESS][:3, :3]
    step = 1e-7
    expected = np.stack(
        [(wrench(pair, place, -step * u) - wrench(pair, place, step * u)) / (2 * step) for u in np.eye(6)[:3]],
        axis=1,
    )[:3]  # fmt: skip
    assert np.abs(expected).max() > 1e5
    assert_close(found, expected, rtol=0.03, scale=np.abs(expected).max())


def test_slopes_are_symmetric_and_none_where_nothing_touches(ball_slopes):
    assert np.array_equal(ball_slopes, ball_slopes.transpose(0, 2, 1))
    assert np.linalg.eigvalsh(ball_slopes[STIFFNESS]).min() > -1e-9 * ball_slopes.max()
    assert np.all(slopes(BALL, np.array([0.0, 0.0, 2.0 * R])) == 0.0)


def test_nodes_that_slip_hold_nothing_across():
    slippery = PolygonPair(BALL.reference, BALL.faces, foundation_law(K))
    found = slopes(slippery, PLACE)
    assert np.all(found[DAMPING] == 0.0)
    assert found[STIFFNESS][2, 2] > 0.0
    assert np.abs(found[STIFFNESS][0]).max() == 0.0
