"""Lift-off: closed forms of sphere, plane, hollow and ridge; no acceleration off the ground at V."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.liftoff.liftoff import (
    NEVER,
    NORMAL,
    PLANE_GRAVITY,
    PLANE_NET,
    concave_limit,
    liftoff_speed,
    plane_speed,
    pressed_again_speed,
    pressing_acceleration,
    raised_curvature,
    resting_load,
    ridge_speed,
    section_terms,
)
from haptos.environment.gravity_ellipsoid import ellipsoid_gravity
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature, ellipsoid_points
from tests.close import assert_close

RADIUS, MU, SPIN = 200.0, 2.5, 1.5e-4  # [m], [m^3/s^2], [rad/s], of [VanWal2018] ch. 3
AXES = (200.0, 100.0, 50.0)
OMEGA = (0.0, 0.0, SPIN)
AZIMUTHS = (0.0, 45.0, 90.0, 135.0, 180.0)
SPHERE = {  # latitude [deg] -> V [m/s] over azimuth from east
    0.0: (0.081803, 0.088559, 0.107703, 0.130986, 0.141803),
    30.0: (0.085823, 0.091913, 0.108743, 0.128655, 0.137784),
    60.0: (0.096803, 0.100693, 0.110793, 0.121906, 0.126803),
    90.0: (0.111803,) * 5,
}


def on_sphere(
    latitude: float, azimuth: float, radius: float, g: float, spin: float, mode: int = NORMAL
) -> float:
    """V [m/s] on a ball at longitude zero; angles in degrees."""
    phi, eta = math.radians(latitude), math.radians(azimuth)
    up = (math.cos(phi), 0.0, math.sin(phi))
    toward = (-math.sin(phi) * math.sin(eta), math.cos(eta), math.cos(phi) * math.sin(eta))
    external = tuple(-g * x for x in up)
    place = tuple(radius * x for x in up)
    omega = (0.0, 0.0, spin)
    load = resting_load(omega, place, external)
    return liftoff_speed(*section_terms(mode, up, toward, omega, load, external, 1.0 / radius))


@pytest.mark.parametrize("mode", [NORMAL, PLANE_GRAVITY])
@pytest.mark.parametrize("latitude", SPHERE)
def test_sphere_has_the_tabulated_speeds(latitude: float, mode: int):
    found = [on_sphere(latitude, a, RADIUS, MU / RADIUS**2, SPIN, mode) for a in AZIMUTHS]
    assert_close(found, SPHERE[latitude], rtol=1e-4)
    assert_close(found, SPHERE[latitude], rtol=1e-5)  # as far as the table has digits


@pytest.mark.parametrize("latitude", [0.0, 20.0, 70.0])
def test_sphere_has_its_closed_form(latitude: float):
    phi, g = math.radians(latitude), MU / RADIUS**2
    for degrees in range(0, 360, 15):
        eta = math.radians(degrees)
        east = RADIUS * SPIN * math.cos(eta) * math.cos(phi)
        across = RADIUS * SPIN * math.sin(eta) * math.cos(phi)
        expected = math.sqrt(RADIUS * g - across**2) - east  # Eq. (3.71)
        assert_close(on_sphere(latitude, degrees, RADIUS, g, SPIN), expected, rtol=1e-13)


def test_ceres_lets_go_at_the_published_speeds():
    found = [on_sphere(lat, az, 473e3, 0.29, 1.923e-4) for lat, az in ((0, 0), (0, 180), (90, 0))]
    assert_close(found, [279.41, 461.32, 370.36], rtol=1e-4)
    assert_close(found, [279.0, 461.0, 370.0], rtol=2e-3)  # [VanWal2018], three digits


def test_a_law_one_percent_off_would_be_seen():
    with pytest.raises(AssertionError):
        assert_close(on_sphere(0.0, 0.0, RADIUS, 1.01 * MU / RADIUS**2, SPIN), 0.081803, rtol=1e-4)


def test_plane_and_hollow_have_the_tabulated_speeds():
    g = MU / 100.0**2 - SPIN**2 * 100.0
    assert_close(plane_speed(g, SPIN), 0.825833, rtol=1e-6)
    limit = concave_limit(g, SPIN)
    assert_close(limit, 11011.1, rtol=1e-5)
    assert_close(liftoff_speed(g, SPIN, -1.0 / (limit * (1.0 + 1e-12))), 1.651667, rtol=1e-5)
    assert liftoff_speed(g, SPIN, -1.0 / (0.999 * limit)) == NEVER
    assert plane_speed(g, -SPIN) == plane_speed(g, 0.0) == NEVER
    assert concave_limit(g, -SPIN) == NEVER


def test_a_hollow_lets_go_only_between_two_speeds():
    g, k = 2e-4, -1.0 / 20e3
    low, high = liftoff_speed(g, SPIN, k), pressed_again_speed(g, SPIN, k)
    assert low < high < NEVER
    for speed, sign in ((0.99 * low, 1.0), (0.5 * (low + high), -1.0), (1.01 * high, 1.0)):
        assert sign * pressing_acceleration(g, SPIN, k, speed) > 0.0
    assert pressed_again_speed(g, SPIN, 1e-3) == NEVER


def test_ridges_let_go_at_the_square_root_of_the_radius():
    assert_close(ridge_speed(2e-4, 0.0, 0.25), math.sqrt(0.25 * 2e-4), rtol=1e-15)
    full, short = ridge_speed(2e-4, SPIN, 1.0), math.sqrt(2e-4)
    assert_close(full, math.sqrt(SPIN**2 + 2e-4) - SPIN, rtol=1e-12)
    assert 0.98 < full / short < 1.0


def test_things_that_do_not_stay_have_no_speed():
    assert liftoff_speed(0.0, SPIN, 1.0) == liftoff_speed(-1e-5, -SPIN, 1.0) == 0.0
    assert liftoff_speed(math.nan, SPIN, 1.0) == 0.0


bends = st.floats(-1e3, 1e3).filter(lambda k: k == 0.0 or abs(k) > 1e-12)


@given(st.floats(1e-8, 1e2), st.floats(-1e-2, 1e-2), bends)
def test_nothing_presses_at_the_speed_found(pressing: float, turning: float, curvature: float):
    speed = liftoff_speed(pressing, turning, curvature)
    if speed < NEVER:
        left = pressing_acceleration(pressing, turning, curvature, speed)
        size = pressing + abs(2.0 * turning * speed) + abs(curvature) * speed**2
        assert abs(left) <= 1e-12 * size
        assert pressing_acceleration(pressing, turning, curvature, 0.999 * speed) > 0.0
    else:
        top = abs(turning / curvature) if curvature < 0.0 else 1e12
        worst = pressing_acceleration(pressing, turning, curvature, top if turning > 0 else 0.0)
        assert worst > -1e-12 * pressing


def test_a_ball_is_its_centre_over_raised_ground():
    assert_close(1.0 / raised_curvature(1.0 / 200.0, 5.0), 205.0, rtol=1e-14)
    assert_close(1.0 / raised_curvature(-1.0 / 200.0, 5.0), -195.0, rtol=1e-14)
    assert raised_curvature(-1.0, 2.0) < -1e200  # touches the rim of the hollow


def random_cases(count: int) -> list[tuple]:
    """(place, normal, toward, normal curvature, gravity) on the ellipsoid, at random."""
    generator = np.random.default_rng(11)
    phi = np.arcsin(generator.uniform(-1.0, 1.0, count))
    points = ellipsoid_points(AXES, phi, generator.uniform(-np.pi, np.pi, count))
    ground = ellipsoid_curvature(AXES, points)
    eta = generator.uniform(0.0, 2.0 * np.pi, (count, 1))
    other = np.cross(ground.normal, ground.direction)
    toward = np.cos(eta) * ground.direction + np.sin(eta) * other
    rows = zip(points, ground.normal, toward, ground.along(toward), strict=True)
    return [
        (tuple(p), tuple(n), tuple(d), float(k), ellipsoid_gravity(tuple(p), AXES, MU)[1])
        for p, n, d, k in rows
    ]


def rising(place: tuple, toward: tuple, speed: float, gravity: tuple) -> float:
    """Second derivative of height [m/s^2] in free flight, from the level function of the ellipsoid.

    F = sum x_i^2 / a_i^2 - 1:  F'' = 2 sum (x_i x_i'' + v_i^2) / a_i^2,  h'' = F'' / |grad F|
    """
    w, x = np.array(AXES) ** -2.0, np.array(place)
    v, spin = speed * np.array(toward), np.array(OMEGA)
    free = np.array(gravity) - 2.0 * np.cross(spin, v) - np.cross(spin, np.cross(spin, x))
    return float(2.0 * np.sum(w * (x * free + v * v)) / np.linalg.norm(2.0 * w * x))


def speed_of(mode: int, case: tuple) -> float:
    place, normal, toward, curvature, gravity = case
    load = resting_load(OMEGA, place, gravity)
    return liftoff_speed(*section_terms(mode, normal, toward, OMEGA, load, gravity, curvature))


def test_in_free_flight_at_that_speed_height_does_not_accelerate():
    off = []
    for case in random_cases(1000):
        place, _, toward, _, gravity = case
        off.append(rising(place, toward, speed_of(NORMAL, case), gravity) / math.hypot(*gravity))
    assert np.max(np.abs(off)) < 1e-12
    case = random_cases(1)[0]
    spoiled = rising(case[0], case[2], 1.01 * speed_of(NORMAL, case), case[4])
    assert abs(spoiled) > 1e-3 * math.hypot(*case[4])


@pytest.mark.parametrize("mode", [PLANE_GRAVITY, PLANE_NET])
def test_published_sections_are_some_percent_off_where_gravity_leans(mode: int):
    point = ellipsoid_points(AXES, [math.radians(25.0)], [math.radians(40.0)])
    ground = ellipsoid_curvature(AXES, point)
    gravity = ellipsoid_gravity(tuple(point[0]), AXES, MU)[1]
    other = np.cross(ground.normal, ground.direction)
    speeds, rises = [], []
    for eta in np.radians(np.arange(0.0, 360.0, 2.0)):
        toward = math.cos(eta) * ground.direction[0] + math.sin(eta) * other[0]
        bend = float(ground.along(toward)[0])
        case = (tuple(point[0]), tuple(ground.normal[0]), tuple(toward), bend, gravity)
        speeds.append(speed_of(mode, case) / speed_of(NORMAL, case) - 1.0)
        rises.append(rising(case[0], case[2], speed_of(mode, case), gravity))
    assert_close(np.abs(rises).max(), 1.3e-5, rtol=0.03)  # [m/s^2], 7 % of gravity
    assert 0.03 < np.abs(speeds).max() < 0.056


def test_a_section_along_the_ground_has_no_answer():
    up, east = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
    for external in ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)):
        terms = section_terms(PLANE_GRAVITY, up, east, OMEGA, (0.0, 0.0, 1.0), external, 0.01)
        assert terms == (0.0, 0.0, 0.0)
