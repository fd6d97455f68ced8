"""Reuse of an evaluation nearby: order of its error, and a radius that keeps its promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.symmetric import six_of
from haptos.environment.gravity_point import point_gravity
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_reuse import (
    Expansion,
    expanded_gravity,
    is_reusable,
    reuse_error,
    reuse_length,
    reuse_radius,
)
from tests.close import assert_close
from tests.environment.polyhedron_sums import rough_body

BODY = PolyhedronField(*rough_body(level=2), 1900.0)
DIRECTIONS = np.random.default_rng(9).normal(size=(40, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]


def expansion_at(x: np.ndarray) -> Expansion:
    u, g, gradient, _ = BODY.field([x])
    return Expansion(tuple(x.tolist()), float(u[0]), tuple(g[0].tolist()), six_of(gradient[0]))


def errors(expansion: Expansion, distance: float) -> tuple[float, float]:
    """Largest errors of U and g over all directions."""
    points = np.array(expansion.x0) + distance * DIRECTIONS
    exact = BODY.field(points)
    found = [expanded_gravity(expansion, tuple(x)) for x in points.tolist()]
    of_u = np.abs([u for u, _ in found] - exact.potential)
    of_g = np.linalg.norm(np.array([g for _, g in found]) - exact.gravity, axis=1)
    return float(of_u.max()), float(of_g.max())


@pytest.mark.parametrize("factor", [0.02, 1.3])
def test_potential_is_of_third_and_gravity_of_second_order(factor):
    near = expansion_at(BODY.centre + factor * BODY.radius * DIRECTIONS[0])
    rows = np.array([errors(near, distance) for distance in (8.0, 4.0, 2.0)])
    orders = np.log2(rows[:-1] / rows[1:])
    assert_close(orders, [[3.0, 2.0], [3.0, 2.0]], rtol=0.07)


def test_expansion_holds_its_own_point_and_its_g_is_the_slope_of_its_u():
    near = expansion_at(BODY.centre + 1.2 * BODY.radius * DIRECTIONS[1])
    assert expanded_gravity(near, near.x0) == (near.u, near.g)
    x = np.array(near.x0) + 30.0 * DIRECTIONS[2]
    slope = [
        (expanded_gravity(near, tuple(x + s))[0] - expanded_gravity(near, tuple(x - s))[0]) / 2.0
        for s in np.eye(3)
    ]
    assert_close(slope, expanded_gravity(near, tuple(x.tolist()))[1], rtol=1e-9)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-5])
def test_radius_keeps_its_promise_away_from_the_ground(tolerance):
    for direction in DIRECTIONS:
        near = expansion_at(BODY.centre + 1.5 * BODY.radius * direction)
        radius = reuse_radius(near.g, near.gradient, tolerance, math.inf)
        _, error = errors(near, radius)
        assert 0.1 * tolerance < error / np.linalg.norm(near.g) < 1.5 * tolerance


def test_estimate_is_the_leading_error_of_a_point_mass_along_its_radius():
    r, mu, step = 100.0, 2.1, 0.01
    gradient = (2.0 * mu / r**3, 0.0, 0.0, -mu / r**3, 0.0, -mu / r**3)
    u, g = point_gravity((r, 0.0, 0.0), mu)
    near = Expansion((r, 0.0, 0.0), u, g, gradient)
    _, exact = point_gravity((r + step, 0.0, 0.0), mu)
    _, found = expanded_gravity(near, (r + step, 0.0, 0.0))
    error = abs(found[0] - exact[0]) / abs(g[0])
    assert_close(reuse_error(g, gradient, step), error, rtol=1e-3)
    assert_close(reuse_length(g, gradient), r / math.sqrt(6.0), rtol=1e-14)


def test_ground_and_uniform_fields_bound_the_radius_as_they_should():
    none = (0.0,) * 6
    assert reuse_radius((0.0, 0.0, -1.0), none, 1e-3, math.inf) == math.inf
    assert reuse_radius((0.0, 0.0, -1.0), none, 1e-3, 8.0) == 4.0
    near = Expansion((1.0, 2.0, 3.0), 0.0, (0.0, 0.0, -1.0), none)
    assert is_reusable(near, (1.0, 2.0, 3.5), 0.5)
    assert not is_reusable(near, (1.0, 2.0, 3.6), 0.5)


def test_check_has_teeth():
    near = expansion_at(BODY.centre + 1.3 * BODY.radius * DIRECTIONS[0])
    spoiled = near._replace(gradient=tuple(1.01 * value for value in near.gradient))
    rows = np.array([errors(spoiled, distance) for distance in (4.0, 2.0)])
    with pytest.raises(AssertionError):
        assert_close(np.log2(rows[0] / rows[1]), [3.0, 2.0], rtol=0.07)
