"""Unions of cuboids: mass, centre, inertia and surface agree with the solid itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.core.rotations import random_quaternion
from haptos.geometry.mesh.cuboids import FACES, Cuboid, cuboid_body, cuboid_moments
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from tests.close import assert_close


def random_cuboids(seed, count=3):
    rng = np.random.default_rng(seed)
    return [
        Cuboid(
            tuple(rng.uniform(0.2, 3.0, 3)), rng.uniform(1.0, 9.0), tuple(rng.normal(size=3)),
            tuple(random_quaternion(rng)),
        )
        for _ in range(count)
    ]  # fmt: skip


def test_one_cuboid_has_its_textbook_moments():
    """10 x 6 x 5 m, 2500 kg: 12708, 26042, 28333 kg m^2."""
    body = cuboid_body([Cuboid((10.0, 6.0, 5.0), 2500.0)])
    assert_close(body.moments, [12708.333, 26041.667, 28333.333], rtol=1e-7)
    assert_close(cuboid_moments(2500.0, (10.0, 6.0, 5.0)), body.moments, rtol=1e-14)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=30)
def test_moments_are_those_of_the_meshes_of_the_parts(seed, count):
    cuboids = random_cuboids(seed, count)
    body = cuboid_body(cuboids)
    inertia = np.zeros((3, 3))
    for number, cuboid in enumerate(cuboids):
        own = body.faces[body.cuboid_id == number]
        part = mass_properties(body.vertices, own)
        assert_close(part.volume, float(np.prod(cuboid.size)), rtol=1e-12)
        arm = part.centroid
        about = (arm @ arm) * np.eye(3) - np.outer(arm, arm)
        inertia += cuboid.mass * (part.inertia_per_mass + about)
    assert_close(inertia, np.diag(body.moments), rtol=1e-11)
    first = sum(c.mass * np.array(c.position) for c in cuboids) / body.mass
    assert_close(body.centre_G, first, rtol=1e-14, scale=3.0)
    assert (np.diff(body.moments) >= 0.0).all()


def test_surface_of_every_part_is_closed_and_faces_outward():
    body = cuboid_body(random_cuboids(5))
    for number in range(3):
        own = body.faces[body.cuboid_id == number]
        used = np.unique(own)
        assert len(used) == 8
        require_solid("part", body.vertices[used], np.searchsorted(used, own))


def test_face_ids_name_the_sides():
    body = cuboid_body([Cuboid((1.0, 2.0, 3.0), 1.0, (5.0, 0.0, 0.0)), Cuboid((1, 1, 1), 2.0)])
    signs = {"+x": (0, 1), "+y": (1, 1), "+z": (2, 1), "-x": (0, -1), "-y": (1, -1), "-z": (2, -1)}
    for triangle, face in zip(body.faces, body.face_id, strict=True):
        p, q, r = body.vertices[triangle]
        normal = np.cross(q - p, r - p)
        axis, sign = signs[FACES[face % 6]]
        wanted = sign * body.dcm_PK[face // 6][:, axis]
        assert_close(normal / np.linalg.norm(normal), wanted, rtol=1e-13)
    assert np.bincount(body.face_id).tolist() == [2] * 12


def test_axes_and_centre_carry_given_points_over():
    cuboids = random_cuboids(8)
    body = cuboid_body(cuboids)
    places = np.array([c.position for c in cuboids])
    assert_close((places - body.centre_G) @ body.dcm_PG.T, body.centres, rtol=1e-13)
    assert_close(body.dcm_PG @ body.dcm_PG.T, np.eye(3), rtol=1e-14)


def test_points_are_held_inside_only():
    body = cuboid_body(
        [Cuboid((2.0, 2.0, 2.0), 1.0, (-3.0, 0, 0)), Cuboid((2, 2, 2), 1.0, (3.0, 0, 0))]
    )
    along = (np.array([[3.0, 0, 0], [-3.9, 0.9, -0.9], [0.0, 0, 0], [4.1, 0, 0]])) @ body.dcm_PG.T
    assert body.holds(along).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    "wrong",
    [
        Cuboid((0.0, 1.0, 1.0), 1.0), Cuboid((1.0, 1.0, math.nan), 1.0), Cuboid((1, 1, 1), -1.0),
        Cuboid((1, 1, 1), 1.0, (0.0, math.inf, 0.0)), Cuboid((1, 1, 1), 1.0, attitude=(1, 1, 0, 0)),
        Cuboid((1, 1, 1), 0.0),
    ],
)  # fmt: skip
def test_impossible_cuboids_are_refused(wrong):
    with pytest.raises(GeometryError):
        cuboid_body([wrong])
    with pytest.raises(GeometryError, match="no cuboid"):
        cuboid_body([])


def test_check_has_teeth():
    body = cuboid_body([Cuboid((10.1, 6.0, 5.0), 2500.0)])
    with pytest.raises(AssertionError):
        assert_close(body.moments, [12708.333, 26041.667, 28333.333], rtol=1e-3)
