"""Where slip goes after a halt: sticking, or the one direction of reversal."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.collision_reversal import (
    bracketed_direction,
    direction_slope,
    holding_friction,
    reversal_direction,
    slip_rates,
)
from tests.close import assert_close
from tests.contact.impact_cases import matrix_of, random_six, reversal_angles

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_holding_friction_leaves_no_tangential_acceleration(seed):
    six = random_six(np.random.default_rng(seed))
    m = matrix_of(six)
    rate = np.append(-np.array(holding_friction(six)), 1.0)
    assert_close((m @ rate)[:2], np.zeros(2), rtol=1e-13, scale=np.abs(m).max() * max(abs(rate)))
    assert_close((m @ rate)[2], 1.0 / np.linalg.inv(m)[2, 2], rtol=1e-9)


def slipping_friction(rng, six):
    return rng.uniform(0.01, 0.999) * math.hypot(*holding_friction(six))


@given(seeds)
def test_reversal_is_a_root_that_speeds_up_and_draws_slip_in(seed):
    rng = np.random.default_rng(seed)
    six = random_six(rng)
    f = slipping_friction(rng, six)
    c, s = reversal_direction(six, f)
    g, h = slip_rates(six, f, c, s)
    size = f * (six[0] + six[3]) + abs(six[2]) + abs(six[4])
    assert g > 0.0
    assert abs(h) <= 1e-13 * size
    assert direction_slope(six, f, c, s) < 0.0


@given(seeds)
def test_bracket_finds_the_same_direction(seed):
    rng = np.random.default_rng(seed)
    six = random_six(rng)
    f = slipping_friction(rng, six)
    condition = np.linalg.cond(matrix_of(six)[:2, :2])
    found, other = reversal_direction(six, f), bracketed_direction(six, f)
    assert_close(found, other, rtol=min(1e-12 * condition, 0.1))


def test_there_is_exactly_one_reversal_in_two_hundred_impacts():
    rng = np.random.default_rng(5)
    for _ in range(200):
        six = random_six(rng)
        f = slipping_friction(rng, six)
        angles = reversal_angles(matrix_of(six), f, 2001)
        assert len(angles) == 1
        expected = (math.cos(angles[0]), math.sin(angles[0]))
        assert_close(reversal_direction(six, f), expected, rtol=1e-10)


@given(seeds, st.floats(-math.pi, math.pi))
def test_slope_is_the_derivative_of_the_turning_rate(seed, phi):
    rng = np.random.default_rng(seed)
    six, f = random_six(rng), rng.uniform(0.0, 2.0)
    step = 1e-5
    after, before = (
        slip_rates(six, f, math.cos(phi + d), math.sin(phi + d))[1] for d in (step, -step)
    )
    size = f * (six[0] + six[3]) + abs(six[2]) + abs(six[4])
    slope = direction_slope(six, f, math.cos(phi), math.sin(phi))
    assert_close((after - before) / (2.0 * step), slope, rtol=1e-8, scale=size)


def test_check_has_teeth():
    six = random_six(np.random.default_rng(2))
    f = 0.5 * math.hypot(*holding_friction(six))
    spoiled = reversal_direction(six, 1.01 * f)
    with pytest.raises(AssertionError):
        assert_close(spoiled, bracketed_direction(six, f), rtol=1e-6)
