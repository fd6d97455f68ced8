"""The ramp between sticking and slipping: its ends, its slope, no step anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.regularisation import blend, capped, slip_share
from tests.close import assert_close
from tests.contact.bodies import random_rotation, triple

U_S = 1e-4
thresholds = st.floats(1e-8, 10.0)
seeds = st.integers(0, 2**32 - 1)


@given(st.floats(0.0, 1e3), thresholds)
def test_share_is_linear_below_the_threshold_and_one_above(u, u_s):
    assert slip_share(u, u_s) == (u / u_s if u < u_s else 1.0)


def test_share_runs_from_zero_over_a_half_to_one():
    assert [slip_share(f * U_S, U_S) for f in (0.0, 0.5, 1.0, 1e9)] == [0.0, 0.5, 1.0, 1.0]


@given(seeds, st.floats(0.0, 10.0))
def test_cap_shortens_without_turning(seed, most):
    f = np.random.default_rng(seed).normal(size=3)
    size = float(np.linalg.norm(f))
    found = np.array(capped(triple(f), most))
    assert_close(found, f * min(1.0, most / size), rtol=1e-15, scale=2.0 * size)
    assert np.linalg.norm(found) <= max(most, 0.0) * (1.0 + 1e-15)


def test_cap_leaves_what_is_short_enough_untouched_and_zero_takes_all():
    assert capped((3.0, 0.0, 4.0), 5.0) == (3.0, 0.0, 4.0)
    assert capped((3.0, 0.0, 4.0), 0.0) == (0.0, 0.0, 0.0)
    assert capped((0.0, 0.0, 0.0), 0.0) == (0.0, 0.0, 0.0)


def expected_blend(rate, u_s, slip_size, stick):
    """eta slip + (1 - eta) stick as it is written on paper."""
    u = float(np.linalg.norm(rate))
    eta = min(u, u_s) / u_s
    return -eta * slip_size * rate / u + (1.0 - eta) * stick


@given(seeds, st.floats(-4.0, 2.0))
def test_blend_is_the_weighted_sum_of_slip_and_stick(seed, decades):
    rng = np.random.default_rng(seed)
    rate, stick = U_S * 10.0**decades * rng.normal(size=3), rng.normal(size=3)
    found = blend(triple(rate), U_S, 2.5, triple(stick))
    assert_close(found, expected_blend(rate, U_S, 2.5, stick), rtol=1e-14, scale=5.0)


def test_without_motion_only_the_sticking_part_is_left():
    assert blend((0.0, 0.0, 0.0), U_S, 7.0, (1.0, -2.0, 3.0)) == (1.0, -2.0, 3.0)


def test_above_the_threshold_only_the_slipping_part_is_left():
    assert_close(blend((0.0, 3e-4, 4e-4), U_S, 5.0, (9.0, 9.0, 9.0)), (0.0, -3.0, -4.0), rtol=1e-15)


@pytest.mark.parametrize("u", [0.0, U_S])
def test_force_has_no_step_at_zero_slip_or_at_the_threshold(u):
    """One ramp is 1e-4 long, so over 1e-13 a force of size 1 changes by about 1e-9."""
    stick = (0.3, -0.5, 0.0)
    before, after = (blend((u + d, 0.0, 0.0), U_S, 1.0, stick) for d in (-1e-13, 1e-13))
    assert_close(before, after, rtol=1e-8, scale=1.0)


@given(seeds)
def test_blend_turns_with_the_world(seed):
    rng = np.random.default_rng(seed)
    turn, rate, stick = random_rotation(rng), U_S * rng.normal(size=3), rng.normal(size=3)
    there = blend(triple(turn @ rate), U_S, 2.0, triple(turn @ stick))
    assert_close(there, turn @ blend(triple(rate), U_S, 2.0, triple(stick)), rtol=2e-14, scale=4.0)


def test_check_has_teeth():
    rate, stick = np.array([3e-5, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    spoiled = blend(triple(rate), 1.01 * U_S, 2.5, triple(stick))
    with pytest.raises(AssertionError):
        assert_close(spoiled, expected_blend(rate, U_S, 2.5, stick), rtol=1e-14, scale=5.0)
