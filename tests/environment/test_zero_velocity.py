"""The pass to the primary: Hill's closed form, and hops that stay or leave."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.liftoff.liftoff_map import liftoff_map
from haptos.dynamics.liftoff.speed_limits import speed_limits
from haptos.environment import gravity as gravities
from haptos.environment.gravity_points import field_at, hill_rate
from haptos.environment.zero_velocity import pass_geopotential
from haptos.geometry.shape.curvature_ellipsoid import ellipsoid_curvature
from tests.close import assert_close

AXES, MU = (13000.0, 11400.0, 9100.0), 7.087e5  # of Phobos
MARS = (4.2828e13, (-9.376e6, 0.0, 0.0))
RATE = hill_rate(MARS[0], 9.376e6)
NEAR = np.array([[-13000.0, 0.0, 0.0]])  # the place that faces Mars
LOBE = (MU / (3.0 * RATE**2)) ** (1.0 / 3.0)  # [m] of L1 and L2 from the centre


def test_a_small_moon_has_the_pass_of_hill():
    distance, mu = 1e9, 1.0
    primary = (1e15, (distance, 0.0, 0.0))
    rate = hill_rate(primary[0], distance)
    found = pass_geopotential(gravities.point(mu), (0.0, 0.0, rate), primary, np.eye(3))
    radius = (mu / (3.0 * rate**2)) ** (1.0 / 3.0)
    assert radius < 1e-3 * distance  # third powers of this are left out of Hill's form
    assert_close(found, 0.5 * 3.0 ** (4.0 / 3.0) * (mu * rate) ** (2.0 / 3.0), rtol=1e-3)


def hop_limits() -> tuple[float, float]:
    """(limit, limit without the tide's pass) [m/s] of hops at the place that faces Mars."""
    world = gravities.ellipsoid(AXES, MU)
    spin = (0.0, 0.0, RATE)
    found = liftoff_map(ellipsoid_curvature(AXES, NEAR), world, spin, primary=MARS)
    passes = pass_geopotential(world, spin, MARS, NEAR)
    options = {"wheel_radius": 0.1, "friction": 0.5, "margin": 1.0}
    limited = speed_limits(found, **options, passes=passes)
    return float(limited.hop[0]), float(speed_limits(found, **options).hop[0])


def farthest(speed: float) -> float:
    """Largest distance [m] from Phobos of hops in twelve directions, over a turn."""
    from scipy.integrate import solve_ivp

    world, spin = gravities.ellipsoid(AXES, MU), np.array([0.0, 0.0, RATE])
    angles = np.radians(np.arange(-75.0, 90.0, 15.0))
    toward = np.column_stack([-np.cos(angles), np.sin(angles), np.zeros(len(angles))])

    def rate(time: float, state: np.ndarray) -> np.ndarray:
        place, velocity = state.reshape(2, -1, 3)
        far = np.linalg.norm(place, axis=1) > 3.0 * LOBE
        pull = field_at(world, place, primary=MARS)[1]
        turned = 2.0 * np.cross(spin, velocity) + np.cross(spin, np.cross(spin, place))
        moving = np.where(far[:, None], 0.0, 1.0)
        return np.concatenate([moving * velocity, moving * (pull - turned)]).ravel()

    start = np.concatenate([np.tile(NEAR * 1.0001, (len(angles), 1)), speed * toward])
    flown = solve_ivp(rate, (0.0, 3600.0), start.ravel(), rtol=1e-8, atol=1e-6)
    places = flown.y.reshape(2, len(angles), 3, -1)[0]
    inside = np.sum((places / np.array(AXES)[:, None]) ** 2, axis=1) < 1.0
    landed = np.logical_or.accumulate(inside, axis=1)
    return float(np.where(landed, 0.0, np.linalg.norm(places, axis=1)).max())


def test_hops_below_the_limit_stay_and_those_of_the_energy_of_escape_leave():
    limit, escape = hop_limits()
    assert limit < 0.5 * escape
    assert farthest(0.99 * limit) < LOBE
    assert farthest(0.8 * escape) > 2.0 * LOBE
