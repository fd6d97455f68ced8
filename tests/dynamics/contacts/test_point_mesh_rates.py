"""Points pressed on the target in rates: where balls of bullets are pushed, factors that are kept, lists."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import OPEN
from haptos.dynamics.contacts.point_mesh_rates import (
    nearest_point,
    remember_touch,
    renew_lists,
    use_up,
    way_against,
)
from haptos.dynamics.march.rates import flow_of, pack, state_size
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import RUBBING, WORK_KINDS
from tests.close import assert_close
from tests.dynamics.march.test_rates import energy, rates
from tests.net_cases import box_surface, contact_numbers, small_net

RADIUS = 0.01


def bullet(depth=1e-4, friction=0.3):
    """A turning ball of body 1 pressed on a turning box."""
    pairs = contact_numbers(1e5, 0.2, friction)
    pairs[0, 0, 5:7] = 5e-2, 5e-3
    net, motion = small_net(
        [], [], bodies=2, fixed=[(1, (0.0, 0.0, 0.015))],
        surface=box_surface((0.3, 0.3, 0.3), pairs),
    )  # fmt: skip
    net.points.radius[0] = RADIUS
    net.inverse_inertia[:], motion.bodies.inverse_mass[:] = (
        [(2.5, 2.0, 1.5), (900.0, 800.0, 700.0)],
        [0.5, 5.0],
    )
    motion.bodies.place[1] = -0.15 - RADIUS + depth, 0.03, -0.035
    motion.bodies.speed[1], motion.bodies.momentum[1] = (0.05, 0.1, -0.02), (1e-4, -2e-4, 3e-4)
    motion.bodies.momentum[0] = 0.02, -0.03, 0.01
    motion.points.x[0] = motion.bodies.place[1] + (0.0, 0.0, 0.015)
    scratch = scratch_of(motion)
    renew_lists(net, motion, 1e-3, scratch.stack)
    y = np.zeros(state_size(0, 2))
    pack(motion, 0, y)
    return flow_of(net, motion, scratch), y


def test_a_ball_is_pushed_where_its_surface_touches_and_energy_goes_where_the_books_say():
    flow, y = bullet()
    dy = rates(flow, y)
    h = 1e-7
    slope = (energy(flow, y + h * dy) - energy(flow, y - h * dy)) / (2.0 * h)
    works = dy[-len(WORK_KINDS) :]
    assert works[RUBBING] < 0.0
    assert_close(slope, works.sum(), rtol=1e-5)
    with pytest.raises(AssertionError):
        assert_close(slope, works.sum() - 0.01 * works[RUBBING], rtol=1e-5)


def test_both_momenta_stay():
    flow, y = bullet()
    dy = rates(flow, y)
    pushes = dy[6:12].reshape(2, 3) / flow.motion.bodies.inverse_mass[:, None]
    assert np.abs(pushes).max() > 0.05
    assert np.abs(pushes.sum(axis=0)).max() < 1e-13
    places = y[:6].reshape(2, 3)
    twist = np.cross(places, pushes).sum(axis=0) + dy[20:26].reshape(2, 3).sum(axis=0)
    assert np.abs(twist).max() < 1e-13


def test_factors_are_kept_while_a_point_touches():
    flow, y = bullet()
    net, motion = flow.system, flow.motion
    rates(flow, y)
    assert motion.contacts.mesh.factor[0] == OPEN
    remember_touch(net, motion)
    assert_close(motion.contacts.mesh.factor[0], 0.3, rtol=1e-14)
    assert_close(nearest_point(net, motion), -1e-4, rtol=1e-9)
    motion.points.x[0, 0] -= 1e-3
    remember_touch(net, motion)
    assert motion.contacts.mesh.factor[0] == OPEN


def test_lists_hold_for_the_ways_of_steps():
    flow, _ = bullet()
    net, motion = flow.system, flow.motion
    before = motion.contacts.mesh.budget[0]
    way = way_against(net, motion, 0, 1e-3)
    assert 0.0 < way < before
    use_up(net, motion, 1e-3)
    assert_close(before - motion.contacts.mesh.budget[0], way, rtol=1e-12)
