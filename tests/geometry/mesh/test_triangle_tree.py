"""The closest triangle of a tree against trying every triangle."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.geometry.mesh.triangle_tree import (
    CORNER_A,
    CORNER_B,
    CORNER_C,
    FACE,
    SIDE_AB,
    SIDE_BC,
    SIDE_CA,
    STACK,
    box_square,
    closest_triangle,
    disc_square,
    triangle_foot,
    triangle_tree,
)
from tests.close import assert_close
from tests.geometry.closed_meshes import SHAPES, ball, brute_distance, points_about, size_of


@entry
def compiled(tree, x, guess, stack):
    return closest_triangle(tree, x, guess, stack)


def squares(tree, points, guess=0):
    stack = np.empty((STACK, 2))
    return np.array([compiled(tree, tuple(x), guess, stack)[0] for x in points])


@pytest.mark.parametrize("shape", SHAPES)
def test_distance_is_that_of_the_best_of_all_triangles(shape):
    vertices, faces = SHAPES[shape]()
    points = np.concatenate(
        [points_about(vertices, 150), vertices[:20], vertices[faces[:20]].mean(axis=1)]
    )
    found = np.sqrt(squares(triangle_tree(vertices, faces), points))
    expected = brute_distance(vertices, faces, points)
    assert_close(found, expected, rtol=1e-14, scale=size_of(vertices))


def test_every_triangle_is_in_exactly_one_leaf_inside_the_boxes_above_it():
    vertices, faces = ball(3)
    tree = triangle_tree(vertices, faces)
    assert sorted(tree.face.tolist()) == list(range(len(faces)))
    leaves = tree.count > 0
    assert tree.count[leaves].sum() == len(faces)
    for node in np.flatnonzero(leaves):
        for row in range(tree.first[node], tree.first[node] + tree.count[node]):
            corners = vertices[faces[tree.face[row]]]
            assert np.all(corners >= tree.boxes[node, :3])
            assert np.all(corners <= tree.boxes[node, 3:])
    for node in np.flatnonzero(~leaves):
        children = tree.boxes[tree.first[node] : tree.first[node] + 2]
        assert np.array_equal(children[:, :3].min(axis=0), tree.boxes[node, :3])
        assert np.array_equal(children[:, 3:].max(axis=0), tree.boxes[node, 3:])


def test_the_first_guess_does_not_change_the_distance():
    vertices, faces = SHAPES["torus"]()
    tree = triangle_tree(vertices, faces)
    points = points_about(vertices, 100)
    first = squares(tree, points)
    for guess in (1, 100, len(faces) - 1):
        assert_close(np.sqrt(squares(tree, points, guess)), np.sqrt(first), rtol=1e-15, scale=1.0)


@pytest.mark.parametrize(
    ("x", "square", "v", "w", "what"),
    [
        ((0.5, 0.5, 2.0), 4.0, 0.25, 0.25, FACE),
        ((-1.0, -1.0, 0.0), 2.0, 0.0, 0.0, CORNER_A),
        ((3.0, -0.5, 0.0), 1.25, 1.0, 0.0, CORNER_B),
        ((-0.5, 4.0, 0.0), 4.25, 0.0, 1.0, CORNER_C),
        ((1.0, -3.0, 0.0), 9.0, 0.5, 0.0, SIDE_AB),
        ((2.0, 2.0, 0.0), 2.0, 0.5, 0.5, SIDE_BC),
        ((-1.0, 1.0, 0.0), 1.0, 0.0, 0.5, SIDE_CA),
    ],
)
def test_each_region_of_a_triangle_has_its_foot(x, square, v, w, what):
    corners = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    tree = triangle_tree(corners, np.array([[0, 1, 2]]))
    found = triangle_foot(tree.triangles, 0, x)
    assert_close(found[:3], (square, v, w), rtol=1e-15)
    assert found[3] == what


@pytest.mark.parametrize("shape", ["spike", "plate", "ball"])
def test_bounds_of_boxes_and_discs_are_below_the_distance_and_tight_above_the_middle(shape):
    vertices, faces = SHAPES[shape]()
    tree = triangle_tree(vertices, faces)
    for x in points_about(vertices, 40).tolist():
        for row in range(0, len(faces), 7):
            square = triangle_foot(tree.triangles, row, x)[0]
            assert disc_square(tree.discs, row, x) <= square * (1.0 + 1e-14)
        nearest = min(triangle_foot(tree.triangles, row, x)[0] for row in range(len(faces)))
        assert box_square(tree.boxes, 0, x) <= nearest * (1.0 + 1e-14)
    above = tree.discs[0, :3] + 0.3 * tree.discs[0, 3:6]
    assert_close(disc_square(tree.discs, 0, tuple(above)), 0.09, rtol=1e-12)


def test_triangles_with_one_common_middle_still_make_a_tree():
    """Nothing separates them, so they are halved by count."""
    rng = np.random.default_rng(2)
    side = rng.normal(size=(3000, 2, 3))
    corners = np.stack([side[:, 0], side[:, 1], -side[:, 0] - side[:, 1]], axis=1)
    low, high = corners.min(axis=1), corners.max(axis=1)
    corners -= 0.5 * (low + high)[:, None]
    vertices, faces = corners.reshape(-1, 3), np.arange(9000).reshape(-1, 3)
    points = rng.normal(size=(30, 3))
    found = np.sqrt(squares(triangle_tree(vertices, faces), points))
    assert_close(found, brute_distance(vertices, faces, points), rtol=1e-13, scale=1.0)


def test_sizes_that_shrink_without_end_do_not_overflow_the_stack():
    """A chain of ever smaller triangles makes the most lopsided tree there is."""
    scale = 0.5 ** np.arange(150)[:, None, None]
    triangle = np.array([[1.0, 0.0, 0.0], [1.2, 0.1, 0.0], [1.0, 0.2, 0.1]])
    vertices, faces = (scale * triangle).reshape(-1, 3), np.arange(450).reshape(-1, 3)
    points = np.array([[0.0, 0.0, 0.0], [1e-20, 2e-20, 0.0], [1.0, 1.0, 1.0], [1e-3, 0.0, 0.0]])
    found = np.sqrt(squares(triangle_tree(vertices, faces), points))
    assert_close(found, brute_distance(vertices, faces, points), rtol=1e-14)


def test_no_triangles_are_refused():
    with pytest.raises(GeometryError, match="0 faces"):
        triangle_tree(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))


def test_check_has_teeth():
    vertices, faces = SHAPES["torus"]()
    points = points_about(vertices, 100)
    tree = triangle_tree(vertices, faces)
    boxes = tree.boxes.copy()
    boxes[1:, :3] += 0.2  # boxes that do not hold their triangles
    spoiled = np.sqrt(squares(tree._replace(boxes=boxes), points))
    with pytest.raises(AssertionError):
        assert_close(spoiled, brute_distance(vertices, faces, points), rtol=1e-14, scale=2.6)
