"""Sampled noisy estimates: their spread, and that they depend on the sample alone."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.control.sampled_estimates import SampledEstimate
from tests.close import assert_close


def test_spread_and_bias_are_those_given():
    estimate = SampledEstimate(0.01, bias=(0.5, 0.0, 0.0), seed=3)
    found = np.array([estimate((1.0, 2.0, 3.0), k) for k in range(4000)])
    assert_close(found.mean(axis=0), (1.5, 2.0, 3.0), rtol=4 * 0.01 / np.sqrt(4000), scale=1.0)
    assert_close(found.std(axis=0), np.full(3, 0.01), rtol=0.05)


def test_an_estimate_depends_on_its_sample_alone():
    estimate = SampledEstimate(0.01, seed=3)
    assert np.array_equal(estimate((1.0,), 7), SampledEstimate(0.01, seed=3)((1.0,), 7))
    assert not np.array_equal(estimate((1.0,), 7), estimate((1.0,), 8))
    assert not np.array_equal(estimate((1.0,), 7), SampledEstimate(0.01, seed=4)((1.0,), 7))


def test_samples_are_held_between_even_times():
    estimate = SampledEstimate(0.0, rate=10.0)
    assert [estimate.sample(t) for t in (0.0, 0.0999, 0.1, 0.3, 0.35)] == [0, 0, 1, 3, 3]
    assert np.array_equal(estimate((1.0, 2.0), 5), (1.0, 2.0))


@pytest.mark.parametrize("changes", [{"noise": -1.0}, {"noise": 1.0, "rate": 0.0}])
def test_bad_settings_are_refused(changes):
    with pytest.raises(ConfigError):
        SampledEstimate(**changes)
