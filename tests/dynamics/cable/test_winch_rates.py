"""Winches in rates: work of a winch by closed forms, a mass on a wound thread, a line through a ring."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable.winch_rates import set_lengths, winding_limit, wound
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import LINE_WAS, LineMotion, scratch_of
from haptos.dynamics.system import (
    THREAD_DAMPING,
    WINCH,
    WINCH_ROW,
    LineArrays,
    no_winches,
    rows_of,
)
from tests.close import assert_close
from tests.net_cases import momenta, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
EA, DAMPING, FIRST, LAST, START, STOP = 500.0, 3.0, 1.0, 0.6, 0.05, 0.25
PACE = (LAST - FIRST) / (STOP - START)


def winding(element=0, **columns):
    """Row of a winch without mass."""
    row = no_winches(1)[0]
    row["element"], row["first"], row["last"], row["start"], row["stop"] = (
        element, FIRST, LAST, START, STOP,
    )  # fmt: skip
    row["point"], row["stall"] = -1.0, np.inf
    for name, value in columns.items():
        row["after_touch" if name == "after" else name] = value
    return row


def run(net, motion, until, share=1e-3):
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 0.01, 1e6)


def tied(masses, **options):
    """Two masses on a thread of 1 m that is wound."""
    return small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], masses, elements=[[0, 1]], lengths=[FIRST],
        stretching=EA, damping=DAMPING, winches=winding(), **options,
    )  # fmt: skip


def test_between_ends_that_stay_the_winch_stretches_the_thread_and_works_against_its_damper():
    net, motion = tied([1e12, 1e12])
    run(net, motion, 0.4)
    held = EA * (1.0 - LAST) ** 2 / (2.0 * LAST)
    damped = DAMPING * PACE**2 * (STOP - START)
    assert_close(motion.ledger.work[WINCH], held + damped, rtol=1e-7)
    assert_close(motion.ledger.work[THREAD_DAMPING], -damped, rtol=1e-7)
    assert motion.elements.length[0] == LAST
    assert motion.elements.pace[0] == 0.0
    assert motion.ledger.energy.largest < 1e-7


def reference(pull, mass, until, places):
    """Places of a mass by another scheme; pull(x, v, t) [N] towards x = 0."""
    from scipy.integrate import solve_ivp

    state, begin = np.array(places), 0.0
    for end in (START, STOP, until):
        found = solve_ivp(
            lambda t, y: [y[1], -pull(y[0], y[1], t) / mass], (begin, end), state, method="DOP853",
            rtol=1e-10, atol=1e-10, max_step=2e-3,
        )  # fmt: skip
        state, begin = found.y[:, -1], end
    return state


def length_at(t):
    return FIRST + PACE * (min(max(t, START), STOP) - START)


def tension(way, rate, t):
    length = length_at(t)
    pace = PACE if START < t < STOP else 0.0
    if way <= length:
        return 0.0
    return max(0.0, EA * (way - length) / length + DAMPING * (rate - pace))


def test_a_mass_on_a_wound_thread_moves_as_another_scheme_says():
    net, motion = tied([1e12, 2.0])
    run(net, motion, 0.4)
    expected = reference(tension, 2.0, 0.4, (1.0, 0.0))
    assert expected[0] < 0.8
    assert_close(motion.points.x[1, 0], expected[0], rtol=1e-6)
    assert_close(motion.points.v[1, 0], expected[1], rtol=1e-5)
    assert motion.ledger.energy.largest < 1e-6 * motion.ledger.work[WINCH]


def ringed(masses, places, ring=2e-3):
    """A line from node 0 through a ring at node 1 to node 2."""
    net, motion = small_net(places, masses, winches=winding(-1))
    net = net._replace(
        lines=LineArrays(
            np.array([0, 3]), np.array([0, 1, 2]), np.array([EA]), np.array([DAMPING]), ring
        )
    )
    one = [np.zeros(1) for _ in range(3)]
    return net, motion._replace(lines=LineMotion(np.array([FIRST]), *one, np.zeros((1, LINE_WAS))))


def test_a_ring_on_a_wound_line_moves_as_another_scheme_says():
    net, motion = ringed([1e12, 2.0, 1e12], [[-0.3, 0, 0], [0.0, 0.39, 0], [0.3, 0, 0]])
    run(net, motion, 0.4)

    def pull(y, v, t):
        root = math.sqrt(0.09 + y * y + 4e-6)
        return 2.0 * tension(2.0 * (root - 2e-3), 2.0 * v * y / root, t) * y / root

    expected = reference(pull, 2.0, 0.4, (0.39, 0.0))
    assert expected[0] < 0.3
    assert_close(motion.points.x[1, 1], expected[0], rtol=1e-6)
    assert motion.ledger.energy.largest < 1e-6 * motion.ledger.work[WINCH]


def test_two_masses_and_a_ring_keep_both_momenta_and_their_books():
    net, motion = ringed([0.5, 0.2, 0.7], [[-0.3, 0, 0], [0.0, 0.35, 0.1], [0.3, 0, 0]])
    motion.points.v[:] = [[0.1, 0.2, 0.0], [0.0, -0.1, 0.3], [-0.2, 0.0, 0.1]]
    before = momenta(net, motion)
    run(net, motion, 0.3)
    after = momenta(net, motion)
    assert motion.ledger.work[WINCH] > 0.1
    assert_close(after[0], before[0], rtol=1e-13, scale=1.0)
    assert_close(after[1], before[1], rtol=1e-8, scale=0.1)
    assert motion.ledger.energy.largest < 1e-6 * motion.ledger.work[WINCH]


def test_a_winch_whose_work_is_spoiled_is_found_out(monkeypatch):
    from haptos.dynamics.cable import winch_rates

    exact = winch_rates.winding_power
    monkeypatch.setattr(winch_rates, "winding_power", lambda *a: 1.01 * exact(*a))
    net, motion = tied([1e12, 1e12])
    run(net, motion, 0.1)
    assert motion.ledger.energy.largest > 1e-3 * motion.ledger.work[WINCH]


def test_steps_end_where_winding_begins_and_ends():
    net, motion = tied([1.0, 1.0])
    assert_close(winding_limit(net, motion), START, rtol=1e-14)
    motion.step.time = 0.1
    assert_close(winding_limit(net, motion), STOP - 0.1, rtol=1e-14)
    motion.step.time = STOP
    assert winding_limit(net, motion) == math.inf


def test_a_winch_that_waits_for_the_touch_starts_with_it():
    net, motion = tied([1.0, 1.0])
    net.orders.winches[0].after_touch = 1.0
    assert winding_limit(net, motion) == math.inf
    set_lengths(net, motion, 0.2, 0.2)
    assert motion.elements.length[0] == FIRST
    motion.step.touched_at = 1.0
    set_lengths(net, motion, 1.15, 1.15)
    assert_close(motion.elements.length[0], FIRST + 0.5 * (LAST - FIRST), rtol=1e-14)


@pytest.mark.parametrize(("middle", "expected"), [(0.04, False), (0.06, True), (0.3, True)])
def test_a_row_counts_from_its_start_on(middle, expected):
    rows = rows_of(WINCH_ROW, winding())
    length, pace, is_on = wound(rows, 0, middle, middle, np.inf)
    assert is_on == expected
    assert (pace != 0.0) == (START < middle < STOP)
    assert_close(length, length_at(middle), rtol=1e-14)
