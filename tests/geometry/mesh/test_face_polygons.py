"""Plane polygon faces: measures, triangles, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.face_polygons import face_polygons, loop_of_borders
from haptos.geometry.mesh.mass_properties import signed_volume
from tests.close import assert_close

BOX = np.array([[x, y, z] for x in (0.0, 3.0) for y in (0.0, 2.0) for z in (0.0, 1.0)])
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def regular(sides, turn=0.3):
    angle = turn + 2.0 * math.pi * np.arange(sides) / sides
    return np.column_stack([np.cos(angle), np.sin(angle), np.full(sides, 0.5)])


def test_box_has_its_areas_normals_and_volume():
    body = face_polygons(BOX, SIDES)
    assert_close(body.areas, [2.0, 2.0, 3.0, 3.0, 6.0, 6.0], rtol=1e-15)
    wanted = [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
    assert_close(body.normals, np.array(wanted, float), rtol=1e-15)
    assert_close(signed_volume(body.vertices, body.triangles), 6.0, rtol=1e-14)
    assert_close(body.centroids[1], [3.0, 1.0, 0.5], rtol=1e-15)
    assert np.bincount(body.triangle_face).tolist() == [2] * 6


def test_edge_normals_lie_in_the_plane_and_point_out_of_the_face():
    body = face_polygons(BOX, SIDES)
    for face in range(6):
        own = slice(body.start[face], body.start[face + 1])
        ring, out = body.vertices[body.corners[own]], body.edge_normals[own]
        assert_close(out @ body.normals[face], np.zeros(4), rtol=1e-15, scale=1.0)
        assert_close(np.linalg.norm(out, axis=1), np.ones(4), rtol=1e-15)
        assert (np.einsum("ji,ji->j", body.centroids[face] - ring, out) < 0.0).all()


def test_neighbours_share_their_edge():
    body = face_polygons(BOX, SIDES)
    for face in range(6):
        own = body.corners[body.start[face] : body.start[face + 1]]
        for corner, following, other in zip(
            own, np.roll(own, -1), body.neighbours[body.start[face] : body.start[face + 1]],
            strict=True,
        ):  # fmt: skip
            theirs = SIDES[other]
            place = theirs.index(following)
            assert theirs[(place + 1) % 4] == corner


@pytest.mark.parametrize("sides", [3, 5, 8, 13])
def test_regular_polygons_have_their_area_and_centre(sides):
    body = face_polygons(regular(sides), [list(range(sides))], closed=False)
    assert_close(body.areas, [0.5 * sides * math.sin(2.0 * math.pi / sides)], rtol=1e-14)
    assert_close(body.centroids, [[0.0, 0.0, 0.5]], rtol=1e-14, scale=1.0)
    assert len(body.triangles) == sides - 2
    assert (body.neighbours == -1).all()


@pytest.mark.parametrize("between", [1, 2, 5])
def test_collinear_borders_cost_nothing(between):
    """A rectangle with extra corners on every side, the first three on one line."""
    corners = np.array([[0.0, 0, 0], [2.0, 0, 0], [2.0, 1, 0], [0.0, 1, 0]])
    share = np.arange(between + 1) / (between + 1.0)
    ring = np.concatenate(
        [
            a + share[:, None] * (b - a)
            for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)
        ]
    )
    body = face_polygons(ring, [list(range(len(ring)))], closed=False)
    assert_close(body.normals, [[0.0, 0.0, 1.0]], rtol=1e-15)
    assert_close(body.areas, [2.0], rtol=1e-14)
    p, q, r = (ring[body.triangles[:, k]] for k in range(3))
    areas = 0.5 * np.cross(q - p, r - p)[:, 2]
    assert (areas > 1e-3).all()
    assert_close(areas.sum(), 2.0, rtol=1e-14)


def spoiled(faces, vertices=BOX, **more):
    return lambda: face_polygons(vertices, faces, **more)


def bent(index, by):
    points = BOX.copy()
    points[index] += by
    return points


HOLLOW = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [1.9, 0.2, 0], [0, 2, 0]])
STAR = regular(5)


@pytest.mark.parametrize(
    ("work", "says"),
    [
        (spoiled([SIDES[0][::-1], *SIDES[1:]]), "turn the clockwise one around"),
        (spoiled([face[::-1] for face in SIDES]), "point inward"),
        (spoiled(SIDES[1:]), "add the missing face"),
        (spoiled(SIDES, bent(7, [0.01, 0.02, 0.03])), "out of the plane"),
        (spoiled([[0, 1, 2, 3, 4]], HOLLOW, closed=False), "hollow corner at place 3"),
        (spoiled([[0, 2, 4, 1, 3]], STAR, closed=False), "convex"),
        (spoiled([[0, 1]], STAR, closed=False), "three or more"),
        (spoiled([[0, 1, 9]], STAR, closed=False), "vertices 0 to 4"),
        (spoiled([[0, 1, 1, 2]], STAR, closed=False), "every corner once"),
        (spoiled([[0, 1, 2]], [[0.0, 0, 0], [1, 0, 0], [2, 0, 0]], closed=False), "an area"),
        (spoiled([], STAR), "no face"),
        (spoiled([[0, 1, 2]], [[0.0, 0, math.nan]] * 3), "finite numbers"),
    ],
)
def test_bad_faces_are_refused(work, says):
    with pytest.raises(GeometryError, match=says):
        work()


def test_borders_head_to_tail_make_a_loop():
    assert loop_of_borders([(4, 6), (6, 7), (7, 5), (5, 4)]) == [4, 6, 7, 5]
    with pytest.raises(GeometryError, match="head to tail"):
        loop_of_borders([(4, 6), (7, 6), (7, 5), (5, 4)])
    with pytest.raises(GeometryError, match="three pairs"):
        loop_of_borders([(0, 1), (1, 0)])


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(
            face_polygons(1.01 * BOX, SIDES).areas, [2.0, 2.0, 3.0, 3.0, 6.0, 6.0], rtol=1e-3
        )
