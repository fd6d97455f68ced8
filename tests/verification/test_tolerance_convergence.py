"""A smaller tolerance gives a smaller error, in proportion, and leaves the statistics alone."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import haptos
from haptos.scenarios.lander.simulate import simulate_batch
from tests.bilobe_cases import BODY, ELLIPSOID, RUN, released, releases
from tests.lander_cases import tolerances

WORLDS = {"ellipsoid": ELLIPSOID, "bilobe": BODY}
TOLERANCES = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
REFERENCE = 1e-13  # the smallest allowed
LENGTH, SPEED = 100.0, 0.1  # [m], [m/s] of the flight
FALL = 2500.0  # [s] every release has touched by then
RUNS = 100


@functools.cache
def first_impact(world: str, number: int, relative: float) -> tuple[float, np.ndarray]:
    """(time [s], point [m]) of the first impact of release `number`."""
    run = {
        **RUN,
        "duration_s": FALL,
        "output_interval_s": FALL,
        **tolerances(relative, length=LENGTH, speed=SPEED),
    }
    release = {**releases(number + 1)[number], "rate_rad_per_s": [0.01, 0.02, -0.01]}
    events = haptos.simulate(released(release, **WORLDS[world], run=run)).events
    first = int(np.argmax(events["kind"].values == "impact"))
    assert events["kind"].values[first] == "impact"
    return float(events["time"].values[first]), np.array(events["point_A"].values[first])


def errors(world: str, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Error of time [s] and point [m] at each tolerance."""
    time, point = first_impact(world, number, REFERENCE)
    found = [first_impact(world, number, relative) for relative in TOLERANCES]
    return (
        np.array([abs(t - time) for t, _ in found]),
        np.array([math.dist(p, point) for _, p in found]),
    )


def rates(world: str, numbers: range, *, tightest: int) -> tuple[float, float]:
    """Slope of log error over log tolerance, of time and of point, geometric means over releases."""
    times, points = np.swapaxes([errors(world, number) for number in numbers], 0, 1)
    steps = np.log10(TOLERANCES[-tightest:])
    return tuple(
        float(np.polyfit(steps, np.log10(found).mean(axis=0)[-tightest:], 1)[0])
        for found in (times, points)
    )


def test_error_of_the_first_impact_is_in_proportion_to_the_tolerance():
    """Smooth gravity: the control holds the error of a step at the tolerance, so both fall together.

    Above 1e-8 the flight is a dozen steps of the largest growth, and the error is smaller than asked.
    """
    for rate in rates("ellipsoid", range(4), tightest=5):
        assert 0.9 < rate < 1.1


def test_error_of_the_first_impact_falls_with_the_tolerance_in_tabulated_gravity():
    """Steps end at the faces of a table's cells: above 1e-9 that makes them shorter than the tolerance asks.

    The error then is that of 1e-9, at any tolerance; below, it falls to what is known of a touch.
    """
    for rate in rates("bilobe", range(8), tightest=4):
        assert 0.55 < rate < 1.1
    for number in range(8):
        times, points = errors("bilobe", number)
        assert np.max(times) < 5e-7  # [s]
        assert np.max(points) < 2e-8  # [m]


@pytest.mark.parametrize("world", WORLDS)
def test_first_impact_is_known_better_than_the_default_tolerance_needs(world):
    times, points = errors(world, 0)
    at_default = TOLERANCES.index(1e-10)
    assert times[at_default] < 1e-7  # [s] of 1300
    assert points[at_default] < 1e-8  # [m] of 100
    assert times[0] > 10.0 * times[-1]


@functools.cache
def settled(relative: float) -> tuple[np.ndarray, np.ndarray]:
    """(times [s], places [m]) of rest of the same releases."""
    run = {**RUN, **tolerances(relative, length=LENGTH, speed=SPEED)}
    configs = [released(release, run=run) for release in releases(RUNS)]
    rows = simulate_batch(configs, workers=1)
    assert all(row["ended"] == "settled" for row in rows)
    places = np.array([[row[f"rest_{axis}_m"] for axis in "xyz"] for row in rows])
    return np.array([row["settle_time_s"] for row in rows]), places


def test_statistics_do_not_know_the_tolerance():
    """Single runs part after some impacts, the means stay: within three standard errors of the difference."""
    (loose, loose_places), (tight, tight_places) = settled(1e-8), settled(1e-10)
    assert np.any(np.abs(loose - tight) > 1.0)
    columns = [(loose, tight), *zip(loose_places.T, tight_places.T, strict=True)]
    for a, b in columns:
        assert abs(np.mean(a - b)) < 3.0 * np.std(a - b) / math.sqrt(RUNS)
        assert abs(np.std(a) / np.std(b) - 1.0) < 3.0 / math.sqrt(RUNS)
