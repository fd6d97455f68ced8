"""Even circles: through their start, about their axis, at their rate."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from haptos.environment.circling import circling, circling_place
from tests.close import assert_close


def test_a_circle_is_the_turn_of_its_start_about_the_axis():
    place, axis, rate, t = (3.0, -1.0, 2.0), (0.3, 0.4, -1.2), 0.7, 2.5
    turn = Rotation.from_rotvec(rate * t * np.array(axis) / np.linalg.norm(axis))
    path = circling(place, axis, rate)
    assert_close(circling_place(path, t), turn.apply(place), rtol=1e-14)
    assert_close(circling_place(path, 0.0), place, rtol=1e-15)
    assert np.abs(turn.apply(place) - np.array(circling_place(path, 1.01 * t))).max() > 1e-3


def test_without_a_rate_it_stays():
    assert_close(circling_place(circling((1.0, 2.0, 3.0)), math.pi), (1.0, 2.0, 3.0), rtol=1e-15)
