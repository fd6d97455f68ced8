"""Bodies that are asked for distances: half-space, box, revolution, meshes of several parts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import (
    TETRAHEDRON,
    box,
    gaps_of,
    half_space,
    meshed,
    revolved,
)
from haptos.geometry.distance.revolution import cylinder_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid

RNG = np.random.default_rng(9)


def test_a_box_and_its_mesh_agree():
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * [
        0.5,
        0.3,
        0.2,
    ]
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
    points = RNG.uniform(-1.0, 1.0, (500, 3))
    np.testing.assert_allclose(
        gaps_of(box([1.0, 0.6, 0.4]), points)[0],
        gaps_of(meshed(corners, faces), points)[0],
        atol=1e-12,
    )


def test_half_space_is_a_plane():
    gaps, normals, _ = gaps_of(half_space((0.0, 3.0, 4.0), 0.2), [[1.0, 1.0, 1.0]])
    assert math.isclose(gaps[0], 1.4 - 0.2)
    np.testing.assert_allclose(normals[0], [0.0, 0.6, 0.8])


def test_a_mesh_of_two_parts_is_the_nearer_of_both():
    points, faces = icosphere(2)
    two = np.concatenate([points, points + np.array([3.0, 0.0, 0.0])])
    both = meshed(two, np.concatenate([faces, faces + len(points)]))
    one = meshed(points, faces)
    x = RNG.uniform(-2.0, 5.0, (300, 3))
    nearer = np.minimum(gaps_of(one, x)[0], gaps_of(one, x - [3.0, 0.0, 0.0])[0])
    np.testing.assert_allclose(gaps_of(both, x)[0], nearer, atol=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "shift", "word"),
    [
        ((3.0, 0.3, 0.3), (0.3, 3.0, 0.3), 0.0, "cut or touch"),
        ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), 0.0, "touch"),
        ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), 1.0, "touch"),
        ((1.0, 1.0, 1.0), (3.0, 3.0, 1.0), 2.0, "touch"),
    ],
    ids=["crossing bars", "twice the same", "a common wall", "a wall on a larger one"],
)
def test_parts_that_cross_or_touch_are_refused(first, second, shift, word):
    """No corner of crossing bars lies in the other; of parts that touch, the common wall would count as surface."""
    points, faces = platonic_solid("cube")
    points = points / np.ptp(points[:, 0])
    both = np.vstack([points * first, points * second + [shift, 0.0, 0.0]])
    with pytest.raises(GeometryError, match=word):
        meshed(both, np.vstack([faces, faces + 8]))
    both[8:] += [3.5, 0.0, 0.0]
    meshed(both, np.vstack([faces, faces + 8]))


def test_parts_that_overlap_and_open_meshes_are_refused():
    points, faces = icosphere(1)
    two = np.concatenate([points, points + np.array([0.5, 0.0, 0.0])])
    with pytest.raises(GeometryError, match="overlap"):
        meshed(two, np.concatenate([faces, faces + len(points)]))
    with pytest.raises(GeometryError, match="open mesh"):
        meshed(points, faces[:-1])
    with pytest.raises(GeometryError, match="direction"):
        half_space((0.0, 0.0, 0.0))
    with pytest.raises(GeometryError, match="above 0"):
        box([1.0, -1.0, 1.0])


@pytest.mark.parametrize(
    "body",
    [box([1.0, 0.5, 0.2]), meshed(*TETRAHEDRON), revolved(section(cylinder_pieces(0.4, 1.0)))],
    ids=["box", "mesh", "cylinder"],
)
def test_gap_never_changes_faster_than_the_point_moves(body):
    x = RNG.uniform(-1.0, 1.0, (2000, 3))
    gaps = gaps_of(body, x)[0]
    assert np.all(np.abs(np.diff(gaps)) <= np.linalg.norm(np.diff(x, axis=0), axis=1) * (1 + 1e-12))
