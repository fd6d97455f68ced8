"""What was asked before: fewer questions along a path, and the same bits as without memory."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets import polygons_asked
from haptos.contact.sets.polygons_pair import PolygonPair, adaptive, fixed, foundation_law
from haptos.contact.sets.polygons_sum import POLYGONS, QUERIED
from haptos.core.rotations import random_quaternion
from haptos.geometry.distance.reference import box, half_space, meshed, revolved
from haptos.geometry.distance.revolution import ball_pieces, funnel_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import octahedron_faces, revolution_faces
from haptos.geometry.mesh.icosphere import icosphere

K = 3e9


def along(start, quaternion, count, stride, turn):
    """Poses of a small random walk, with a jump in its middle."""
    rng = np.random.default_rng(1)
    places = start + np.cumsum(stride * rng.normal(size=(count, 3)), axis=0)
    places[count // 2 :] += 10 * stride
    turns = quaternion + np.cumsum(turn * rng.normal(size=(count, 4)), axis=0)
    return places, turns / np.linalg.norm(turns, axis=1, keepdims=True)


@pytest.mark.parametrize("levels", [0, 3])
@pytest.mark.parametrize("refinement", [fixed(), adaptive()])
@pytest.mark.parametrize("name", ["plane", "box", "funnel", "mesh"])
def test_sums_along_a_path_have_the_bits_of_sets_without_memory(name, refinement, levels):
    points, faces = icosphere(1)
    bodies = {
        "plane": (half_space(), (0.0, 0.0, 0.0285)),
        "box": (box([0.1, 0.06, 0.02]), (0.0, 0.0, 0.0385)),
        "funnel": (revolved(section(funnel_pieces(0.4, 0.2), "outside")), (0.074, 0.0, 0.0)),
        "mesh": (meshed(0.05 * points, faces), (0.0, 0.0, 0.0775)),
    }
    body, start = bodies[name]
    sampled = octahedron_faces(3 if levels == 0 else 1, 0.03, levels)
    law = foundation_law(K, shear=1e9, friction=0.3)
    pair = PolygonPair(body, sampled, law, refinement)
    places, turns = along(
        np.array(start), random_quaternion(np.random.default_rng(2)), 60, 1e-4, 1e-3
    )
    warm = pair.sums(places, turns)
    cold = np.vstack([pair.sums(p, q) for p, q in zip(places, turns, strict=True)])
    if name == "mesh":  # the foot of a node on an edge may come from either of its triangles
        np.testing.assert_allclose(warm[:, :QUERIED], cold[:, :QUERIED], rtol=1e-11, atol=1e-11)
    else:
        assert np.array_equal(warm[:, :QUERIED], cold[:, :QUERIED])
    assert np.count_nonzero(warm[:, POLYGONS]) > 40
    assert warm[1:, QUERIED].sum() < cold[1:, QUERIED].sum()


def test_far_faces_are_not_asked_again():
    wall = revolved(section(funnel_pieces(math.radians(20.0), 0.2), "outside"))
    pair = PolygonPair(
        wall, revolution_faces(section(ball_pieces(0.03)), 0, chord_error=1e-4), foundation_law(K)
    )
    x = 0.03 / math.sin(math.radians(20.0))
    path = np.column_stack([np.linspace(x - 9e-4, x - 9.1e-4, 20), np.zeros((20, 2))])
    queries = pair.sums(path)[:, QUERIED]
    assert queries[1:].max() < 0.4 * queries[0]


def test_a_body_that_comes_back_from_afar_is_seen():
    pair = PolygonPair(half_space(), octahedron_faces(2, 0.03, 2), foundation_law(K))
    heights = np.concatenate(
        [np.linspace(0.029, 0.5, 30), np.linspace(0.5, 0.029, 7), [90.0, 0.029]]
    )
    rows = pair.sums(np.column_stack([np.zeros((len(heights), 2)), heights]))
    assert np.array_equal(rows[:, POLYGONS] > 0, heights < 0.03)
    assert np.array_equal(rows[0, :QUERIED], rows[-1, :QUERIED])


def test_a_bound_that_is_too_tight_would_be_seen():
    """Ways taken 1 % too short let touching faces go: the comparison above has teeth."""
    pair = PolygonPair(half_space(), octahedron_faces(2, 0.03, 0), foundation_law(K))
    found = pair.new_set()
    asked = found.asked
    pose = ((0.0, 0.0, 0.04), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))
    polygons_asked.move_on(pair.faces, pose, (0.0, 0.0), asked)
    lowest = int(np.argmin(pair.faces.place[:, 2]))
    asked.vertex_gap[lowest], asked.vertex_way[lowest] = 0.01, asked.way[0]
    down = ((0.0, 0.0, 0.03 - 5e-5), pose[1])
    polygons_asked.move_on(pair.faces, down, (0.0, 0.0), asked)
    assert polygons_asked.vertex_bound(pair.faces, asked, lowest) < 0.0
    asked.way[0] *= 0.99
    assert polygons_asked.vertex_bound(pair.faces, asked, lowest) > 0.0
