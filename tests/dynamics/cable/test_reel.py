"""A tether of changing length: straight between corners, thread neither made nor lost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel import reel, reel_mass
from tests.close import assert_close

TIMES, LENGTHS = [0.0, 10.0, 12.0, 40.0], [1.0, 31.0, 31.0, 5.0]


def test_profile_runs_through_its_corners_and_stays_outside():
    law = reel(TIMES, LENGTHS)
    assert [law.at(t)[0] for t in TIMES] == LENGTHS
    assert law.at(-5.0) == (1.0, 0.0)
    assert law.at(99.0) == (5.0, 0.0)
    assert law.at(10.0)[1] == 0.0  # the piece that begins there
    assert_close(law.at(5.0), (16.0, 3.0), rtol=1e-15)


@given(st.floats(-1.0, 45.0))
def test_profile_is_that_of_linear_interpolation(t):
    length, rate = reel(TIMES, LENGTHS).at(t)
    assert_close(length, float(np.interp(t, TIMES, LENGTHS)), rtol=1e-14)
    if all(abs(t - corner) > 1e-3 for corner in TIMES):
        slope = (np.interp(t + 1e-4, TIMES, LENGTHS) - np.interp(t - 1e-4, TIMES, LENGTHS)) / 2e-4
        assert_close(rate, float(slope), rtol=1e-8, scale=3.0)


@given(st.floats(0.0, 40.0))
def test_thread_is_neither_made_nor_lost(t):
    length, _ = reel(TIMES, LENGTHS).at(t)
    total = reel_mass(2.0, 1e-2, LENGTHS[0], length) + 1e-2 * length
    assert_close(total, 2.0 + 1e-2 * LENGTHS[0], rtol=1e-15)


def test_a_shorter_element_is_stiffer_and_its_damper_stays():
    law = reel([0.0, 10.0], [10.0, 5.0])
    long = law.element(0.0, 4, 1e4, 1e-2, 0.1)
    short = law.element(10.0, 4, 1e4, 1e-2, 0.1)
    assert_close(long, (2.0, -0.1, 5e3, 2.0 * 0.1 * math.sqrt(5e3 * 2e-2)), rtol=1e-14)
    assert_close(short[2:], (2.0 * long[2], long[3]), rtol=1e-14)


@pytest.mark.parametrize(
    ("times", "lengths", "more"),
    [
        ([0.0, 0.0], [1.0, 2.0], {}), ([1.0, 0.0], [1.0, 2.0], {}), ([0.0], [0.0], {}),
        ([0.0, 1.0], [1.0, -2.0], {}), ([0.0, 1.0], [1.0], {}), ([], [], {}),
        ([0.0, math.inf], [1.0, 2.0], {}), ([0.0, 0.5], [1.0, 2.6], {"fastest": 3.0}),
    ],
)  # fmt: skip
def test_impossible_profiles_are_refused(times, lengths, more):
    with pytest.raises(ConfigError, match="reel"):
        reel(times, lengths, **more)


def test_haste_is_metres_per_second():
    assert reel([0.0, 2.0], [1.0, 6.9], fastest=3.0).at(1.0) == (3.95, 2.95)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(reel(TIMES, LENGTHS).at(5.05)[0], 16.0, rtol=1e-3)
