"""The field of a net is that of the ground, of the orbit, or of a flight."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.field import FLIGHT, ORBIT, field_at, field_on_bodies, renew_field
from haptos.dynamics.system import Field
from haptos.environment.orbit_frames import EARTH_MU, EARTH_RADIUS, KeplerElements
from haptos.environment.orbital_origin import origin_path
from tests.close import assert_close
from tests.net_cases import small_net

SPEED = (0.1, 0.2, 0.3)


def field(kind: int) -> Field:
    path = origin_path(KeplerElements(EARTH_RADIUS + 5e5))
    return Field(kind, np.zeros(3), EARTH_MU, path, np.zeros(6), np.zeros(9))


def test_in_orbit_gravity_stretches_along_the_radius_and_presses_across() -> None:
    orbit = field(ORBIT)
    renew_field(orbit, 0.0)
    rate2 = EARTH_MU / (EARTH_RADIUS + 5e5) ** 3
    along = orbit.origin[:3] / np.linalg.norm(orbit.origin[:3])
    assert_close(field_at(orbit, tuple(10.0 * along), SPEED), 20.0 * rate2 * along, rtol=1e-5)
    across = orbit.origin[3:] / np.linalg.norm(orbit.origin[3:])
    assert_close(field_at(orbit, tuple(10.0 * across), SPEED), -10.0 * rate2 * across, rtol=1e-5)


def test_in_a_flight_things_feel_coriolis_and_centrifugal_acceleration() -> None:
    flight = field(FLIGHT)
    flight.turning[1] = 0.5
    assert_close(field_at(flight, (1.0, 0.0, 2.0), (0.0, 0.0, 0.0)), (0.25, 0.0, 0.5), rtol=1e-14)
    assert_close(field_at(flight, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), (0.0, 0.0, 1.0), rtol=1e-14)


def test_the_ground_pulls_bodies_by_their_mass_and_not_what_is_held() -> None:
    net, motion = small_net([(0.0, 0.0, 0.0)], [1.0], bodies=2, gravity=(0.0, 0.0, -2.0))
    motion.bodies.inverse_mass[0], motion.bodies.speed[0] = 0.25, (0.0, 0.0, 3.0)
    assert_close(field_on_bodies(net, motion), -24.0, rtol=1e-14)
    assert_close(motion.bodies.force[0], (0.0, 0.0, -8.0), rtol=1e-14)
    assert not motion.bodies.force[1].any()
