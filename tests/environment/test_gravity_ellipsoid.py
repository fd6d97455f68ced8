"""Ellipsoid gravity against volume sums, quadrature, closed forms and Poisson's equation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq

from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_point import point_gravity
from tests.close import assert_close

MU = 2.1  # [m^3/s^2], about that of Itokawa
ITOKAWA = (268.0, 147.0, 105.0)
SHAPES = [ITOKAWA, (105.0, 268.0, 147.0), (1.0, 100.0, 60.0), (2.0, 2.0, 1.0), (1.0, 3.0, 1.0)]
DIRECTIONS = np.random.default_rng(2).normal(size=(5, 3))

axis = st.floats(0.1, 1.0)
coordinate = st.floats(-3.0, 3.0)


def by_quadrature(x, semi_axes, mu):
    """Potential and attraction from the defining integrals, with v = 1 / sqrt(u + r^2)."""
    x, a2 = np.asarray(x), np.asarray(semi_axes) ** 2
    start = 0.0
    if np.sum(x**2 / a2) > 1.0:
        start = brentq(lambda s: np.sum(x**2 / (a2 + s)) - 1.0, 0.0, 2.0 * x @ x, xtol=1e-15)
    scale = max(a2.max() + start, 1.0)

    def integral(weight):
        def integrand(v):  # u = start + scale v / (1 - v)^2, smooth at both ends
            u = start + scale * v / (1.0 - v) ** 2
            return weight(u) * scale * (1.0 + v) / (1.0 - v) ** 3 / math.sqrt(np.prod(a2 + u))

        return quad(integrand, 0.0, 1.0, epsabs=0.0, epsrel=1e-12, limit=400)[0]

    potential = 0.75 * mu * integral(lambda u: 1.0 - np.sum(x**2 / (a2 + u)))
    attraction = [-1.5 * mu * x[k] * integral(lambda u, k=k: 1.0 / (a2[k] + u)) for k in range(3)]
    return potential, np.array(attraction)


def by_volume_sum(x, semi_axes, mu):
    """Mean of point-mass fields over the solid by product Gauss quadrature; x well outside."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    radius, radius_weight = 0.5 * (nodes + 1.0), 0.5 * weights * (0.5 * (nodes + 1.0)) ** 2
    angle = 2.0 * np.pi * np.arange(60) / 60
    r, z, phi = np.meshgrid(radius, nodes, angle, indexing="ij")
    ring = np.sqrt(1.0 - z**2)
    points = np.stack([r * ring * np.cos(phi), r * ring * np.sin(phi), r * z], axis=-1) * semi_axes
    mass = radius_weight[:, None, None] * weights[None, :, None] * np.ones(60)
    mass *= mu / mass.sum()
    away = points - x
    distance = np.linalg.norm(away, axis=-1)
    return np.sum(mass / distance), np.sum(
        mass[..., None] * away / distance[..., None] ** 3, (0, 1, 2)
    )


def fourth_order_slopes(function, x, step):
    """Derivatives of a function along x, y, z; rows are directions."""
    rows = []
    for shift in step * np.eye(3):
        near = np.subtract(function(x + shift), function(x - shift))
        far = np.subtract(function(x + 2 * shift), function(x - 2 * shift))
        rows.append((8.0 * near - far) / (12.0 * step))
    return np.array(rows)


@pytest.mark.parametrize("semi_axes", SHAPES)
def test_field_is_that_of_the_mass_summed_over_the_volume(semi_axes):
    for direction in DIRECTIONS:
        x = 3.0 * max(semi_axes) * direction / np.linalg.norm(direction)
        potential, attraction = ellipsoid_gravity(tuple(x), semi_axes, MU)
        expected, expected_attraction = by_volume_sum(x, semi_axes, MU)
        assert_close(potential, expected, rtol=1e-11)
        assert_close(attraction, expected_attraction, rtol=1e-11)


@settings(max_examples=25)
@given(st.tuples(coordinate, coordinate, coordinate), st.tuples(axis, axis, axis))
def test_field_satisfies_its_defining_integrals_inside_and_outside(x, semi_axes):
    potential, attraction = ellipsoid_gravity(x, semi_axes, MU)
    expected, expected_attraction = by_quadrature(x, semi_axes, MU)
    assert_close(potential, expected, rtol=1e-9)
    assert_close(attraction, expected_attraction, rtol=1e-9, scale=MU / min(semi_axes) ** 2)


@pytest.mark.parametrize("factor", [0.3, 0.8, 1.2, 2.0, 10.0])
@pytest.mark.parametrize("semi_axes", SHAPES)
def test_acceleration_is_the_gradient_of_the_potential(semi_axes, factor):
    for direction in DIRECTIONS:
        x = factor * np.array(semi_axes) * direction / np.linalg.norm(direction)
        step = 2e-3 * min(semi_axes)
        slope = fourth_order_slopes(
            lambda p: ellipsoid_gravity(tuple(p), semi_axes, MU)[0], x, step
        )
        assert_close(slope, ellipsoid_gravity(tuple(x), semi_axes, MU)[1], rtol=1e-7)


