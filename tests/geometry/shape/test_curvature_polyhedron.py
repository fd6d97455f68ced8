"""Curvature of meshes: Gauss-Bonnet, order of convergence, odd rings."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.facet_measures import facet_areas
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.mesh.tessellation import subdivided
from haptos.geometry.shape.curvature import CONVEX, MIXED
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature
from haptos.geometry.shape.curvature_polyhedron import mesh_curvature
from tests.close import assert_close

AXES = np.array([200.0, 100.0, 50.0])


def torus_mesh(rows: int = 24, columns: int = 40) -> tuple[np.ndarray, np.ndarray]:
    u, v = np.meshgrid(np.arange(columns), np.arange(rows))
    angle, turn = 2.0 * np.pi * u.ravel() / columns, 2.0 * np.pi * v.ravel() / rows
    wide = 5.0 + 2.0 * np.cos(turn)
    points = np.stack([wide * np.cos(angle), wide * np.sin(angle), 2.0 * np.sin(turn)], axis=1)
    here = (v * columns + u).ravel()
    right = (v * columns + (u + 1) % columns).ravel()
    up = ((v + 1) % rows * columns + u).ravel()
    both = ((v + 1) % rows * columns + (u + 1) % columns).ravel()
    faces = np.concatenate([np.stack([here, right, both], 1), np.stack([here, both, up], 1)])
    return points, faces


@pytest.mark.parametrize("body", ["bilobe", "top", "comet", "potato"])
def test_curvature_of_a_closed_body_adds_up_to_four_pi(body: str):
    vertices, faces = procedural_body(body, 5)
    found = mesh_curvature(vertices, faces)
    total = float(np.sum(found.area * (found.defect / found.area)))
    assert_close(total, 4.0 * np.pi, rtol=1e-10)
    assert_close(found.area.sum(), facet_areas(vertices, faces).sum(), rtol=1e-12)
    assert np.all(found.area > 0.0)


def test_curvature_of_a_ring_adds_up_to_nothing():
    points, faces = torus_mesh()
    found = mesh_curvature(points, faces)
    assert abs(found.defect.sum()) < 1e-10
    inner = np.hypot(points[:, 0], points[:, 1]) < 4.0
    assert set(found.ground.kind[inner]) == {MIXED}
    outer = np.hypot(points[:, 0], points[:, 1]) > 6.0
    assert set(found.ground.kind[outer]) == {CONVEX}
    assert_close(1.0 / np.median(found.ground.largest), 2.0, rtol=0.02)


@pytest.fixture(scope="module")
def errors() -> np.ndarray:
    """Median, then root mean square errors of K and H, relative, over four subdivisions."""
    rows = []
    for level in (2, 3, 4, 5, 6):
        toward, faces = icosphere(level)
        ground = mesh_curvature(toward * AXES, faces).ground
        exact = ellipsoid_curvature(AXES, ground.points)
        off = [np.abs(ground.gaussian / exact.gaussian - 1.0)]
        off.append(np.abs(ground.mean / exact.mean - 1.0))
        rows.append([f(x) for f in (np.median, lambda x: np.sqrt(np.mean(x**2))) for x in off])
    return np.array(rows)


def test_most_rings_converge_at_second_order(errors: np.ndarray):
    order = np.log2(errors[:-1] / errors[1:])
    assert np.all((order[:, :2] > 1.85) & (order[:, :2] < 2.3)), order
    assert errors[-1, :2].max() < 3e-4


def test_the_twelve_odd_rings_keep_the_mean_error_at_first_order(errors: np.ndarray):
    # Vertices with five neighbours keep an error of some percent; their share falls as the square.
    order = np.log2(errors[:-1] / errors[1:])
    assert np.all((order[1:, 2:] > 0.95) & (order[1:, 2:] < 1.5)), order


def test_a_mean_curvature_one_percent_off_would_be_seen():
    toward, faces = icosphere(5)
    ground = mesh_curvature(toward * AXES, faces).ground
    exact = ellipsoid_curvature(AXES, ground.points).mean
    assert_close(np.median(ground.mean / exact), 1.0, rtol=1e-3)
    spoiled = mesh_curvature(toward * AXES * (1.01, 1.0, 1.0), faces).ground
    with pytest.raises(AssertionError):
        assert_close(np.median(spoiled.mean / exact), 1.0, rtol=1e-3)


def test_principal_directions_of_a_long_body_run_along_and_around():
    toward, faces = icosphere(4)
    ground = mesh_curvature(toward * (300.0, 100.0, 100.0), faces).ground
    middle = np.abs(ground.points[:, 0]) < 100.0
    assert np.abs(ground.direction[middle, 0]).max() < 0.1


def test_facets_of_a_split_cube_are_flat_and_its_corners_sharp():
    points, faces = platonic_solid("cube")
    count = len(points)
    for _ in range(3):
        points, faces = subdivided(points, faces)
    found = mesh_curvature(points, faces)
    assert_close(found.defect[:count], np.full(count, 0.5 * np.pi), rtol=1e-12)
    inside = np.sort(np.abs(points), axis=1)[:, 1] < 0.9 * np.abs(points).max()
    assert np.abs(found.ground.largest[inside]).max() < 1e-10 / np.abs(points).max()
    assert np.all(np.isfinite(found.ground.direction))
    assert_close(np.linalg.norm(found.ground.direction, axis=1), np.ones(len(points)), rtol=1e-9)


def test_needles_and_obtuse_rings_give_numbers():
    toward, faces = icosphere(3)
    stretched = toward * (1000.0, 1.0, 1.0)  # most facets are needles
    found = mesh_curvature(stretched, faces)
    for values in (found.ground.largest, found.ground.least, found.ground.direction):
        assert np.all(np.isfinite(values))
    assert np.all(found.area > 0.0)
    assert_close(found.defect.sum(), 4.0 * np.pi, rtol=1e-10)


def test_normals_point_outward_on_concave_ground_too():
    vertices, faces = procedural_body("potato", 4)
    ground = mesh_curvature(vertices, faces).ground
    assert np.all(np.einsum("ni,ni->n", ground.normal, vertices) > 0.0)
    assert np.any(ground.largest < 0.0)


def test_size_scales_curvature():
    vertices, faces = procedural_body("bilobe", 3)
    one, two = mesh_curvature(vertices, faces), mesh_curvature(1e3 * vertices, faces)
    assert_close(1e3 * two.ground.largest, one.ground.largest, rtol=1e-9)


def test_open_meshes_are_refused():
    vertices, faces = procedural_body("bilobe", 3)
    with pytest.raises(GeometryError):
        mesh_curvature(vertices, faces[1:])
