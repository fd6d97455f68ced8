"""Points fixed to bodies move and pull with them."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.rigid.bodies import (
    body_energy,
    drift_bodies,
    gather_forces,
    kick_bodies,
    place_points,
)
from tests.close import assert_close
from tests.net_cases import small_net


def turning_body():  # type: ignore[no-untyped-def]
    net, motion = small_net(
        [(9.0, 0.0, 0.0)], [1.0], bodies=1, fixed=[(0, (0.5, 0.0, 0.0)), (0, (0.0, 0.25, 0.0))]
    )
    motion.bodies.inverse_mass[0] = 0.5
    net.inverse_inertia[0] = (1.0, 0.5, 0.25)
    motion.bodies.place[0], motion.bodies.speed[0] = (1.0, 2.0, 3.0), (0.1, 0.0, 0.0)
    motion.bodies.attitude[0] = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # a quarter about z
    motion.bodies.momentum[0] = (0.0, 0.0, 8.0)
    return net, motion


def test_fixed_points_lie_where_their_body_carries_them_with_its_velocity() -> None:
    net, motion = turning_body()
    place_points(net, motion)
    assert_close(motion.points.x[1], (1.0, 2.5, 3.0), rtol=1e-14)
    assert_close(motion.points.v[1], (0.1 - 2.0 * 0.5, 0.0, 0.0), rtol=1e-14)
    assert_close(motion.points.x[2], (0.75, 2.0, 3.0), rtol=1e-14)
    assert_close(motion.points.v[2], (0.1, -0.5, 0.0), rtol=1e-14)
    assert_close(motion.points.x[0], (9.0, 0.0, 0.0), rtol=1e-14)


def test_forces_on_fixed_points_become_force_and_torque() -> None:
    net, motion = turning_body()
    place_points(net, motion)
    force = np.zeros((3, 3))
    force[0], force[1], force[2] = (7.0, 7.0, 7.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0)
    gather_forces(net, motion, force)
    assert_close(motion.bodies.force[0], (1.0, 2.0, 0.0), rtol=1e-14)
    assert_close(motion.bodies.torque[0], (0.0, 0.0, -0.5 - 0.5), rtol=1e-14)
    before = motion.bodies.momentum[0].copy()
    kick_bodies(motion, 0.1)
    assert_close(motion.bodies.speed[0], (0.1 + 0.05, 0.1, 0.0), rtol=1e-14)
    assert_close(motion.bodies.momentum[0] - before, (0.0, 0.0, -0.1), rtol=1e-12)


def test_free_motion_keeps_energy_and_momentum() -> None:
    net, motion = turning_body()
    energy = body_energy(net, motion)
    assert_close(energy, 0.5 * 2.0 * 0.01 + 0.5 * 0.25 * 64.0, rtol=1e-14)
    drift_bodies(net, motion, 0.3)
    assert_close(body_energy(net, motion), energy, rtol=1e-12)
    assert_close(motion.bodies.place[0], (1.03, 2.0, 3.0), rtol=1e-14)
