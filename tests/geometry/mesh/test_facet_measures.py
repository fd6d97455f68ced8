"""Facet sizes of known solids."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.geometry.mesh.facet_measures import (
    equivalent_sides,
    facet_areas,
    facet_sizes,
)
from haptos.geometry.mesh.polyhedra import box_solid, platonic_solid
from tests.close import assert_close


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
