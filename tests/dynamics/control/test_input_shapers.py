"""Input shapers: no swing at the right frequency, the published remainders at a wrong one, a changing length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.errors import ConfigError
from haptos.dynamics.control.input_shapers import (
    residual_swing,
    shaped,
    shaper_shares,
    shaper_times,
)
from tests.close import assert_close


def swing_left(kind: str, damping: float, ratio: float) -> float:
    """Amplitude left by impulses of the shaper on a true frequency of `ratio`, of that of one impulse, as phasors."""
    w = 1.0 * ratio
    times = shaper_times(kind, 1.0, damping)
    wd = w * math.sqrt(1.0 - damping**2)
    late = times[-1]
    sum_ = sum(
        share * np.exp(-damping * w * (late - t)) * np.exp(-1j * wd * t)
        for share, t in zip(shaper_shares(kind, damping), times, strict=True)
    )
    return float(abs(sum_) / math.exp(-damping * w * late))


@pytest.mark.parametrize("kind", ["ZV", "ZVD"])
@pytest.mark.parametrize("damping", [0.0, 0.1, 0.3])
def test_nothing_swings_at_the_assumed_frequency(kind, damping):
    assert abs(swing_left(kind, damping, 1.0)) < 1e-14
    assert_close(shaper_shares(kind, damping).sum(), 1.0, rtol=1e-14)
    assert swing_left(kind, damping, 1.01) > 1e-5  # a frequency of 1 % more is seen


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("ZV", (0.0785, 0.1564, 0.309, 0.454)), ("ZVD", (0.0062, 0.0245, 0.0955, 0.206))],
)
def test_swing_left_at_wrong_frequencies(kind, expected):
    ratios = (1.05, 1.10, 1.20, 1.30)
    found = [residual_swing(kind, ratio) for ratio in ratios]
    assert_close(found, expected, rtol=5e-4, scale=1.0)
    assert_close([swing_left(kind, 0.0, ratio) for ratio in ratios], found, rtol=1e-12)


def test_steps_follow_the_phase_of_a_changing_length():
    def frequency(t: float) -> float:
        return math.sqrt(0.008 / (100.0 - 0.05 * t))

    times = shaper_times("ZVD", frequency, latest=1200.0)
    grid = np.linspace(0.0, times[2], 20001)
    phase = np.trapezoid([frequency(t) for t in grid], grid)
    assert_close(phase, 2.0 * math.pi, rtol=1e-6)
    assert_close(
        shaper_times("ZVD", lambda _: 0.5, latest=30.0), shaper_times("ZVD", 0.5), rtol=1e-6
    )


def moved_pendulum(times: np.ndarray, shares: np.ndarray) -> float:
    """Energy-like amplitude of a pendulum that is reeled in while its hook gets kicks of speed."""
    pull, rate, start = 0.008, -0.02, 100.0

    def motion(t: float, y: np.ndarray) -> list[float]:
        length = start + rate * t
        return [y[1], -(2.0 * rate * y[1] + pull * y[0]) / length]

    y, now = np.zeros(2), 0.0
    for when, share in zip((*times, times[-1] + 20.0), (*shares, 0.0), strict=True):
        y = solve_ivp(motion, (now, when), y, rtol=1e-10, atol=1e-14).y[:, -1] if when > now else y
        y, now = y + np.array([0.0, -share * 0.1 / (start + rate * when)]), when
    length = start + rate * now
    return float(math.hypot(y[0], y[1] / math.sqrt(pull / length)))


def test_the_phase_leaves_less_swing_than_the_first_period():
    def frequency(t: float) -> float:
        return math.sqrt(0.008 / (100.0 - 0.02 * t))

    shares = shaper_shares("ZV")
    by_phase = moved_pendulum(shaper_times("ZV", frequency, latest=2000.0), shares)
    by_start = moved_pendulum(shaper_times("ZV", frequency(0.0)), shares)
    unshaped = moved_pendulum(np.array([0.0]), np.array([1.0]))
    assert by_phase < by_start < 0.2 * unshaped


def test_a_shaped_command_ends_where_the_command_does():
    time = np.linspace(0.0, 100.0, 1001)
    command = np.where(time > 10.0, 3.0, 0.0)
    sent = shaped(command, time, shaper_shares("ZVD"), shaper_times("ZVD", 0.5))
    assert_close(sent[-1], 3.0, rtol=1e-14)
    assert 0.0 < sent[150] < 3.0


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: shaper_shares("EI"), "ZVD"),
        (lambda: shaper_shares("ZV", 1.0), "below 1"),
        (lambda: shaper_times("ZV", lambda _: 1e-3, latest=10.0), "longer time"),
        (lambda: shaper_times("ZV", lambda _: 1.0), "seconds"),
    ],
)
def test_what_cannot_be_shaped_is_refused(call, word):
    with pytest.raises(ConfigError, match=word):
        call()
