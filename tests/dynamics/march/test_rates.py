"""Rates of a net: places, forces, powers, and that energy and momentum go where the ledger says."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.hertz import hertz_force
from haptos.dynamics.contacts.point_mesh_rates import renew_lists
from haptos.dynamics.march.rates import (
    BODY_SIZE,
    NODE_SIZE,
    flow_of,
    net_rate,
    pack,
    state_size,
    unpack,
)
from haptos.dynamics.march.splitting import nodes_energy
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.rigid.bodies import body_energy
from haptos.dynamics.system import (
    RUBBING,
    SHOT,
    THREAD_DAMPING,
    WORK_KINDS,
    no_loads,
)
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, small_net

MASSES = np.array([0.3, 0.2, 0.5])
PLACES = np.array([[-0.1495, 0.02, 0.03], [-0.1498, -0.05, 0.01], [-0.45, 0.0, 0.1]])
INERTIA = np.array([0.4, 0.5, 0.7])


def wrapped(**options):
    """Three nodes, two of them pressed into a turning box of 2 kg, threads taut, gravity."""
    pairs = contact_numbers(1e5, 0.2, 0.3)
    pairs[0, 0, 5:7] = 5e-2, 5e-3  # friction fades at speeds of the motion here
    given = {
        "elements": [[0, 2], [1, 2], [0, 3]], "lengths": [0.2, 0.2, 0.05], "damping": 2.0,
        "radius": 1e-3, "fixed": [(0, (-0.15, 0.1, -0.1))], "gravity": (0.1, -9.0, 2.0),
        "surface": box_surface((0.3, 0.3, 0.3), pairs),
    }  # fmt: skip
    net, motion = small_net(PLACES, MASSES, **(given | options))
    generator = np.random.default_rng(3)
    motion.points.v[:3] = generator.normal(0.0, 0.05, (3, 3))
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / INERTIA, 0.5
    motion.bodies.momentum[0], motion.bodies.speed[0] = (
        INERTIA * (0.1, -0.2, 0.05),
        (0.02, 0.01, -0.03),
    )
    scratch = scratch_of(motion)
    renew_lists(net, motion, 1e-3, scratch.stack)
    flow = flow_of(net, motion, scratch)
    y = np.zeros(state_size(3, 1))
    pack(motion, 3, y)
    return flow, y


def rates(flow, y, time=0.0):
    dy = np.full_like(y, np.nan)
    net_rate(flow, time, y, dy)
    return dy


def energy(flow, y):
    """Kinetic and stored energy [J] of a state."""
    rates(flow, y)
    net, motion = flow.system, flow.motion
    stored = motion.ledger.energy.elastic + motion.ledger.energy.pressed
    return nodes_energy(motion) + body_energy(net, motion) + stored


def test_a_motion_goes_into_a_row_and_back():
    flow, y = wrapped()
    motion = flow.motion
    kept = [
        part.copy()
        for part in (
            motion.points.x,
            motion.points.v,
            motion.bodies.place,
            motion.bodies.speed,
            motion.bodies.momentum,
        )
    ]
    unpack(y, motion, 3)
    found = (
        motion.points.x,
        motion.points.v,
        motion.bodies.place,
        motion.bodies.speed,
        motion.bodies.momentum,
    )
    assert all(np.array_equal(a, b) for a, b in zip(kept, found, strict=True))
    assert y.size == 3 * NODE_SIZE + BODY_SIZE + len(WORK_KINDS)


def test_energy_changes_by_the_powers_in_the_books():
    flow, y = wrapped()
    dy = rates(flow, y)
    h = 1e-6
    slope = (energy(flow, y + h * dy) - energy(flow, y - h * dy)) / (2.0 * h)
    works = dy[-len(WORK_KINDS) :]
    assert flow.motion.ledger.energy.pressed > 0.0
    assert works[THREAD_DAMPING] < 0.0
    assert works[RUBBING] < 0.0
    assert_close(slope, works.sum(), rtol=1e-6)
    with pytest.raises(AssertionError):
        assert_close(slope, works.sum() - 0.01 * works[RUBBING], rtol=1e-6)


def test_without_gravity_both_momenta_stay():
    flow, y = wrapped(gravity=(0.0, 0.0, 0.0))
    dy = rates(flow, y)
    pulls = MASSES[:, None] * dy[9:18].reshape(3, 3)
    body = 18
    assert np.linalg.norm(pulls[0]) > 1.0
    push = dy[body + 3 : body + 6] / flow.motion.bodies.inverse_mass[0]
    assert np.abs(pulls.sum(axis=0) + push).max() < 1e-12 * np.abs(pulls).max()
    x = y[:9].reshape(3, 3)
    twist = np.cross(x, pulls).sum(axis=0) + dy[body + 10 : body + 13]
    assert np.abs(twist).max() < 1e-12 * np.abs(pulls).max()


def test_a_resting_node_is_pushed_by_hertz():
    pairs = contact_numbers(1e5, 0.2, 0.3)
    net, motion = small_net(
        [[-0.1505, 0.0, 0.0]], [0.1], radius=1e-3, surface=box_surface((0.3, 0.3, 0.3), pairs)
    )
    scratch = scratch_of(motion)
    renew_lists(net, motion, 1e-3, scratch.stack)
    y = np.zeros(state_size(1, 1))
    pack(motion, 1, y)
    dy = rates(flow_of(net, motion, scratch), y)
    assert_close(-dy[3] * 0.1, hertz_force(1e5, 5e-4), rtol=1e-9)


def test_a_load_with_a_reaction_pushes_both_ways_and_books_its_power():
    load = no_loads(1)[0]
    load["body"], load["reaction"], load["axes"], load["work"], load["stop"] = 0, 1, 0, SHOT, 2.0
    load["point"] = 0.1, 0.0, 0.0
    load["force"], load["force_end"] = (0, 4, 0), (0, 8, 0)  # fmt: skip
    load["torque"] = load["torque_end"] = 0, 0, 1
    net, motion = small_net([], [], bodies=2, loads=load)
    net.inverse_inertia[:], motion.bodies.inverse_mass[:] = 0.5, 0.25
    motion.bodies.speed[0], motion.bodies.momentum[0] = (0.0, 3.0, 0.0), (0.0, 0.0, 2.0)
    y = np.zeros(state_size(0, 2))
    pack(motion, 0, y)
    flow = flow_of(net, motion, scratch_of(motion), 1.0)
    dy = rates(flow, y, 0.5)
    assert_close(dy[6:9], (0.0, 5.0 * 0.25, 0.0), rtol=1e-14)
    assert_close(dy[9:12], (0.0, -5.0 * 0.25, 0.0), rtol=1e-14)
    assert_close(dy[20:23] + dy[23:26], np.zeros(3), rtol=1e-14, scale=1.0)
    # Force on the point that moves at 3 + 0.1 m/s, torque on the body that turns at 1 rad/s.
    assert_close(dy[-len(WORK_KINDS) + SHOT], 5.0 * 3.1 + 1.0, rtol=1e-14)
    flow.middle[0] = 2.5
    assert np.all(rates(flow, y, 2.0)[6:12] == 0.0)
