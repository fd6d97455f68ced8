"""Choice of steps by their error, and roots of gaps within a step."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.dormand_prince import step_factor
from haptos.dynamics.march.step_control import (
    LEAST_RATIO,
    NARROWINGS,
    REJECTED_MOST,
    bracket_guess,
    commit_state,
    kept_ratio,
    narrower,
    next_step,
    shorter_step,
)
from tests.close import assert_close

ROOTS = {
    "line": (lambda x: 0.3 - x, 0.3),
    "parabola": (lambda x: 0.09 - x * x, 0.3),
    "flat at its end": (lambda x: (1.0 - x) ** 9 - 1e-5, 1.0 - 1e-5 ** (1.0 / 9.0)),
    "steep at its end": (lambda x: 0.1 - x**20, 0.1**0.05),
}


def root(gap, *, guess=bracket_guess, width=1e-14):
    """(root of a gap in 0..1, gaps that were asked for)."""
    low, high, side = 0.0, 1.0, 0
    gap_low, gap_high = gap(low), gap(high)
    for asked in range(NARROWINGS):
        if high - low <= width or gap_high == 0.0:
            return high, asked
        at = guess(low, gap_low, high, gap_high)
        low, gap_low, high, gap_high, side = narrower(
            low, gap_low, high, gap_high, side, at, gap(at)
        )
    return high, NARROWINGS


@pytest.mark.parametrize("ratio", [1.0 + 1e-12, 1.5, 10.0, 1e6])
def test_a_rejected_step_is_tried_shorter_whatever_came_before(ratio):
    for previous in (LEAST_RATIO, 0.1, 1.0):
        assert shorter_step(2.0, ratio, previous) <= 2.0 * REJECTED_MOST
        assert shorter_step(2.0, ratio, previous) == 2.0 * min(
            step_factor(ratio, previous), REJECTED_MOST
        )


def test_steps_settle_where_the_error_meets_the_law_of_the_order():
    """A model error of order five, ratio = (h/h*)^5: the control settles at one step, independent of where it began."""
    found = []
    for first in (1e-3, 1.0, 30.0):
        h, previous = first, LEAST_RATIO
        for _ in range(400):
            ratio = (h / 4.0) ** 5
            if ratio > 1.0:
                h = shorter_step(h, ratio, 1.0)
                continue
            h, previous = next_step(h, ratio, previous, h), kept_ratio(ratio)
        found.append(h)
    assert_close(np.array(found), np.full(3, found[0]), rtol=1e-3)
    assert 0.5 * 4.0 < found[0] < 4.0


def test_a_step_that_something_else_had_cut_does_not_shrink_the_next():
    assert next_step(0.01, 0.5, 0.5, 3.0) == 3.0
    assert next_step(0.01, 0.5, 0.5, 0.01) < 0.02
    assert kept_ratio(1e-30) == LEAST_RATIO
    assert kept_ratio(0.3) == 0.3


def test_the_end_of_a_step_becomes_state_and_first_stage():
    y, y1, k = np.zeros(3), np.arange(3.0), np.outer(np.arange(7.0), np.ones(3))
    commit_state(y, y1, k, 2)
    assert y.tolist() == [0.0, 1.0, 0.0]
    assert k[0].tolist() == [6.0, 6.0, 0.0]


@pytest.mark.parametrize("name", ROOTS)
def test_roots_are_found_to_the_last_digits_in_few_looks(name):
    gap, exact = ROOTS[name]
    found, asked = root(gap)
    assert_close(found, exact, rtol=1e-13)
    assert asked <= 30
    assert gap(found) <= 0.0  # never before the gap has closed


def test_an_end_that_is_kept_twice_counts_half():
    """Without that, the end of a steep gap is kept for ever and the bracket never closes."""
    gap, exact = ROOTS["steep at its end"]

    def plain(low, gap_low, high, gap_high, side, at, seen):
        return (low, gap_low, at, seen, 0) if seen <= 0.0 else (at, seen, high, gap_high, 0)

    low, high, gap_low, gap_high = 0.0, 1.0, gap(0.0), gap(1.0)
    for _ in range(30):
        at = bracket_guess(low, gap_low, high, gap_high)
        low, gap_low, high, gap_high, _ = plain(low, gap_low, high, gap_high, 0, at, gap(at))
    assert abs(at - exact) > 1e-4
    assert abs(root(gap)[0] - exact) < 1e-13


def test_a_guess_is_the_root_of_the_line():
    assert bracket_guess(0.0, 3.0, 1.0, -1.0) == 0.75
    assert bracket_guess(2.0, 1.0, 6.0, -1.0) == 4.0
