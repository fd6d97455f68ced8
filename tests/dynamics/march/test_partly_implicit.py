"""Steps with a stiff part that is implicit: order conditions, observed order, stability where explicit steps fail."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.march import dormand_prince
from haptos.dynamics.march.partly_implicit import (
    COMPANION,
    EXPLICIT,
    IMPLICIT,
    ROWS,
    TIMES,
    WEIGHTS,
    additive_error,
    additive_step,
    cubic_between,
)
from tests.close import assert_close

STIFF = 300.0  # [1/s] damping of the speed; the place is not stiff


def rate(model, t, y, dy):
    """A pendulum that is driven and heavily damped: y = (angle, speed)."""
    dy[0] = y[1]
    dy[1] = -math.sin(y[0]) - model * (y[1] - math.cos(t))


def settle(model, t, y, hg, part):
    """The damping of the speed, solved."""
    y[1] = (y[1] + hg * model * math.cos(t)) / (1.0 + hg * model)
    part[0], part[1] = 0.0, -model * (y[1] - math.cos(t))


def calm(model, t, y, hg, error):
    error[1] /= 1.0 + hg * model


def carried_on(count, stiff, end=1.0):
    y, y1, k = np.array([0.3, 1.0]), np.zeros(2), np.zeros((ROWS, 2))
    h = end / count
    for n in range(count):
        additive_step(rate, settle, calm, stiff, n * h, h, y, 2, k, y1, 0)
        y = y1.copy()
    return y


def reference(stiff, end=1.0, count=20_000):
    y, y1, k = np.array([0.3, 1.0]), np.zeros(2), np.zeros((7, 2))
    h = end / count
    for n in range(count):
        dormand_prince.step(rate, stiff, n * h, h, y, 2, k, y1, 0)
        y = y1.copy()
    return y


@pytest.mark.parametrize("table", [EXPLICIT, IMPLICIT], ids=["explicit", "implicit"])
def test_tables_meet_the_conditions_of_order_four(table):
    c, b = TIMES, WEIGHTS
    assert_close(table.sum(axis=1), c, rtol=1e-14, scale=1.0)
    found = [
        b.sum(), b @ c, b @ c**2, b @ table @ c, b @ c**3, (b * c) @ table @ c, b @ table @ c**2,
        b @ table @ EXPLICIT @ c, b @ table @ IMPLICIT @ c,
    ]  # fmt: skip
    wanted = [1, 1 / 2, 1 / 3, 1 / 6, 1 / 4, 1 / 8, 1 / 12, 1 / 24, 1 / 24]
    assert_close(np.array(found), np.array(wanted), rtol=1e-13)
    third = [COMPANION.sum(), COMPANION @ c, COMPANION @ c**2, COMPANION @ table @ c]
    assert_close(np.array(third), np.array([1, 1 / 2, 1 / 3, 1 / 6]), rtol=1e-13)


def test_steps_are_of_order_four_where_nothing_is_stiff():
    exact = reference(2.0)
    errors = [np.abs(carried_on(n, 2.0) - exact).max() for n in (8, 16, 32)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 4.0) < 0.35)


def test_a_stiff_part_takes_steps_that_explicit_ones_cannot():
    exact = reference(STIFF)
    found = carried_on(20, STIFF)  # h of 15 decay times
    assert np.abs(found - exact).max() < 2e-4
    y, y1, k = np.array([0.3, 1.0]), np.zeros(2), np.zeros((7, 2))
    for n in range(20):
        dormand_prince.step(rate, STIFF, n / 20, 1 / 20, y, 2, k, y1, 0)
        y = y1.copy()
    assert not np.abs(y - exact).max() < 1e3


def test_the_error_is_that_of_the_companion_and_nan_is_none():
    y, y1, k = np.array([0.3, 1.0]), np.zeros(2), np.zeros((ROWS, 2))
    additive_step(rate, settle, calm, 2.0, 0.0, 0.1, y, 2, k, y1, 0)
    difference = 0.1 * (WEIGHTS - COMPANION) @ k[:6] / np.array([1.0, 1.0 + 0.025 * 2.0])
    assert_close(
        additive_error(0.1, y, y1, 2, k, np.ones(2), 0.0), np.abs(difference).max(), rtol=1e-9
    )
    k[7, 0] = math.nan
    assert additive_error(0.1, y, y1, 2, k, np.ones(2), 0.0) > 1e299


def test_the_interpolant_has_values_and_rates_of_both_ends():
    y, y1, k, out = np.array([0.3, 1.0]), np.zeros(2), np.zeros((ROWS, 2)), np.zeros(2)
    h = 0.1
    additive_step(rate, settle, calm, 2.0, 0.0, h, y, 2, k, y1, 0)
    cubic_between(0.0, h, y, y1, 2, k, out)
    assert np.all(out == y)
    cubic_between(1.0, h, y, y1, 2, k, out)
    assert_close(out, y1, rtol=1e-15)
    cubic_between(1e-6, h, y, y1, 2, k, out)
    assert_close((out - y) / (1e-6 * h), k[0], rtol=1e-4)
    cubic_between(0.5, h, y, y1, 2, k, out)
    assert np.abs(out - reference(2.0, 0.05)).max() < 1e-6


def test_a_weight_spoiled_by_one_per_cent_is_seen(monkeypatch):
    spoiled = EXPLICIT.copy()
    spoiled[3, 2] *= 1.01
    with pytest.raises(AssertionError):
        test_tables_meet_the_conditions_of_order_four(spoiled)
