"""Facet sizes of known solids, and roughness of planes and spheres in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.facet_measures import (
    equivalent_sides,
    facet_areas,
    facet_centres,
    facet_sizes,
    roughness,
)
from haptos.geometry.polyhedra import box_solid, platonic_solid
from haptos.geometry.tessellation import subdivided
from tests.close import assert_close
from tests.geometry.closed_meshes import ball, plate


def test_an_icosahedron_of_unit_edge_has_facets_of_unit_side():
    vertices, faces = platonic_solid("icosahedron")
    assert_close(facet_areas(vertices, faces), np.full(20, math.sqrt(3.0) / 4.0), rtol=1e-14)
    sizes = facet_sizes(vertices, faces)
    assert_close([sizes.mean_side, sizes.feature_ceiling], [1.0, 3.0], rtol=1e-14)
    assert sizes.deviation_side < 1e-14
    assert sizes.advised_spacing == sizes.mean_side


def test_a_side_is_that_of_the_equilateral_of_equal_area():
    vertices, faces = box_solid((2.0, 2.0, 2.0))
    sides = equivalent_sides(facet_areas(vertices, faces))
    assert_close(math.sqrt(3.0) / 4.0 * sides**2, np.full(12, 2.0), rtol=1e-14)
    with pytest.raises(AssertionError):
        assert_close(math.sqrt(3.0) / 4.0 * (1.01 * sides) ** 2, np.full(12, 2.0), rtol=1e-14)


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


def test_parts_of_the_work_join(monkeypatch):
    vertices, faces = ball(3)
    whole = roughness(vertices, faces, 0.3)
    monkeypatch.setattr("haptos.geometry.facet_measures.PAIRS_AT_ONCE", 1000)
    assert np.array_equal(roughness(vertices, faces, 0.3), whole)


def test_lonely_facets_have_no_roughness_and_bad_radii_are_refused():
    vertices, faces = platonic_solid("icosahedron")
    angle, height = roughness(vertices, faces, 1e-3)
    assert np.isnan(angle).all()
    assert np.isnan(height).all()
    for radius in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(GeometryError, match="radius"):
            roughness(vertices, faces, radius)
