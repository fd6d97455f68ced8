"""Polyhedron gravity against published numbers, a second formulation, and potential theory."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.environment.gravity_multipole import FAR
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.environment.polyhedron_sums import ball_mesh, by_half_edges, rough_body

UNIT = 1.0 / GRAVITATIONAL_CONSTANT  # [kg/m^3], density with G rho = 1
CUBE = PolyhedronField(*box_solid((1.0, 1.0, 1.0)), UNIT)
BODY = PolyhedronField(*rough_body(), 1900.0)
DIRECTIONS = np.random.default_rng(2).normal(size=(12, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1)[:, None]


def at(factor: float) -> np.ndarray:
    """Points around BODY at a number of its radii from its centre [m]."""
    return BODY.centre + factor * BODY.radius * DIRECTIONS


def near_surface(height: float) -> np.ndarray:
    """Points above faces, edges and vertices of BODY, `height` times the face size [m]."""
    corners = BODY.vertices[BODY.faces[::150]]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.sqrt(np.linalg.norm(normal, axis=1))[:, None]
    up = height * normal / size
    feet = [corners.mean(axis=1), corners[:, 0] * 0.4 + corners[:, 1] * 0.6, corners[:, 2]]
    return np.concatenate([foot + up for foot in feet])


@pytest.mark.parametrize(
    ("x", "potential", "gravity", "angle"),
    [
        ((5.0, 1.0, 2.0), 0.182573347, (-0.03042892, -0.00608499, -0.01217019), 0.0),
        ((0.9, 0.1, 0.2), 1.064560498, (-1.06845861, -0.10293899, -0.20811831), 0.0),
        ((0.1, 0.05, 0.02), 2.353042864, None, 4.0 * math.pi),
    ],
)
def test_unit_cube_has_the_known_field(x, potential, gravity, angle):
    found = CUBE.field([x])
    assert_close(found.potential, [potential], rtol=1e-9, scale=1.0)
    if gravity is not None:
        assert_close(found.gravity, [gravity], rtol=1e-8, scale=1.0)
    assert_close(found.solid_angle, [angle], rtol=1e-14, scale=4.0 * math.pi)


@pytest.mark.parametrize("height", [1e-3, 0.1, 1.0, 3.0, -1e-3, -0.1])
def test_field_at_the_surface_agrees_with_a_second_formulation(height):
    points = near_surface(height)
    found, expected = BODY.field(points), by_half_edges(BODY, points)
    for value, wanted in zip(found[:3], expected[:3], strict=True):
        assert_close(value, wanted, rtol=1e-12)
    assert_close(found.solid_angle, expected[3], rtol=1e-12, scale=4.0 * math.pi)


@pytest.mark.parametrize("factor", [0.1, 0.5, 1.1, 3.0, 9.9, 10.1, 30.0])
def test_field_agrees_with_a_second_formulation_at_every_distance(factor):
    found, expected = BODY.field(at(factor)), by_half_edges(BODY, at(factor))
    for value, wanted in zip(found[:3], expected[:3], strict=True):
        assert_close(value, wanted, rtol=1e-12)
    assert_close(found.solid_angle, expected[3], rtol=1e-12, scale=4.0 * math.pi)


@pytest.mark.parametrize("factor", [0.2, 1.2, 4.0, 15.0])
def test_gravity_and_its_gradient_are_derivatives_of_the_potential(factor):
    step = 1e-3 * BODY.radius * max(1.0, factor)
    points = at(factor)
    found = BODY.field(points)
    for axis in range(3):
        shift = step * np.eye(3)[axis]
        near, far = (
            [BODY.field(points + sign * k * shift) for sign in (1.0, -1.0)] for k in (1, 2)
        )
        for value, slope in ((0, found.gravity[:, axis]), (1, found.gradient[:, axis])):
            first, second = near[0][value] - near[1][value], far[0][value] - far[1][value]
            assert_close((8.0 * first - second) / (12.0 * step), slope, rtol=1e-7)


def test_divergence_is_zero_outside_and_that_of_the_density_inside():
    four_pi = 4.0 * math.pi * BODY.strength
    points = np.concatenate([at(0.1), at(0.3), at(1.1), near_surface(0.01), near_surface(-0.01)])
    found = BODY.field(points)
    divergence = np.trace(found.gradient, axis1=1, axis2=2)
    inside = BODY.contains(points)
    assert 20 < inside.sum() < len(points) - 20
    assert_close(divergence, np.where(inside, -four_pi, 0.0), rtol=1e-12, scale=four_pi)
    assert_close(found.solid_angle, np.where(inside, 4.0 * math.pi, 0.0), rtol=1e-12)


@pytest.mark.parametrize(
    ("x", "share"),
    [((0.5, 0.1, 0.2), 1 / 2), ((0.5, -0.5, 0.2), 1 / 4), ((0.5, 0.5, 0.5), 1 / 8)],
    ids=["face", "edge", "vertex"],
)
def test_field_on_the_surface_is_the_limit_from_all_sides(x, share):
    found = CUBE.field([x])
    assert np.all(np.isfinite(found.gradient))
    assert_close(found.solid_angle, [4.0 * math.pi * share], rtol=1e-14)
    for step in (1e-13, 1e-10):  # g changes by step times ln(step) next to an edge
        around = CUBE.field(np.array(x) + step * DIRECTIONS)
        assert_close(around.potential, np.repeat(found.potential, 12), rtol=10.0 * step + 4e-15)
        assert_close(around.gravity, np.tile(found.gravity, (12, 1)), rtol=60.0 * step + 4e-15)


def test_gradient_on_a_face_is_the_mean_of_both_sides():
    x = np.array([0.5, 0.1, 0.2])
    step = np.array([1e-9, 0.0, 0.0])
    inside, outside, on = CUBE.gradient([x - step, x + step, x])
    assert_close(on, 0.5 * (inside + outside), rtol=1e-7)
    assert_close(outside[0, 0] - inside[0, 0], 4.0 * math.pi, rtol=1e-7)


def test_refined_meshes_approach_the_ellipsoid_with_second_order():
    semi_axes, points = (2.0, 1.3, 1.0), 2.2 * DIRECTIONS
    errors = []
    for level in (2, 3, 4):
        vertices, faces = ball_mesh(level)
        found = PolyhedronField(vertices * semi_axes, faces, UNIT).field(points)
        mu = 4.0 / 3.0 * math.pi * math.prod(semi_axes)
        exact = [ellipsoid_gravity(tuple(x), semi_axes, mu) for x in points]
        errors.append(np.max(np.abs(found.gravity - [g for _, g in exact])))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert_close(orders, [2.0, 2.0], rtol=0.03)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), offset=st.floats(-50.0, 50.0))
def test_turning_and_shifting_the_body_turns_and_shifts_the_field(seed, offset):
    generator = np.random.default_rng(seed)
    turn = rotation_matrices(np.array([random_quaternion(generator)]))[0]
    shift = offset * generator.normal(size=3)
    vertices, faces = box_solid((1.0, 0.7, 0.4))
    points = generator.normal(size=(6, 3))
    before = PolyhedronField(vertices, faces, UNIT).field(points)
    after = PolyhedronField(vertices @ turn.T + shift, faces, UNIT).field(points @ turn.T + shift)
    assert_close(after.potential, before.potential, rtol=1e-12)
    assert_close(after.gravity, before.gravity @ turn.T, rtol=1e-12)
    assert_close(after.gradient, turn @ before.gradient @ turn.T, rtol=1e-9)


def test_far_field_takes_over_without_a_step():
    below, above = (BODY.field(at(FAR * (1.0 + side))) for side in (-1e-15, 1e-15))
    for low, high in zip(below[:3], above[:3], strict=True):
        assert_close(low, high, rtol=1e-12)


def test_very_far_away_the_body_is_a_point():
    distance = 1e6 * BODY.radius
    found = BODY.field(at(1e6))
    assert_close(found.potential, np.full(12, BODY.mu / distance), rtol=1e-11)
    assert_close(found.gravity, -BODY.mu / distance**2 * DIRECTIONS, rtol=1e-11)


@pytest.mark.parametrize("change", ["flipped", "open", "flat"])
def test_surfaces_that_bound_no_solid_are_refused(change):
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    if change == "flipped":
        faces[3] = faces[3, ::-1]
    elif change == "open":
        faces = faces[1:]
    else:
        vertices[:, 2] = 0.0
    with pytest.raises(GeometryError):
        PolyhedronField(vertices, faces, 1900.0)


@pytest.mark.parametrize("density", [0.0, -1.0, math.nan, math.inf])
def test_densities_that_are_none_are_refused(density):
    with pytest.raises(GeometryError, match="density"):
        PolyhedronField(*box_solid((1.0, 1.0, 1.0)), density)


def test_points_of_another_shape_are_refused():
    with pytest.raises(GeometryError, match="shape"):
        CUBE.potential([1.0, 2.0, 3.0])


def test_check_has_teeth():
    vertices, faces = rough_body()
    vertices[0] *= 1.01
    spoiled = PolyhedronField(vertices, faces, 1900.0)
    for value, wanted in zip(
        spoiled.field(at(1.1))[:3], by_half_edges(BODY, at(1.1)), strict=False
    ):
        with pytest.raises(AssertionError):
            assert_close(value, wanted, rtol=1e-12)
