"""Closing: lengths, winch masses, single failures, the work of winches."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.draw_cord import (
    closing,
    closing_length,
    winding_power,
    wound_inertia_factor,
    wound_share,
)
from haptos.dynamics.cable.thread_link import link_tension
from tests.close import assert_close

IMPACT = 4.0  # [s]


def square(**more):
    given = {"area_reduction": 0.99, "duration": 1.0, "linear_density": 1e-3} | more
    return closing(np.full(4, 2.0), **given)


def test_two_metres_closed_by_99_percent_keep_a_tenth_and_wind_nine():
    """99 % in 1 s: length x 0.1; every winch carries 90 % of the mass of one 2 m link."""
    law = square()
    assert_close(law.line_lengths(IMPACT + 1.0, IMPACT)[0], np.full(4, 0.2), rtol=1e-14)
    assert_close(law.winch_masses(IMPACT + 9.0, IMPACT), np.full(4, 0.9 * 2e-3), rtol=1e-13)


def test_a_longer_closing_is_slower_in_proportion():
    """1.8 m in 4 s by both winches: 0.45 m/s, and half of it with one of them."""
    law = square(duration=4.0, failed=[2])
    lengths, rates = law.line_lengths(IMPACT + 1.0, IMPACT)
    assert_close(rates, [-0.45, -0.225, -0.225, -0.45], rtol=1e-14)
    assert_close(lengths, [1.55, 1.775, 1.775, 1.55], rtol=1e-14)


def test_nothing_moves_before_contact_and_delay():
    law = square(delay=0.5)
    for t, impact in ((100.0, math.inf), (IMPACT + 0.499, IMPACT)):
        lengths, rates = law.line_lengths(t, impact)
        assert (lengths == 2.0).all()
        assert not rates.any()
        assert not law.winch_masses(t, impact).any()
    assert_close(law.line_lengths(IMPACT + 1.0, IMPACT)[0], np.full(4, 1.1), rtol=1e-14)
    assert_close(law.times(IMPACT), [IMPACT + 0.5, IMPACT + 1.5], rtol=1e-15)


@given(st.floats(0.0, 3.0), st.floats(0.0, 0.999), st.floats(0.1, 2.0), st.integers(0, 2))
def test_rate_is_the_derivative_of_the_length(late, reduction, duration, working):
    final = 2.0 * math.sqrt(1.0 - reduction)
    length, rate = closing_length(late, 0.0, duration, 2.0, final, working)
    ahead = closing_length(late + 1e-7, 0.0, duration, 2.0, final, working)
    if ahead[1] == rate:
        assert_close((ahead[0] - length) / 1e-7, rate, rtol=1e-7, scale=4.0 / duration + 1.0)
    assert final <= length <= 2.0
    assert rate <= 0.0


def test_a_failed_winch_doubles_the_time_of_its_two_lines_only():
    law = square(failed=[2])
    assert law.working.tolist() == [2, 1, 1, 2]
    half, _ = law.line_lengths(IMPACT + 1.0, IMPACT)
    assert_close(half, [0.2, 1.1, 1.1, 0.2], rtol=1e-14)
    whole, rates = law.line_lengths(IMPACT + 2.0, IMPACT)
    assert_close(whole, np.full(4, 0.2), rtol=1e-14)
    assert not rates.any()
    assert_close(law.times(IMPACT), IMPACT + np.array([0.0, 1.0, 2.0]), rtol=1e-15)
    masses = law.winch_masses(IMPACT + 2.0, IMPACT)
    assert_close(masses, [1.8e-3, 2.7e-3, 0.0, 2.7e-3], rtol=1e-13)


def test_a_line_between_two_failed_winches_stays_open():
    law = square(failed=[0, 1])
    lengths, _ = law.line_lengths(IMPACT + 99.0, IMPACT)
    assert_close(lengths, [2.0, 0.2, 0.2, 0.2], rtol=1e-14)


@given(st.floats(0.0, 3.0), st.sets(st.integers(0, 5)), st.floats(0.0, 0.999))
def test_thread_is_neither_made_nor_lost(late, failed, reduction):
    law = closing([1.0, 2.0, 3.0, 1.0, 2.0, 0.5], reduction, 0.7, failed=sorted(failed),
                  linear_density=2e-3)  # fmt: skip
    lengths, _ = law.line_lengths(IMPACT + late, IMPACT)
    total = law.winch_masses(IMPACT + late, IMPACT).sum() + 2e-3 * lengths.sum()
    assert_close(total, 2e-3 * law.lengths.sum(), rtol=1e-14)


def test_shares_of_a_line_on_its_winches():
    assert wound_share(True, True) == 0.5
    assert wound_share(True, False) == 1.0
    assert wound_share(False, True) == 0.0


def test_inertia_grows_with_the_mass_of_the_bullet():
    assert_close(wound_inertia_factor(0.01, 0.4), 1.025, rtol=1e-15)


def test_work_of_the_winch_is_what_the_line_stores_and_damps():
    """Ends held 2 m apart while 20 mm are reeled in: stored + damped = wound in, by quadrature."""
    stiffness, damping, held, rate = 1e4, 30.0, 2.0, -0.04
    nodes, weights = np.polynomial.legendre.leggauss(30)
    natural = 1.99 + 0.01 * nodes
    seconds = 0.01 * weights / -rate
    tension = [link_tension(stiffness, damping, n, held, -rate)[0] for n in natural]
    elastic = stiffness / natural * (held - natural)
    work = sum(
        w * winding_power(t, e, stiffness, rate)
        for w, t, e in zip(seconds, tension, elastic, strict=True)
    )
    stored = 0.5 * stiffness / 1.98 * 0.02**2
    damped = damping * rate**2 * 0.5
    assert_close(work, stored + damped, rtol=1e-12)


@pytest.mark.parametrize(
    "wrong",
    [{"area_reduction": 1.0}, {"area_reduction": -0.1}, {"duration": 0.0}, {"delay": -1.0},
     {"linear_density": math.nan}, {"failed": [4]}, {"failed": [-1]}],
)  # fmt: skip
def test_impossible_closings_are_refused(wrong):
    with pytest.raises(ConfigError):
        square(**wrong)
    with pytest.raises(ConfigError):
        closing([1.0, 0.0], 0.5, 1.0)


def test_check_has_teeth():
    law = square(duration=1.01)
    with pytest.raises(AssertionError):
        assert_close(law.line_lengths(IMPACT + 0.5, IMPACT)[0], np.full(4, 1.1), rtol=1e-3)
