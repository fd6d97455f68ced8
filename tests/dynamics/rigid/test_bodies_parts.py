"""Bodies of a net: their fixed points, the forces on them, their free motion."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.bodies import (
    body_energy,
    drift_bodies,
    gather_forces,
    kick_bodies,
    place_points,
    rates_of,
    strike,
)
from tests.close import assert_close
from tests.net_cases import small_net

MOMENTS = np.array([2.0, 3.0, 4.0])  # [kg m^2]
OFFSETS = [(0.5, 0.0, 0.1), (-0.2, 0.4, 0.0)]


def turning_body():
    """One node, then a body of 5 kg that turns, with two fixed points, and a body at rest."""
    net, motion = small_net(
        [[9.0, 9.0, 9.0]], [1.0], bodies=2, fixed=[(0, o) for o in OFFSETS] + [(1, OFFSETS[0])]
    )
    net.inverse_inertia[0] = 1.0 / MOMENTS
    motion.bodies.inverse_mass[0] = 0.2
    motion.bodies.place[0], motion.bodies.speed[0] = (1.0, 2.0, 3.0), (0.3, -0.1, 0.2)
    motion.bodies.attitude[0] = np.array([0.8, 0.2, -0.4, 0.4])
    motion.bodies.momentum[0] = (1.0, -2.0, 0.5)
    motion.bodies.place[1] = (4.0, 0.0, 0.0)
    return net, motion


def test_fixed_points_are_where_the_body_carries_them_and_nodes_stay():
    net, motion = turning_body()
    place_points(net, motion)
    dcm = rotation_matrices(motion.bodies.attitude[0])
    omega = dcm @ np.diag(1.0 / MOMENTS) @ dcm.T @ motion.bodies.momentum[0]
    assert_close(rates_of(net, motion, 0), omega, rtol=1e-14)
    for row, offset in enumerate(OFFSETS, start=1):
        arm = dcm @ np.array(offset)
        assert_close(motion.points.x[row], motion.bodies.place[0] + arm, rtol=1e-14)
        assert_close(
            motion.points.v[row], motion.bodies.speed[0] + np.cross(omega, arm), rtol=1e-14
        )
    assert_close(motion.points.x[3], (4.5, 0.0, 0.1), rtol=1e-15)
    assert not motion.points.v[3].any()
    assert_close(motion.points.x[0], (9.0, 9.0, 9.0), rtol=1e-15)


def test_forces_on_fixed_points_make_force_and_torque_of_their_body():
    net, motion = turning_body()
    place_points(net, motion)
    force = np.array([[7.0, 7.0, 7.0], [1.0, 0.0, -2.0], [0.0, 3.0, 0.5], [0.0, 0.0, 0.0]])
    gather_forces(net, motion, force)
    assert_close(motion.bodies.force[0], force[1] + force[2], rtol=1e-15)
    arms = motion.points.x[1:3] - motion.bodies.place[0]
    assert_close(motion.bodies.torque[0], np.cross(arms, force[1:3]).sum(axis=0), rtol=1e-14)
    assert not motion.bodies.force[1].any()


def test_power_of_forces_on_points_is_that_of_force_and_torque_on_the_body():
    net, motion = turning_body()
    place_points(net, motion)
    force = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, -2.0], [0.0, 3.0, 0.5], [0.0, 0.0, 0.0]])
    gather_forces(net, motion, force)
    power = motion.bodies.force[0] @ motion.bodies.speed[0] + motion.bodies.torque[0] @ rates_of(
        net, motion, 0
    )
    assert_close(np.sum(force * motion.points.v), power, rtol=1e-13)


def test_a_kick_gives_momenta_and_a_strike_too():
    _net, motion = turning_body()
    motion.bodies.force[0], motion.bodies.torque[0] = (5.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    before = motion.bodies.speed[0].copy(), motion.bodies.momentum[0].copy()
    kick_bodies(motion, 0.5)
    assert_close(motion.bodies.speed[0] - before[0], (0.5, 0.0, 0.0), rtol=1e-14)
    assert_close(motion.bodies.momentum[0] - before[1], (0.0, 0.5, 0.0), rtol=1e-14)
    strike(motion, 0, (-2.5, 0.0, 0.0), (0.0, -0.5, 0.0))
    assert_close(motion.bodies.speed[0], before[0], rtol=1e-14)
    assert_close(motion.bodies.momentum[0], before[1], rtol=1e-14)


def test_free_motion_is_straight_and_keeps_the_momentum():
    net, motion = turning_body()
    momentum, place = motion.bodies.momentum[0].copy(), motion.bodies.place[0].copy()
    for _ in range(10):
        drift_bodies(net, motion, 0.01)
    assert_close(motion.bodies.place[0], place + 0.1 * motion.bodies.speed[0], rtol=1e-13)
    assert np.array_equal(motion.bodies.momentum[0], momentum)
    assert_close(np.linalg.norm(motion.bodies.attitude[0]), 1.0, rtol=1e-14)
    assert_close(motion.bodies.attitude[1], (1.0, 0.0, 0.0, 0.0), rtol=1e-15)


def test_energy_is_that_of_motion_and_turn_and_held_bodies_have_none():
    net, motion = turning_body()
    motion.bodies.speed[1] = (100.0, 0.0, 0.0)
    w = np.array(rates_of(net, motion, 0))
    speed = motion.bodies.speed[0]
    expected = 0.5 * 5.0 * speed @ speed + 0.5 * w @ motion.bodies.momentum[0]
    assert_close(body_energy(net, motion), expected, rtol=1e-14)
    motion.bodies.inverse_mass[0] *= 1.01
    with pytest.raises(AssertionError):
        assert_close(body_energy(net, motion), expected, rtol=1e-14)


def test_a_body_spun_about_an_axis_turns_by_rate_times_time():
    net, motion = turning_body()
    motion.bodies.attitude[0], motion.bodies.momentum[0] = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 8.0)
    drift_bodies(net, motion, 0.25)
    assert_close(motion.bodies.attitude[0], (math.cos(0.25), 0.0, 0.0, math.sin(0.25)), rtol=1e-14)
