"""Noise of the pose camera: deviations by range, bias, blind range, glare."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.sensing.pose_camera import PoseCamera, drawn_bias, is_in_glare
from haptos.dynamics.sensing.streams import Stream
from tests.close import assert_close

CAMERA = PoseCamera(s_0=1e-3, s_1=4e-3, s_2=2e-3, s_3=math.radians(0.3), blind_range=0.1)
STREAM = Stream.named(2, "camera")


def deviations(camera: PoseCamera, count: int = 4000) -> np.ndarray:
    truth = np.array([0.6, 0.0, 0.0, 0.0, 0.0, 0.0])
    return np.array([camera(truth, k, STREAM) - truth for k in range(count)]).std(axis=0)


EXPECTED = np.array([1e-3 + 4e-3 * 0.36, 1.2e-3, 1.2e-3] + [math.radians(0.3)] * 3)


def test_deviations_follow_the_law_of_the_range():
    assert_close(deviations(CAMERA) / EXPECTED, np.ones(6), rtol=3.0 / math.sqrt(2 * 4000))


def test_check_has_teeth():
    spoiled = PoseCamera(s_0=1.05e-3 * 1.05, s_1=4.4e-3, s_2=2e-3, s_3=CAMERA.s_3)
    with pytest.raises(AssertionError):
        assert_close(deviations(spoiled) / EXPECTED, np.ones(6), rtol=3.0 / math.sqrt(2 * 4000))


def test_near_targets_and_the_sun_blind_it():
    near = np.array([0.09, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert np.isnan(CAMERA(near, 0, STREAM)).all()
    assert is_in_glare([1, 0, 0], [1, 0.1, 0], math.radians(10.0))
    assert not is_in_glare([1, 0, 0], [1, 0.1, 0], math.radians(5.0))
    assert not is_in_glare([1, 0, 0], [1, 0, 0], 0.0)


def test_bias_is_drawn_once_a_run_and_added():
    bias = drawn_bias(2e-3, math.radians(0.2), STREAM)
    assert bias == drawn_bias(2e-3, math.radians(0.2), STREAM)
    truth = np.array([0.6, 0.0, 0.0, 0.0, 0.0, 0.0])
    shifted = PoseCamera(s_0=0.0, s_1=0.0, s_2=0.0, s_3=0.0, bias=bias)(truth, 0, STREAM)
    assert_close(shifted - truth, bias, rtol=1e-12)
