"""Normals at vertices: angles of corners, closed forms, and what empty facets do."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.tessellation import face_normals
from haptos.geometry.mesh.vertex_normals import corner_angles, vertex_normals
from tests.close import assert_close
from tests.geometry.closed_meshes import SHAPES, ball


def test_corner_angles_of_a_face_add_up_to_half_a_turn():
    vertices, faces = SHAPES["spike"]()
    angles = corner_angles(vertices, faces)
    assert_close(angles.sum(axis=1), np.full(len(faces), np.pi), rtol=1e-14)
    assert_close(corner_angles(*box_solid((1.0, 1.0, 1.0))).min(), np.pi / 4.0, rtol=1e-14)


def test_corners_of_a_cube_point_along_its_diagonals_however_its_sides_are_cut():
    """Two triangles of a side meet in some corners and one in others; weights of area would tell."""
    vertices, faces = box_solid((2.0, 2.0, 2.0))
    expected = vertices / np.linalg.norm(vertices, axis=1, keepdims=True)
    assert_close(vertex_normals(vertices, faces), expected, rtol=1e-14)
    with pytest.raises(AssertionError):
        assert_close(weighed_by_area(vertices, faces), expected, rtol=1e-2)


def weighed_by_area(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    total = np.zeros_like(vertices)
    np.add.at(total, faces.ravel(), np.repeat(face_normals(vertices, faces), 3, axis=0))
    return np.asarray(total / np.linalg.norm(total, axis=1, keepdims=True))


def test_normals_of_a_fine_ball_point_away_from_its_centre():
    vertices, faces = ball(4)
    found = vertex_normals(vertices, faces)
    assert_close(found, vertices, rtol=2e-3)  # facets of 0.07 rad, uneven around a vertex
    assert_close(np.linalg.norm(found, axis=1), np.ones(len(vertices)), rtol=1e-14)


def test_empty_facets_and_lone_vertices_count_for_nothing():
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 5.0]])
    faces = np.array([[0, 1, 2], [0, 1, 1]])
    expected = np.array([[0.0, 0.0, 1.0]] * 3 + [[0.0, 0.0, 0.0]])
    assert np.array_equal(vertex_normals(vertices, faces), expected)
