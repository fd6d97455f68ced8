"""Multipoles: moments of the solid, harmonics of the library, and the field of the sums over faces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import sph_harm_y

from haptos.core.jit import entry
from haptos.environment import gravity_multipole
from haptos.environment.gravity_multipole import add_multipoles, multipole_gravity
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_polyhedron_sweep import VALUES, fill_values, scratch
from haptos.geometry.mesh.mass_properties import mass_properties
from tests.close import assert_close
from tests.environment.polyhedron_sums import rough_body

BODY = PolyhedronField(*rough_body(level=2), 1900.0)
DIRECTIONS = np.random.default_rng(5).normal(size=(20, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]


@entry
def compiled(table, x):
    return multipole_gravity(table, x)


def values(points: np.ndarray, far: float) -> np.ndarray:
    """Sums over faces up to `far` radii, multipoles beyond."""
    out = np.empty((len(points), VALUES))
    kernel = BODY.kernel._replace(far=far)
    fill_values(kernel, scratch(len(BODY.vertices), 64), points, 0, len(points), out)
    return out


@pytest.mark.parametrize(("radii", "rtol"), [(3.0, 1e-6), (5.0, 1e-9), (8.0, 1e-11), (12.0, 3e-12)])
def test_far_field_meets_the_sums_over_faces(radii, rtol):
    points = radii * DIRECTIONS
    multipoles, sums = values(points, 0.0), values(points, math.inf)
    for part in (slice(0, 1), slice(1, 4), slice(4, 10)):
        assert_close(multipoles[:, part], sums[:, part], rtol=rtol)


def test_call_without_scratch_gives_the_same_field_and_bits_when_compiled():
    for x in (6.0 * DIRECTIONS).tolist():
        out = np.empty(VALUES)
        add_multipoles(BODY.kernel.multipoles, tuple(x), out)
        u, g = multipole_gravity(BODY.kernel.multipoles, tuple(x))
        assert (u, *g) == tuple(out[:4])
        assert compiled(BODY.kernel.multipoles, tuple(x)) == (u, g)


def test_multipole_moments_are_those_of_the_solid():
    corners = (BODY.vertices[BODY.faces] - BODY.centre) / BODY.radius
    table = gravity_multipole.multipole_table(corners)
    mass = mass_properties((BODY.vertices - BODY.centre) / BODY.radius, BODY.faces)
    second = 0.5 * np.trace(mass.inertia_per_density) * np.eye(3) - mass.inertia_per_density
    assert_close(table[0, 0, 0], mass.volume, rtol=1e-13)
    assert_close(table[1, 0, 0], 0.0, rtol=1e-14, scale=mass.volume)
    twenty = 0.5 * second[2, 2] - 0.25 * (second[0, 0] + second[1, 1])
    assert_close(table[2, 0, 0], twenty, rtol=1e-12)


def test_irregular_harmonics_are_those_of_the_library():
    x = (11.0, -7.0, 9.0)
    r, theta, phi = (
        math.dist(x, (0, 0, 0)),
        math.acos(9.0 / math.dist(x, (0, 0, 0))),
        math.atan2(-7.0, 11.0),
    )
    rank = gravity_multipole.DEGREE + 3
    index = 0
    for m in range(rank):
        for n in range(m, rank):
            factor = math.sqrt(
                4.0 * math.pi / (2 * n + 1) * math.factorial(n + m) * math.factorial(n - m)
            )
            expected = (-1.0) ** m * factor * sph_harm_y(n, m, theta, phi) / r ** (n + 1)
            table, found = np.zeros((rank * (rank + 1) // 2, 2, 10)), np.zeros(11)
            table[index, 0, 0] = table[index, 1, 1] = 1.0
            gravity_multipole.add_multipoles(table, x, found)
            assert_close(found[:2], [expected.real, expected.imag], rtol=1e-13, scale=abs(expected))
            index += 1
