"""What is near a point or a box, against trying everything."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.element_edge import edge_tree, sharp_edges
from haptos.geometry.mesh.near_triangles import (
    meets,
    near_boxes,
    near_triangles,
    nearest_and_near,
)
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.triangle_tree import STACK, closest_triangle, triangle_tree
from tests.geometry.closed_meshes import ball, brute_distance, points_about

VERTICES, FACES = ball(2)
TREE = triangle_tree(VERTICES, FACES)


def found_about(x, reach, room=400):
    found = np.full(room, -1, dtype=np.int64)
    count = near_triangles(TREE, tuple(x), reach, found, np.empty((STACK, 2)))
    return count, found


@pytest.mark.parametrize("reach", [0.05, 0.3, 1.0])
def test_triangles_within_reach_are_those_a_search_of_all_finds(reach):
    for x in points_about(VERTICES, 4):
        count, found = found_about(x, reach)
        each = [brute_distance(VERTICES, FACES[k : k + 1], x[None])[0] for k in range(len(FACES))]
        near = np.flatnonzero(np.array(each) <= reach)
        assert count == len(near)
        assert sorted(TREE.face[found[:count]].tolist()) == near.tolist()


def test_nothing_is_near_a_point_far_away():
    assert found_about((5.0, 0.0, 0.0), 3.9)[0] == 0


def test_all_is_near_with_a_reach_over_the_whole_body():
    count, found = found_about((0.0, 0.0, 0.0), 2.0)
    assert count == len(FACES)
    assert sorted(found[:count].tolist()) == list(range(len(FACES)))


def test_without_room_for_all_the_answer_is_minus_one():
    count, _ = found_about((1.0, 0.0, 0.0), 0.4)
    assert count > 3
    assert found_about((1.0, 0.0, 0.0), 0.4, room=count)[0] == count
    assert found_about((1.0, 0.0, 0.0), 0.4, room=count - 1)[0] == -1


@pytest.mark.parametrize("guess", [0, 100])
@pytest.mark.parametrize("margin", [0.02, 0.15])
def test_one_walk_finds_the_nearest_and_the_near_as_two_walks_do(margin, guess):
    for x in points_about(VERTICES, 4):
        stack, near = np.empty((STACK, 2)), np.full(STACK, -1, dtype=np.int64)
        square, row, count = nearest_and_near(TREE, tuple(x), 0.01, margin, guess, near, stack)
        expected, _ = closest_triangle(TREE, tuple(x), guess, stack)
        number, found = found_about(x, 0.01 + np.sqrt(expected) + margin)
        if count < 0:  # a bad guess asks for more room than there is
            row = closest_triangle(TREE, tuple(x), guess, stack)[1]
            square, row, count = nearest_and_near(TREE, tuple(x), 0.01, margin, row, near, stack)
        assert square == expected
        assert row in near[:count]
        assert near[:count].tolist() == found[:number].tolist()


def test_one_walk_says_so_where_there_is_no_room():
    near, stack = np.full(3, -1, dtype=np.int64), np.empty((STACK, 2))
    assert nearest_and_near(TREE, (1.0, 0.0, 0.0), 0.0, 0.4, 0, near, stack)[2] == -1


EDGES, _ = sharp_edges(VERTICES, FACES)
EDGE_TREE = edge_tree(EDGES)


def boxes_met(low, high, room=1000):
    found = np.full(room, -1, dtype=np.int64)
    count = near_boxes(EDGE_TREE, tuple(low), tuple(high), found, np.empty((STACK, 2)))
    return count, found


def test_every_edge_whose_box_meets_a_box_is_found_once():
    ends = np.stack([EDGES[:, :3], EDGES[:, :3] + EDGES[:, 6:7] * EDGES[:, 3:6]])
    low, high = ends.min(axis=0), ends.max(axis=0)
    random = np.random.default_rng(3)
    for middle in points_about(VERTICES, 40):
        size = random.uniform(0.01, 0.5, 3)
        count, found = boxes_met(middle - size, middle + size)
        names = found[:count].tolist()
        meeting = np.all((low <= middle + size) & (high >= middle - size), axis=1)
        assert len(set(names)) == count
        assert set(np.flatnonzero(meeting)) <= set(names)
        assert set(names) <= set(of_leaves(middle - size, middle + size))


def of_leaves(low, high):
    """Edges of all leaves whose box meets a box."""
    for node in np.flatnonzero(EDGE_TREE.count > 0):
        if meets(EDGE_TREE.boxes, node, low, high):
            begin = EDGE_TREE.first[node]
            yield from EDGE_TREE.order[begin : begin + EDGE_TREE.count[node]].tolist()


def test_a_box_around_all_meets_all_and_one_far_away_none():
    count, found = boxes_met((-2.0,) * 3, (2.0,) * 3)
    assert sorted(found[:count].tolist()) == list(range(len(EDGES)))
    assert boxes_met((3.0,) * 3, (4.0,) * 3)[0] == 0
    assert boxes_met((-2.0,) * 3, (2.0,) * 3, room=len(EDGES) - 1)[0] == -1


def test_a_body_without_edges_has_none_nearby():
    empty = edge_tree(np.zeros((0, 15)))
    found = np.zeros(4, dtype=np.int64)
    assert near_boxes(empty, (-1.0,) * 3, (1.0,) * 3, found, np.empty((STACK, 2))) == 0


def test_boxes_that_share_a_corner_meet():
    vertices, faces = box_solid((2.0, 2.0, 2.0))
    tree = edge_tree(sharp_edges(vertices, faces)[0])
    assert meets(tree.boxes, 0, (1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    assert not meets(tree.boxes, 0, (1.01, 1.0, 1.0), (2.0, 2.0, 2.0))
    assert not meets(tree.boxes, 0, (-3.0, -3.0, -3.0), (-1.01, -1.0, -1.0))
