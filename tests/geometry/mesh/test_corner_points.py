"""Corners of solids, and points along their edges."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.contacts.element_edge import sharp_edges
from haptos.geometry.mesh.corner_points import MOST_CORNERS, corner_points, even_directions
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close


def test_a_box_has_its_corners_and_seven_points_on_each_edge():
    vertices, faces = box_solid((2.0, 1.0, 0.5))
    points = corner_points(vertices, sharp_edges(vertices, faces)[0])
    assert len(points) == 8 + 12 * 7
    at_side = np.isclose(np.abs(points), 0.5 * np.array([2.0, 1.0, 0.5]), rtol=0.0, atol=1e-15)
    assert (at_side.sum(axis=1) >= 2).all()
    assert_close(np.diff(np.unique(points[:, 0].round(12))), np.full(8, 0.25), rtol=1e-12)


def test_directions_are_even():
    directions = even_directions(400)
    assert_close(np.linalg.norm(directions, axis=1), np.ones(400), rtol=1e-14)
    assert np.abs(directions.mean(axis=0)).max() < 1e-2
    nearest = np.sort(directions @ directions.T, axis=1)[:, -2]
    assert np.arccos(nearest).min() > 0.5 * np.sqrt(4.0 * np.pi / 400)


def test_a_solid_of_many_corners_is_told_by_those_that_stick_out():
    vertices, faces = icosphere(4)
    stretched = vertices * np.array([3.0, 1.0, 1.0])
    points = corner_points(stretched, sharp_edges(stretched, faces)[0])
    assert len(points) <= MOST_CORNERS < len(vertices)
    assert_close(np.abs(points).max(axis=0), np.abs(stretched).max(axis=0), rtol=1e-2)
