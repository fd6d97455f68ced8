"""First touch within a step: never late, never early, nothing jumped over but what is smaller than a stride."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.jit import device, entry
from haptos.dynamics.march.first_touch import NO_TOUCH, first_touch, stride
from tests.close import assert_close

TOLERANCE = 1e-12  # [m]
seeds = st.integers(0, 2**32 - 1)


LEAST = 1.0 / 24.0  # [steps] shortest stride of the gaps below, unless they say otherwise


class Gap:
    """A gap that changes by at most `fastest` [m per step], looked at by strides of at least `least`."""

    def __init__(self, gap, fastest, least=LEAST):
        self.gap, self.fastest, self.least, self.looks = gap, fastest, least, 0
        self.seen = 0.0

    def at(self, theta):
        assert 0.0 <= theta <= 1.0
        self.looks += 1
        return self.gap(theta)

    def until(self, theta, g):
        return max(theta + stride(self.fastest, 0.0, g), min(theta + self.least, 1.0))

    def clear_until(self, theta):
        g = self.at(theta)
        if g < 0.0:
            return theta, self.seen, theta
        self.seen = theta
        return self.until(theta, g), theta, NO_TOUCH

    def touch(self, tolerance):
        start = max(self.gap(0.0), 0.0)
        sure = stride(self.fastest, 0.0, start)
        until = sure if sure > self.least else self.until(0.0, start)
        return first_touch(
            lambda gap, theta: gap.clear_until(theta), lambda gap, theta: gap.at(theta),
            lambda gap, theta, tolerance: NO_TOUCH, self, until, tolerance,
        )  # fmt: skip


def touch(gap, fastest, tolerance=TOLERANCE, least=LEAST):
    return Gap(gap, fastest, least).touch(tolerance)


def line(start, slope):
    return lambda theta: start + slope * theta


@pytest.mark.parametrize("fastest", [1.0, 1.7, 40.0])
def test_straight_approach_touches_where_the_line_crosses(fastest):
    assert_close(touch(line(0.3, -1.0), fastest), 0.3, rtol=1e-11)


def test_a_gap_larger_than_the_way_is_not_even_looked_at():
    gap = Gap(line(1.01, -1.0), 1.0)
    assert gap.touch(TOLERANCE) == NO_TOUCH
    assert gap.looks == 0


def test_approaching_without_touching_is_no_touch():
    assert touch(lambda s: 0.2 + (s - 0.5) ** 2, 1.0) == NO_TOUCH
    assert touch(lambda s: 1e-9 + (1.0 - s), 1.0) == NO_TOUCH  # arrives, a nanometre short
    assert touch(lambda s: 0.01 + 0.3 * s, 1.0) == NO_TOUCH


def test_touch_at_the_very_end_of_the_step_is_found():
    assert_close(touch(line(1.0, -1.0 - 1e-9), 1.5), 1.0 - 1e-9, rtol=1e-11)


def test_of_several_crossings_the_first_is_returned():
    """cos(6 pi s) + 0.5 crosses zero downwards at s = 1/9, 4/9, 7/9."""
    found = touch(lambda s: math.cos(6.0 * math.pi * s) + 0.5, 6.0 * math.pi)
    assert_close(found, 1.0 / 9.0, rtol=1e-11)


@pytest.mark.parametrize("shift", np.linspace(0.07, 0.9, 18))
def test_a_vertex_that_dips_in_and_out_within_the_step_is_found(shift):
    """Below ground for an eighth of the step, above it at both ends."""
    found = touch(lambda s: 4.0 * (abs(s - shift) - 1.0 / 16.0), 4.0)
    assert_close(found, shift - 1.0 / 16.0, rtol=1e-11, scale=1.0)


def wave(seed):
    """(gap, fastest): a random sum of sines, positive at the start, and a true slope bound."""
    rng = np.random.default_rng(seed)
    size = rng.uniform(0.1, 1.0, 3)
    pace = rng.uniform(1.0, 20.0, 3)
    phase = rng.uniform(0.0, 2.0 * math.pi, 3)
    start = rng.uniform(0.02, 2.0)

    def gap(theta):
        parts = size * (np.sin(pace * theta + phase) - np.sin(phase))
        return start + float(parts.sum())

    return gap, float((size * pace).sum())


def polyline(seed):
    """(gap, fastest): random straight pieces, some as steep as the bound allows."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 30))
    knots = np.concatenate([[0.0], np.sort(rng.uniform(0.0, 1.0, count)), [1.0]])
    slopes = rng.choice([-1.0, -1.0, 1.0, 0.3, -0.2], count + 1)
    fastest = 10.0 ** rng.uniform(-3.0, 2.0)
    heights = rng.uniform(0.02, 0.5) + np.concatenate([[0.0], np.cumsum(slopes * np.diff(knots))])
    return lambda theta: fastest * float(np.interp(theta, knots, heights)), fastest


