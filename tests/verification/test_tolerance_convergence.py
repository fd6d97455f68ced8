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
