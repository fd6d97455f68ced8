"""Lengths that follow the clock: the winch's work, and the mass it reels in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.cable.thread_link import link_energy
from haptos.dynamics.cable.winches import (
    book_winding,
    carry,
    held_back,
    is_winding,
    run_winches,
    set_pace,
    wound_length,
)
from haptos.dynamics.motion import LINE_WAS, LineMotion
from haptos.dynamics.rigid.bodies import body_energy
from haptos.dynamics.system import (
    REELED,
    THREAD_DAMPING,
    WINCH,
    WINCH_ROW,
    LineArrays,
    no_winches,
    rows_of,
)
from tests.close import assert_close
from tests.net_cases import small_net

STRETCHING = 1e3  # [N]


def order(element=0, point=-1, density=0.0, stall=np.inf, power=np.inf, after_touch=0.0):
    row = no_winches(1)[0]
    row["power"] = power
    row["element"], row["first"], row["last"] = element, 1.0, 0.6
    row["start"], row["stop"], row["after_touch"] = 2.0, 4.0, after_touch
    row["point"], row["density"], row["stall"] = point, density, stall
    return row


def pair_and_winch(**changes):
    """Two nodes 1.1 m apart and a body with a winch at its fixed point."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.1, 0.0, 0.0]], [1.0, 2.0], elements=[[0, 1]], lengths=[1.0],
        stretching=STRETCHING, fixed=[(0, (0.0, 0.0, 0.0))], winches=order(**changes),
    )  # fmt: skip
    net.inverse_inertia[0] = (0.5, 0.4, 0.3)
    motion.bodies.inverse_mass[0] = 0.25
    motion.points.v[:2] = [[0.5, 0.0, 1.0], [-1.0, 0.3, 0.0]]
    motion.bodies.speed[0], motion.bodies.momentum[0] = (0.1, 0.0, 0.0), (0.0, 0.2, 0.1)
    motion.lists.state.stretched = 0.0
    return net, motion


@pytest.mark.parametrize(
    ("time", "length"), [(0.0, 1.0), (2.0, 1.0), (3.0, 0.8), (4.0, 0.6), (9.0, 0.6)]
)
def test_length_goes_straight_from_first_to_last(time, length):
    winches = rows_of(WINCH_ROW, order())
    assert_close(wound_length(winches, 0, time, np.inf), length, rtol=1e-15)


def test_times_may_count_from_the_first_touch():
    winches = rows_of(WINCH_ROW, order(after_touch=1.0))
    assert wound_length(winches, 0, 100.0, np.inf) == 1.0
    assert_close(wound_length(winches, 0, 13.0, 10.0), 0.8, rtol=1e-15)


def pulled_by(motion, length):
    """Set the tension of an element 1.1 m long without load at a length."""
    motion.elements.tension[0] = motion.elements.spring[0] = STRETCHING * (1.1 - length) / length


def test_work_of_the_winch_is_what_the_spring_gains():
    """At a fixed place: the trapezoid of a small step is the change of the stored energy."""
    net, motion = pair_and_winch()
    pulled_by(motion, 1.0)
    run_winches(net, motion, 2.0, 2.005)
    assert_close(motion.elements.length[0], 0.999, rtol=1e-14)
    assert_close(motion.elements.pace[0], -0.2, rtol=1e-9)
    pulled_by(motion, 0.999)
    book_winding(net, motion, 2.0, 2.005)
    gained = link_energy(STRETCHING, 0.999, 1.1) - link_energy(STRETCHING, 1.0, 1.1)
    assert_close(motion.ledger.work[WINCH], gained, rtol=1e-5)
    assert_close(motion.lists.state.stretched, 1e-3, rtol=1e-9)
    assert motion.ledger.work[REELED] == 0.0


