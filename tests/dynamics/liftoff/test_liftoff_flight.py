"""Flights at 0.9, 1.0 and 1.1 of the speed: sink, follow, leave; their energy is constant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.liftoff.liftoff_flight import liftoff_flights
from haptos.environment import gravity as gravities
from haptos.geometry.shape.curvature import CurvedGround
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature, ellipsoid_points
from tests.close import assert_close

MU, OMEGA, RADIUS = 2.5, (0.0, 0.0, 1.5e-4), 200.0
AXES = (200.0, 100.0, 50.0)


def ball() -> CurvedGround:
    places = ellipsoid_points((RADIUS,) * 3, [0.4], [0.3])
    return ellipsoid_curvature((RADIUS,) * 3, places)


@pytest.mark.parametrize("azimuth", [0.0, 2.0, math.pi])
def test_a_sphere_is_followed_for_ever_at_that_speed(azimuth: float):
    turn = 2.0 * math.pi * RADIUS / math.sqrt(MU / RADIUS)
    flights = liftoff_flights(ball(), 0, gravities.point(MU), OMEGA, azimuth, duration=turn)
    slow, same, fast = np.linalg.norm(flights.position, axis=2) - RADIUS
    assert np.abs(same).max() < 1e-8 * RADIUS
    early = slice(1, 30)
    assert np.all(slow[early] < 0.0)
    assert np.all(fast[early] > 0.0)


@pytest.mark.parametrize("azimuth", np.radians([0.0, 50.0, 130.0, 230.0, 310.0]))
def test_an_ellipsoid_is_followed_at_first(azimuth: float):
    ground = ellipsoid_curvature(AXES, ellipsoid_points(AXES, [0.44], [0.7]))
    flights = liftoff_flights(ground, 0, gravities.ellipsoid(AXES, MU), OMEGA, azimuth)
    assert flights.confirmed_until == flights.time[-1]
    assert flights.largest_remainder < 1e-11 * flights.kinetic.max()
    assert_close(flights.kinetic[:, 0], 0.5 * (flights.speed * flights.shares) ** 2, rtol=1e-12)


def test_a_speed_ten_percent_off_is_not_confirmed():
    ground = ellipsoid_curvature(AXES, ellipsoid_points(AXES, [0.44], [0.7]))
    flights = liftoff_flights(
        ground, 0, gravities.ellipsoid(AXES, MU), OMEGA, 0.5, shares=(0.9, 1.0, 1.1)
    )
    wrong = type(flights)(**{
        name: getattr(flights, name) for name in flights.__dataclass_fields__ if name != "shares"
    }, shares=np.array([1.0, 1.1, 1.2]))  # fmt: skip
    assert wrong.confirmed_until == 0.0


def test_the_acceleration_off_the_ground_is_that_of_the_law():
    flights = liftoff_flights(ball(), 0, gravities.point(MU), OMEGA, 1.0, samples=2001)
    rise = flights.height[:, 20] / (0.5 * flights.time[20] ** 2)
    g, v = MU / RADIUS**2, flights.speed
    # n = G - 2 Omega_b V - V^2 / R is quadratic and zero at V; from two points of it
    east = OMEGA[2] * math.cos(0.4) * math.cos(1.0)
    pressing = g - OMEGA[2] ** 2 * RADIUS * math.cos(0.4) ** 2
    for k, share in ((0, 0.9), (2, 1.1)):
        expected = -(pressing - 2.0 * east * share * v - (share * v) ** 2 / RADIUS)
        assert_close(rise[k], expected, rtol=1e-2)


def test_ground_that_never_lets_go_is_refused():
    up, x = np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    hollow = CurvedGround(100.0 * up, up, np.array([-0.05]), np.array([-0.1]), x)
    with pytest.raises(ConfigError, match="without a speed"):
        liftoff_flights(hollow, 0, gravities.point(MU), OMEGA, 0.0)
