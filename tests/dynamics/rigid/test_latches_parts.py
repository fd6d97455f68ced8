"""What is held moves with the chaser as one rigid body; momenta stay, energy only goes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.rigid.bodies import body_energy, rates_of
from haptos.dynamics.rigid.latches import enforce_latches
from haptos.dynamics.system import WELDING
from tests.close import assert_close
from tests.net_cases import small_net

NODES = np.array([[0.6, 0.1, 0.0], [0.7, -0.2, 0.3], [0.5, 0.0, -0.4]])
MASSES = np.array([0.1, 0.2, 0.3])


def held_things(nodes_held=5.0, is_fixed=False):
    """A chaser, a bullet held for 2 s, another body that is free, three nodes; all with odd speeds."""
    net, motion = small_net(NODES, MASSES, bodies=3, held=[-np.inf, 2.0, -np.inf])
    net = net._replace(orders=net.orders._replace(nodes_held=nodes_held))
    net.inverse_inertia[:] = [[0.5, 0.4, 0.3], [20.0, 25.0, 30.0], [1.0, 1.0, 1.0]]
    motion.bodies.inverse_mass[:] = (0.0 if is_fixed else 0.1, 2.0, 1.0)
    if is_fixed:
        net.inverse_inertia[0] = 0.0
    motion.bodies.place[:] = [[0.0, 0.0, 0.0], [0.8, 0.3, -0.1], [3.0, 0.0, 0.0]]
    random = np.random.default_rng(5)
    motion.bodies.speed[:] = random.normal(size=(3, 3))
    motion.bodies.momentum[:] = 0.1 * random.normal(size=(3, 3))
    motion.bodies.attitude[:2] = [[0.8, 0.0, 0.6, 0.0], [0.6, 0.0, 0.0, 0.8]]
    motion.points.v[:] = random.normal(size=(3, 3))
    return net, motion


def momenta(motion):
    mass = np.concatenate([1.0 / motion.bodies.inverse_mass, motion.points.mass])
    x, v = (
        np.concatenate([motion.bodies.place, motion.points.x]),
        np.concatenate([motion.bodies.speed, motion.points.v]),
    )
    linear = mass[:, None] * v
    return linear.sum(axis=0), np.cross(x, linear).sum(axis=0) + motion.bodies.momentum.sum(axis=0)


def energy(net, motion):
    return body_energy(net, motion) + 0.5 * np.sum(
        motion.points.mass * np.sum(motion.points.v**2, axis=1)
    )


def test_momentum_and_angular_momentum_are_kept_and_the_loss_of_energy_is_booked():
    net, motion = held_things()
    before, at_first = momenta(motion), energy(net, motion)
    enforce_latches(net, motion, 0.0)
    for one, other in zip(before, momenta(motion), strict=True):
        assert np.abs(one - other).max() < 1e-13
    change = energy(net, motion) - at_first
    assert change < -0.01
    assert_close(motion.ledger.work[WELDING], change, rtol=1e-12)


def test_all_that_is_held_moves_as_one_rigid_body():
    net, motion = held_things()
    enforce_latches(net, motion, 0.0)
    w = np.array(rates_of(net, motion, 0))
    assert_close(rates_of(net, motion, 1), w, rtol=1e-12)
    for x, v in [
        (motion.bodies.place[1], motion.bodies.speed[1]),
        *zip(motion.points.x, motion.points.v, strict=True),
    ]:
        assert_close(
            v, motion.bodies.speed[0] + np.cross(w, x - motion.bodies.place[0]), rtol=1e-12
        )


def test_welding_what_moves_together_changes_nothing():
    net, motion = held_things()
    enforce_latches(net, motion, 0.0)
    speeds, recorded = motion.points.v.copy(), motion.ledger.work[WELDING]
    enforce_latches(net, motion, 0.1)
    assert_close(motion.points.v, speeds, rtol=1e-13)
    assert abs(motion.ledger.work[WELDING] - recorded) < 1e-13


def test_what_is_free_is_left_alone():
    net, motion = held_things()
    free = motion.bodies.speed[2].copy()
    enforce_latches(net, motion, 0.0)
    assert np.array_equal(motion.bodies.speed[2], free)
    net, motion = held_things(nodes_held=-np.inf)
    before = motion.points.v.copy()
    enforce_latches(net, motion, 0.0)
    assert np.array_equal(motion.points.v, before)


@pytest.mark.parametrize(("time", "moves"), [(1.9, True), (2.0, False), (4.0, False)])
def test_a_bullet_is_let_go_at_its_time(time, moves):
    net, motion = held_things(nodes_held=-np.inf)
    before = motion.bodies.speed.copy()
    enforce_latches(net, motion, time)
    assert np.array_equal(motion.bodies.speed, before) is not moves


def test_a_chaser_that_is_fixed_holds_all_at_its_own_motion():
    net, motion = held_things(is_fixed=True)
    motion.bodies.speed[0], motion.bodies.momentum[0] = 0.0, 0.0
    enforce_latches(net, motion, 0.0)
    assert np.abs(motion.points.v).max() < 1e-15
    assert np.abs(motion.bodies.speed[1]).max() < 1e-15
    assert np.abs(motion.bodies.momentum[1]).max() < 1e-15
