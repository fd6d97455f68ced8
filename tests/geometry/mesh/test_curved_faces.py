"""Faces lifted to the true surface: areas, bounds, sharp edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import gaps_of, revolved
from haptos.geometry.distance.revolution import (
    ball_pieces,
    capsule_pieces,
    cylinder_pieces,
    torus_pieces,
)
from haptos.geometry.distance.section_build import SectionLine, section
from haptos.geometry.mesh.curved_faces import lifted
from haptos.geometry.mesh.curved_faces_build import (
    leaf_corners,
    leaf_nodes,
    mesh_faces,
    octahedron_faces,
    revolution_faces,
)
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.patch_bends import patch_bends
from tests.close import assert_close


def area_and_volume(corners):
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    volume = np.einsum("fi,fi->f", corners[:, 0], normals).sum() / 6.0
    return 0.5 * np.linalg.norm(normals, axis=1).sum(), volume


def test_nodes_of_a_ball_lie_on_it():
    corners = leaf_corners(octahedron_faces(2, 0.05, 3))
    np.testing.assert_allclose(np.linalg.norm(corners, axis=2), 0.05, rtol=1e-14)


@pytest.mark.parametrize(
    ("pieces", "area", "volume"),
    [
        (ball_pieces(0.3), 4 * math.pi * 0.09, 4 / 3 * math.pi * 0.027),
        (cylinder_pieces(0.3, 0.8), math.pi * (0.48 + 0.18), math.pi * 0.072),
        (torus_pieces(0.4, 0.1), 4 * math.pi**2 * 0.04, 2 * math.pi**2 * 0.004),
        (
            capsule_pieces(0.2, 0.5),
            4 * math.pi * 0.04 + 0.2 * math.pi,
            math.pi * (0.02 + 4 / 3 * 0.008),
        ),
    ],
    ids=["ball", "cylinder", "torus", "capsule"],
)
def test_faces_of_revolution_cover_the_body_outward(pieces, area, volume):
    errors = []
    for levels in (1, 2):
        found = area_and_volume(
            leaf_corners(revolution_faces(section(pieces), levels, chord_error=1e-3))
        )
        errors.append(abs(found[0] / area - 1.0))
        assert_close(found[1], volume, rtol=0.02)
    assert errors[1] < 0.3 * errors[0] < 0.01


def test_nodes_of_revolution_lie_on_the_surface_while_it_spreads():
    moving = section(torus_pieces(0.05, 0.01), second=torus_pieces(0.08, 0.012))
    corners = leaf_corners(revolution_faces(moving, 1, chord_error=1e-4), 0.3).reshape(-1, 3)
    np.testing.assert_allclose(gaps_of(revolved(moving), corners, 0.3)[0], 0.0, atol=1e-15)


def test_a_disc_is_whole_at_its_middle():
    disc = section([SectionLine((0.0, 0.0), (0.0, 0.03))], straight_ends=False)
    found = area_and_volume(leaf_corners(revolution_faces(disc, 3, chord_error=2e-5)))[0]
    assert_close(found, math.pi * 0.03**2, rtol=1e-4)


def test_reach_bounds_every_node():
    faces = octahedron_faces(1, 1.0, 3)
    rng = np.random.default_rng(3)
    n = 8
    for _ in range(200):
        f = int(rng.integers(len(faces.segment)))
        i = int(rng.integers(n + 1))
        j = int(rng.integers(n + 1 - i))
        x = np.array(lifted(faces, f, i, j, n, 0.0)[0])
        nearest = min(np.linalg.norm(x - faces.corners[f, k]) for k in range(3))
        assert nearest <= faces.reach[f, 0]


def test_patches_follow_a_ball_to_a_tenth_of_the_sagitta_of_a_flat_face():
    points, faces = icosphere(2)
    radii = np.linalg.norm(leaf_corners(mesh_faces(points, faces, 3)), axis=2)
    flat = np.linalg.norm(leaf_corners(mesh_faces(points, faces, 3, curved=False)), axis=2)
    assert abs(radii - 1.0).max() < 0.1 * (1.0 - flat.min())


def test_sharp_edges_stay_straight():
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5
    faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])  # fmt: skip
    assert np.all(patch_bends(corners, faces) == 0.0)
    area, volume = area_and_volume(leaf_corners(mesh_faces(corners, faces, 2)))
    assert_close(area, 6.0, rtol=1e-12)
    assert_close(volume, 1.0, rtol=1e-12)


@pytest.mark.parametrize("levels", [0, 1, 3])
def test_nodes_of_leaves_are_all_their_corners(levels):
    faces = revolution_faces(section(torus_pieces(0.4, 0.1)), levels, chord_error=1e-2)
    nodes, corners = leaf_nodes(faces), leaf_corners(faces).reshape(-1, 3)
    n = 2**levels
    assert len(nodes) == len(faces.segment) * (n + 1) * (n + 2) // 2
    np.testing.assert_array_equal(np.unique(nodes, axis=0), np.unique(corners, axis=0))


def test_more_leaves_or_faces_than_memory_holds_are_refused_before_they_are_made():
    with pytest.raises(GeometryError, match="at most 20000000 leaves"):
        octahedron_faces(6, 1.0, 5)
    with pytest.raises(GeometryError, match="at most 1000000 faces"):
        revolution_faces(section(torus_pieces(1.0, 0.9)), 0, chord_error=2e-6)


def test_open_meshes_and_odd_levels_are_refused():
    points, faces = icosphere(1)
    with pytest.raises(GeometryError, match="open mesh"):
        mesh_faces(points, faces[:-1], 1)
    with pytest.raises(GeometryError, match="0 to 6"):
        octahedron_faces(1, 1.0, 7)
    with pytest.raises(GeometryError, match="above 0"):
        octahedron_faces(1, -1.0, 1)
