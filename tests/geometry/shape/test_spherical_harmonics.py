"""Harmonic surfaces: Eq. (2.7) by its own recursion, derivatives, meshes, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface, latitude_longitude
from tests.close import assert_close


def random_coefficients(degree: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """A sphere of 100 m with waves of some metres, normalised."""
    generator = np.random.default_rng(seed)
    size = 5.0 / (1.0 + np.arange(degree + 1.0)) ** 2
    cosine = np.tril(generator.normal(size=(degree + 1, degree + 1)) * size[:, None])
    sine = np.tril(generator.normal(size=(degree + 1, degree + 1)) * size[:, None])
    sine[:, 0] = 0.0
    cosine[0, 0] = 100.0
    return cosine, sine


def published_recursion(degree: int, x: float) -> np.ndarray:
    """P_jk(x) of Eq. (2.7), unnormalised and without (-1)^k, as printed."""
    p = np.zeros((degree + 1, degree + 1))
    u = np.sqrt(1.0 - x * x)
    p[0, 0] = 1.0
    if degree:
        p[1, 0], p[1, 1] = x, u
    for n in range(2, degree + 1):
        p[n, 0] = ((2 * n - 1) * x * p[n - 1, 0] - (n - 1) * p[n - 2, 0]) / n
        for m in range(1, n):
            p[n, m] = p[n - 2, m] + (2 * n - 1) * u * p[n - 1, m - 1]
        p[n, n] = (2 * n - 1) * u * p[n - 1, n - 1]
    return p


def printed_radius(a: np.ndarray, b: np.ndarray, phi: float, lam: float) -> float:
    k = np.arange(len(a))
    wave = a * np.cos(k * lam) + b * np.sin(k * lam)
    return float(np.sum(wave * published_recursion(len(a) - 1, np.sin(phi))))


PLACES = [(-1.5, 0.2), (-0.3, 3.0), (0.0, 0.0), (0.8, -2.0), (np.pi / 2, 1.0)]


@pytest.mark.parametrize("degree", [0, 1, 5, 18])
def test_radius_is_the_printed_series(degree: int):
    surface = HarmonicSurface(*random_coefficients(degree))
    a, b = surface.unnormalised()
    phi, lam = np.array(PLACES).T
    expected = [printed_radius(a, b, *place) for place in PLACES]
    assert_close(surface.radius(phi, lam), expected, rtol=1e-11)


def test_a_coefficient_one_percent_off_is_seen():
    a, b = HarmonicSurface(*random_coefficients(5)).unnormalised()
    spoiled = HarmonicSurface.from_unnormalised(np.where(np.eye(6) > 0, 1.01 * a, a), b)
    phi, lam = np.array(PLACES).T
    expected = [printed_radius(a, b, *place) for place in PLACES]
    with pytest.raises(AssertionError):
        assert_close(spoiled.radius(phi, lam), expected, rtol=1e-11)


@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize("degree", [4, 100])
def test_unnormalised_coefficients_come_back(degree: int, alternating: bool):
    surface = HarmonicSurface(*random_coefficients(degree))
    there = surface.unnormalised(alternating=alternating)
    back = HarmonicSurface.from_unnormalised(*there, alternating=alternating)
    assert_close(back.cosine, surface.cosine, rtol=1e-14)
    assert_close(back.sine, surface.sine, rtol=1e-14)
    if alternating:
        assert np.sign(there[0][1, 1]) == -np.sign(surface.cosine[1, 1])


@pytest.mark.parametrize("degree", [6, 100])
def test_derivatives_match_differences(degree: int):
    surface = HarmonicSurface(*random_coefficients(degree))
    phi, lam, h = np.array([-1.1, 0.2, 0.9]), np.array([0.3, 2.0, -1.0]), 1e-5
    exact = surface.derivatives(phi, lam)
    assert_close(exact.radius, surface.radius(phi, lam), rtol=1e-14)
    north, south = surface.derivatives(phi + h, lam), surface.derivatives(phi - h, lam)
    east, west = surface.derivatives(phi, lam + h), surface.derivatives(phi, lam - h)
    pairs = [
        (exact.by_phi, north.radius, south.radius),
        (exact.by_lambda, east.radius, west.radius),
        (exact.by_phi_phi, north.by_phi, south.by_phi),
        (exact.by_phi_lambda, east.by_phi, west.by_phi),
        (exact.by_phi_lambda, north.by_lambda, south.by_lambda),
        (exact.by_lambda_lambda, east.by_lambda, west.by_lambda),
    ]
    for found, high, low in pairs:
        assert_close(found, (high - low) / (2 * h), rtol=2e-7)


def test_many_places_are_taken_in_pieces_and_keep_their_shape(monkeypatch):
    surface = HarmonicSurface(*random_coefficients(8), centre=(1.0, 2.0, 3.0))
    phi, lam = np.meshgrid(np.linspace(-1.5, 1.5, 7), np.linspace(-3.0, 3.0, 11))
    whole, points = surface.radius(phi, lam), surface.points(phi, lam)
    monkeypatch.setattr("haptos.geometry.shape.spherical_harmonics.NUMBERS_AT_ONCE", 200)
    assert_close(surface.radius(phi, lam), whole, rtol=1e-15)
    assert surface.derivatives(phi, lam).by_phi.shape == (11, 7)
    assert_close(np.linalg.norm(points - [1.0, 2.0, 3.0], axis=-1), whole, rtol=1e-14)


def test_mesh_is_a_solid_whose_volume_converges_to_that_of_the_series():
    surface = HarmonicSurface(*random_coefficients(6), centre=(5.0, 0.0, -5.0))
    x, weight = np.polynomial.legendre.leggauss(24)
    lam = 2 * np.pi * np.arange(48) / 48
    radius = surface.radius(np.arcsin(x)[:, None], lam)
    exact = np.sum(weight[:, None] * radius**3) * (2 * np.pi / 48) / 3
    errors = []
    for level in (3, 4, 5):
        vertices, faces = surface.mesh(level)
        require_solid("mesh", vertices, faces)
        errors.append(1.0 - mass_properties(vertices, faces).volume / exact)
    assert_close(np.divide(errors[:2], errors[1:]), [4.0, 4.0], rtol=0.05)  # second order
    latitude, longitude = latitude_longitude(vertices - surface.centre)
    assert_close(surface.points(latitude, longitude), vertices, rtol=1e-12)


def test_series_that_are_none_are_refused():
    square = np.zeros((3, 3))
    with pytest.raises(GeometryError, match="two squares"):
        HarmonicSurface(square, np.zeros((2, 2)))
    with pytest.raises(GeometryError, match="belongs to no harmonic"):
        HarmonicSurface(np.triu(square + 1.0), square)
    with pytest.raises(GeometryError, match="belongs to no harmonic"):
        HarmonicSurface(square, np.tril(square + 1.0))
    with pytest.raises(GeometryError, match="not finite"):
        HarmonicSurface(np.full((1, 1), np.nan), np.zeros((1, 1)))
    with pytest.raises(GeometryError, match="radii > 0"):
        HarmonicSurface([[1.0, 0.0], [5.0, 0.0]], np.zeros((2, 2))).mesh(2)
    with pytest.raises(GeometryError, match="level 12"):
        HarmonicSurface([[1.0]], [[0.0]]).mesh(12)
    with pytest.raises(GeometryError, match="unnormalised form"):
        HarmonicSurface(*random_coefficients(200)).unnormalised()