def test_rows_whose_times_follow_each_other_make_a_profile():
    rows = [order(), order()]
    rows[1]["first"], rows[1]["last"] = 0.6, 0.9
    rows[1]["start"], rows[1]["stop"] = 4.0, 5.0
    net, motion = pair_and_winch()
    net = net._replace(orders=net.orders._replace(winches=rows_of(WINCH_ROW, rows)))
    found = []
    for begin in (1.0, 2.0, 3.0, 4.0, 5.0):
        run_winches(net, motion, begin, begin + 1.0)
        found.append((motion.elements.length[0], motion.elements.pace[0]))
    expected = [(1.0, 0.0), (0.8, -0.2), (0.6, -0.2), (0.9, 0.3), (0.9, 0.0)]
    assert_close(found, expected, rtol=1e-12, scale=1.0)


def test_a_slack_thread_is_wound_for_nothing_and_a_broken_one_not_at_all():
    net, motion = pair_and_winch()
    motion.points.x[1, 0] = 0.2
    run_winches(net, motion, 2.0, 3.0)
    book_winding(net, motion, 2.0, 3.0)
    assert motion.ledger.work[WINCH] == 0.0
    assert_close(motion.elements.length[0], 0.8, rtol=1e-14)
    net, motion = pair_and_winch()
    motion.elements.whole[0] = 0
    run_winches(net, motion, 2.0, 3.0)
    assert motion.elements.length[0] == 1.0


def kinetic(net, motion):
    return body_energy(net, motion) + 0.5 * np.sum(
        motion.points.mass[:2] * np.sum(motion.points.v[:2] ** 2, axis=1)
    )


def linear(motion):
    return (
        motion.points.mass[:2] @ motion.points.v[:2]
        + motion.bodies.speed[0] / motion.bodies.inverse_mass[0]
    )


@pytest.mark.parametrize("winch", [0, 2])
def test_reeled_mass_keeps_mass_and_momentum_and_books_the_speed_it_loses(winch):
    """At a node, or at a point of a body."""
    net, motion = pair_and_winch(point=winch, density=0.4)
    before, mass, at_first = (
        linear(motion),
        motion.points.mass[:2].sum() + 4.0,
        kinetic(net, motion),
    )
    run_winches(net, motion, 2.0, 2.5)
    assert_close(linear(motion), before, rtol=1e-14)
    assert_close(
        motion.points.mass[:2].sum() + 1.0 / motion.bodies.inverse_mass[0], mass, rtol=1e-14
    )
    assert motion.points.mass[1] < 2.0
    assert_close(motion.ledger.work[REELED], kinetic(net, motion) - at_first, rtol=1e-12)
    assert motion.ledger.work[REELED] < 0.0


def test_a_node_never_gives_all_of_its_mass():
    net, motion = pair_and_winch(point=2, density=0.4)
    assert carry(net, motion, 0, 2, 0.96) == 0.0
    assert motion.points.mass[0] == 1.0
    assert carry(net, motion, 0, 2, 0.94) != 0.0
    assert_close(motion.points.mass[0], 0.06, rtol=1e-12)


@given(st.floats(0.5, 1.0), st.floats(0.5, 1.0), st.floats(1e-4, 0.1))
def test_a_winch_of_limited_force_waits_and_then_takes_up_at_twice_its_speed_at_most(
    new, old, time
):
    winches = rows_of(WINCH_ROW, order(stall=10.0))
    assert held_back(winches, 0, min(new, old), old, 10.1, STRETCHING, time) == old
    reached = held_back(winches, 0, new, old, 0.0, 1.0, time)
    most = 2.0 * 0.2 * time
    assert abs(reached - old) <= most * (1.0 + 1e-9) + 1e-15
    if abs(new - old) <= most:
        assert reached == new


@given(st.floats(0.0, 12.0), st.floats(1e-6, 1.0))
def test_a_limited_winch_never_pulls_beyond_its_stall_force(spring, time):
    """Whatever the step: what it winds stretches a thread that does not give way to that force at most."""
    winches = rows_of(WINCH_ROW, order(stall=10.0))
    wound = 1.0 - held_back(winches, 0, 0.0, 1.0, spring, STRETCHING, time)
    assert wound >= 0.0
    assert spring + wound * STRETCHING <= max(10.0, spring) * (1.0 + 1e-9)


