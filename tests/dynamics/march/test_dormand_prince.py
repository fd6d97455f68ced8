"""The Runge-Kutta pair: its identities, its orders on a pendulum, its control of the step."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ellipj

from haptos.core.jit import device, entry
from haptos.dynamics.march.dormand_prince import (
    GROW_MOST,
    SHRINK_MOST,
    STAGES,
    A,
    C,
    error_ratio,
    interpolate,
    interpolated_vector,
    step,
    step_factor,
)
from tests.close import assert_close

ORDER = 5  # of the step that is taken
SWING = 0.8  # sine of half the largest angle of the pendulum


@device
def pendulum(model, t, y, dy):
    """theta'' = -sin theta; y[2] is t^3 by integration, so that time is seen too."""
    dy[0] = y[1]
    dy[1] = -model * math.sin(y[0])
    dy[2] = 3.0 * t * t


def swing(t):
    """Closed form through the bottom at t = 0: sin(theta/2) = k sn(t, k^2)."""
    sn, cn, _, _ = ellipj(t, SWING**2)
    return np.array([2.0 * math.asin(SWING * sn), 2.0 * SWING * cn, t**3])


def one_step(t, h, y=None, rate=pendulum, first=0, k=None):
    """(y1, k) after one step of size h."""
    y = swing(t) if y is None else y
    k = np.full((STAGES, y.size), np.nan) if k is None else k
    y1 = np.empty_like(y)
    step(rate, 1.0, t, h, y, y.size, k, y1, first)
    return y1, k


def march(steps, until=2.0):
    y, h = swing(0.0), until / steps
    for i in range(steps):
        y, _ = one_step(i * h, h, y)
    return y


def orders(errors):
    """Observed orders of a quantity whose step is halved from entry to entry."""
    return [math.log2(a / b) for a, b in pairwise(errors)]


# ---- identities of the tableau ------------------------------------------------------------------

MATRIX = np.hstack([A, np.zeros((STAGES, 1))])
WEIGHTS = MATRIX[-1]


def trees():
    """Order, density and elementary weights of the stages for every rooted tree up to order 5."""
    a, c, one = MATRIX, C, np.ones(STAGES)
    ac, acc, aac = a @ c, a @ c**2, a @ (a @ c)
    return [
        (1, 1, one),
        (2, 2, c),
        (3, 3, c**2), (3, 6, ac),
        (4, 4, c**3), (4, 8, c * ac), (4, 12, acc), (4, 24, aac),
        (5, 5, c**4), (5, 10, c**2 * ac), (5, 15, c * acc), (5, 30, c * aac), (5, 20, ac**2),
        (5, 20, a @ c**3), (5, 40, a @ (c * ac)), (5, 60, a @ acc), (5, 120, a @ aac),
    ]  # fmt: skip


def test_nodes_are_the_sums_of_the_rows():
    assert_close(A.sum(axis=1), C, rtol=1e-15)


@pytest.mark.parametrize(("order", "density", "weights"), trees())
def test_step_satisfies_every_order_condition_up_to_five(order, density, weights):
    assert_close(WEIGHTS @ weights, 1.0 / density, rtol=5e-15)


def estimate(weights):
    """|sum (b_i - b^_i) weights_i|, read off error_ratio."""
    k = np.array(weights, dtype=float).reshape(STAGES, 1)
    return error_ratio(1.0, np.zeros(1), np.zeros(1), 1, k, np.ones(1), 0.0)


@pytest.mark.parametrize(("order", "density", "weights"), [tree for tree in trees() if tree[0] < 5])
def test_companion_satisfies_every_order_condition_up_to_four(order, density, weights):
    assert estimate(weights) <= 1e-15


def test_companion_is_of_order_four_and_no_more():
    assert max(estimate(weights) for order, _, weights in trees() if order == 5) > 1e-4


def interpolation_weight(theta, weights):
    """sum b_i(theta) weights_i, read off interpolate."""
    k = np.array(weights, dtype=float).reshape(STAGES, 1)
    out = np.empty(1)
    interpolate(theta, 1.0, np.zeros(1), WEIGHTS @ k, 1, k, out)
    return out[0]


@pytest.mark.parametrize("theta", [0.1, 0.3, 0.7, 0.95])
@pytest.mark.parametrize(("order", "density", "weights"), [tree for tree in trees() if tree[0] < 5])
def test_interpolant_satisfies_every_order_condition_up_to_four(theta, order, density, weights):
    assert_close(
        interpolation_weight(theta, weights), theta**order / density, rtol=1e-14, scale=1.0
    )


# ---- observed orders ----------------------------------------------------------------------------


def global_errors():
    return [np.abs(march(n) - swing(2.0)).max() for n in (16, 32, 64, 128)]


def test_step_converges_with_order_five():
    found = orders(global_errors())
    assert len(found) == 3
    assert_close(found, [ORDER] * 3, rtol=0.1)


@pytest.mark.parametrize("theta", [0.3, 0.7])
def test_interpolant_converges_with_order_four(theta):
    """Local error h^5 within a step that starts on the solution."""
    errors = []
    for h in (0.2, 0.1, 0.05, 0.025):
        y1, k = one_step(2.0, h)
        out = np.empty(3)
        interpolate(theta, h, swing(2.0), y1, 3, k, out)
        errors.append(np.abs(out - swing(2.0 + theta * h)).max())
    assert_close(np.array(orders(errors)) - 1.0, [4.0] * 3, rtol=0.1)


def test_error_estimate_scales_with_the_fifth_power_of_the_step():
    found = []
    for h in (0.2, 0.1, 0.05, 0.025):
        y1, k = one_step(0.7, h)
        found.append(error_ratio(h, swing(0.7), y1, 3, k, np.ones(3), 0.0))
    assert_close(orders(found), [5.0] * 3, rtol=0.1)


def test_polynomials_in_time_up_to_the_fourth_degree_are_exact():
    @device
    def quartic(model, t, y, dy):
        dy[0] = 5.0 * t**4

    y1, k = one_step(0.0, 2.0, np.zeros(1), quartic)
    assert_close(y1, [32.0], rtol=2e-15)
    assert k[0, 0] == 0.0


# ---- interpolant and first same as last ---------------------------------------------------------


def test_interpolant_meets_both_ends_and_their_slopes():
    h, y = 0.2, swing(0.7)
    y1, k = one_step(0.7, h)

    def at(theta):
        out = np.empty(3)
        interpolate(theta, h, y, y1, 3, k, out)
        return out

    assert np.array_equal(at(0.0), y)
    assert_close(at(1.0), y1, rtol=1e-15)
    d = 1e-3  # one-sided slopes of second order: error about h d^2
    assert_close((4.0 * at(d) - at(2.0 * d) - 3.0 * at(0.0)) / (2.0 * d), h * k[0], rtol=1e-5)
    assert_close(
        (3.0 * at(1.0) - 4.0 * at(1.0 - d) + at(1.0 - 2.0 * d)) / (2.0 * d), h * k[6], rtol=1e-5
    )


def test_last_stage_is_the_first_of_the_next_step():
    y1, k = one_step(0.7, 0.2)
    slope = np.empty(3)
    pendulum(1.0, 0.7 + C[6] * 0.2, y1, slope)
    assert np.array_equal(k[6], slope)


def test_a_step_given_its_first_stage_has_the_same_bits():
    fresh, k = one_step(0.7, 0.2)
    kept = np.full_like(k, np.nan)
    kept[0] = k[0]
    again, stages = one_step(0.7, 0.2, first=1, k=kept)
    assert np.array_equal(again, fresh)
    assert np.array_equal(stages, k)


# ---- control ------------------------------------------------------------------------------------


def test_error_is_measured_against_the_tolerance_of_the_worst_component():
    k = np.zeros((STAGES, 2))
    k[6] = (40.0, 400.0)  # weight 1/40: errors h and 10 h
    y, y1 = np.array([2.0, -3.0]), np.array([-4.0, 1.0])
    found = error_ratio(0.5, y, y1, 2, k, np.array([0.1, 1.0]), 0.2)
    assert_close(found, max(0.5 / (0.1 + 0.2 * 4.0), 5.0 / (1.0 + 0.2 * 3.0)), rtol=1e-15)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_a_broken_stage_is_rejected(bad, where):
    k = np.ones((STAGES, 3))
    k[3, where] = bad
    ratio = error_ratio(0.1, np.ones(3), np.ones(3), 3, k, np.ones(3), 1e-9)
    assert ratio > 1.0
    assert step_factor(ratio, 1.0) == SHRINK_MOST


def test_a_broken_state_is_rejected():
    k = np.ones((STAGES, 1))
    k[0] = math.nan
    assert error_ratio(0.1, np.ones(1), np.array([math.nan]), 1, k, np.ones(1), 1e-9) > 1.0


@given(st.floats(0.0, 1e300), st.floats(1e-4, 1.0))
def test_step_changes_by_a_bounded_factor(ratio, previous):
    assert SHRINK_MOST <= step_factor(ratio, previous) <= GROW_MOST


@given(st.floats(1.0, 1e300))
def test_a_rejected_step_shrinks(ratio):
    assert step_factor(ratio, 1.0) <= 0.9


def test_steady_error_at_the_tolerance_is_left_a_tenth_below_it():
    """factor = 0.9 ratio^-0.17 previous^0.04: at ratio = previous = 1 the safety alone is left."""
    assert_close(step_factor(1.0, 1.0), 0.9, rtol=1e-15)
    assert_close(step_factor(1e-3, 1e-3), 0.9 * 1e-3**-0.13, rtol=1e-14)


@entry
def compiled(y, k, y1, out):
    step(pendulum, 1.0, 0.7, 0.2, y, 3, k, y1, 0)
    interpolate(0.3, 0.2, y, y1, 3, k, out)
    return error_ratio(0.2, y, y1, 3, k, np.ones(3), 1e-3)


def test_compiled_call_equals_python_call_bit_for_bit():
    y, k, y1, out = swing(0.7), np.empty((STAGES, 3)), np.empty(3), np.empty(3)
    found = compiled(y, k, y1, out)
    plain1, plain_k = one_step(0.7, 0.2)
    plain_out = np.empty(3)
    interpolate(0.3, 0.2, y, plain1, 3, plain_k, plain_out)
    assert np.array_equal(y1, plain1)
    assert np.array_equal(k, plain_k)
    assert np.array_equal(out, plain_out)
    assert found == error_ratio(0.2, y, plain1, 3, plain_k, np.ones(3), 1e-3)


@entry
def compiled_vector(first, theta, h, y, y1, k):
    return interpolated_vector(first, theta, h, y, y1, k)


@pytest.mark.parametrize("theta", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_three_components_alone_are_those_of_the_whole_state_bit_for_bit(theta):
    rng = np.random.default_rng(3)
    y, y1, k, out = (
        rng.normal(size=9),
        rng.normal(size=9),
        rng.normal(size=(STAGES, 9)),
        np.empty(9),
    )
    interpolate(theta, 0.7, y, y1, 9, k, out)
    for first in (0, 3, 6):
        assert interpolated_vector(first, theta, 0.7, y, y1, k) == tuple(out[first : first + 3])
        assert compiled_vector(first, theta, 0.7, y, y1, k) == tuple(out[first : first + 3])


@pytest.mark.parametrize("entry", [(1, 0), (2, 1), (5, 3), (6, 5)])
def test_check_has_teeth(entry, monkeypatch):
    """One coefficient off by one per cent: the order is lost."""
    spoiled = A.copy()
    spoiled[entry] *= 1.01
    monkeypatch.setattr("haptos.dynamics.march.dormand_prince.A", spoiled)
    with pytest.raises(AssertionError):
        assert_close(orders(global_errors()), [ORDER] * 3, rtol=0.1)