@pytest.mark.parametrize("semi_axes", SHAPES)
@pytest.mark.parametrize("factor", [0.5, 1.5])
def test_divergence_is_zero_outside_and_that_of_the_density_inside(semi_axes, factor):
    four_pi_g_rho = 3.0 * MU / math.prod(semi_axes)
    for direction in DIRECTIONS:
        x = factor * np.array(semi_axes) * direction / np.linalg.norm(direction)
        step = 1e-2 * min(semi_axes)
        slopes = fourth_order_slopes(
            lambda p: ellipsoid_gravity(tuple(p), semi_axes, MU)[1], x, step
        )
        expected = -four_pi_g_rho if factor < 1.0 else 0.0
        assert_close(np.trace(slopes), expected, rtol=1e-6, scale=four_pi_g_rho)
        assert_close(slopes, slopes.T, rtol=1e-6, scale=four_pi_g_rho)


@pytest.mark.parametrize("semi_axes", SHAPES)
def test_field_is_continuous_across_the_surface(semi_axes):
    for direction in DIRECTIONS:
        foot = np.array(semi_axes) * direction / np.linalg.norm(direction)
        inside = ellipsoid_gravity(tuple(foot * (1.0 - 1e-13)), semi_axes, MU)
        outside = ellipsoid_gravity(tuple(foot * (1.0 + 1e-13)), semi_axes, MU)
        assert_close(inside[0], outside[0], rtol=1e-12)
        assert_close(inside[1], outside[1], rtol=1e-11)


def test_oblate_interior_matches_the_closed_form():
    a, c = 3.0, 2.0
    e = math.sqrt(1.0 - (c / a) ** 2)
    side = c / a / e**3 * (math.asin(e) - e * c / a)
    pole = 2.0 / e**2 * (1.0 - c / a / e * math.asin(e))
    two_pi_g_rho = 1.5 * MU / (a * a * c)
    x = np.array([0.4, -0.9, 1.1])
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        axes, factors = np.array([a, a, c])[list(order)], np.array([side, side, pole])[list(order)]
        _, attraction = ellipsoid_gravity(tuple(x[list(order)]), tuple(axes), MU)
        assert_close(attraction, -two_pi_g_rho * factors * x[list(order)], rtol=1e-14)


@pytest.mark.parametrize("radius", [1e-3, 1.0, 1e6])
def test_equal_axes_give_the_ball(radius):
    semi_axes = (radius, radius, radius)
    x = (0.2 * radius, 0.3 * radius, -0.6 * radius)
    potential, attraction = ellipsoid_gravity(x, semi_axes, MU)
    assert_close(potential, MU * (3.0 - 0.49) / (2.0 * radius), rtol=1e-15)
    assert_close(attraction, -MU * np.array(x) / radius**3, rtol=1e-15)
    away = (2.0 * radius, 3.0 * radius, -6.0 * radius)
    for found, wanted in zip(
        ellipsoid_gravity(away, semi_axes, MU), point_gravity(away, MU), strict=True
    ):
        assert_close(found, wanted, rtol=2e-15)


def test_nearly_equal_axes_do_not_disturb_the_ball():
    x = (0.2, 0.3, -2.6)
    ball = ellipsoid_gravity(x, (1.0, 1.0, 1.0), MU)
    nearly = ellipsoid_gravity(x, (1.0, 1.0 + 1e-14, 1.0 - 1e-14), MU)
    assert_close(nearly[1], ball[1], rtol=1e-13)


def test_far_field_is_the_point_mass_with_its_quadrupole():
    moments = np.array(ITOKAWA) ** 2 / 5.0
    for factor, rtol in ((30.0, 1e-6), (300.0, 1e-10), (1e4, 1e-15), (1e6, 1e-15)):
        for direction in DIRECTIONS:
            n = direction / np.linalg.norm(direction)
            r = factor * 268.0
            quadrupole = (3.0 * n**2 @ moments - moments.sum()) / (2.0 * r**2)
            potential, attraction = ellipsoid_gravity(tuple(r * n), ITOKAWA, MU)
            assert_close(potential, MU / r * (1.0 + quadrupole), rtol=rtol)
            radial = -MU / r**2 * (1.0 + 3.0 * quadrupole)
            assert_close(np.dot(attraction, n), radial, rtol=4.0 * rtol)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_order_of_the_axes_does_not_matter(order):
    x = (150.0, -90.0, 80.0)
    potential, attraction = ellipsoid_gravity(x, ITOKAWA, MU)
    turned = ellipsoid_gravity(tuple(x[k] for k in order), tuple(ITOKAWA[k] for k in order), MU)
    assert_close(turned[0], potential, rtol=1e-15)
    assert_close(turned[1], [attraction[k] for k in order], rtol=2e-15)


def test_centre_is_weightless():
    potential, attraction = ellipsoid_gravity((0.0, 0.0, 0.0), ITOKAWA, MU)
    assert max(abs(part) for part in attraction) == 0.0
    assert potential > ellipsoid_gravity((0.0, 0.0, 1.0), ITOKAWA, MU)[0] > 0.0


def test_check_has_teeth():
    x = np.array([500.0, 300.0, -400.0])
    potential, attraction = ellipsoid_gravity(tuple(x), (268.0 * 1.01, 147.0, 105.0), MU)
    expected, expected_attraction = by_volume_sum(x, ITOKAWA, MU)
    with pytest.raises(AssertionError):
        assert_close(potential, expected, rtol=1e-11)
    with pytest.raises(AssertionError):
        assert_close(attraction, expected_attraction, rtol=1e-11)
