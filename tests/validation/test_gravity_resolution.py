"""How many facets the gravity of Itokawa needs: the trends of [VanWal2018] fig. 2.43 to 2.46."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_resolution import coarser_mesh, resolution_error
from haptos.geometry.mesh.mass_properties import sphericity
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.validation.shape_models import shape_model

DENSITY = 1900.0  # [kg/m^3]
COUNTS = (1250, 2500, 5000, 10000)


@functools.cache
def surface_errors() -> tuple[np.ndarray, ...]:
    """Errors of g at every eighth facet of Itokawa for meshes of COUNTS facets."""
    pytest.importorskip("fast_simplification", reason="fast-simplification is not installed")
    vertices, faces = shape_model("itokawa")
    fine = PolyhedronField(vertices, faces, DENSITY)
    points = vertices[faces[::8]].mean(axis=1)
    coarse = [PolyhedronField(*coarser_mesh(vertices, faces, count), DENSITY) for count in COUNTS]
    assert [len(field.faces) for field in coarse] == list(COUNTS)
    return tuple(resolution_error(field, fine, points) for field in coarse)


def test_errors_at_the_surface_fall_with_every_doubling_of_facets():
    for share in (0.5, 0.95, 1.0):
        errors = [np.quantile(error, share) for error in surface_errors()]
        assert all(b < 0.8 * a for a, b in itertools.pairwise(errors))


def test_nineteen_in_twenty_points_are_below_one_percent_at_5000_facets_not_at_1250():
    few, _, enough, most = surface_errors()
    assert np.mean(few < 0.01) < 0.95 < np.mean(enough < 0.01)
    assert np.max(most) < 0.01 < np.max(enough)


def test_itokawa_has_its_published_sphericity():
    assert_close(sphericity(*shape_model("itokawa")), 0.81, rtol=0.02)


def test_rounder_bodies_have_the_higher_sphericity():
    named = ("eros", "itokawa", "bennu")
    assert sorted(named, key=lambda name: sphericity(*shape_model(name))) == list(named)


def test_coarser_meshes_that_cannot_be_are_refused():
    pytest.importorskip("fast_simplification", reason="fast-simplification is not installed")
    with pytest.raises(GeometryError, match="coarser mesh"):
        coarser_mesh(*box_solid((1.0, 1.0, 1.0)), 3)
