"""Star tracker and gyro: deviations as stated, and a bias that walks as the root of time."""

from __future__ import annotations

import math

import numpy as np

from haptos.dynamics.sensing.star_tracker import Gyro, StarTracker
from haptos.dynamics.sensing.streams import Stream
from tests.close import assert_close

ARCSECOND = math.radians(1.0 / 3600.0)


def test_errors_of_the_tracker_have_the_deviation_stated():
    tracker, stream = StarTracker(20.0 * ARCSECOND), Stream.named(1, "tracker")
    errors = np.array([tracker(np.zeros(3), k, stream) for k in range(4000)])
    assert_close(errors.std(), 20.0 * ARCSECOND, rtol=3.0 / math.sqrt(2 * 12000))


def test_the_angle_integrated_from_the_gyro_walks_as_the_root_of_time():
    walk, interval, steps = 1e-4, 0.1, 64
    ends = []
    for seed in range(60):
        gyro, stream = Gyro(walk, 0.0, 0.0, interval), Stream.named(seed, "gyro")
        rates = np.array([gyro(np.zeros(3), k, stream) for k in range(steps)])
        ends.append(interval * rates.sum(axis=0))
    assert_close(np.std(ends), walk * math.sqrt(interval * steps), rtol=3.0 / math.sqrt(2 * 180))


def test_the_bias_walks_and_starts_at_its_own_deviate():
    gyro, stream = Gyro(0.0, 1e-5, 1e-6, 0.25), Stream.named(1, "gyro")
    rows = np.array([gyro(np.zeros(3), k, stream) for k in range(400)])
    assert np.abs(rows[0]).max() < 4e-5
    assert np.abs(rows[0]).min() > 0.0
    steps = np.diff(rows, axis=0)
    assert_close(steps.std(), 1e-6 * 0.5, rtol=3.0 / math.sqrt(2 * 1197))
