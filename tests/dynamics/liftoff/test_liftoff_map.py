"""Maps of lift-off: tabulated ellipsoids, symmetries, sizes, tides, the same bits on any threads."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError, GeometryError
from haptos.dynamics.liftoff.liftoff_map import LiftoffMap, liftoff_along, liftoff_map
from haptos.environment import gravity as gravities
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape.curvature import CurvedGround
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature, ellipsoid_points
from haptos.geometry.shape.curvature_harmonics import harmonic_curvature
from haptos.geometry.shape.curvature_polyhedron import mesh_curvature
from haptos.geometry.shape.harmonic_fit import fit_harmonics
from haptos.geometry.shape.latitude_grid import grid_angles
from tests.close import assert_close

MU, OMEGA = 2.5, (0.0, 0.0, 1.5e-4)
OBLATE, PROLATE, GENERAL = (200.0, 200.0, 100.0), (150.0, 150.0, 200.0), (200.0, 100.0, 50.0)

# semi-axes, latitude, longitude [deg]: |g| [1e-5 m/s^2], radii [m], V east, west, north [m/s],
# least V and its azimuth [deg], greatest V and its azimuth; of [VanWal2018]'s shapes
TABLE = {
    (OBLATE, 0, 0): (8.86499, 50, 200, 0.10315, 0.16315, 0.06487, 0.06428, 81, 0.16315, 180),
    (OBLATE, 90, 0): (9.88501, 400, 400, 0.19885, 0.19885, 0.19885, 0.19885, None, 0.19885, None),
    (PROLATE, 0, 0): (9.24586, 150, 266.67, 0.09527, 0.14027, 0.15413, 0.09527, 0, 0.16066, 109),
    (PROLATE, 90, 0): (8.67769, 112.5, 112.5, 0.0988, 0.0988, 0.0988, 0.0988, None, 0.0988, None),
    (GENERAL, 0, 0): (16.8526, 12.5, 50, 0.08337, 0.09837, 0.04528, 0.04523, 87, 0.09837, 180),
    (GENERAL, 0, 90): (21.3585, 25, 400, 0.23687, 0.35687, 0.07269, 0.07258, 87, 0.35687, 180),
    (GENERAL, 90, 0): (22.6076, 200, 800, 0.21264, 0.21264, 0.42528, 0.21264, 0, 0.42528, 90),
}
RANGES = {  # least and greatest of V_min and of V_max over the whole body
    OBLATE: (0.064, 0.199, 0.163, 0.203),
    PROLATE: (0.0925, 0.0988, 0.0988, 0.161),
    GENERAL: (0.045, 0.213, 0.098, 0.433),
}


def grounds(axes: tuple, step: float = 6.0) -> CurvedGround:
    phi, lam = np.meshgrid(*grid_angles(math.radians(step)), indexing="ij")
    return ellipsoid_curvature(axes, ellipsoid_points(axes, phi.ravel(), lam.ravel()))


def mapped(axes: tuple, **options: object) -> LiftoffMap:
    return liftoff_map(grounds(axes), gravities.ellipsoid(axes, MU), OMEGA, **options)


@pytest.mark.parametrize("place", TABLE, ids=str)
def test_ellipsoids_have_the_tabulated_speeds(place: tuple):
    axes, latitude, longitude = place
    point = ellipsoid_points(axes, [math.radians(latitude)], [math.radians(longitude)])
    ground = ellipsoid_curvature(axes, point)
    found = liftoff_map(ground, gravities.ellipsoid(axes, MU), OMEGA)
    g, small, large, *speeds, least, least_at, greatest, greatest_at = TABLE[place]
    assert_close(np.linalg.norm(found.gravity), 1e-5 * g, rtol=1e-5)
    assert_close([1.0 / ground.largest[0], 1.0 / ground.least[0]], [small, large], rtol=2e-5)
    azimuth = np.radians([0.0, 180.0, 90.0])
    along = liftoff_along(ground, found.gravity, OMEGA, azimuth)[0][0]
    assert_close(along, speeds, rtol=1e-4)
    assert_close([found.least[0], found.greatest[0]], [least, greatest], rtol=1e-4)
    for angle, expected in ((found.least_azimuth, least_at), (found.greatest_azimuth, greatest_at)):
        if expected is not None:
            assert abs(math.degrees(angle[0]) - expected) < 0.5
    assert found.possible[0] == 1.0


@pytest.mark.parametrize("axes", RANGES, ids=str)
def test_ellipsoids_have_the_tabulated_ranges(axes: tuple):
    found = mapped(axes)
    least, greatest = found.least, found.greatest
    got = [least.min(), least.max(), greatest.min(), greatest.max()]
    assert_close(np.array(got) / RANGES[axes], np.ones(4), rtol=8e-3)  # three digits
    assert found.shares() == (1.0, 0.0, 0.0)


def test_extremes_are_refined_between_the_steps():
    ground, world = grounds(GENERAL, 20.0), gravities.ellipsoid(GENERAL, MU)
    coarse = liftoff_map(ground, world, OMEGA, step=math.radians(10.0))
    fine = liftoff_map(ground, world, OMEGA, step=math.radians(0.1))
    assert_close(coarse.least / fine.least, np.ones(len(ground)), rtol=2e-5)
    assert_close(coarse.greatest / fine.greatest, np.ones(len(ground)), rtol=2e-5)


def test_minima_go_along_the_spin_and_maxima_against_it():
    found = mapped(GENERAL)
    assert np.all(np.cos(found.least_azimuth) > -1e-6)
    assert np.all(np.cos(found.greatest_azimuth) < 1e-6)
    ends = np.argmin(found.least)
    assert_close(np.abs(found.ground.points[ends]), [200.0, 0.0, 0.0], rtol=1e-9)


def test_a_sphere_knows_neither_longitude_nor_direction_at_its_poles():
    found = liftoff_map(grounds((200.0,) * 3), gravities.point(MU), OMEGA)
    rows = found.least.reshape(len(grid_angles(math.radians(6.0))[0]), -1)
    assert_close(rows, np.broadcast_to(rows[:, :1], rows.shape), rtol=1e-12)
    spread = (found.greatest - found.least).reshape(rows.shape)[:, 0]
    assert spread[0] < 1e-12 > spread[-1]
    assert np.argmax(spread) == len(spread) // 2
    # Azimuth zero is east, 180 deg west, away from the poles.
    inner = np.abs(found.ground.normal[:, 2]) < 0.99
    assert np.all(np.abs(np.sin(found.least_azimuth[inner])) < 1e-6)


def test_threads_do_not_change_the_bits():
    one, two = mapped(GENERAL, workers=1), mapped(GENERAL, workers=3)
    for name in ("least", "greatest", "least_azimuth", "possible", "ridge", "geopotential"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


def test_harmonics_and_meshes_of_an_ellipsoid_give_its_map():
    axes = np.array([130.0, 114.0, 100.0])
    toward, faces = icosphere(5)
    points = toward / np.linalg.norm(toward / axes, axis=1)[:, None]
    world = gravities.ellipsoid(tuple(axes), MU)
    exact = liftoff_map(ellipsoid_curvature(axes, points), world, OMEGA)
    mesh = liftoff_map(mesh_curvature(points, faces).ground, world, OMEGA)
    assert np.median(np.abs(mesh.least / exact.least - 1.0)) < 2e-3
    surface = fit_harmonics(points, 20, held_out=0).surface
    phi, lam = np.arcsin(toward[:, 2]), np.arctan2(toward[:, 1], toward[:, 0])
    series = liftoff_map(harmonic_curvature(surface, phi, lam), world, OMEGA)
    inner = np.abs(phi) < 1.5
    assert np.abs(series.least / exact.least - 1.0)[inner].max() < 1e-3
    assert np.abs(series.greatest / exact.greatest - 1.0)[inner].max() < 1e-3


def test_a_ball_of_some_size_moves_over_a_larger_sphere():
    radius, size = 200.0, 30.0
    world = gravities.point(MU)
    ball = liftoff_map(grounds((radius,) * 3), world, OMEGA, object_radius=size)
    larger = liftoff_map(grounds((radius + size,) * 3), world, OMEGA)
    assert_close(ball.least, larger.least, rtol=1e-12)
    assert_close(ball.greatest, larger.greatest, rtol=1e-12)


def test_a_ball_on_uneven_ground_feels_the_raised_ground_in_every_direction():
    """Against differences of the normal along the raised ellipsoid, without a spin: k V^2 = G."""
    size, step, still = 3.0, 1e-4, (0.0, 0.0, 0.0)
    axes, world = (20.0, 10.0, 8.0), gravities.ellipsoid((20.0, 10.0, 8.0), 2e-4)
    base = np.array([0.3, 0.7])  # latitude and longitude
    turns = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    places = base + step * np.stack([np.sin(turns), np.cos(turns)], axis=1)
    near = ellipsoid_points(axes, places[:, 0], places[:, 1])
    points = np.concatenate([ellipsoid_points(axes, base[:1], base[1:]), near])
    ground = ellipsoid_curvature(axes, points)
    way = (points + size * ground.normal)[1:] - (points + size * ground.normal)[0]
    curvature = np.einsum("ni,ni->n", ground.normal[1:] - ground.normal[0], way) / (way**2).sum(1)
    here, up = ground.chosen([0]), ground.normal[0]
    found = liftoff_map(here, world, still, object_radius=size)
    east = np.cross([0.0, 0.0, 1.0], up)
    east /= np.linalg.norm(east)
    azimuth = np.arctan2(way @ np.cross(up, east), way @ east)
    speeds = liftoff_along(here, found.gravity, still, azimuth, object_radius=size)[0][0]
    pressed = np.full(len(way), -(found.gravity[0] @ up))
    assert_close(speeds**2 * curvature, pressed, rtol=2e-4)
    assert np.ptp(curvature) > 0.3 * curvature.max()


def test_ground_that_lets_go_at_rest_is_told():
    fast = (0.0, 0.0, 1.01 * math.sqrt(MU / 200.0**3))
    found = liftoff_map(grounds((200.0,) * 3), gravities.point(MU), fast)
    level = np.abs(found.ground.normal[:, 2]) < 0.01
    assert not found.is_held[level].any()
    assert np.all(found.least[level] == 0.0)
    assert np.all(np.isnan(found.least_azimuth[level]))
    assert np.all(found.least[found.is_held] > 0.0)


def saddle() -> CurvedGround:
    up, x = np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    return CurvedGround(100.0 * up, up, np.array([0.05]), np.array([-0.01]), x)


def test_mixed_ground_lifts_off_in_some_directions_only():
    found = liftoff_map(saddle(), gravities.point(MU), OMEGA)
    assert 0.4 < found.possible[0] < 0.9
    assert found.greatest[0] == math.inf
    assert math.isnan(found.greatest_azimuth[0])
    assert abs(abs(math.degrees(found.least_azimuth[0]) - 90.0)) < 15.0


def test_tides_of_a_primary_let_go_earlier_on_the_line_to_it():
    # A stand-in of Phobos: values of the ellipsoid 13.0 x 11.4 x 9.1 km, G M 7.087e5 m^3/s^2
    axes, rate = (13e3, 11.4e3, 9.1e3), 2.28e-4
    world, spin = gravities.ellipsoid(axes, 7.087e5), (0.0, 0.0, rate)
    found = liftoff_map(grounds(axes), world, spin, locked_rate=rate)
    got = [found.least.min(), found.least.max(), found.greatest.min(), found.greatest.max()]
    assert_close(np.array(got) / (4.1, 9.6, 8.6, 13.2), np.ones(4), rtol=0.015)
    cm = 100.0 * found.ridge
    assert_close([cm.min(), cm.max()], [5.9, 8.0], rtol=0.02)
    alone = liftoff_map(grounds(axes), world, spin)
    end = np.argmax(found.ground.points[:, 0])
    assert found.least[end] < alone.least[end]


def test_odd_settings_are_refused():
    ground, world = saddle(), gravities.point(MU)
    with pytest.raises(GeometryError, match="a spin"):
        liftoff_map(ground, world, (0.0, 1e-4))
    with pytest.raises(ConfigError, match="mode"):
        liftoff_map(ground, world, OMEGA, mode="tangent")
    with pytest.raises(ConfigError, match="radius"):
        liftoff_map(ground, world, OMEGA, object_radius=-1.0)
    toward, faces = icosphere(1)
    beside = PolyhedronField(toward + np.array([0.1, 0.0, 0.0]), faces, 2000.0)
    with pytest.raises(GeometryError, match="centre of mass"):
        liftoff_map(ground, beside, OMEGA)
    with pytest.raises(ConfigError, match="azimuths"):
        liftoff_map(ground, world, OMEGA, step=0.0)
