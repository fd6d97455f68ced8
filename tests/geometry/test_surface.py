"""One dispatch for all surfaces: the right branch, and the same bits compiled as in Python."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from haptos.geometry.distance_ellipsoid import ellipsoid_distance
from haptos.geometry.distance_plane import plane_distance
from haptos.geometry.distance_sphere import sphere_distance
from haptos.geometry.surface import (
    ELLIPSOID,
    PLANE,
    SPHERE,
    ellipsoid,
    gap_and_normal,
    gap_bound,
    plane,
    sphere,
)

SURFACES = [
    plane((0.0, 1.0, 0.2), (0.1, -0.2, 1.0)),
    sphere(1.3),
    ellipsoid((2.0, 0.5, 1.1)),
    ellipsoid((1.0, 1.0, 1.0)),
    ellipsoid((0.01, 1.0, 0.4)),
]
POINTS = [tuple(x) for x in np.random.default_rng(11).normal(size=(40, 3)).tolist()] + [
    (0.0, 0.0, 0.0),
    (0.3, 0.0, 0.0),
    (0.0, 0.0, 1e-20),
    (1e6, -2e6, 3e5),
]


@numba.njit(error_model="numpy")
def compiled(surface, x):
    return gap_and_normal(surface, x), gap_bound(surface, x)


@pytest.mark.parametrize("surface", SURFACES)
def test_compiled_call_equals_python_call_bit_for_bit(surface):
    for x in POINTS:
        assert compiled(surface, x) == (gap_and_normal(surface, x), gap_bound(surface, x))


def test_each_kind_reaches_its_own_law():
    x = (0.3, -0.7, 1.9)
    flat, ball, egg = SURFACES[:3]
    assert (flat.kind, ball.kind, egg.kind) == (PLANE, SPHERE, ELLIPSOID)
    assert gap_and_normal(flat, x) == plane_distance(x, (flat.a, flat.b, flat.c), flat.d)
    assert gap_and_normal(ball, x) == sphere_distance(x, 1.3)
    assert gap_and_normal(egg, x) == ellipsoid_distance(x, (2.0, 0.5, 1.1))


@pytest.mark.parametrize("surface", SURFACES)
def test_bound_never_exceeds_the_gap_and_is_exact_for_plane_and_sphere(surface):
    for x in POINTS:
        gap = gap_and_normal(surface, x)[0]
        assert gap_bound(surface, x) <= gap + 1e-14 * max(1.0, abs(gap))
        if surface.kind != ELLIPSOID:
            assert gap_bound(surface, x) == gap


def test_one_compiled_function_serves_every_kind():
    for surface in SURFACES:
        compiled(surface, (0.1, 0.2, 0.3))
    assert len(compiled.signatures) == 1
