"""Rods in the net's kernel: textbook answers, frequencies, momenta, ledger."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

from haptos.dynamics.cable.beam_arrays import BENT, PUSHED, TWISTED
from haptos.dynamics.cable.beams import both_stable, enforce_turn_latches, turns_energy
from haptos.dynamics.system import (
    BREAKAGE,
    THREAD_DAMPING,
    WELDING,
    WORK_KINDS,
)
from tests.beam_cases import TIP, rod, stiff_thread, tip_load
from tests.close import assert_close
from tests.net_cases import marched, momenta

LENGTH = 1.0  # [m]
CLAMPED = 1.87510407  # [-] first root of cos x cosh x = -1
FREE = 4.73004074  # [-] first root of cos x cosh x = 1 above 0


@functools.cache
def settled(count, force, torque, spoiled=1.0):
    """(place, attitude) of the tip of a damped cantilever under a constant load, at rest."""
    thread = stiff_thread(damping=(0.5, 2.0, 2.0), diameter=0.1, bending=0.05 * spoiled)
    load = tip_load(force, torque)
    net, motion = rod(count, LENGTH, thread, tip=True, wall=True, loads=load)
    marched(net, motion, 10.0)
    return motion.bodies.place[TIP].copy(), motion.bodies.attitude[TIP].copy()


@pytest.mark.parametrize("count", [2, 3])
def test_a_cantilever_sags_by_the_textbook(count):
    place, attitude = settled(count, (0.0, 0.0, 1e-3), (0.0, 0.0, 0.0))
    assert_close(place[2], 1e-3 * LENGTH**3 / (3.0 * 0.05), rtol=2e-3)
    assert_close(-2.0 * attitude[2], 1e-3 * LENGTH**2 / (2.0 * 0.05), rtol=2e-3)


def test_a_rod_twists_by_the_textbook():
    _, attitude = settled(2, (0.0, 0.0, 0.0), (2e-3, 0.0, 0.0))
    assert_close(2.0 * math.asin(attitude[1]), 2e-3 * LENGTH / 0.03, rtol=2e-3)


def test_the_check_of_the_cantilever_has_teeth():
    place, _ = settled(2, (0.0, 0.0, 1e-3), (0.0, 0.0, 0.0), spoiled=1.01)
    with pytest.raises(AssertionError):
        assert_close(place[2], 1e-3 * LENGTH**3 / (3.0 * 0.05), rtol=2e-3)


def frequency(count, root, *, wall):
    """Of the lowest bending of a rod over that of the textbook [-], from the zeros of its motion."""
    thread = stiff_thread()
    net, motion = rod(count, LENGTH, thread, wall=wall)
    n = len(motion.turning.momentum)
    x = motion.points.x[:n, 0]
    a, b = root * x / LENGTH, np.sign(0.5 - wall)
    tip = math.cosh(root) + (math.cos(root) if wall else -math.cos(root))
    share = tip / (math.sinh(root) + math.sin(root) * np.sign(wall - 0.5))
    shape = np.cosh(a) + b * np.cos(a) - share * (np.sinh(a) + b * np.sin(a))
    motion.points.v[:n, 1] = 1e-3 * shape / np.abs(shape).max()
    wanted = root**2 * math.sqrt(thread.bending_stiffness / thread.linear_density) / LENGTH**2
    spacing = 0.02 * 2.0 * math.pi / wanted
    times = spacing * np.arange(1, 90)
    tips = []
    for time in times:
        marched(net, motion, float(time))
        tips.append(motion.points.x[n - 1, 1] - (0.0 if wall else motion.points.x[:n, 1].mean()))
    y = np.array(tips)
    at = np.flatnonzero(y[1:] * y[:-1] < 0.0)
    zeros = times[at] - y[at] * spacing / (y[at + 1] - y[at])
    return math.pi / float(np.diff(zeros).mean()) / wanted


def test_frequency_of_a_cantilever_converges_with_second_order():
    errors = [frequency(count, CLAMPED, wall=True) - 1.0 for count in (4, 8, 16)]
    assert abs(errors[2]) < 4e-3
    orders = [math.log2(errors[k] / errors[k + 1]) for k in (0, 1)]
    assert_close(orders, [2.0, 2.0], rtol=0.1)


def test_frequency_of_a_free_rod():
    assert_close(frequency(32, FREE, wall=False), 1.0, rtol=6e-3)


def thrown(share, *, damping=0.0, count=6, until=0.5):
    """A free rod thrown into bending, twist and tumbling; (net, motion, momenta before)."""
    net, motion = rod(count, LENGTH, stiff_thread(damping=(damping,) * 3))
    x = motion.points.x[: count + 1, 0] - 0.5
    motion.points.v[: count + 1] = np.stack(
        [0.3 + 0.0 * x, 0.2 * np.cos(2.0 * math.pi * x), 0.1 * np.sin(5.0 * x)], axis=1
    )
    motion.turning.momentum[:, 0] = 1e-7 * np.sign(x)
    before = momenta(net, motion)
    marched(net, motion, until, share)
    return net, motion, before


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_momenta_are_kept_to_rounding(damping):
    net, motion, before = thrown(0.4, damping=damping)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-14
    assert motion.turning.tally[BENT] > 1e-6
    assert motion.turning.tally[TWISTED] > 0.0
    assert (motion.ledger.work[THREAD_DAMPING] < 0.0) == (damping > 0.0)


def test_books_close_with_the_square_of_the_step():
    found = []
    for share in (0.4, 0.2, 0.1, 0.05):
        _, motion, _ = thrown(share)
        found.append(motion.ledger.energy.largest / motion.ledger.energy.start)
    assert found[-1] < 1e-6
    orders = [math.log2(found[k] / found[k + 1]) for k in range(3)]
    assert all(1.6 < order < 2.4 for order in orders)


def test_books_close_with_losses():
    found = []
    for share in (0.2, 0.1):
        _, motion, _ = thrown(share, damping=0.1)
        found.append(motion.ledger.energy.largest / motion.ledger.energy.start)
        assert motion.ledger.work[THREAD_DAMPING] < -1e-3 * motion.ledger.energy.start
    assert found[1] < 0.6 * found[0]
    assert found[1] < 1e-4


def test_a_rod_pushed_together_gives_way_at_its_buckling_load():
    """The spring of a slack element is no stiffer than a column that has buckled."""
    thread = stiff_thread()
    net, motion = rod(1, LENGTH, thread)
    motion.points.x[1, 0] = 0.6 * LENGTH
    marched(net, motion, 0.01)
    wanted = math.pi**2 * thread.bending_stiffness / LENGTH**2
    slope = motion.points.v[1, 0] * motion.points.mass[1] / 0.01
    assert_close(slope, wanted, rtol=1e-9)
    assert motion.turning.tally[PUSHED] > 0.0


def test_a_rod_that_breaks_loses_what_it_held():
    net, motion = rod(2, LENGTH, stiff_thread())
    breaking = np.array([math.inf, 1e-3])
    net = net._replace(threads=net.threads._replace(breaking=breaking))
    motion.points.x[1, 1] = 0.05
    motion.points.v[2, 0] = 2.0
    marched(net, motion, 0.05, 0.1)
    assert motion.elements.whole[1] == 0
    assert motion.turning.whole.tolist() == [1, 0]
    assert motion.ledger.work[BREAKAGE] < 0.0
    assert motion.ledger.energy.largest < 1e-2 * motion.ledger.energy.start


def test_nodes_that_are_held_turn_with_the_chaser_and_it_takes_what_they_lose():
    net, motion = rod(2, LENGTH, stiff_thread())
    net = net._replace(orders=net.orders._replace(nodes_held=1.0))
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = (0.5, 0.4, 0.3), 0.1
    motion.bodies.momentum[0], motion.turning.momentum[:] = (0.2, -0.1, 0.3), 1e-5
    before = momenta(net, motion)[1]
    energy = turns_energy(net, motion)
    enforce_turn_latches(net, motion, 0.5)
    assert_close(momenta(net, motion)[1], before, rtol=1e-15)
    rate = np.array([0.1, -0.04, 0.09])
    found = motion.turning.momentum * net.beams.inverse_inertia
    # axes of nodes: least moment first, which is that about x
    assert_close(np.abs(np.sort(np.abs(found), axis=1)), np.tile(np.sort(np.abs(rate)), (3, 1)), rtol=1e-3)  # fmt: skip
    assert turns_energy(net, motion) != energy
    assert motion.ledger.work[WELDING] != 0.0
    enforce_turn_latches(net, motion, 2.0)
    assert_close(motion.turning.momentum * net.beams.inverse_inertia, found, rtol=1e-15)


def test_steps_stable_with_two_kinds_of_springs():
    assert both_stable(0.3, math.inf) == 0.3
    assert_close(both_stable(math.inf, 0.2), 0.2, rtol=1e-15)
    assert_close(both_stable(0.3, 0.4), 0.24, rtol=1e-14)


def test_energy_of_turning_is_part_of_the_kinetic_energy():
    net, motion = rod(2, LENGTH, stiff_thread())
    motion.turning.momentum[1] = (0.0, 1e-4, 0.0)
    marched(net, motion, 0.0)
    turning = turns_energy(net, motion)
    assert turning > 0.0
    assert_close(motion.ledger.energy.kinetic, turning, rtol=1e-14)
    assert_close(motion.ledger.work, np.zeros(len(WORK_KINDS)), rtol=1e-15, scale=1.0)
