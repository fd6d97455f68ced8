"""Which edges of a body are sharp, and the tree over them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.contacts.element_edge import SHARP, edge_tree, sharp_edges
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.tessellation import subdivided
from tests.close import assert_close
from tests.geometry.closed_meshes import ball, torus

OUTLINE = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]  # an L


def angle_iron(height=0.5):
    """A prism over an L: 18 edges, of which the one along z at (1, 1) is concave."""
    n = len(OUTLINE)
    floor = np.column_stack([OUTLINE, np.zeros(n)])
    vertices = np.concatenate([floor, floor + np.array([0.0, 0.0, height])])
    cap = np.array([[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]])
    here, following = np.arange(n), (np.arange(n) + 1) % n
    walls = np.concatenate(
        [
            np.stack([here, following, following + n], 1),
            np.stack([here, following + n, here + n], 1),
        ]
    )
    return vertices, np.concatenate([cap[:, ::-1], cap + n, walls])


def test_a_box_has_its_twelve_edges_and_no_diagonals():
    vertices, faces = box_solid((1.0, 0.7, 0.4))
    edges, _ = sharp_edges(vertices, faces)
    assert edges.shape == (12, 15)
    assert_close(sorted(edges[:, 6]), [0.4] * 4 + [0.7] * 4 + [1.0] * 4, rtol=1e-14)
    assert np.all(np.sort(np.abs(edges[:, 3:6]), axis=1)[:, :2] < 1e-15)
    assert_close(
        np.einsum("ei,ei->e", edges[:, 7:10], edges[:, 10:13]) + 1.0, np.ones(12), rtol=1e-14
    )


def test_the_edges_of_a_finer_box_are_as_long_together():
    vertices, faces = subdivided(*box_solid((1.0, 0.7, 0.4)))
    edges, _ = sharp_edges(vertices, faces)
    assert len(edges) == 24
    assert_close(edges[:, 6].sum(), 4.0 * 2.1, rtol=1e-13)


def test_normals_are_out_of_the_body_across_the_edge_and_of_the_faces_beside():
    vertices, faces = box_solid((1.0, 0.7, 0.4))
    edges, beside = sharp_edges(vertices, faces)
    middle = edges[:, :3] + 0.5 * edges[:, 6:7] * edges[:, 3:6]
    for normals in (edges[:, 7:10], edges[:, 10:13]):
        assert_close(np.linalg.norm(normals, axis=1), np.ones(12), rtol=1e-14)
        assert np.all(np.einsum("ei,ei->e", normals, middle) > 0.0)
        assert np.abs(np.einsum("ei,ei->e", normals, edges[:, 3:6])).max() < 1e-14
    a, b, c = (vertices[faces[beside]][:, k] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    assert_close(edges[:, 7:10], normal, rtol=1e-14)


def test_concave_edges_are_left_out():
    edges, _ = sharp_edges(*angle_iron())
    assert len(edges) == 17
    upright = edges[np.abs(edges[:, 5]) > 0.5]
    places = {tuple(np.round(row[:2], 12)) for row in upright}
    assert places == set(OUTLINE) - {(1.0, 1.0)}


def test_inside_out_only_the_concave_edge_is_sharp():
    vertices, faces = angle_iron()
    edges, _ = sharp_edges(vertices, faces[:, ::-1])
    assert len(edges) == 1
    assert_close(edges[0, :2], (1.0, 1.0), rtol=1e-15)


def test_every_edge_of_a_coarse_ball_is_sharp_and_those_inside_a_ring_are_not():
    vertices, faces = ball(1)
    assert len(sharp_edges(vertices, faces)[0]) == 3 * len(faces) // 2
    vertices, faces = torus()
    kept = len(sharp_edges(vertices, faces)[0])
    assert 0 < kept < 3 * len(faces) // 2


@pytest.mark.parametrize(("bend", "count"), [(0.5 * SHARP, 0), (2.0 * SHARP, 1)])
def test_a_roof_has_a_ridge_if_it_bends_by_more_than_the_limit(bend, count):
    """Two roof planes that meet along y, each sloping by half the bend."""
    drop = math.tan(0.5 * bend)
    vertices = np.array(
        [[0, -1, 0], [0, 1, 0], [1, -1, -drop], [1, 1, -drop], [-1, -1, -drop], [-1, 1, -drop], [0, 0, -5]]
    )  # fmt: skip
    roof = [[0, 2, 3], [0, 3, 1], [0, 1, 5], [0, 5, 4]]
    skirt = [[2, 0, 6], [0, 4, 6], [4, 5, 6], [5, 1, 6], [1, 3, 6], [3, 2, 6]]
    edges, _ = sharp_edges(vertices, np.array(roof + skirt))
    ridge = [row for row in edges if abs(row[4]) > 0.99 and abs(row[0]) < 1e-9]
    assert len(ridge) == count


def test_every_edge_is_in_one_leaf_within_its_box():
    edges, _ = sharp_edges(*ball(2))
    tree = edge_tree(edges)
    assert sorted(tree.order.tolist()) == list(range(len(edges)))
    leaves = np.flatnonzero(tree.count > 0)
    assert tree.count[leaves].sum() == len(edges)
    for node in leaves:
        for row in tree.order[tree.first[node] : tree.first[node] + tree.count[node]]:
            start = edges[row, :3]
            ends = np.stack([start, start + edges[row, 6] * edges[row, 3:6]])
            assert np.all(ends >= tree.boxes[node, :3] - 1e-15)
            assert np.all(ends <= tree.boxes[node, 3:] + 1e-15)


def test_a_body_without_sharp_edges_has_an_empty_tree():
    assert len(edge_tree(np.zeros((0, 15))).order) == 0
