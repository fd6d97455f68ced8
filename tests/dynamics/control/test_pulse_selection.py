"""Thrusters: a table that gives pure forces and torques, pulses carried on, the limit cycle."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.control.pulse_selection import PulseSelection, limit_cycle, selection_table
from tests.close import assert_close

# Two on each face, side by side across it: every force and every torque as a pair.
PLACES, DIRECTIONS = [], []
for axis, sign, side in itertools.product(range(3), (1.0, -1.0), (1.0, -1.0)):
    place, way = np.zeros(3), np.zeros(3)
    place[axis], place[(axis + 1) % 3] = -0.7 * sign, 0.6 * side
    way[axis] = sign
    PLACES.append(place)
    DIRECTIONS.append(way)
TABLE = selection_table(PLACES, DIRECTIONS)
LEAST, PERIOD = 0.01, 1.0


def effects(impulses: np.ndarray) -> np.ndarray:
    d = np.array(DIRECTIONS)
    return np.concatenate([impulses @ d, impulses @ np.cross(PLACES, d)])


def test_each_row_gives_one_axis_alone_and_none_is_negative():
    assert (TABLE >= 0.0).all()
    for row, impulses in enumerate(TABLE):
        wanted = np.zeros(6)
        wanted[row // 2] = 1.0 if row % 2 == 0 else -1.0
        assert_close(effects(impulses), wanted, rtol=1e-9)


def test_thrusters_that_cannot_push_one_way_are_refused():
    with pytest.raises(ConfigError, match="none that give"):
        selection_table(PLACES[:8], DIRECTIONS[:8])


def test_widths_are_zero_or_at_least_the_least_and_follow_the_request():
    one = PulseSelection(TABLE, np.ones(12), LEAST, PERIOD)
    asked, given = np.zeros(6), np.zeros(6)
    rng = np.random.default_rng(3)
    for _ in range(400):
        force, torque = rng.normal(scale=4e-3, size=3), rng.normal(scale=2e-3, size=3)
        widths = one.widths(force, torque)
        assert ((widths == 0.0) | ((widths >= LEAST) & (widths <= PERIOD))).all()
        asked += np.concatenate([force, torque])
        given += effects(widths)
    # What is missing is what is still carried: less than one impulse bit a thruster.
    assert_close(given + effects(one.carried), asked, rtol=1e-9)
    assert (one.carried < LEAST).all()


def test_requests_beyond_the_period_are_cut_and_not_carried():
    one = PulseSelection(TABLE, np.ones(12), LEAST, PERIOD)
    assert one.widths([10.0, 0.0, 0.0]).max() == PERIOD
    assert not one.widths([0.0, 0.0, 0.0]).any()


def test_limit_cycle_of_a_hundredth_of_a_newton_second():
    step, period = limit_cycle(0.01, 0.9, 600.0, math.radians(0.2))
    assert_close(step, 1.5e-5, rtol=1e-12)
    assert_close(period, 1861.7, rtol=1e-4)


def simulated_period(impulse_bit: float) -> float:
    """Time of a cycle between the edges of a deadband, the rate turned round by one pulse at each edge."""
    angle, rate, time, marks = 0.0, 0.5 * impulse_bit * 0.9 / 600.0, 0.0, []
    band, dt = math.radians(0.2), 0.05
    while len(marks) < 5:
        angle += rate * dt
        time += dt
        if abs(angle) > band and rate * angle > 0.0:
            rate -= math.copysign(impulse_bit * 0.9 / 600.0, angle)
            marks.append(time)
    return marks[4] - marks[2]


def test_a_body_with_pulses_at_the_edges_has_that_cycle():
    assert_close(
        simulated_period(0.01), limit_cycle(0.01, 0.9, 600.0, math.radians(0.2))[1], rtol=1e-3
    )
    with pytest.raises(AssertionError):
        assert_close(
            simulated_period(0.0101), limit_cycle(0.01, 0.9, 600.0, math.radians(0.2))[1], rtol=1e-3
        )


def test_with_a_steady_torque_the_path_is_the_known_parabola():
    """One-sided: angle falls back on theta = rate^2 I / (2 T); pulses at one edge only, 2 w / (T/I) apart."""
    torque, inertia, bit = 1e-5, 600.0, 0.01 * 0.9
    half = 0.5 * bit / inertia
    expected = 2.0 * half / (torque / inertia)
    angle, rate, time, marks = 0.0, half, 0.0, []
    reach = 0.0
    while len(marks) < 3:
        rate -= torque / inertia * 0.05
        angle += (rate + 0.5 * torque / inertia * 0.05) * 0.05
        time += 0.05
        reach = max(reach, angle)
        if angle < 0.0 and rate < 0.0:
            rate += bit / inertia
            marks.append(time)
    assert_close(marks[2] - marks[1], expected, rtol=1e-3)
    assert_close(reach, half * half * inertia / (2.0 * torque), rtol=1e-2)