def look_closely(gap):
    """(thetas, gaps) on a fine grid."""
    thetas = np.linspace(0.0, 1.0, 4001)
    return thetas, np.array([gap(theta) for theta in thetas])


@pytest.mark.parametrize("kind", [wave, polyline])
def test_no_dip_deeper_than_half_a_stride_is_ever_missed(kind):
    """Between two looks 1/24 apart a gap of slope `fastest` can hide at most fastest/48.

    Before the found touch there is no such dip either, and at it the gap is zero.
    """

    @given(seeds)
    def check(seed):
        gap, fastest = kind(seed)
        found = touch(gap, fastest, 1e-12 * fastest)
        thetas, gaps = look_closely(gap)
        before = gaps[thetas < found] if found != NO_TOUCH else gaps
        assert before.min(initial=1.0) >= -0.5 * fastest * LEAST
        if found != NO_TOUCH:
            assert abs(gap(found)) <= 1e-12 * fastest

    check()


@pytest.mark.parametrize("kind", [wave, polyline])
def test_looks_are_few(kind):
    """At most one per stride and one bracket's narrowing."""

    @given(seeds)
    def check(seed):
        gap, fastest = kind(seed)
        looked = Gap(gap, fastest)
        looked.touch(1e-9 * fastest)
        assert looked.looks <= 1.0 / LEAST + 63

    check()


@given(seeds)
def test_a_monotonous_approach_is_met_to_the_tolerance(seed):
    rng = np.random.default_rng(seed)
    start, steep, bend = rng.uniform(0.01, 1.0), rng.uniform(1.1, 5.0), rng.uniform(0.0, 3.0)
    b = start * steep
    exact = 2.0 * start / (b + math.sqrt(b * b + 4.0 * bend * start))
    found = touch(lambda s: start - b * s - bend * s * s, b + 2.0 * bend, 1e-13)
    assert_close(found, exact, rtol=1e-12, scale=max(1.0, 1.0 / b))


@pytest.mark.parametrize("miss", [-1e-6, 1e-6])
def test_grazing_is_told_apart_by_the_sign_of_the_lowest_gap(miss):
    """A parabola whose bottom is a micrometre below or above ground, over a wide stretch."""
    found = touch(lambda s: miss + 1e-4 * (s - 0.5) ** 2, 1e-4)
    if miss > 0.0:
        assert found == NO_TOUCH
    else:
        assert_close(found, 0.5 - 0.1, rtol=1e-6)


def test_start_on_the_ground_and_rising_is_no_touch():
    assert touch(lambda s: 0.2 * s, 1.0) == NO_TOUCH


def test_a_gap_that_stays_within_the_tolerance_does_not_end_the_step():
    """Rising by half a tolerance, then falling: the touch is where the gap closes, not before."""
    gap = lambda theta: 0.5 * TOLERANCE + 2.0 * TOLERANCE * theta * (0.5 - theta)  # noqa: E731
    found = touch(gap, 4.0 * TOLERANCE)
    assert 0.25 + math.sqrt(0.25**2 + 0.25) - 1e-12 <= found <= 1.0
    assert -TOLERANCE <= gap(found) <= 0.0


def test_start_on_the_ground_and_sinking_is_a_touch_at_once():
    assert touch(lambda s: -0.2 * s, 1.0) == 0.0


