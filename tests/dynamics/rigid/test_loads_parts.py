"""Loads by the clock: exact impulses, exact work, reactions that keep momenta."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.rigid.bodies import body_energy
from haptos.dynamics.rigid.loads import impulse_of, kick_loads, load_limit, span_of
from haptos.dynamics.system import LOAD, SHOT, no_loads, rows_of
from tests.close import assert_close
from tests.net_cases import small_net

FORCE, END = np.array([1.0, -2.0, 0.5]), np.array([3.0, 1.0, -0.5])  # [N]
START, STOP = 0.2, 0.7  # [s]


def load(**changes):
    row = no_loads(1)[0]
    row["body"], row["reaction"], row["axes"], row["work"] = 0, -1, -1, SHOT
    row["start"], row["stop"] = START, STOP
    row["force"], row["force_end"] = FORCE, END
    for name, value in changes.items():
        row[name] = value
    return row


def two_bodies(**changes):
    net, motion = small_net([], [], bodies=2, loads=load(**changes))
    net.inverse_inertia[:] = [[0.5, 0.4, 0.3], [2.0, 1.5, 1.0]]
    motion.bodies.inverse_mass[:] = (0.1, 0.5)
    motion.bodies.place[:] = [[0.0, 1.0, 0.0], [2.0, 0.0, 1.0]]
    motion.bodies.speed[:] = [[0.1, 0.2, 0.0], [-0.3, 0.0, 0.1]]
    motion.bodies.momentum[:] = [[0.3, 0.0, -0.2], [0.1, 0.2, 0.0]]
    motion.bodies.attitude[0] = (0.8, 0.0, 0.6, 0.0)
    motion.bodies.attitude[1] = (0.6, 0.8, 0.0, 0.0)
    return net, motion


def momenta(motion):
    mass = 1.0 / motion.bodies.inverse_mass
    linear = mass[:, None] * motion.bodies.speed
    return linear.sum(axis=0), (np.cross(motion.bodies.place, linear) + motion.bodies.momentum).sum(
        axis=0
    )


@given(st.floats(-0.5, 1.5), st.floats(0.0, 1.0))
def test_impulse_is_the_integral_of_the_ramp_over_the_time_it_is_on(begin, length):
    loads = rows_of(LOAD, load())
    shares = span_of(loads, 0, begin, begin + length, np.inf)
    found = impulse_of(loads[0].force, loads[0].force_end, shares)
    a, b = np.clip([begin, begin + length], START, STOP)
    slope = (END - FORCE) / (STOP - START)
    expected = (b - a) * (FORCE + slope * (0.5 * (a + b) - START))
    assert_close(found, expected, rtol=1e-13, scale=1.0)


def test_many_kicks_give_the_whole_impulse_and_not_a_bit_of_another_time():
    net, motion = two_bodies()
    before = momenta(motion)[0]
    times = np.sort(np.concatenate([[0.0, 1.0], np.random.default_rng(1).uniform(0, 1, 20)]))
    for begin, end in itertools.pairwise(times):
        kick_loads(net, motion, begin, end)
    whole = 0.5 * (FORCE + END) * (STOP - START)
    assert_close(momenta(motion)[0] - before, whole, rtol=1e-12)


def test_a_pulse_much_shorter_than_a_kick_is_not_lost():
    net, motion = two_bodies()
    net.orders.loads[0].stop = START + 1e-7
    before = momenta(motion)[0]
    kick_loads(net, motion, 0.0, 1.0)
    assert_close(momenta(motion)[0] - before, 0.5e-7 * (FORCE + END), rtol=1e-6)


@pytest.mark.parametrize("reaction", [-1, 1])
@pytest.mark.parametrize("axes", [-1, 0, 1])
def test_work_in_the_books_is_the_change_of_kinetic_energy(reaction, axes):
    net, motion = two_bodies(
        reaction=reaction, axes=axes, point=(0.3, -0.2, 0.5), torque=(0.1, 0.0, 2.0),
        torque_end=(1.0, 1.0, 0.0),
    )  # fmt: skip
    before = body_energy(net, motion)
    kick_loads(net, motion, 0.1, 0.6)
    change = body_energy(net, motion) - before
    assert abs(change) > 1e-3
    assert_close(motion.ledger.work[SHOT], change, rtol=1e-12)


def test_a_load_with_a_reaction_keeps_both_momenta():
    net, motion = two_bodies(reaction=1, axes=0, point=(0.3, -0.2, 0.5), torque=(0.1, 0.0, 2.0))
    before = momenta(motion)
    kick_loads(net, motion, 0.1, 0.6)
    for one, other in zip(before, momenta(motion), strict=True):
        assert np.abs(one - other).max() < 1e-14
    alone, moved = two_bodies(axes=0)
    kick_loads(alone, moved, 0.1, 0.6)
    assert np.abs(momenta(moved)[0] - before[0]).max() > 0.1


def test_a_load_in_axes_of_a_body_turns_with_it():
    net, motion = two_bodies(axes=1)
    before = momenta(motion)[0]
    kick_loads(net, motion, 0.0, 1.0)
    whole = 0.25 * (FORCE + END)
    assert_close(
        momenta(motion)[0] - before,
        rotation_matrices(motion.bodies.attitude[1]) @ whole,
        rtol=1e-12,
    )


def test_a_force_beside_the_centre_turns_the_body():
    net, motion = two_bodies(point=(0.0, 0.0, 2.0))
    arm = rotation_matrices(motion.bodies.attitude[0]) @ np.array([0.0, 0.0, 2.0])
    before = motion.bodies.momentum[0].copy()
    kick_loads(net, motion, 0.0, 1.0)
    assert_close(
        motion.bodies.momentum[0] - before, np.cross(arm, 0.25 * (FORCE + END)), rtol=1e-12
    )


def test_a_load_after_touch_waits_for_it():
    net, motion = two_bodies(after_touch=1.0)
    motion.step.touched_at = np.inf
    before = motion.bodies.speed.copy()
    kick_loads(net, motion, 0.0, 10.0)
    assert np.array_equal(motion.bodies.speed, before)
    motion.step.touched_at = 3.0
    kick_loads(net, motion, 0.0, 3.2)
    assert np.array_equal(motion.bodies.speed, before)
    kick_loads(net, motion, 3.2, 10.0)
    assert not np.array_equal(motion.bodies.speed, before)


@pytest.mark.parametrize(("now", "step"), [(0.0, 0.2), (0.2, 0.125), (0.65, 0.05), (0.7, np.inf)])
def test_steps_end_where_a_load_begins_or_ends_and_take_a_pulse_in_four(now, step):
    net, motion = two_bodies()
    motion.step.time = now
    found = load_limit(net, motion)
    assert found == step or abs(found - step) < 1e-12
