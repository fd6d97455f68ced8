"""Signed distance to closed meshes against brute force and winding numbers."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.distance_mesh import (
    mesh_distances,
    solid_mesh,
)
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.tessellation import face_normals, subdivided
from tests.close import assert_close
from tests.geometry.closed_meshes import (
    SHAPES,
    arrow,
    points_about,
    reference_distance,
    size_of,
    spike,
    winding_number,
)
from tests.validation.shape_models import shape_model

BODIES = ("itokawa", "bennu", "eros", "kw4-alpha")


def points_at_features(vertices, faces, reach):
    """Points off vertices, edges and facets, to all sides: where signs go wrong first."""
    rng = np.random.default_rng(4)
    some = faces[rng.integers(0, len(faces), 60)]
    feet = np.concatenate(
        [vertices[some[:, 0]], vertices[some[:, :2]].mean(axis=1), vertices[some].mean(axis=1)]
    )
    return np.concatenate([feet + r * rng.normal(size=feet.shape) for r in (reach, 1e-3 * reach)])


@pytest.mark.parametrize("shape", SHAPES)
def test_distance_and_sign_agree_with_brute_force_and_winding_number(shape):
    vertices, faces = SHAPES[shape]()
    size = size_of(vertices)
    points = np.concatenate(
        [points_about(vertices, 300), points_at_features(vertices, faces, 0.03 * size)]
    )
    gaps, _, _ = mesh_distances(solid_mesh(vertices, faces), points)
    expected = reference_distance(vertices, faces, points)
    assert_close(gaps, expected, rtol=1e-14, scale=size)
    assert np.array_equal(gaps > 0.0, expected > 0.0)
    assert 5 < np.sum(gaps < 0.0) < len(points) - 5


@pytest.mark.parametrize("name", BODIES)
def test_distance_and_sign_are_right_on_real_bodies(name):
    vertices, faces = shape_model(name)
    size = size_of(vertices)
    points = np.concatenate(
        [points_about(vertices, 60), points_at_features(vertices, faces, 0.005 * size)[::6]]
    )
    gaps, _, _ = mesh_distances(solid_mesh(vertices, faces), points)
    expected = reference_distance(vertices, faces, points)
    assert_close(gaps, expected, rtol=1e-14, scale=size)
    assert np.array_equal(gaps > 0.0, expected > 0.0)


@pytest.mark.parametrize("name", BODIES)
def test_distance_and_sign_agree_with_libigl(name):
    igl = pytest.importorskip("igl", reason="libigl is not installed")
    vertices, faces = shape_model(name)
    points = points_about(vertices, 20_000)
    gaps, _, _ = mesh_distances(solid_mesh(vertices, faces), points)
    assert_close(
        gaps, igl.signed_distance(points, vertices, faces)[0], rtol=1e-12, scale=size_of(vertices)
    )


def wrong_signs(mesh, normals, points, inside):
    gaps, _, _ = mesh_distances(mesh._replace(normals=normals), points)
    return int(np.sum((gaps < 0.0) != inside))


@pytest.mark.parametrize("shape", [spike, arrow])
def test_angle_weights_are_needed_at_sharp_vertices_and_enough(shape):
    """Closest to a vertex, the normal of one of its faces is wrong, and so is their plain sum."""
    vertices, faces = shape()
    mesh = solid_mesh(vertices, faces)
    rng = np.random.default_rng(8)
    points = np.concatenate([v + 0.05 * rng.normal(size=(300, 3)) for v in vertices])
    inside = winding_number(vertices, faces, points) > 0.5
    assert wrong_signs(mesh, mesh.normals, points, inside) == 0
    flat = face_normals(vertices, faces)
    one, plain = mesh.normals.copy(), mesh.normals.copy()
    tips = len(mesh.normals) - len(vertices)
    for vertex in range(len(vertices)):
        around = flat[np.any(faces == vertex, axis=1)]
        one[tips + vertex] = around[0]
        plain[tips + vertex] = around.sum(axis=0)
    assert wrong_signs(mesh, one, points, inside) > 0
    if shape is arrow:
        assert wrong_signs(mesh, plain, points, inside) > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_normal_leads_from_the_surface_and_faces_named_are_the_closest(shape):
    vertices, faces = SHAPES[shape]()
    mesh = solid_mesh(vertices, faces)
    points = points_about(vertices, 200)
    gaps, normals, nearest = mesh_distances(mesh, points)
    assert_close(np.linalg.norm(normals, axis=1), np.ones(len(points)), rtol=1e-13)
    feet = points - gaps[:, None] * normals
    assert_close(
        mesh_distances(mesh, feet)[0], np.zeros(len(points)), rtol=1e-14, scale=size_of(vertices)
    )
    a, b, c = (vertices[faces[nearest, k]] for k in range(3))
    high = np.max([a, b, c], axis=0) + 1e-12
    low = np.min([a, b, c], axis=0) - 1e-12
    assert np.all((feet >= low) & (feet <= high))


def test_points_of_the_surface_have_no_gap_and_the_normal_of_their_feature():
    vertices, faces = box_solid((2.0, 2.0, 2.0))
    mesh = solid_mesh(vertices, faces)
    gaps, normals, _ = mesh_distances(mesh, [[0.25, 0.5, 1.0], [1.0, 1.0, 0.3], [1.0, 1.0, 1.0]])
    assert np.array_equal(gaps, np.zeros(3))
    assert_close(normals[0], [0.0, 0.0, 1.0], rtol=1e-15)
    assert_close(normals[1], np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0), rtol=1e-15)
    assert_close(normals[2], np.ones(3) / np.sqrt(3.0), rtol=1e-15)


def test_subdividing_facets_changes_nothing():
    vertices, faces = SHAPES["torus"]()
    points = points_about(vertices, 300)
    gaps, _, _ = mesh_distances(solid_mesh(vertices, faces), points)
    finer, _, _ = mesh_distances(solid_mesh(*subdivided(vertices, faces)), points)
    assert_close(finer, gaps, rtol=1e-14, scale=size_of(vertices))


def test_number_of_threads_does_not_change_the_bits():
    vertices, faces = SHAPES["dumb-bell"]()
    mesh = solid_mesh(vertices, faces)
    points = points_about(vertices, 10_000)
    one, two, three = (mesh_distances(mesh, points, workers=n) for n in (1, 2, 3))
    for a, b, c in zip(one, two, three, strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()


def test_a_flipped_facet_a_hole_and_an_inside_out_mesh_are_refused():
    vertices, faces = SHAPES["torus"]()
    flipped = faces.copy()
    flipped[5] = flipped[5, ::-1]
    for spoiled, found in (
        (flipped, "opposite senses"),
        (faces[1:], "open mesh"),
        (faces[:, ::-1], "inside out"),
    ):
        with pytest.raises(GeometryError, match=found):
            solid_mesh(vertices, spoiled)


def test_check_has_teeth():
    vertices, faces = SHAPES["ball"]()
    points = points_about(vertices, 100)
    gaps, _, _ = mesh_distances(solid_mesh(1.01 * vertices, faces), points)
    with pytest.raises(AssertionError):
        assert_close(gaps, reference_distance(vertices, faces, points), rtol=1e-14, scale=2.0)
