"""Day, night, shadow and sight against closed forms on spheres."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.environment import illumination
from haptos.environment.illumination import (
    elevations,
    in_sight,
    lifted,
    lit,
    lit_share,
    off_ground,
    suns_over_a_day,
)
from haptos.geometry.distance.distance_mesh import mesh_distances, solid_mesh
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.triangle_tree import triangle_tree
from tests.close import assert_close

LEVEL = 4
COARSE = 0.05  # [rad], a bit more than the angle a facet of this icosphere spans


def ball(centre=(0.0, 0.0, 0.0), radius=1.0):
    vertices, faces = icosphere(LEVEL)
    return radius * vertices + np.asarray(centre), faces


def facet_centres(vertices, faces):
    """(centres lifted by nothing, outward normals) of a ball about the origin."""
    centres = vertices[faces].mean(axis=1)
    return centres, centres / np.linalg.norm(centres, axis=1, keepdims=True)


def ball_ground(angles):
    """Points just above the unit sphere at angles from the z axis, along one meridian."""
    return 1.0001 * np.stack(
        [np.sin(angles) * np.cos(0.3), np.sin(angles) * np.sin(0.3), np.cos(angles)], axis=1
    )


def test_terminator_of_a_ball_is_a_quarter_turn_from_the_sun():
    vertices, faces = ball()
    tree = triangle_tree(vertices, faces)
    centres, normals = facet_centres(vertices, faces)
    sun = np.array([0.3, -0.5, 0.81])
    sun /= np.linalg.norm(sun)
    found = lit(tree, lifted(tree, centres, normals), sun)[:, 0]
    sure = np.abs(np.arcsin(normals @ sun)) > COARSE
    assert np.array_equal(found[sure], (normals @ sun > 0.0)[sure])
    assert_close(found.mean(), 0.5, rtol=0.02)


def test_day_lasts_as_long_as_the_sunrise_equation_says():
    """Half a day arc H: cos H = -tan(latitude) tan(sub-solar latitude); midnight sun beyond."""
    vertices, faces = ball()
    tree = triangle_tree(vertices, faces)
    tilt = np.radians(20.0)
    suns = suns_over_a_day([np.cos(tilt), 0.0, np.sin(tilt)], 360)
    latitude = np.radians([-80.0, -60.0, -30.0, 0.0, 30.0, 60.0, 80.0])
    share = lit_share(tree, ball_ground(0.5 * np.pi - latitude), suns)
    cosine = np.clip(-np.tan(latitude) * np.tan(tilt), -1.0, 1.0)
    # Facets sag by 1e-3 below the sphere: points see 0.045 rad beyond its horizon.
    assert_close(share, np.arccos(cosine) / np.pi, rtol=0.05)
    assert share[0] == 0.0
    assert share[-1] == 1.0


def test_light_does_not_depend_on_how_many_rays_are_cast_at_once(monkeypatch):
    tree = triangle_tree(*ball())
    points, suns = ball_ground(np.linspace(0.1, 3.0, 11)), suns_over_a_day([1.0, 0.0, 0.3], 7)
    whole = lit(tree, points, suns)
    for rays in (1, 20):
        monkeypatch.setattr(illumination, "RAYS_AT_ONCE", rays)
        assert np.array_equal(lit(tree, points, suns), whole)


def test_points_below_the_ground_are_raised_and_others_stay():
    vertices, faces = ball()
    mesh, size = solid_mesh(vertices, faces), 2.0 * np.sqrt(3.0)
    points = np.array([[0.0, 0.0, 0.98], [0.0, 1.3, 0.0], *vertices[:5]])
    found = off_ground(mesh, points)
    gaps = mesh_distances(mesh, found)[0]
    assert_close(gaps[[0, 2, 3, 4, 5, 6]], np.full(6, 1e-7 * size), rtol=0.01)
    assert np.array_equal(found[1], points[1])
    assert lit(mesh.tree, found[:1], [0.0, 0.0, 1.0]).all()


def test_no_sun_at_all_is_refused():
    with pytest.raises(ConfigError, match="at least one direction"):
        lit_share(triangle_tree(*ball()), [[0.0, 0.0, 2.0]], np.empty((0, 3)))


def test_the_sun_goes_west_over_a_day():
    suns = suns_over_a_day([1.0, 0.0, 0.5], 4)
    assert_close(suns[1], [0.0, -1.0, 0.5], rtol=1e-15)


def test_one_ball_shades_another_over_the_disc_it_hides():
    """Ball of radius r = 0.4 in front of the unit ball: in shadow where the distance from the axis < r."""
    (near, faces), (far, other) = ball(), ball((0.0, 0.0, 3.0), 0.4)
    tree = triangle_tree(np.concatenate([near, far]), np.concatenate([faces, other + len(near)]))
    angles = np.linspace(0.01, 1.4, 200)
    points = ball_ground(angles)
    found = lit(tree, points, [0.0, 0.0, 1.0])[:, 0]
    axis = np.hypot(points[:, 0], points[:, 1])
    sure = np.abs(axis - 0.4) > 0.01
    assert np.array_equal(found[sure], (axis > 0.4)[sure])
    assert not found[:20].any()
    alone = lit(triangle_tree(near, faces), points, [0.0, 0.0, 1.0])
    assert alone.all()


def test_a_mothership_sees_the_cap_within_its_horizon():
    """From distance d over a unit ball the horizon is at the angle acos(1/d) from its foot."""
    tree = triangle_tree(*ball())
    angles = np.linspace(0.01, 3.1, 300)
    d = 3.0
    found = in_sight(tree, ball_ground(angles), [0.0, 0.0, d])
    horizon = np.arccos(1.0 / d)
    sure = np.abs(angles - horizon) > COARSE
    assert np.array_equal(found[sure], (angles < horizon)[sure])


def test_elevation_is_that_of_the_triangle_centre_ground_ship():
    angle, d = 0.6, 3.0
    place = np.array([[np.sin(angle), 0.0, np.cos(angle)]])
    found = elevations(place, place, [0.0, 0.0, d])
    assert_close(found, [np.arctan2(d * np.cos(angle) - 1.0, d * np.sin(angle))], rtol=1e-14)


def test_check_has_teeth():
    tree = triangle_tree(*ball((0.0, 0.0, 0.1)))
    angles = np.linspace(0.01, 3.1, 300)
    found = in_sight(tree, ball_ground(angles), [0.0, 0.0, 3.0])
    assert np.any(found != (angles < np.arccos(1.0 / 3.0)))


def test_a_sun_without_direction_is_refused():
    with pytest.raises(ConfigError, match="without length"):
        lit(triangle_tree(*ball()), [[2.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]])
