"""Gravity of any world at many points: the same as point by point, with tides."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.environment import gravity as gravities
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_points import field_at, hill_rate
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_terms import locked_tide, primary_tide
from haptos.geometry.mesh.icosphere import icosphere
from tests.close import assert_close

POINTS = np.random.default_rng(2).normal(size=(50, 3)) * 300.0
AXES, MU = (200.0, 100.0, 50.0), 2.5


def test_closed_forms_are_those_of_their_law():
    u, g = field_at(gravities.ellipsoid(AXES, MU), POINTS, workers=2)
    expected = [ellipsoid_gravity(tuple(x), AXES, MU) for x in POINTS]
    assert_close(u, [row[0] for row in expected], rtol=1e-14)
    assert_close(g, [row[1] for row in expected], rtol=1e-14)


def test_polyhedra_and_functions_are_taken_as_they_are():
    toward, faces = icosphere(2)
    field = PolyhedronField(100.0 * toward, faces, 2000.0)
    u, g = field_at(field, POINTS)
    assert_close(g, field.gravity(POINTS), rtol=1e-15)
    again = field_at(lambda x: (u, g), POINTS)
    assert_close(again[0], u, rtol=1e-15)


def test_tides_are_added():
    world = gravities.point(MU)
    own_u, own_g = field_at(world, POINTS)
    place, mu = (9.4e6, 0.0, 0.0), 4.28e13
    u, g = field_at(world, POINTS, primary=(mu, place))
    tide = [primary_tide(tuple(x), place, mu) for x in POINTS]
    assert_close(u - own_u, [row[0] for row in tide], rtol=1e-9)
    assert_close(g - own_g, [row[1] for row in tide], rtol=1e-9)
    rate = hill_rate(mu, place[0])
    _, locked = field_at(world, POINTS, locked_rate=rate)
    assert_close(locked - own_g, [locked_tide(tuple(x), rate)[1] for x in POINTS], rtol=1e-9)
    assert_close(locked - own_g, g - own_g, rtol=1e-3)  # the same far from the primary


def test_odd_shapes_are_refused():
    with pytest.raises(GeometryError, match="points of shape"):
        field_at(gravities.point(1.0), [1.0, 2.0, 3.0])
    with pytest.raises(GeometryError, match="U of shape"):
        field_at(lambda x: (np.zeros(2), np.zeros((2, 3))), POINTS)
