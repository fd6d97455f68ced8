"""Aspect angles: recomputed statistics of the Platonic solids, closed forms, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.shape.aspect_angle import (
    aspect_angles,
    aspect_statistics,
    lattice_directions,
    polygon_largest,
    polygon_radius,
)
from tests.close import assert_close

TENTH_OF_A_DEGREE = math.radians(0.1)
# mean, deviation, largest [deg]; a million random attitudes, another program
KNOWN = {
    "tetrahedron": (39.6, 14.8, 70.5),
    "octahedron": (31.9, 11.7, 54.7),
    "cube": (28.1, 10.9, 54.7),
    "icosahedron": (22.3, 8.1, 37.4),
    "dodecahedron": (18.0, 7.3, 37.4),
}


@pytest.mark.parametrize("name", KNOWN)
def test_platonic_solids_have_the_recomputed_angles(name):
    found = aspect_statistics(platonic_solid(name)[0], 20_000)
    numbers = [found.mean, found.deviation, found.largest]
    assert_close(numbers, np.radians(KNOWN[name]), rtol=TENTH_OF_A_DEGREE, scale=1.0)


def test_the_check_has_teeth():
    stretched = platonic_solid("cube")[0] * np.array([1.0, 1.0, 1.05])
    assert abs(aspect_statistics(stretched, 100).largest - math.radians(54.7)) > TENTH_OF_A_DEGREE


def test_the_largest_angle_is_that_of_inscribed_and_circumscribed_spheres():
    found = aspect_statistics(platonic_solid("cube")[0], 100).largest
    assert_close(found, math.acos(1.0 / math.sqrt(3.0)), rtol=1e-12)


def test_no_direction_exceeds_the_largest_angle():
    box = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-0.3, 0.3)], dtype=float)
    angles = aspect_angles(box, lattice_directions(20_000))
    largest = aspect_statistics(box).largest
    assert largest - 0.05 < angles.max() <= largest


def test_the_mean_converges_on_the_lattice():
    points = platonic_solid("tetrahedron")[0]
    coarse, fine = (aspect_statistics(points, count).mean for count in (5_000, 80_000))
    assert_close(coarse, fine, rtol=1e-3)


def test_lattice_directions_average_like_the_sphere():
    directions = lattice_directions(10_000)
    assert_close(directions.T @ directions / 10_000, np.eye(3) / 3.0, rtol=1e-3)


def test_polygons_of_unit_area_have_their_closed_forms():
    for sides in (3, 4, 5, 12):
        radius, half = polygon_radius(sides), math.pi / sides
        assert_close(sides * radius**2 * math.sin(half) * math.cos(half), 1.0, rtol=1e-12)
    assert_close(
        np.degrees([polygon_largest(n) for n in (3, 4, 5)]), [60.0, 45.0, 36.0], rtol=1e-12
    )


def test_flat_probes_and_origins_outside_are_refused():
    with pytest.raises(GeometryError, match="flat"):
        aspect_statistics([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    with pytest.raises(GeometryError, match="outside"):
        aspect_statistics(platonic_solid("cube")[0] + 5.0)
    with pytest.raises(GeometryError, match="shape"):
        aspect_statistics([[0.0, 1.0]])
