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
    set_pace,
    wind,
    wound_length,
)
from haptos.dynamics.rigid.bodies import body_energy
from haptos.dynamics.system import (
    LINE_WAS,
    REELED,
    THREAD_DAMPING,
    THREADS_SINCE,
    WINCH,
    WIND_AFTER_TOUCH,
    WIND_DENSITY,
    WIND_ELEMENT,
    WIND_FIRST,
    WIND_LAST,
    WIND_POINT,
    WIND_POWER,
    WIND_SIZE,
    WIND_STALL,
    WIND_START,
    WIND_STOP,
    Lines,
)
from tests.close import assert_close
from tests.net_cases import small_net

STRETCHING = 1e3  # [N]


def order(element=0, point=-1, density=0.0, stall=np.inf, power=np.inf, after_touch=0.0):
    row = np.zeros(WIND_SIZE)
    row[WIND_POWER] = power
    row[WIND_ELEMENT], row[WIND_FIRST], row[WIND_LAST] = element, 1.0, 0.6
    row[WIND_START], row[WIND_STOP], row[WIND_AFTER_TOUCH] = 2.0, 4.0, after_touch
    row[WIND_POINT], row[WIND_DENSITY], row[WIND_STALL] = point, density, stall
    return row


def pair_and_winch(**changes):
    """Two nodes 1.1 m apart and a body with a winch at its fixed point."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.1, 0.0, 0.0]], [1.0, 2.0], elements=[[0, 1]], lengths=[1.0],
        stretching=STRETCHING, fixed=[(0, (0.0, 0.0, 0.0))], winds=order(**changes),
    )  # fmt: skip
    net.inverse_inertia[0] = (0.5, 0.4, 0.3)
    motion.inverse_mass[0] = 0.25
    motion.v[:2] = [[0.5, 0.0, 1.0], [-1.0, 0.3, 0.0]]
    motion.speed[0], motion.momentum[0] = (0.1, 0.0, 0.0), (0.0, 0.2, 0.1)
    motion.clock[THREADS_SINCE] = 0.0
    return net, motion


@pytest.mark.parametrize(
    ("time", "length"), [(0.0, 1.0), (2.0, 1.0), (3.0, 0.8), (4.0, 0.6), (9.0, 0.6)]
)
def test_length_goes_straight_from_first_to_last(time, length):
    winds = order().reshape(1, -1)
    assert_close(wound_length(winds, 0, time, np.inf), length, rtol=1e-15)


def test_times_may_count_from_the_first_touch():
    winds = order(after_touch=1.0).reshape(1, -1)
    assert wound_length(winds, 0, 100.0, np.inf) == 1.0
    assert_close(wound_length(winds, 0, 13.0, 10.0), 0.8, rtol=1e-15)


def pulled_by(motion, length):
    """Set the tension of an element 1.1 m long without load at a length."""
    motion.tension[0] = motion.spring[0] = STRETCHING * (1.1 - length) / length


def test_work_of_the_winch_is_what_the_spring_gains():
    """At a fixed place: the trapezoid of a small step is the change of the stored energy."""
    net, motion = pair_and_winch()
    pulled_by(motion, 1.0)
    wind(net, motion, 2.0, 2.005)
    assert_close(motion.length[0], 0.999, rtol=1e-14)
    assert_close(motion.pace[0], -0.2, rtol=1e-9)
    pulled_by(motion, 0.999)
    book_winding(net, motion, 2.0, 2.005)
    gained = link_energy(STRETCHING, 0.999, 1.1) - link_energy(STRETCHING, 1.0, 1.1)
    assert_close(motion.books[WINCH], gained, rtol=1e-5)
    assert_close(motion.clock[THREADS_SINCE], 1e-3, rtol=1e-9)
    assert motion.books[REELED] == 0.0


def test_rows_whose_times_follow_each_other_make_a_profile():
    rows = [order(), order()]
    rows[1][WIND_FIRST], rows[1][WIND_LAST] = 0.6, 0.9
    rows[1][WIND_START], rows[1][WIND_STOP] = 4.0, 5.0
    net, motion = pair_and_winch()
    net = net._replace(orders=net.orders._replace(winds=np.array(rows)))
    found = []
    for begin in (1.0, 2.0, 3.0, 4.0, 5.0):
        wind(net, motion, begin, begin + 1.0)
        found.append((motion.length[0], motion.pace[0]))
    expected = [(1.0, 0.0), (0.8, -0.2), (0.6, -0.2), (0.9, 0.3), (0.9, 0.0)]
    assert_close(found, expected, rtol=1e-12, scale=1.0)


def test_a_slack_thread_is_wound_for_nothing_and_a_broken_one_not_at_all():
    net, motion = pair_and_winch()
    motion.x[1, 0] = 0.2
    wind(net, motion, 2.0, 3.0)
    book_winding(net, motion, 2.0, 3.0)
    assert motion.books[WINCH] == 0.0
    assert_close(motion.length[0], 0.8, rtol=1e-14)
    net, motion = pair_and_winch()
    motion.whole[0] = 0
    wind(net, motion, 2.0, 3.0)
    assert motion.length[0] == 1.0


def kinetic(net, motion):
    return body_energy(net, motion) + 0.5 * np.sum(
        motion.mass[:2] * np.sum(motion.v[:2] ** 2, axis=1)
    )


def linear(motion):
    return motion.mass[:2] @ motion.v[:2] + motion.speed[0] / motion.inverse_mass[0]


@pytest.mark.parametrize("winch", [0, 2])
def test_reeled_mass_keeps_mass_and_momentum_and_books_the_speed_it_loses(winch):
    """At a node, or at a point of a body."""
    net, motion = pair_and_winch(point=winch, density=0.4)
    before, mass, at_first = linear(motion), motion.mass[:2].sum() + 4.0, kinetic(net, motion)
    wind(net, motion, 2.0, 2.5)
    assert_close(linear(motion), before, rtol=1e-14)
    assert_close(motion.mass[:2].sum() + 1.0 / motion.inverse_mass[0], mass, rtol=1e-14)
    assert motion.mass[1] < 2.0
    assert_close(motion.books[REELED], kinetic(net, motion) - at_first, rtol=1e-12)
    assert motion.books[REELED] < 0.0


def test_a_node_never_gives_all_of_its_mass():
    net, motion = pair_and_winch(point=2, density=0.4)
    assert carry(net, motion, 0, 2, 0.96) == 0.0
    assert motion.mass[0] == 1.0
    assert carry(net, motion, 0, 2, 0.94) != 0.0
    assert_close(motion.mass[0], 0.06, rtol=1e-12)


@given(st.floats(0.5, 1.0), st.floats(0.5, 1.0), st.floats(1e-4, 0.1))
def test_a_winch_of_limited_force_waits_and_then_takes_up_at_twice_its_speed_at_most(
    new, old, time
):
    winds = order(stall=10.0).reshape(1, -1)
    assert held_back(winds, 0, min(new, old), old, 10.1, STRETCHING, time) == old
    reached = held_back(winds, 0, new, old, 0.0, 1.0, time)
    most = 2.0 * 0.2 * time
    assert abs(reached - old) <= most * (1.0 + 1e-9) + 1e-15
    if abs(new - old) <= most:
        assert reached == new


@given(st.floats(0.0, 12.0), st.floats(1e-6, 1.0))
def test_a_limited_winch_never_pulls_beyond_its_stall_force(spring, time):
    """Whatever the step: what it winds stretches a thread that does not give way to that force at most."""
    winds = order(stall=10.0).reshape(1, -1)
    wound = 1.0 - held_back(winds, 0, 0.0, 1.0, spring, STRETCHING, time)
    assert wound >= 0.0
    assert spring + wound * STRETCHING <= max(10.0, spring) * (1.0 + 1e-9)


def test_the_speed_of_a_winch_falls_evenly_below_its_stall_force():
    winds = order(stall=10.0).reshape(1, -1)
    speeds = [
        (1.0 - held_back(winds, 0, 0.0, 1.0, spring, STRETCHING, 1e-6)) / 1e-6
        for spring in (5.0, 9.0, 9.5, 9.75, 10.0)
    ]
    assert_close(speeds, [0.4, 0.4, 0.2, 0.1, 0.0], rtol=1e-6)


def test_a_winch_of_limited_power_slows_down_as_its_thread_pulls():
    winds = order(stall=10.0, power=0.8).reshape(1, -1)
    speeds = [
        (1.0 - held_back(winds, 0, 0.0, 1.0, spring, STRETCHING, 1e-6)) / 1e-6
        for spring in (0.0, 1.0, 4.0, 8.0)
    ]
    assert_close(speeds, [0.4, 0.4, 0.2, 0.1], rtol=1e-6)


def test_a_stalled_winch_in_a_net_does_not_wind():
    net, motion = pair_and_winch(stall=10.0)
    motion.tension[0] = motion.spring[0] = 11.0
    wind(net, motion, 2.99, 3.0)
    assert motion.length[0] == 1.0
    motion.tension[0] = motion.spring[0] = 5.0
    wind(net, motion, 2.99, 3.0)
    assert_close(motion.length[0], 1.0 - 0.004, rtol=1e-12)


def test_a_limited_winch_follows_a_profile_and_goes_on_after_its_last_piece():
    """Each piece of a profile ends at its time; what is missing then is made up for in the next."""
    rows = np.stack([order(stall=10.0), order(stall=10.0)])
    rows[1, [WIND_FIRST, WIND_LAST, WIND_START, WIND_STOP]] = 0.6, 0.4, 4.0, 5.0
    assert not is_winding(rows, 0, 4.0, 4.1, 0.0)
    assert is_winding(rows, 1, 4.0, 4.1, 0.0)
    assert is_winding(rows, 1, 9.0, 9.1, 0.0)


@pytest.mark.parametrize("element", [0, -1])
def test_a_change_of_speed_is_booked_against_the_damper(element):
    """The damper's force of before works against the new speed for half of the step."""
    motion = pair_and_winch(element=element)[1]
    if element < 0:
        motion = motion._replace(
            line_length=np.array([1.0]), line_pace=np.zeros(1), line_tension=np.array([7.0]),
            line_spring=np.array([4.0]), line_was=np.zeros((1, LINE_WAS)),
        )  # fmt: skip
    motion.tension[0], motion.spring[0] = 7.0, 4.0
    set_pace(motion, element, -0.2, 0.01)
    assert_close(motion.books[THREAD_DAMPING], 0.5 * 0.01 * 3.0 * -0.2, rtol=1e-12)
    set_pace(motion, element, 0.0, 0.01)
    assert motion.books[THREAD_DAMPING] == 0.0
    paces = motion.pace if element == 0 else motion.line_pace
    assert paces[0] == 0.0


def test_a_running_line_is_wound_as_a_whole_and_stalls_as_a_whole():
    net, motion = pair_and_winch(element=-1, stall=500.0)
    lines = Lines(np.array([0, 3]), np.array([0, 1, 2]), np.array([STRETCHING]), np.array([0.0]))
    net = net._replace(lines=lines)
    motion = motion._replace(
        line_length=np.array([1.0]), line_pace=np.zeros(1), line_tension=np.array([40.0]),
        line_spring=np.array([40.0]), line_was=np.zeros((1, LINE_WAS)),
    )  # fmt: skip
    wind(net, motion, 2.0, 3.0)
    assert_close(motion.line_length[0], 0.8, rtol=1e-14)
    book_winding(net, motion, 2.0, 3.0)
    assert_close(motion.books[WINCH], 0.2 * (40.0 + 40.0**2 / 2e3), rtol=1e-12)
    motion.line_tension[0] = motion.line_spring[0] = 501.0
    wind(net, motion, 3.0, 4.0)
    assert_close(motion.line_length[0], 0.8, rtol=1e-14)
    assert motion.line_pace[0] == 0.0
