"""Alpha-beta filter: deviation of white noise, no error on a steady motion, delay and losses."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.sensing.alpha_beta import AlphaBeta, steady_deviation
from tests.close import assert_close

ALPHA, BETA, T = 0.35, 0.07, 0.5


def filtered(samples: np.ndarray, alpha: float = ALPHA) -> np.ndarray:
    one = AlphaBeta(alpha, BETA, T)
    found = []
    for k, z in enumerate(samples):
        one.correct(k * T, z)
        found.append(one.x.copy())
    return np.array(found)


def deviation(alpha: float = ALPHA) -> float:
    noise = np.random.default_rng(4).normal(size=(4000, 25))
    return float(filtered(noise, alpha)[100:].std())


def test_white_noise_is_reduced_as_the_closed_form_says():
    assert_close(deviation(), steady_deviation(ALPHA, BETA), rtol=5e-3)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(deviation(1.05 * ALPHA), steady_deviation(ALPHA, BETA), rtol=5e-3)


def test_a_steady_motion_is_followed_without_error_and_read_between_samples():
    one = AlphaBeta(ALPHA, BETA, T)
    for k in range(200):
        one.correct(k * T, [1.0 + 0.01 * k * T])
    assert_close(one.at(99.5 + 0.3)[0], [1.0 + 0.01 * 99.8], rtol=1e-9)
    assert_close(one.v, [0.01], rtol=1e-9)


def test_lost_samples_are_bridged():
    one = AlphaBeta(ALPHA, BETA, T)
    for k in range(400):
        if k % 5 != 3:
            one.correct(k * T, [1.0 + 0.01 * k * T])
    assert_close(one.at(200.0)[0], [3.0], rtol=1e-9)


def test_a_known_acceleration_leaves_no_lag():
    def pull(x: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.full(1, 2e-3)

    knows, blind = AlphaBeta(ALPHA, BETA, T, pull), AlphaBeta(ALPHA, BETA, T)
    for k in range(300):
        truth = 1e-3 * (k * T) ** 2
        knows.correct(k * T, [truth])
        blind.correct(k * T, [truth])
    assert abs(knows.x[0] - truth) < 1e-9
    # Lag of the place under an acceleration a: (1 - alpha) a T^2 / beta.
    assert_close(truth - blind.x[0], (1.0 - ALPHA) * 2e-3 * T**2 / BETA, rtol=1e-6)


def test_gains_that_do_not_settle_are_refused():
    with pytest.raises(ConfigError, match="beta"):
        AlphaBeta(0.5, 3.5, T)
