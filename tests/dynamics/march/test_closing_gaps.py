"""The first of several gaps that closes within a step, on an interpolant that is exact."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.march.adaptive import march_of
from haptos.dynamics.march.closing_gaps import first_closing, note_sides, sides_of
from tests.close import assert_close


def between(share, h, y, y1, size, k, out):
    """The time itself is the state."""
    out[0] = share * h


def closing_at(*levels):
    def gaps(model, t, y, out):
        for i, level in enumerate(levels):
            out[i] = math.cos(y[0]) - level

    return gaps


def searched(gaps, events, h=2.0, is_fresh=0):
    march = march_of([0.0], 1e-9, events=events)
    gaps(None, 0.0, march.y, march.before)
    sides_of(march.before, march.side)
    return march, first_closing(between, gaps, None, march, 0.0, h, is_fresh)


def test_the_share_is_that_at_which_the_gap_closes():
    _, (share, which) = searched(closing_at(0.3), 1)
    assert which == 0
    assert_close(2.0 * share, math.acos(0.3), rtol=1e-12)


def test_a_level_off_by_one_percent_is_met_elsewhere():
    _, (share, _) = searched(closing_at(0.303), 1)
    with pytest.raises(AssertionError):
        assert_close(2.0 * share, math.acos(0.3), rtol=1e-4)


def test_of_two_gaps_between_two_looks_the_first_is_found():
    _, (share, which) = searched(closing_at(0.3, 0.31), 2)
    assert which == 1
    assert_close(2.0 * share, math.acos(0.31), rtol=1e-12)


def test_no_gap_closes_in_a_step_that_ends_before():
    march, (share, which) = searched(closing_at(0.3), 1, h=1.0)
    assert (share, which) == (2.0, -1)
    assert march.side[0] == 1.0


def test_a_gap_that_is_closed_is_not_seen():
    _, found = searched(closing_at(1.5), 1)
    assert found == (2.0, -1)


@pytest.mark.parametrize("is_fresh", [0, 1])
def test_what_opens_and_closes_early_is_seen_by_the_closer_looks(is_fresh):
    def gaps(model, t, y, out):
        out[0] = 1e-3 * math.sin(y[0] / 1e-3) if y[0] < 3e-3 else -1.0

    _, (share, which) = searched(gaps, 1, is_fresh=is_fresh)
    if is_fresh:
        assert_close(2.0 * share, 1e-3 * math.pi, rtol=0.1)
    assert which == (0 if is_fresh else -1)


def test_an_event_that_happened_counts_as_closed():
    march, _ = searched(closing_at(0.3, 0.2), 2, h=1.0)
    march.y[0] = 0.5
    note_sides(closing_at(0.3, 0.2), None, march, 0.5, 1)
    assert march.side.tolist() == [1.0, 0.0]
    assert np.all(march.after > 0.0)
