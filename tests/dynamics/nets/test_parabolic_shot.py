"""A net on a parabola as one point: closed path, the worked example, admissible ranges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.nets.parabolic_shot import (
    PITCH_RATE,
    admissible,
    admissible_range,
    deviations,
    parabolic_path,
    parabolic_shot,
)
from tests.close import assert_close


def test_a_shot_from_five_metres_fore_strays_as_in_the_worked_example():
    """Offset [5, 2, 2] m, 0.4 m/s: 2 m after 4.66 s, 0.755 m up, 0.54 m/s, no lateral deviation."""
    shot = parabolic_shot([5.0, 2.0, 2.0], [0.4, 0.0, 0.0])
    assert_close(shot.time, 4.657, rtol=1e-4)
    assert_close(shot.deviation[2], 0.7547, rtol=1e-4)
    assert_close(shot.speed, 0.5426, rtol=1e-4)
    assert shot.deviation[1] == 0.0
    assert_close(shot.place[0] - 5.0, 2.0, rtol=1e-12)
    assert_close(math.degrees(shot.slope), 37.5, rtol=1e-3)
    assert_close(math.degrees(shot.turned), 18.6, rtol=2e-3)


def test_closed_path_satisfies_the_equation_of_motion():
    """Numerical integration of the same law with a disturbance of zero."""
    times = np.linspace(0.0, 8.0, 9)
    place, velocity = [5.0, 2.0, 2.0], [0.3, 0.1, -0.2]
    closed = parabolic_path(times, place, velocity)
    integrated = parabolic_path(times, place, velocity, disturbance=lambda t: np.zeros(3))
    for one, other in zip(closed, integrated, strict=True):
        assert_close(one, other, rtol=1e-9)


def test_a_disturbance_adds_its_fall():
    times, pull = np.array([0.0, 2.0]), np.array([0.0, 0.1, 0.0])
    with_it, _ = parabolic_path(times, np.zeros(3), [0.4, 0, 0], disturbance=lambda t: pull)
    without, _ = parabolic_path(times, np.zeros(3), [0.4, 0, 0])
    assert_close(with_it[1] - without[1], [0.0, 0.2, 0.0], rtol=1e-9)
    shot = parabolic_shot(np.zeros(3), [0.4, 0, 0], disturbance=lambda t: pull)
    assert_close(shot.deviation[1], 0.05 * shot.time**2, rtol=1e-9)


def test_vertical_deviation_of_shots_forward_is_upward():
    offsets = [[x, 0.0, 0.0] for x in np.linspace(-10.0, 10.0, 9)]
    found = deviations(offsets, [0.2, 0.3, 0.4, 0.5, 0.7])
    assert (found[:, :, 2] > 0.0).all()
    assert (found[:, :, 1] == 0.0).all()


def test_transverse_offset_has_no_effect():
    here = deviations([[3.0, 0.0, 1.0]], [0.2, 0.5])
    beside = deviations([[3.0, 7.0, 1.0]], [0.2, 0.5])
    assert_close(here, beside, rtol=1e-15)


def test_longitudinal_deviation_turns_its_sign_about_a_box_ahead():
    found = deviations([[-5.0, 0, 0], [0.0, 0, 0], [5.0, 0, 0]], [0.3])[:, 0, 0]
    assert found[0] < found[1] < 0.0 < found[2]


def test_slow_shots_with_negative_offset_are_the_worst():
    found = np.abs(deviations([[-10.0, 0, 0], [10.0, 0, 0]], [0.2, 0.7])[:, :, 0])
    assert found[0, 0] == found.max()
    assert (found[:, 1] < 0.2 * found[:, 0]).all()


def test_from_0_4_metres_per_second_any_place_within_10_metres_will_do():
    offsets = [[x, 0.0, 0.0] for x in np.linspace(-10.0, 10.0, 21)]
    fast = deviations(offsets, np.linspace(0.4, 0.7, 7))
    assert np.abs(fast).max() < 1.0
    slow = deviations(offsets, [0.3])
    assert np.abs(slow).max() > 1.0


ANGLES = np.radians(np.arange(6, 60, 3))


@pytest.mark.parametrize(
    ("size", "speed", "degrees"),
    [
        (0.6, 0.3, (15, 24)), (0.6, 0.5, (15, 21)), (0.6, 0.7, None),
        (0.9, 0.3, (18, 33)), (0.9, 0.5, (18, 33)), (0.9, 0.7, (18, 27)),
    ],
)  # fmt: skip
def test_admissible_ranges_of_the_published_table(size, speed, degrees):
    """Angles in steps of 3 degrees; the printed ranges reach from 0.95 m to 1.98 m, not 1 m to 2 m."""
    kept = admissible(size, speed, ANGLES, distances=(0.95, 1.98))
    found = admissible_range(ANGLES, kept)
    if degrees is None:
        assert found is None
    else:
        assert_close(found, np.radians(degrees), rtol=1e-12)


def test_strict_limits_leave_the_geometric_range():
    fine = np.radians(np.arange(1.0, 89.0, 0.01))
    low, high = admissible_range(fine, admissible(0.9, 0.3, fine))
    assert_close(np.degrees([low, high]), np.degrees(np.arctan(0.9 / np.sqrt(2) / np.array([2.0, 1.0]))), rtol=1e-3)  # fmt: skip


def test_shots_that_never_arrive_are_refused():
    with pytest.raises(ConfigError, match="one parabola"):
        parabolic_shot([-10.0, 0.0, 0.0], [0.05, 0.0, 0.0])
    with pytest.raises(ConfigError, match="a speed"):
        parabolic_shot([0.0, 0.0, 0.0], [0.0, 0.0, 0.0])


def test_check_has_teeth():
    spoiled = parabolic_shot([5.0, 2.0, 2.0], [0.4, 0.0, 0.0], pitch_rate=1.01 * PITCH_RATE)
    with pytest.raises(AssertionError):
        assert_close(spoiled.deviation[2], 0.7547, rtol=1e-3)
