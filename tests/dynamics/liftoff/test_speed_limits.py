"""Speed limits: closed forms on a ball, slopes that friction does not hold, margins."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.liftoff.liftoff_map import LiftoffMap, liftoff_map
from haptos.dynamics.liftoff.speed_limits import speed_limits
from haptos.environment import gravity as gravities
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature, ellipsoid_points
from haptos.geometry.shape.latitude_grid import grid_angles
from tests.close import assert_close

MU = 2.5


def mapped(axes: tuple, spin: float) -> LiftoffMap:
    phi, lam = np.meshgrid(*grid_angles(math.radians(10.0)), indexing="ij")
    ground = ellipsoid_curvature(axes, ellipsoid_points(axes, phi.ravel(), lam.ravel()))
    return liftoff_map(ground, gravities.ellipsoid(axes, MU), (0.0, 0.0, spin))


def test_a_ball_at_rest_has_the_closed_forms():
    found = mapped((200.0,) * 3, 0.0)
    limits = speed_limits(found, wheel_radius=0.1, friction=0.5, margin=1.0)
    g, n = MU / 200.0**2, len(found.ground)
    assert_close(limits.wheel, np.full(n, math.sqrt(0.1 * g)), rtol=1e-9)
    assert_close(limits.roll, np.full(n, math.sqrt(MU / 200.0)), rtol=1e-12)
    assert_close(limits.hop, np.full(n, math.sqrt(2.0 * MU / 200.0)), rtol=1e-12)
    assert limits.is_open.all()


def test_wheels_lose_their_grip_before_they_lift_off():
    found = mapped((200.0, 100.0, 50.0), 1.5e-4)
    free = speed_limits(found, wheel_radius=0.1, friction=1e9, margin=1.0)
    rough = speed_limits(found, wheel_radius=0.1, friction=0.3, margin=1.0)
    sloped = found.slope > 1e-3
    assert np.all(rough.wheel[sloped] < free.wheel[sloped])
    steep = found.slope > math.atan(0.3)
    assert steep.any()
    assert np.all(rough.wheel[steep] == 0.0)
    assert np.array_equal(rough.is_open, ~steep)


def test_limits_hold_in_every_direction():
    found = mapped((200.0, 100.0, 50.0), 1.5e-4)
    limits = speed_limits(found, wheel_radius=1e9, friction=1e9, margin=1.0)
    assert np.all(limits.wheel <= found.least * (1.0 + 1e-9))
    half = speed_limits(found, wheel_radius=1e9, friction=1e9, margin=0.5)
    assert_close(half.hop, 0.5 * limits.hop, rtol=1e-14)


def test_hops_at_the_limit_have_the_energy_of_escape_eastward():
    found = mapped((200.0,) * 3, 3e-4)
    limits = speed_limits(found, wheel_radius=0.1, friction=0.5, margin=1.0)
    swept = np.cross([0.0, 0.0, 3e-4], found.ground.points)
    fastest = limits.hop + np.linalg.norm(swept, axis=1)
    assert_close(0.5 * fastest**2, found.potential, rtol=1e-12)


@pytest.mark.parametrize(
    "wrong", [{"wheel_radius": 0.0}, {"friction": -1.0}, {"margin": 1.5}], ids=str
)
def test_odd_vehicles_are_refused(wrong: dict):
    given = {"wheel_radius": 0.1, "friction": 0.5, "margin": 0.5} | wrong
    with pytest.raises(ConfigError, match="speed limits"):
        speed_limits(mapped((200.0,) * 3, 0.0), **given)
