"""Curvature from forms: a torus, a saddle, Euler's rule, directions over the ground."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.shape.curvature import (
    CONCAVE,
    CONVEX,
    MIXED,
    CurvedGround,
    azimuth_vectors,
    east_north,
    from_forms,
    from_shape_tensor,
)
from tests.close import assert_close

GENERATOR = np.random.default_rng(5)
RING, TUBE = 5.0, 2.0  # [m]


def torus(u: np.ndarray, v: np.ndarray) -> CurvedGround:
    """Torus from skewed tangents: r_1 = r_u + 0.3 r_v, r_2 = r_v - 0.2 r_u."""
    wide = RING + TUBE * np.cos(v)
    point = np.stack([wide * np.cos(u), wide * np.sin(u), TUBE * np.sin(v)], axis=1)
    normal = np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=1)
    r_u = np.stack([-wide * np.sin(u), wide * np.cos(u), 0.0 * u], axis=1)
    r_v = TUBE * np.stack([-np.sin(v) * np.cos(u), -np.sin(v) * np.sin(u), np.cos(v)], axis=1)
    uu, vv = wide * np.cos(v), np.full_like(v, TUBE)  # II of (u, v), whose mixed part is zero
    second = np.stack([uu + 0.09 * vv, -0.2 * uu + 0.3 * vv, 0.04 * uu + vv], axis=1)
    return from_forms(point, normal, (r_u + 0.3 * r_v, r_v - 0.2 * r_u), second)


def test_a_torus_has_its_two_curvatures_whatever_the_tangents():
    u, v = GENERATOR.uniform(0.0, 2.0 * np.pi, (2, 200))
    ground = torus(u, v)
    around = np.cos(v) / (RING + TUBE * np.cos(v))
    assert_close(ground.largest, np.full(200, 1.0 / TUBE), rtol=1e-13)
    assert_close(ground.least, around, rtol=1e-13)
    along = np.abs(np.einsum("ni,ni->n", ground.direction, np.stack(
        [-np.sin(v) * np.cos(u), -np.sin(v) * np.sin(u), np.cos(v)], axis=1)))  # fmt: skip
    assert_close(along, np.ones(200), rtol=1e-12)
    assert set(ground.kind[np.cos(v) > 0.01]) == {CONVEX}
    assert set(ground.kind[np.cos(v) < -0.01]) == {MIXED}


def test_a_bowl_seen_from_inside_is_concave():
    up = np.array([[0.0, 0.0, 1.0]])
    x, y = np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0]])
    ground = from_shape_tensor(0.0 * up, up, x, y, np.array([[-2.0, 0.0, -1.0]]))
    assert ground.kind[0] == CONCAVE
    assert_close(ground.along(y), [-1.0], rtol=1e-14)
    assert_close([ground.mean[0], ground.gaussian[0]], [-1.5, 2.0], rtol=1e-14)


def test_curvature_along_a_direction_follows_euler():
    u, v = GENERATOR.uniform(0.0, 2.0 * np.pi, (2, 50))
    ground = torus(u, v)
    eta = GENERATOR.uniform(0.0, 2.0 * np.pi, 50)
    other = np.cross(ground.normal, ground.direction)
    toward = np.cos(eta)[:, None] * ground.direction + np.sin(eta)[:, None] * other
    expected = ground.largest * np.cos(eta) ** 2 + ground.least * np.sin(eta) ** 2
    assert_close(ground.along(toward), expected, rtol=1e-13)
    assert_close(ground.chosen([3]).along(toward[3]), expected[3:4], rtol=1e-12)


def test_east_is_where_the_spin_carries_the_ground():
    normal = GENERATOR.normal(size=(100, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    pole = np.array([0.3, -0.5, 2.0])
    east, north = east_north(normal, pole)
    swept = np.cross(pole, normal)
    assert_close(east, swept / np.linalg.norm(swept, axis=1)[:, None], rtol=1e-12)
    assert_close(np.cross(east, north), normal, rtol=1e-12)
    assert np.all(north @ pole > 0.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("pole", [(0.0, 0.0, 1.0), (2.0, 0.0, 0.0)])
def test_level_ground_under_the_pole_has_an_east_too(sign: float, pole: tuple):
    normal = sign * np.array([pole]) / np.linalg.norm(pole)
    east, north = east_north(normal, pole)
    assert_close(np.linalg.norm(east, axis=1), [1.0], rtol=1e-14)
    assert_close(np.cross(east, north), normal, rtol=1e-14)
    if pole[2] > 0.0:
        assert_close(east, [[0.0, 1.0, 0.0]], rtol=1e-14)


def test_azimuths_run_from_east_over_north_about_z_without_a_spin():
    normal = GENERATOR.normal(size=(3, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    east, north = east_north(normal)
    found = azimuth_vectors(normal, (0.0, 0.0, 0.0), np.array([0.0, 0.5 * np.pi, 0.75 * np.pi]))
    half = np.sqrt(0.5)
    expected = [east[0], north[1], half * (north[2] - east[2])]
    assert_close(found, expected, rtol=1e-14)
    with pytest.raises(AssertionError):
        assert_close(azimuth_vectors(normal, (1.0, 0.0, 0.0), np.zeros(3)), east, rtol=1e-3)


def test_rows_that_do_not_fit_together_are_refused():
    three = np.zeros((3, 3))
    with pytest.raises(GeometryError, match="least of shape"):
        CurvedGround(three, three, np.zeros(3), np.zeros(2), three)
