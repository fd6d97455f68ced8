"""Points pressed on each other in rates: bounces, losses, ledger and momenta, nothing passes unseen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.hertz import hertz_energy
from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.memories import PAIR_MET, PAIR_PEAK
from haptos.dynamics.contacts.point_point_rates import apart, pair_limit, renew_near_pairs
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import RUBBING
from tests.close import assert_close
from tests.dynamics.contacts.test_point_point import BULLETS_NET, bullets, two_nodes
from tests.net_cases import contact_numbers, momenta, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling


def run(net, motion, until, share=1e-3):
    """Momenta must stay; the largest remainder of the ledger [J]."""
    before = momenta(net, motion)
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 1e-3, 1e6)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-8 * max(np.abs(one).max(), 1e-3)
    return motion.ledger.energy.largest


@pytest.mark.parametrize(("speed", "radius"), [(1.0, 0.02), (20.0, 5e-4)])
def test_two_nodes_bounce_with_energy_and_momenta_kept(speed, radius):
    """At 20 m/s a step of 1 ms would go forty times the reach of two threads of 1 mm."""
    net, motion = two_nodes(speed, radius, 0.5 * radius)
    motion.points.v[0, 1] = 0.0
    assert run(net, motion, 0.2 / speed) < 1e-6 * 1.5e-3 * speed**2
    assert motion.contacts.pairs.tally[PAIR_MET] == 1.0
    assert motion.contacts.pairs.tally[PAIR_PEAK] > 0.0
    gap = motion.points.x[1] - motion.points.x[0]
    assert gap @ (motion.points.v[1] - motion.points.v[0]) > 0.0


def test_nodes_bounce_with_the_restitution_of_the_law():
    net, motion = two_nodes(1.0, 0.02, alpha=0.3)
    motion.points.v[0, 1] = 0.0
    assert run(net, motion, 0.1) < 1e-8
    after = motion.points.v[1, 0] - motion.points.v[0, 0]
    assert_close(after / 2.0, effective_restitution(1.5 * 0.3 * 2.0), rtol=1e-4)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_bullets_with_a_spin_keep_momenta_and_books(friction):
    net, motion = bullets((0.01, 0.005), alpha=0.05, friction=friction)
    net.spheres.numbers[..., 0] = 1e6
    net.spheres.numbers[..., 5:7] = 2.0, 0.2  # fades at speeds of the motion here
    assert run(net, motion, 0.03) < 1e-6 * 0.3 * 25.0
    assert motion.contacts.pairs.tally[PAIR_MET + 2] == 1.0
    assert np.linalg.norm(motion.bodies.momentum[0]) > 0.0 or friction == 0.0
    assert (motion.ledger.work[RUBBING] < 0.0) == (friction > 0.0)


def test_a_bullet_pushes_a_node_aside():
    net, motion = small_net(
        [[0.05, 0.004, 0.0]], [1e-3], fixed=[(0, (0.0, 0.0, 0.0))], pair_radius=0.01,
        touching=BULLETS_NET, pairs=contact_numbers(1e6, 0.0, 0.0),
    )  # fmt: skip
    motion.bodies.inverse_mass[0], net.inverse_inertia[0] = 2.0, 1e3
    motion.bodies.speed[0] = 1.0, 0.0, 0.0
    assert run(net, motion, 0.1) < 1e-6 * 0.25
    assert motion.points.v[0, 0] > 1.0
    assert motion.points.v[0, 1] > 0.0
    assert motion.contacts.pairs.tally[PAIR_MET + 1] == 1.0


def test_energy_held_is_that_of_hertz():
    net, motion = two_nodes(1.0, 0.02)
    assert run(net, motion, 0.03) >= 0.0
    scratch, room = scratch_of(motion), room_of(net, motion)
    while motion.ledger.energy.pressed == 0.0:
        assert plain(net, motion, scratch, room, motion.step.time + 1e-5, 0.0, 1e-5, 1e6)
    depth = 0.04 - apart(motion, 0, 1)[0]
    assert_close(motion.ledger.energy.pressed, hertz_energy(1e6, depth), rtol=1e-12)


def test_steps_end_where_a_pair_meets():
    net, motion = two_nodes(1.0, 5e-4)
    motion.points.v[0, 1] = 0.0
    motion.points.x[1, 0] = 2e-3
    renew_near_pairs(net, motion, 1e-4)
    assert_close(pair_limit(net, motion), 5e-4, rtol=1e-9)
    motion.points.v[:] *= -1.0
    assert pair_limit(net, motion) == math.inf