@pytest.mark.parametrize("after", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
def test_one_vertex_leaves_and_another_arrives_soon(after):
    """A step may be 1e10 times as long as the hop between two impacts of a spinning body."""
    gap = lambda theta: min(3.0 * theta, 5.0 * (after - theta))  # noqa: E731
    assert_close(touch(gap, 6.0, tolerance=1e-16), after, rtol=1e-4)


# ---- how far a point can go ---------------------------------------------------------------------


@given(st.floats(0.0, 10.0), st.floats(0.0, 100.0), st.floats(1e-9, 10.0))
def test_a_stride_is_as_long_as_the_way_allows_and_no_longer(speed, bend, way):
    s = stride(speed, bend, way)
    gone = speed * s + 0.5 * bend * s * s
    assert gone <= way * (1.0 + 1e-12)
    if s < NO_TOUCH:
        assert_close(gone, way, rtol=1e-12)


@given(st.floats(1e-3, 10.0), st.floats(1e-2, 100.0), st.floats(0.0, 10.0))
def test_a_point_that_leaves_comes_back_no_sooner_than_its_stride(rate, bend, gap):
    """gap + rate s - bend s^2/2 is zero at the end of the stride and positive before."""
    s = stride(-rate, bend, gap)
    if s < NO_TOUCH:
        assert_close(gap + rate * s, 0.5 * bend * s * s, rtol=1e-12)
    assert gap + rate * 0.99 * s - 0.5 * bend * (0.99 * s) ** 2 > 0.0


def test_a_closed_gap_that_does_not_open_has_no_stride():
    assert stride(1.0, 2.0, 0.0) == 0.0
    assert stride(1.0, 2.0, -1.0) == 0.0
    assert stride(0.0, 0.0, 1.0) == NO_TOUCH


@pytest.mark.parametrize("length", [1.0, 10.0, 1e3, 1e6])
def test_a_bounce_is_found_however_long_the_step_is(length):
    """A point leaves at 1 m/s, falls at 1 m/s^2 and is back after 2 s, whatever step is tried."""
    gap = lambda theta: length * theta - 0.5 * (length * theta) ** 2  # noqa: E731
    first = stride(-length, length * length, 0.0)
    found = first_touch(
        lambda model, theta: (theta + 1e-6, 0.0, theta if gap(theta) <= 0.0 else NO_TOUCH),
        lambda model, theta: gap(theta), lambda model, theta, tolerance: NO_TOUCH,
        None, first, TOLERANCE,
    )  # fmt: skip
    assert_close(found * length, 2.0, rtol=1e-9) if length > 2.0 else None
    assert found > 1.0 or length > 2.0


def test_something_else_below_at_the_touch_is_met_instead():
    """Two things approach; the second is looked at no more before the touch of the first, and met earlier."""
    first, second = line(0.5, -1.0), line(0.2, -1.0)
    found_too = []

    def also_below(model, theta, tolerance):
        if found_too or second(theta) >= -tolerance:
            return NO_TOUCH
        found_too.append(second)
        return 0.0

    found = first_touch(
        lambda model, theta: (theta + 0.1, 0.0, theta if first(theta) < 0.0 else NO_TOUCH),
        lambda model, theta: min(gap(theta) for gap in [first, *found_too]),
        also_below, None, 0.3, TOLERANCE,
    )  # fmt: skip
    assert_close(found, 0.2, rtol=1e-11)


@device
def falling(model, theta):
    return model[0] - model[1] * theta - model[2] * theta * theta


@device
def falling_until(model, theta):
    g = falling(model, theta)
    if g < 0.0:
        return theta, max(theta - LEAST, 0.0), theta
    return max(theta + stride(model[3], 0.0, g), min(theta + LEAST, 1.0)), theta, NO_TOUCH


@device
def nothing_else(model, theta, tolerance):
    return NO_TOUCH


@entry
def compiled(model):
    until = stride(model[3], 0.0, model[0])
    return first_touch(falling_until, falling, nothing_else, model, until, 1e-12)


@given(st.floats(0.0, 2.0), st.floats(-1.0, 3.0), st.floats(-1.0, 3.0))
def test_compiled_call_equals_python_call_bit_for_bit(start, slope, bend):
    model = (start, slope, bend, abs(slope) + 2.0 * abs(bend) + 0.1)
    until = stride(model[3], 0.0, start)
    expected = first_touch(falling_until, falling, nothing_else, model, until, 1e-12)
    assert compiled(model) == expected


def test_a_body_that_does_not_move_touches_nothing():
    assert compiled((0.5, 0.0, 0.0, 0.0)) == NO_TOUCH


def test_check_has_teeth():
    """A gap closing one per cent faster touches one per cent earlier."""
    with pytest.raises(AssertionError):
        assert_close(touch(line(0.3, -1.01), 1.5), 0.3, rtol=1e-11)


def test_too_small_a_bound_is_what_lets_a_dip_slip_through():
    """The promise rests on `fastest`: with a third of the true slope the march jumps over."""

    def gap(theta):
        return 4.0 * abs(theta - 0.4) - 0.3

    assert_close(touch(gap, 4.0), 0.325, rtol=1e-11)
    assert touch(gap, 4.0 / 3.0) == NO_TOUCH
