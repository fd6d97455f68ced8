"""Generalised distances: solids of known corners, norms, derivatives, no overflow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.polyhedra import GOLDEN, platonic_solid
from haptos.geometry.terrain.rock_shape import (
    SHAPES,
    largest_term,
    shape_at,
    shape_directions,
    shape_mean_width,
    shape_reach,
    shape_value,
    shape_vertices,
)
from tests.close import assert_close

ALL = pytest.mark.parametrize("shape", list(SHAPES))
SHARPNESSES = pytest.mark.parametrize("p", [2.0, 4.0, 8.0, 100.0, 500.0])
places = st.tuples(*[st.floats(-2.0, 2.0)] * 3).filter(lambda y: max(map(abs, y)) > 1e-2)


def value_at(directions, p, y):
    return shape_value(directions, p, largest_term(directions, y)[0], y)


def matrix_of(s):
    xx, xy, xz, yy, yz, zz = s
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


# faces, corners and reach over the distance of the faces, of the regular solids
@pytest.mark.parametrize(
    ("shape", "faces", "corners", "reach"),
    [
        ("octahedron", 8, 6, math.sqrt(3.0)),
        ("icosahedron", 20, 12, math.sqrt(15.0 - 6.0 * math.sqrt(5.0))),
        ("dodecahedron", 12, 20, math.sqrt(15.0 - 6.0 * math.sqrt(5.0))),
        ("truncated_icosahedron", 32, 60, None),
        ("truncated_octahedron", 14, 24, math.sqrt(5.0 - 2.0 * math.sqrt(3.0))),
    ],
)
def test_sharp_solids_are_the_named_ones(shape, faces, corners, reach):
    directions = shape_directions(shape)
    assert 2 * len(directions) == faces
    assert len(shape_vertices(directions)) == corners
    if reach is not None:
        assert_close(shape_reach(directions), reach, rtol=1e-12)


@pytest.mark.parametrize("shape", ["octahedron", "icosahedron", "dodecahedron"])
def test_mean_width_is_that_of_the_regular_solid(shape):
    # mean support function over directions, by sampling the sphere evenly
    vertices, _ = platonic_solid(shape)
    i = np.arange(20_000) + 0.5
    z, turn = 1.0 - 2.0 * i / len(i), 2.0 * math.pi * i / GOLDEN
    around = np.sqrt(1.0 - z * z)
    sphere = np.stack([around * np.cos(turn), around * np.sin(turn), z], axis=1)
    width = 2.0 * (sphere @ vertices.T).max(axis=1).mean()
    reach = np.linalg.norm(vertices[0])
    directions = shape_directions(shape)
    assert_close(shape_mean_width(directions), width * shape_reach(directions) / reach, rtol=1e-4)


@ALL
@SHARPNESSES
@given(y=places)
def test_gradient_and_hessian_are_the_derivatives(shape, p, y):
    directions = shape_directions(shape)
    value, gradient, hessian = shape_at(directions, p, y)
    step = 1e-4 * value / p
    ahead, behind, slopes = [], [], []
    for axis in np.eye(3):
        there, back = (tuple(np.array(y) + s * step * axis) for s in (1.0, -1.0))
        ahead.append(value_at(directions, p, there))
        behind.append(value_at(directions, p, back))
        slopes.append(
            np.subtract(shape_at(directions, p, there)[1], shape_at(directions, p, back)[1])
        )
    assert_close(gradient, np.subtract(ahead, behind) / (2.0 * step), rtol=1e-6, scale=1.0)
    assert_close(matrix_of(hessian), np.array(slopes) / (2.0 * step), rtol=1e-5, scale=p / value)


@ALL
@given(y=places, factor=st.floats(0.01, 100.0))
def test_distance_is_a_norm(shape, y, factor):
    directions = shape_directions(shape)
    value, gradient, _ = shape_at(directions, 100.0, y)
    scaled = tuple(-factor * c for c in y)
    assert_close(value_at(directions, 100.0, scaled), factor * value, rtol=1e-12)
    assert_close(np.dot(gradient, y), value, rtol=1e-12)  # Euler's theorem
    assert np.linalg.norm(gradient) <= len(directions) ** (1.0 / 100.0) * (1.0 + 1e-12)


@given(y=places)
def test_sharpness_grows_to_the_flat_solid(y):
    directions = shape_directions("icosahedron")
    sharp = shape_at(directions, math.inf, y)
    assert_close(sharp[0], np.abs(directions @ np.array(y)).max(), rtol=1e-15)
    assert sharp[2] == (0.0,) * 6
    bound = len(directions) ** (1.0 / 1e5)
    assert sharp[0] <= value_at(directions, 1e5, y) <= bound * sharp[0] * (1.0 + 1e-12)


@given(y=places)
def test_octahedron_of_sharpness_two_is_a_sphere(y):
    directions = shape_directions("octahedron")
    radius = math.sqrt(4.0 / 3.0) * float(np.linalg.norm(y))
    assert_close(value_at(directions, 2.0, y), radius, rtol=1e-14)


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_no_power_overflows_or_vanishes(size):
    directions = shape_directions("icosahedron")
    small = shape_at(directions, 300.0, (0.3, 0.4, 0.5))
    value, gradient, _ = shape_at(directions, 300.0, (0.3 * size, 0.4 * size, 0.5 * size))
    assert_close(value / size, small[0], rtol=1e-12)
    assert_close(gradient, small[1], rtol=1e-10)


@pytest.mark.parametrize("p", [2.0, 100.0, math.inf])
def test_centre_has_value_and_derivatives_zero(p):
    directions = shape_directions("octahedron")
    assert shape_at(directions, p, (0.0, 0.0, 0.0)) == (0.0, (0.0,) * 3, (0.0,) * 6)


def test_unknown_shape_is_refused():
    with pytest.raises(GeometryError, match="icosahedron"):
        shape_directions("ball")


def test_derivative_check_has_teeth():
    directions = shape_directions("icosahedron")
    y = (0.3, -0.5, 0.7)
    with pytest.raises(AssertionError):
        assert_close(
            shape_at(1.01 * directions, 8.0, y)[1], shape_at(directions, 8.0, y)[1], rtol=1e-3
        )
