"""Curvature of ellipsoids: ends of the axes, finite differences, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature, ellipsoid_points
from tests.close import assert_close

AXES = (200.0, 100.0, 50.0)
GENERATOR = np.random.default_rng(6)


def test_ends_of_the_axes_have_the_radii_of_their_ellipses():
    a, b, c = AXES
    ends = np.diag(AXES)
    ground = ellipsoid_curvature(AXES, np.concatenate([ends, -ends]))
    radii = [(c * c / a, b * b / a), (c * c / b, a * a / b), (b * b / c, a * a / c)] * 2
    assert_close(1.0 / np.stack([ground.largest, ground.least], axis=1), radii, rtol=1e-13)


def test_gaussian_curvature_has_its_closed_form():
    phi, lam = GENERATOR.uniform(-1.5, 1.5, 100), GENERATOR.uniform(-3.0, 3.0, 100)
    points = ellipsoid_points(AXES, phi, lam)
    axes = np.array(AXES)
    expected = 1.0 / (np.prod(axes**2) * np.sum(points**2 / axes**4, axis=1) ** 2)
    assert_close(ellipsoid_curvature(AXES, points).gaussian / expected, np.ones(100), rtol=1e-12)


def height(axes: np.ndarray, point: np.ndarray, normal: np.ndarray) -> float:
    """Way [m] along the normal from a point to the surface, outward."""
    w = axes**-2.0
    a, b, c = normal @ (w * normal), point @ (w * normal), point @ (w * point) - 1.0
    return float(-c / (b + np.sqrt(b * b - a * c)))


def test_the_surface_falls_away_by_half_the_curvature():
    points = ellipsoid_points(AXES, [0.3, -1.2], [0.7, 2.5])
    ground, axes = ellipsoid_curvature(AXES, points), np.array(AXES)
    other = np.cross(ground.normal, ground.direction)
    for k in range(2):
        for toward, expected in ((ground.direction, ground.largest), (other, ground.least)):
            step = 0.02
            both = [
                height(axes, points[k] + s * step * toward[k], ground.normal[k]) for s in (1, -1)
            ]
            assert_close(-sum(both) / step**2, expected[k], rtol=1e-5)


def test_points_off_the_surface_are_refused():
    with pytest.raises(GeometryError, match="off the surface"):
        ellipsoid_curvature(AXES, [[201.0, 0.0, 0.0]])
    with pytest.raises(GeometryError, match="semi-axes"):
        ellipsoid_curvature((1.0, 0.0, 1.0), [[1.0, 0.0, 0.0]])
    with pytest.raises(GeometryError, match="shape"):
        ellipsoid_curvature(AXES, [200.0, 0.0, 0.0])
