"""Steps of a net, in plain Python: exact falls, second order on a spring, where steps end."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.field import FLIGHT
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    DRAG,
    GRAVITY,
    no_air,
)
from haptos.environment.atmosphere import isothermal_table
from haptos.environment.parabolic_flight import rate_profile
from tests.close import assert_close
from tests.net_cases import MOST, small_net

plain = getattr(march, "py_func", march)


def test_a_fall_is_exact_at_any_step_and_its_work_is_booked():
    net, motion = small_net([(0.0, 0.0, 5.0)], [2.0], gravity=(0.0, 0.0, -9.81))
    motion.points.v[0] = 1.0, 0.0, 0.5
    assert plain(net, motion, scratch_of(motion), 0.7, 0.4, 0.1, MOST)
    assert motion.step.time == 0.7
    assert_close(motion.points.x[0], (0.7, 0.0, 5.0 + 0.35 - 0.5 * 9.81 * 0.49), rtol=1e-13)
    assert_close(motion.ledger.work[GRAVITY], 2.0 * 9.81 * (0.5 * 9.81 * 0.49 - 0.35), rtol=1e-12)
    assert motion.ledger.energy.largest < 1e-12


def stretched(share, stretching=50.0):
    """Largest error [m] of two masses on a taut thread of 50 N after a fifth of a swing."""
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (1.2, 0.0, 0.0)], [1.0, 1.0], elements=[(0, 1)], lengths=[1.0],
        stretching=stretching,
    )  # fmt: skip
    until = 0.4 * math.pi / math.sqrt(2.0 * 50.0)
    assert plain(net, motion, scratch_of(motion), until, share, 1.0, MOST)
    expected = 1.0 + 0.2 * math.cos(0.4 * math.pi)
    return abs(motion.points.x[1, 0] - motion.points.x[0, 0] - expected)


def assert_second_order(stretching):
    errors = [stretched(share, stretching) for share in (0.1, 0.05, 0.025)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (np.abs(orders - 2.0) < 0.4).all(), orders


def test_on_a_spring_the_error_falls_with_the_square_of_the_step():
    assert_second_order(50.0)


def test_it_stops_when_steps_are_over_and_goes_on_with_the_step_it_had():
    net, motion = small_net([(0.0, 0.0, 0.0)], [1.0])
    motion.points.v[0] = 1.0, 0.0, 0.0
    room = scratch_of(motion)
    assert not plain(net, motion, room, 1.0, 0.4, 1e-3, 5.0)
    assert motion.step.count == 5.0
    assert motion.step.last <= 1e-3
    assert plain(net, motion, room, 0.01, 0.4, 1e-3, MOST)
    assert_close(motion.points.x[0, 0], 0.01, rtol=1e-12)


def test_steps_end_where_the_pitch_of_a_flight_bends():
    """0.07 + 0.03 s in steps of 0.05 s at most: two and one, and not one across the bend."""
    net, motion = small_net([(0.0, 0.0, 0.0)], [1.0])
    profile = rate_profile([0.0, 0.07, 1.0], [0.0, 0.5, 0.0])
    field = net.field._replace(kind=FLIGHT, pitch_times=profile.times, pitch_pieces=profile.pieces)
    net = net._replace(field=field, options=net.options._replace(slack=1e9))
    assert plain(net, motion, scratch_of(motion), 0.1, 0.4, 0.05, MOST)
    assert motion.step.count == 3.0
    assert_close(motion.step.last, 0.03, rtol=1e-9)


@pytest.mark.parametrize("is_on", [False, True])
def test_air_is_felt_only_if_it_is_on(is_on):
    table = isothermal_table()
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [1.0, 1.0], elements=[(0, 1)], lengths=[1.0]
    )
    air = no_air()._replace(
        has_drag=is_on, log_density=table.log_density, spacing=table.spacing,
        threads=np.array([[1.2, 1e-3]]),
    )  # fmt: skip
    motion.points.v[:, 0] = 3.0
    net = net._replace(air=air, options=net.options._replace(slack=10.0))
    assert plain(net, motion, scratch_of(motion), 1.0, 0.4, 0.1, MOST)
    k = 0.5 * 1.225 * 1.2e-3 / 2.0 if is_on else 0.0
    assert_close(motion.points.v[:, 0], np.full(2, 3.0 / (1.0 + 3.0 * k)), rtol=1e-8)
    assert_close(motion.ledger.work[DRAG], motion.ledger.energy.kinetic - 9.0, rtol=1e-6, scale=9.0)
    assert (motion.ledger.work[DRAG] < 0.0) == is_on


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_second_order(1.01 * 50.0)
