"""Segments against meshes: brute force, closed forms, edges, and tangled trees."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.ray_cast import (
    CHUNK,
    first_meeting,
    is_met,
    segments_met,
    triangle_meeting,
)
from haptos.geometry.mesh.triangle_tree import STACK, triangle_tree
from tests.geometry.closed_meshes import SHAPES, points_about


def brute_force(vertices, faces, start, end):
    """Whether a segment meets a mesh: signs of the volumes of five tetrahedra per triangle."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))

    def volume(p, q, r, s):
        return np.einsum("fi,fi->f", np.cross(q - p, r - p), s - p)

    p, q = np.broadcast_to(start, a.shape), np.broadcast_to(end, a.shape)
    crosses = volume(a, b, c, p) * volume(a, b, c, q) <= 0.0
    u, v, w = volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)
    inside = ((u >= 0) & (v >= 0) & (w >= 0)) | ((u <= 0) & (v <= 0) & (w <= 0))
    return bool(np.any(crosses & inside))


@pytest.mark.parametrize("shape", SHAPES)
def test_segments_agree_with_brute_force(shape):
    vertices, faces = SHAPES[shape]()
    starts = points_about(vertices, 150)
    ends = np.roll(starts, 7, axis=0)
    found = segments_met(triangle_tree(vertices, faces), starts, ends)
    expected = [brute_force(vertices, faces, p, q) for p, q in zip(starts, ends, strict=True)]
    assert found.tolist() == expected
    assert 0 < found.sum() < len(found)


def test_a_segment_that_ends_before_the_wall_does_not_meet_it():
    tree = triangle_tree(*box_solid((2.0, 2.0, 2.0)))
    ends = [[1.001, 0.1, 0.2], [0.999, 0.1, 0.2]]
    assert segments_met(tree, [3.0, 0.1, 0.2], ends).tolist() == [False, True]


def test_rays_along_axes_edges_and_through_corners_are_not_lost():
    """Steps of zero along two axes, and the diagonal of a face, shared by its two triangles."""
    tree = triangle_tree(*box_solid((2.0, 2.0, 2.0)))
    t = np.linspace(-0.9, 0.9, 19)
    on_diagonals = np.stack([t, t, 0.0 * t], axis=1)
    for sign in (1.0, -1.0):
        feet = on_diagonals * np.array([1.0, sign, 0.0])
        up = np.array([0.0, 0.0, 3.0])
        assert segments_met(tree, feet + up, feet).all()
    assert segments_met(tree, [[2.0, 2.0, 2.0]], [[0.0, 0.0, 0.0]]).all()
    assert not segments_met(tree, [[2.0, 0.0, 0.0]], [[2.0, 0.0, 9.0]]).any()


def test_number_of_threads_changes_nothing():
    vertices, faces = SHAPES["torus"]()
    tree = triangle_tree(vertices, faces)
    starts = points_about(vertices, CHUNK + 50)
    one, two = (segments_met(tree, starts, -starts, workers=n) for n in (1, 2))
    assert np.array_equal(one, two)


def test_compiled_answer_equals_the_python_one():
    vertices, faces = SHAPES["spike"]()
    tree, stack = triangle_tree(vertices, faces), np.empty(2 * STACK, dtype=np.int64)
    starts = points_about(vertices, 30)
    found = segments_met(tree, starts, -starts)
    plain = [is_met(tree, tuple(x), tuple(-2.0 * x), stack) for x in starts]
    assert found.tolist() == plain


def test_points_that_are_none_are_refused():
    tree = triangle_tree(*box_solid((2.0, 2.0, 2.0)))
    with pytest.raises(GeometryError, match="not finite"):
        segments_met(tree, [[np.nan, 0.0, 0.0]], [[0.0, 0.0, 0.0]])


def test_check_has_teeth():
    vertices, faces = SHAPES["ball"]()
    starts = points_about(vertices, 2000)
    ends = np.roll(starts, 7, axis=0)
    right = segments_met(triangle_tree(vertices, faces), starts, ends)
    spoiled = segments_met(triangle_tree(1.01 * vertices, faces), starts, ends)
    assert np.any(right != spoiled)


def test_a_ray_first_meets_the_nearest_side_and_leaves_one_out():
    tree, stack = triangle_tree(*box_solid((1.0, 1.0, 1.0))), np.zeros(2 * STACK, dtype=np.int64)
    below, way = (0.1, 0.2, -1.5), (0.0, 0.0, 4.0)  # sides at a quarter and at half of the way
    assert first_meeting(tree, below, way, -1, stack) == 0.25
    shares = [triangle_meeting(tree.triangles, row, below, way) for row in range(12)]
    assert first_meeting(tree, below, way, int(np.argmin(shares)), stack) == 0.5
    assert first_meeting(tree, below, (0.0, 0.0, -4.0), -1, stack) == 1.0
