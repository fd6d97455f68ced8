"""Relief above the mean ellipsoid: none on an ellipsoid, a hill where one stands, whatever the axes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.terrain.relief import mean_ellipsoid, relief
from tests.close import assert_close
from tests.geometry.closed_meshes import ball

AXES = np.array([300.0, 150.0, 100.0])  # [m]
TURN = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def ellipsoid(level: int) -> tuple[np.ndarray, np.ndarray]:
    vertices, faces = ball(level, 1.0)
    return vertices * AXES, faces


def test_an_ellipsoid_finds_itself_in_any_axes():
    vertices, faces = ellipsoid(5)
    away = np.array([40.0, -7.0, 900.0])
    semi_axes, directions, centre = mean_ellipsoid(vertices @ TURN.T + away, faces)
    assert_close(semi_axes, AXES, rtol=1e-3)  # facets are chords
    assert_close(centre, away, rtol=1e-9, scale=300.0)
    assert_close(np.abs(directions @ TURN), np.eye(3), rtol=1e-6, scale=1.0)
    assert np.linalg.det(directions) == pytest.approx(1.0)
    for spoiled in vertices * (1.0 + 0.01 * np.eye(3)[:, None]):
        with pytest.raises(AssertionError):
            assert_close(mean_ellipsoid(spoiled, faces)[0], AXES, rtol=1e-3)


def test_the_mean_ellipsoid_has_volume_and_moments_of_the_body_in_ratio():
    vertices, faces = procedural_body("bilobe", 3)
    semi_axes, directions, _ = mean_ellipsoid(vertices, faces)
    found = mass_properties(vertices, faces)
    assert_close(4.0 / 3.0 * np.pi * np.prod(semi_axes), found.volume, rtol=1e-12)
    moments = np.diag(directions @ found.inertia_per_mass @ directions.T)
    expected = (np.sum(semi_axes**2) - semi_axes**2) / 5.0
    assert_close(expected / expected.sum(), moments / moments.sum(), rtol=1e-9)


def test_relief_on_an_ellipsoid_vanishes_as_its_mesh_gets_finer():
    largest = [float(np.abs(relief(*ellipsoid(level))).max()) for level in (3, 4, 5)]
    assert largest[2] < 0.2
    assert_close([largest[0] / largest[1], largest[1] / largest[2]], [4.0, 4.0], rtol=0.15)


def test_places_above_the_ground_are_that_much_higher_and_the_frame_is_free():
    vertices, faces = procedural_body("bilobe", 3)
    centre = mass_properties(vertices, faces).centroid
    places = vertices[faces].mean(axis=1)
    plain = relief(vertices, faces)
    out = (places - centre) / np.linalg.norm(places - centre, axis=1)[:, None]
    assert_close(relief(vertices, faces, places + 5.0 * out), plain + 5.0, rtol=1e-9)
    turned = relief(vertices @ TURN.T + 50.0, faces)
    assert_close(turned, plain, rtol=1e-9, scale=float(np.abs(plain).max()))


def test_a_hill_and_a_neck_show():
    vertices, faces = ball(4, 100.0)
    hill = np.flatnonzero(vertices[:, 2] > 99.0)
    raised = vertices.copy()
    raised[hill] *= 1.1
    found = relief(raised, faces)
    on_top = np.isin(faces, hill).all(axis=1)
    assert np.all(found[on_top] > 8.0)
    assert np.abs(found[~np.isin(faces, hill).any(axis=1)]).max() < 1.0
    vertices, faces = procedural_body("bilobe", 4)
    height, x = relief(vertices, faces), vertices[faces].mean(axis=1)[:, 0]
    assert height.min() < -10.0  # the neck
    assert abs(x[np.argmin(height)]) < 0.5 * np.abs(x).max()
