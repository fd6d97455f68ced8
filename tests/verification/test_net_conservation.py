"""A net in flight, in contact and on a winch keeps what it must keep, and its books close."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.net_layout import (
    BREAKAGE,
    BROKEN,
    CONTACT_DAMPING,
    ELASTIC,
    KINETIC,
    LARGEST,
    PEAK,
    RUBBING,
    SHOT,
    START,
    THREAD_DAMPING,
    TOUCHED_AT,
    WINCH,
)
from tests.close import assert_close
from tests.net_cases import (
    box_surface,
    contact_numbers,
    marched,
    momenta,
    small_net,
    thrown_grid,
)


@pytest.mark.parametrize("has_losses", [False, True])
def test_momenta_are_kept_to_rounding_through_impact_and_wrap(has_losses: bool) -> None:
    losses = {"damping_ratio": 0.106, "alpha": 0.3, "friction": 0.3} if has_losses else {}
    net, motion = thrown_grid(**losses)
    before = momenta(net, motion)
    marched(net, motion, 0.6)
    assert motion.clock[TOUCHED_AT] < 0.2
    after = momenta(net, motion)
    for one, other in zip(before, after, strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert (motion.books[RUBBING] < 0.0) == has_losses


def test_without_losses_the_energy_error_falls_with_the_square_of_the_step() -> None:
    found = []
    for share in (0.4, 0.2, 0.1):
        net, motion = thrown_grid()
        marched(net, motion, 0.35, share)
        found.append(motion.clock[LARGEST] / motion.clock[START])
    assert found[0] < 2e-2
    assert found[2] < 0.15 * found[0]  # 1/16 for second order; kinks of slack threads cost some


def test_no_thread_cuts_into_the_box_it_wraps() -> None:
    net, motion = thrown_grid(damping_ratio=0.106, alpha=0.3, friction=0.3)
    for until in np.arange(0.1, 0.65, 0.1):
        marched(net, motion, float(until))
        axes = rotation_matrices(motion.attitude[0])
        y = (motion.x - motion.place[0]) @ axes
        for share in np.linspace(0.0, 1.0, 11):
            ends = net.threads.ends
            along = (1.0 - share) * y[ends[:, 0]] + share * y[ends[:, 1]]
            assert (0.15 - np.abs(along).max(axis=1)).max() < 1e-4


def test_without_edges_threads_do_cut_in() -> None:
    net, motion = thrown_grid(damping_ratio=0.106, alpha=0.3, friction=0.3, has_edges=False)
    deepest = 0.0
    for until in np.arange(0.3, 0.65, 0.1):
        marched(net, motion, float(until))
        y = (motion.x - motion.place[0]) @ rotation_matrices(motion.attitude[0])
        ends = net.threads.ends
        middle = 0.5 * (y[ends[:, 0]] + y[ends[:, 1]])
        deepest = max(deepest, float((0.15 - np.abs(middle).max(axis=1)).max()))
    assert deepest > 2e-3


@pytest.mark.parametrize(
    ("stiffness", "alpha", "rebound", "peak"),
    [(1e9, 0.08, 0.149, 2429.0), (1e9, 0.32, 0.0734, None), (1e6, 0.08, 0.1483, 154.0)],
)
def test_a_ball_bounces_as_high_and_presses_as_hard_as_it_must(
    stiffness: float, alpha: float, rebound: float, peak: float | None
) -> None:
    """0.1 kg dropped by 0.2 m: restitution 0.863, 0.606, 0.861, of Hunt-Crossley in closed form."""
    surface = box_surface((1.0, 1.0, 1.0), contact_numbers(stiffness, alpha, 0.0))
    net, motion = small_net(
        [(0.1, 0.2, 0.71)], [0.1], radius=0.01, surface=surface, gravity=(0.0, 0.0, -9.81)
    )
    heights = []
    for step in range(1, 400):
        marched(net, motion, step * 1e-3)
        heights.append(motion.x[0, 2] - 0.51)
    low = int(np.argmin(heights[:230]))
    assert_close(max(heights[low:]), rebound, rtol=1e-2)
    if peak is not None:
        assert_close(motion.clock[PEAK], peak, rtol=1e-2)
    assert motion.clock[LARGEST] < 1e-10
    assert motion.books[CONTACT_DAMPING] < 0.0


def test_a_thread_that_snatches_loses_what_its_damper_takes() -> None:
    found = []
    for share in (0.2, 0.1, 0.05):
        net, motion = small_net(
            [(0.0, 0.0, 0.0), (0.07, 0.0, 0.0)], [1e-4, 1e-4], elements=[(0, 1)], lengths=[0.1],
            stretching=5e4, damping=2.0 * 0.106 * math.sqrt(5e4 * 1e-3),
        )  # fmt: skip
        motion.v[1, 0] = 1.0
        marched(net, motion, 0.04, share)
        found.append(motion.clock[LARGEST] / motion.clock[START])
        assert motion.v[1, 0] < motion.v[0, 0]
        assert motion.books[THREAD_DAMPING] < 0.0
    assert found[2] < 1e-4
    assert found[2] < 0.1 * found[0]


def test_a_thread_breaks_once_and_its_energy_is_booked() -> None:
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [1.0, 1.0], elements=[(0, 1)], lengths=[0.1],
        stretching=1e3, breaking=20.0,
    )  # fmt: skip
    motion.v[1, 0] = 2.0
    marched(net, motion, 0.1)
    assert motion.clock[BROKEN] == 1.0
    assert motion.whole[0] == 0
    assert_close(motion.books[BREAKAGE], -0.5 * 20.0**2 / (1e3 / 0.1), rtol=0.05)
    assert motion.clock[ELASTIC] == 0.0


def test_a_winch_does_the_work_that_the_masses_gain() -> None:
    wind = [[0, 0.1, 0.05, 0.01, 0.11, 0.0, -1.0, 0.0, math.inf]]
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [0.1, 0.1], elements=[(0, 1)], lengths=[0.1],
        stretching=1e3, winds=wind,
    )  # fmt: skip
    marched(net, motion, 0.1, 0.1)
    assert motion.books[WINCH] > 0.0
    gained = motion.clock[KINETIC] + motion.clock[ELASTIC]
    assert_close(gained, motion.books[WINCH], rtol=2e-3)


def test_a_shot_gives_bullet_and_chaser_opposite_momenta_and_books_its_work() -> None:
    from haptos.dynamics.net_layout import LOAD_SIZE

    row = np.zeros(LOAD_SIZE)
    row[0], row[1], row[2], row[3], row[4], row[5] = 1.0, 0.0, 0.0, 2.5e-3, 3.1e-3, SHOT
    row[10:13] = row[13:16] = (500.0, 0.0, 0.0)  # 0.3 N s
    net, motion = small_net([(9.0, 0.0, 0.0)], [1e-3], bodies=2, loads=[row])
    motion.inverse_mass[:] = 1.0 / 50.0, 1.0 / 0.3
    net.inverse_inertia[:] = 1.0 / 4.0, 1.0 / 1e-4
    motion.place[1] = (0.5, 0.4, 0.0)
    before = momenta(net, motion)
    marched(net, motion, 0.01)
    assert_close(motion.speed[1], (1.0, 0.0, 0.0), rtol=1e-12, atol=1e-12)
    assert_close(motion.speed[0, 0], -0.3 / 50.0, rtol=1e-12)
    assert motion.momentum[0, 2] != 0.0  # pushed off its centre
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-14
    assert motion.clock[LARGEST] < 1e-14


def test_a_held_bullet_turns_and_moves_with_its_chaser() -> None:
    net, motion = small_net([(9.0, 0.0, 0.0)], [1e-3], bodies=2, held=[-np.inf, 0.05])
    motion.inverse_mass[:] = 1.0 / 50.0, 1.0 / 0.3
    net.inverse_inertia[:] = 1.0 / 4.0, 1.0 / 1e-4
    motion.place[1] = (0.5, 0.0, 0.0)
    motion.momentum[0] = (0.0, 0.0, 0.4)
    before = momenta(net, motion)
    marched(net, motion, 0.04)
    turn = motion.momentum[1, 2] * net.inverse_inertia[1, 2]
    assert_close(turn, motion.momentum[0, 2] * net.inverse_inertia[0, 2], rtol=1e-12)
    assert_close(motion.speed[1] - motion.speed[0], np.cross((0, 0, turn), motion.place[1] - motion.place[0]), atol=1e-9)  # fmt: skip
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