def test_the_speed_of_a_winch_falls_evenly_below_its_stall_force():
    winches = rows_of(WINCH_ROW, order(stall=10.0))
    speeds = [
        (1.0 - held_back(winches, 0, 0.0, 1.0, spring, STRETCHING, 1e-6)) / 1e-6
        for spring in (5.0, 9.0, 9.5, 9.75, 10.0)
    ]
    assert_close(speeds, [0.4, 0.4, 0.2, 0.1, 0.0], rtol=1e-6)


def test_a_winch_of_limited_power_slows_down_as_its_thread_pulls():
    winches = rows_of(WINCH_ROW, order(stall=10.0, power=0.8))
    speeds = [
        (1.0 - held_back(winches, 0, 0.0, 1.0, spring, STRETCHING, 1e-6)) / 1e-6
        for spring in (0.0, 1.0, 4.0, 8.0)
    ]
    assert_close(speeds, [0.4, 0.4, 0.2, 0.1], rtol=1e-6)


def test_a_stalled_winch_in_a_net_does_not_wind():
    net, motion = pair_and_winch(stall=10.0)
    motion.elements.tension[0] = motion.elements.spring[0] = 11.0
    run_winches(net, motion, 2.99, 3.0)
    assert motion.elements.length[0] == 1.0
    motion.elements.tension[0] = motion.elements.spring[0] = 5.0
    run_winches(net, motion, 2.99, 3.0)
    assert_close(motion.elements.length[0], 1.0 - 0.004, rtol=1e-12)


def test_a_limited_winch_follows_a_profile_and_goes_on_after_its_last_piece():
    """Each piece of a profile ends at its time; what is missing then is made up for in the next."""
    rows = rows_of(WINCH_ROW, [order(stall=10.0), order(stall=10.0)])
    rows[1]["first"], rows[1]["last"], rows[1]["start"], rows[1]["stop"] = 0.6, 0.4, 4.0, 5.0
    assert not is_winding(rows, 0, 4.0, 4.1, 0.0)
    assert is_winding(rows, 1, 4.0, 4.1, 0.0)
    assert is_winding(rows, 1, 9.0, 9.1, 0.0)


@pytest.mark.parametrize("element", [0, -1])
def test_a_change_of_speed_is_booked_against_the_damper(element):
    """The damper's force of before works against the new speed for half of the step."""
    motion = pair_and_winch(element=element)[1]
    if element < 0:
        motion = motion._replace(
            lines=LineMotion(
                np.array([1.0]),
                np.zeros(1),
                np.array([7.0]),
                np.array([4.0]),
                np.zeros((1, LINE_WAS)),
            )
        )
    motion.elements.tension[0], motion.elements.spring[0] = 7.0, 4.0
    set_pace(motion, element, -0.2, 0.01)
    assert_close(motion.ledger.work[THREAD_DAMPING], 0.5 * 0.01 * 3.0 * -0.2, rtol=1e-12)
    set_pace(motion, element, 0.0, 0.01)
    assert motion.ledger.work[THREAD_DAMPING] == 0.0
    paces = motion.elements.pace if element == 0 else motion.lines.pace
    assert paces[0] == 0.0


def test_a_running_line_is_wound_as_a_whole_and_stalls_as_a_whole():
    net, motion = pair_and_winch(element=-1, stall=500.0)
    lines = LineArrays(
        np.array([0, 3]), np.array([0, 1, 2]), np.array([STRETCHING]), np.array([0.0])
    )
    net = net._replace(lines=lines)
    motion = motion._replace(
        lines=LineMotion(
            np.array([1.0]),
            np.zeros(1),
            np.array([40.0]),
            np.array([40.0]),
            np.zeros((1, LINE_WAS)),
        )
    )
    run_winches(net, motion, 2.0, 3.0)
    assert_close(motion.lines.length[0], 0.8, rtol=1e-14)
    book_winding(net, motion, 2.0, 3.0)
    assert_close(motion.ledger.work[WINCH], 0.2 * (40.0 + 40.0**2 / 2e3), rtol=1e-12)
    motion.lines.tension[0] = motion.lines.spring[0] = 501.0
    run_winches(net, motion, 3.0, 4.0)
    assert_close(motion.lines.length[0], 0.8, rtol=1e-14)
    assert motion.lines.pace[0] == 0.0
