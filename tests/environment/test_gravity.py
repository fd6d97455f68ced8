"""One dispatch for all gravity fields: the right branch."""

from __future__ import annotations

import math

import numpy as np

from haptos.environment import gravity
from haptos.environment.gravity import potential_and_gravity
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_table import packed_table, table_gravity, time_in_cell
from haptos.environment.gravity_table_build import gravity_table
from haptos.environment.gravity_terms import primary_tide
from haptos.environment.gravity_uniform import uniform_gravity
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.terrain.land import land_of
from tests.close import assert_close

BODY = PolyhedronField(*platonic_solid("icosahedron"), 1900.0)
TABLE = gravity_table(BODY, 0.6)

FIELDS = [
    gravity.uniform((1e-3, 0.0, -5e-3)),
    gravity.point(2.1),
    gravity.ellipsoid((2.0, 0.5, 1.1), 2.1),
    gravity.ellipsoid((1.0, 1.0, 1.0), 2.1),
    gravity.ellipsoid((0.01, 1.0, 0.4), 2.1),
    gravity.tabulated(land_of(None, None, packed_table(TABLE)), TABLE.mu),
]
FIELDS.append(gravity.with_primary(FIELDS[1], 7.0, (3.0, 4.0, -5.0)))
POINTS = [tuple(x) for x in np.random.default_rng(11).normal(size=(40, 3)).tolist()] + [
    (0.0, 0.0, 0.0),
    (1e-8, 0.0, 0.0),
    (1e6, -2e6, 3e5),
]


def test_each_kind_reaches_its_own_law():
    x = (0.3, -0.7, 1.9)
    assert potential_and_gravity(FIELDS[0], x) == uniform_gravity(x, (1e-3, 0.0, -5e-3))
    assert potential_and_gravity(FIELDS[1], x) == point_gravity(x, 2.1)
    assert potential_and_gravity(FIELDS[2], x) == ellipsoid_gravity(x, (2.0, 0.5, 1.1), 2.1)
    assert potential_and_gravity(FIELDS[5], x) == table_gravity(TABLE, x)


def test_a_primary_adds_its_tide_and_nothing_else():
    x = (0.3, -0.7, 1.9)
    u, g = point_gravity(x, 2.1)
    tide_u, tide_g = primary_tide(x, (3.0, 4.0, -5.0), 7.0)
    assert potential_and_gravity(FIELDS[6], x) == (u + tide_u, tuple(np.add(g, tide_g)))
    assert gravity.own_gravity(FIELDS[6], x) == (u, g)


def test_only_tables_end_where_they_are_smooth():
    x, v, a = (0.3, -0.7, 0.9), (0.1, 0.2, -0.3), (0.0, 0.0, -0.1)
    ends = [gravity.smooth_time(field, x, v, a) for field in FIELDS]
    assert ends[5] == time_in_cell(TABLE, x, v, a) < math.inf
    assert all(end == math.inf for end in (*ends[:5], ends[6]))


def test_strength_of_a_homogeneous_ellipsoid_is_its_mass():
    expected = 6.67430e-11 * 1900.0 * 4.0 / 3.0 * math.pi * 6.0
    assert_close(gravity.ellipsoid_mu((1.0, 2.0, 3.0), 1900.0), expected, rtol=1e-15)
