"""Fields on nodes and bodies: none, of the ground, of an orbit, of a parabolic flight."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.field import FLIGHT, ORBIT, field_at, field_on_bodies, renew_field
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements
from haptos.environment.orbital_origin import origin_path, origin_state
from tests.close import assert_close
from tests.net_cases import small_net


def in_orbit():
    net, motion = small_net([], [], bodies=2)
    path = origin_path(KeplerElements(7.0e6, 0.01, inclination=0.9))
    field = net.field._replace(kind=ORBIT, mu=EARTH_MU, path=path)
    return net._replace(field=field), motion


def test_without_a_field_nothing_is_pulled():
    net, _ = small_net([], [])
    assert field_at(net.field, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == (0.0, 0.0, 0.0)


def test_on_the_ground_all_fall_alike():
    net, _ = small_net([], [], gravity=(0.0, 0.0, -9.81))
    assert field_at(net.field, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)) == (0.0, 0.0, -9.81)


@pytest.mark.parametrize("time", [0.0, 1234.5])
def test_in_orbit_the_field_is_what_the_origin_does_not_feel(time):
    net, _ = in_orbit()
    renew_field(net.field, time)
    place, speed = origin_state(net.field.path, time)
    assert_close(net.field.origin, (*place, *speed), rtol=1e-15)
    x = (120.0, -40.0, 75.0)
    here = np.add(place, x)
    expected = -EARTH_MU * (
        here / np.linalg.norm(here) ** 3 - np.array(place) / np.linalg.norm(place) ** 3
    )
    found = field_at(net.field, x, (0.0, 0.0, 0.0))
    assert_close(found, expected, rtol=1e-7)
    assert field_at(net.field, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


def test_in_a_turning_cabin_free_things_swerve():
    """-2 w x v - w x (w x x) about y, without disturbance."""
    net, _ = small_net([], [])
    w = np.array([0.0, 0.05, 0.0])
    turning = np.array([*w, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    field = net.field._replace(kind=FLIGHT, turning=turning)
    x, v = np.array([1.0, 0.5, -2.0]), np.array([0.3, 0.0, 1.0])
    expected = -2.0 * np.cross(w, v) - np.cross(w, np.cross(w, x))
    assert_close(field_at(field, tuple(x), tuple(v)), expected, rtol=1e-13)


def test_bodies_that_move_get_their_weight_and_its_power_and_held_ones_none():
    net, motion = small_net([], [], bodies=2, gravity=(0.0, 0.0, -9.81))
    motion.bodies.inverse_mass[:] = (0.25, 0.0)
    motion.bodies.speed[:] = [[1.0, 0.0, -2.0], [5.0, 5.0, 5.0]]
    motion.bodies.force[:] = 1.0
    assert_close(field_on_bodies(net, motion), 4.0 * 9.81 * 2.0, rtol=1e-14)
    assert_close(motion.bodies.force[0], (1.0, 1.0, 1.0 - 4.0 * 9.81), rtol=1e-14)
    assert_close(motion.bodies.force[1], (1.0, 1.0, 1.0), rtol=1e-15)
