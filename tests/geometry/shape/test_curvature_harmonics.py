"""Curvature of spherical harmonics: spheres, an ellipsoid's series, finite differences, poles."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature
from haptos.geometry.shape.curvature_harmonics import CUT, harmonic_curvature
from haptos.geometry.shape.curvature_polyhedron import mesh_curvature
from haptos.geometry.shape.harmonic_fit import fit_harmonics
from haptos.geometry.shape.spherical_harmonics import HarmonicSurface, latitude_longitude
from tests.close import assert_close

AXES = np.array([130.0, 114.0, 100.0])


def random_series(degree: int, roughness: float) -> HarmonicSurface:
    generator = np.random.default_rng(degree)
    size = roughness / (1.0 + np.arange(degree + 1.0)[:, None]) ** 2
    cosine = np.tril(generator.normal(size=(degree + 1, degree + 1)) * size)
    sine = np.tril(generator.normal(size=(degree + 1, degree + 1)) * size)
    sine[:, 0] = 0.0
    cosine[0, 0] = 100.0
    return HarmonicSurface(cosine, sine, (1.0, 2.0, -3.0))


@pytest.fixture(scope="module")
def ellipsoid() -> HarmonicSurface:
    toward, _ = icosphere(4)
    radius = 1.0 / np.linalg.norm(toward / AXES, axis=1)
    return fit_harmonics(radius[:, None] * toward, 24, held_out=0).surface


def test_a_sphere_is_round_everywhere_at_the_poles_too():
    phi = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 41)
    ground = harmonic_curvature(HarmonicSurface([[50.0]], [[0.0]]), phi, 0.4)
    assert_close(ground.largest, np.full(41, 0.02), rtol=1e-7)
    assert_close(ground.least, np.full(41, 0.02), rtol=1e-7)
    assert_close(np.linalg.norm(ground.points, axis=1), np.full(41, 50.0), rtol=1e-13)


def test_the_series_of_an_ellipsoid_has_its_curvature(ellipsoid: HarmonicSurface):
    generator = np.random.default_rng(1)
    phi, lam = np.arcsin(generator.uniform(-1.0, 1.0, 300)), generator.uniform(-np.pi, np.pi, 300)
    ground = harmonic_curvature(ellipsoid, phi, lam)
    exact_points = ground.points / np.linalg.norm(ground.points / AXES, axis=1)[:, None]
    exact = ellipsoid_curvature(AXES, exact_points)
    assert_close(ground.largest / exact.largest, np.ones(300), rtol=1e-5)
    assert_close(ground.least / exact.least, np.ones(300), rtol=1e-5)
    assert_close(ground.normal, exact.normal, rtol=1e-7)
    turned = np.linalg.norm(np.cross(ground.direction, exact.direction), axis=1)
    assert np.median(turned) < 1e-4


@pytest.mark.parametrize("degree", [6, 40, 120])
def test_curvature_is_that_of_the_surface_nearby(degree: int):
    surface = random_series(degree, 6.0)
    ground = harmonic_curvature(surface, [0.9, -0.2], [2.0, -1.0])
    other = np.cross(ground.normal, ground.direction)
    for k in range(2):
        for toward, expected in ((ground.direction, ground.largest), (other, ground.least)):
            step = 1e-2
            drop = sum(
                fallen(surface, ground.points[k] + s * step * toward[k], ground.normal[k])
                for s in (1.0, -1.0)
            )
            assert_close(drop / step**2, expected[k], rtol=1e-3)


def fallen(surface: HarmonicSurface, place: np.ndarray, normal: np.ndarray) -> float:
    """How far [m] below a place the surface is, along the normal, by Newton's rule."""
    low = 0.0
    for _ in range(8):
        way = place - low * normal - surface.centre
        gap = np.linalg.norm(way) - float(surface.radius(*latitude_longitude(way)))
        low += gap / (normal @ way / np.linalg.norm(way))
    return low


def test_meshes_of_a_series_of_degree_17_come_to_its_curvature():
    # As published for Phobos: differences of K, over that of a ball, about 1 % at the finest mesh
    surface = random_series(17, 3.0)
    errors = []
    for level in (3, 4, 5, 6):  # 642 to 40,962 vertices
        vertices, faces = surface.mesh(level)
        mesh = mesh_curvature(vertices, faces).ground
        exact = harmonic_curvature(surface, *latitude_longitude(vertices - surface.centre))
        errors.append(np.median(np.abs(mesh.gaussian - exact.gaussian)) * 100.0**2)
    order = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(order[1:] > 1.7), order
    assert errors[-1] < 0.01


def test_poles_of_a_rough_body_agree_from_all_longitudes():
    surface = random_series(12, 4.0)
    lam = np.linspace(-np.pi, np.pi, 9)
    ground = harmonic_curvature(surface, 0.5 * np.pi, lam)
    spread = np.ptp(ground.gaussian) / np.abs(ground.gaussian).max()
    assert spread < 40.0 * CUT
