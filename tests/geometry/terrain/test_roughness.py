"""Roughness of planes and spheres in closed form, and of other bodies by its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.facet_measures import facet_areas, facet_centres
from haptos.geometry.mesh.polyhedra import box_solid, platonic_solid
from haptos.geometry.mesh.tessellation import face_normals, subdivided
from haptos.geometry.terrain.roughness import roughness
from tests.close import assert_close
from tests.geometry.closed_meshes import SHAPES, ball, plate, size_of


def fine_box() -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    for _ in range(4):
        vertices, faces = subdivided(vertices, faces)
    return vertices, faces


def test_a_plane_is_not_rough_and_its_edges_are():
    vertices, faces = fine_box()
    angle, height = roughness(vertices, faces, 0.15)
    from_edge = 0.5 - np.sort(np.abs(facet_centres(vertices, faces)), axis=1)[:, 1]
    inner = from_edge > 0.15
    assert inner.sum() > 100
    assert angle[inner].max() < 1e-7
    assert height[inner].max() < 1e-9
    assert height[from_edge < 0.05].min() > 1e-3


@pytest.mark.parametrize("far", [0.0, 1e6])
def test_a_sphere_is_as_rough_as_its_closed_form(far: float):
    vertices, faces = ball(4, 10.0)
    reach = 2.0
    angle, height = roughness(vertices + far, faces, reach)
    tilt, bump = reach / (10.0 * math.sqrt(2.0)), reach**2 / (10.0 * math.sqrt(48.0))
    assert_close(np.mean(angle), tilt, rtol=0.02)
    assert_close(np.mean(height), bump, rtol=0.03)


def test_the_other_side_of_a_thin_plate_does_not_count():
    vertices, faces = plate(0.001)
    middle = np.linalg.norm(facet_centres(vertices, faces)[:, :2], axis=1) < 0.2
    angle, height = roughness(vertices, faces, 0.25)
    assert angle[middle].max() < 1e-7
    assert height[middle].max() < 1e-9


def by_definition(vertices: np.ndarray, faces: np.ndarray, radius: float) -> np.ndarray:
    """Angle and height facet by facet, by loops over all others."""
    centres, normals = facet_centres(vertices, faces), face_normals(vertices, faces)
    areas = facet_areas(vertices, faces)
    found = []
    for centre, normal in zip(centres, normals, strict=True):
        near = np.linalg.norm(centres - centre, axis=1) <= radius
        near &= normals @ normal > -0.5
        share = areas[near] / areas[near].sum()
        mean = share @ normals[near]
        cosine = normals[near] @ mean / np.linalg.norm(mean)
        angle = np.sqrt(share @ np.arccos(np.clip(cosine, -1.0, 1.0)) ** 2)
        away = centres[near] - share @ centres[near]
        _, size, _ = np.linalg.svd(np.sqrt(share)[:, None] * away)
        found.append((angle, size[-1] if near.sum() > 2 else 0.0))
    return np.array(found).T


@pytest.mark.parametrize("shape", ["torus", "dumb-bell", "spike"])
def test_neighbourhoods_are_those_of_the_definition(shape: str):
    vertices, faces = SHAPES[shape]()
    radius = 0.3 * size_of(vertices)
    found = np.array(roughness(vertices, faces, radius))
    kept = ~np.isnan(found[0])
    assert kept.any()
    assert_close(found[:, kept], by_definition(vertices, faces, radius)[:, kept], rtol=1e-6)


def test_cells_larger_than_the_radius_change_nothing(monkeypatch):
    vertices, faces = ball(3)
    many = roughness(vertices, faces, 0.3)
    monkeypatch.setattr("haptos.geometry.terrain.roughness.MOST_CELLS", 20)
    assert_close(roughness(vertices, faces, 0.3), many, rtol=1e-12)


def test_lonely_facets_have_no_roughness_and_bad_radii_are_refused():
    vertices, faces = platonic_solid("icosahedron")
    angle, height = roughness(vertices, faces, 1e-3)
    assert np.isnan(angle).all()
    assert np.isnan(height).all()
    for radius in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(GeometryError, match="radius"):
            roughness(vertices, faces, radius)
