"""Scalars with noise, offset, steps and reach."""

from __future__ import annotations

import math

import numpy as np

from haptos.dynamics.sensing.quantised import Quantised
from haptos.dynamics.sensing.streams import Stream
from tests.close import assert_close

STREAM = Stream.named(1, "length")


def test_readings_are_multiples_of_the_step_nearest_to_the_truth():
    found = Quantised(step=0.1)(np.array([0.26, -0.24, 1.04]), 0, STREAM)
    assert_close(found, [0.3, -0.2, 1.0], rtol=1e-12)


def test_rounding_noise_has_the_deviation_of_a_uniform_step():
    truth = np.linspace(0.0, 7.3, 20_000)
    error = Quantised(step=0.1)(truth, 0, STREAM) - truth
    assert_close(error.std(), 0.1 / math.sqrt(12.0), rtol=0.02)


def test_beyond_the_reach_there_is_no_reading():
    found = Quantised(reach=0.3)(np.array([0.29, 0.31, math.inf]), 0, STREAM)
    assert np.isfinite(found).tolist() == [True, False, False]


def test_each_number_can_have_its_own_noise_and_step():
    found = Quantised(sigma=(0.0, 1.0), step=(0.5, 0.0))(np.array([0.6, 0.6]), 0, STREAM)
    assert found[0] == 0.5
    assert found[1] != 0.6
