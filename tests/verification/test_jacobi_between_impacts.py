"""Whole deployments on a bilobed body in tabulated gravity: Jacobi's integral stands still between impacts."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

import haptos
from haptos.environment.gravity import potential_and_gravity
from haptos.results.result import Result
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.model import build
from tests.bilobe_cases import RUN, released, releases
from tests.hard_cases import impacts
from tests.lander_cases import tolerances

NUMBERS = range(6)


def deployment(number: int, relative: float) -> Config:
    run = {**RUN, **tolerances(relative, speed=0.1)}
    return released(releases(number + 1)[number], run=run)


@functools.cache
def landed(number: int, relative: float) -> tuple[Config, Result]:
    config = deployment(number, relative)
    return config, haptos.simulate(config)


def jacobi(config: Config, result: Result, *, spoiled: float = 1.0) -> np.ndarray:
    """1/2 |v|^2 - 1/2 |O x x|^2 - U [m^2/s^2] at every stored row."""
    stored = result.trajectory
    x, v, spin = (stored[name].values for name in ("r_BA_A", "v_BA_A", "omega_AN_A"))
    gravity = build(config).world.gravity
    potential = np.array([potential_and_gravity(gravity, tuple(p))[0] for p in x.tolist()])
    carried = spoiled * np.cross(spin, x)
    return 0.5 * np.sum(v**2, 1) - 0.5 * np.sum(carried**2, 1) - potential


def flights(result: Result) -> list[np.ndarray]:
    """Rows of each flight, from just after one impact to just before the next."""
    times = np.asarray(result.ledger.time)
    is_free = result.trajectory["contact_count"].values == 0
    edges = [-1.0, *np.unique(impacts(result)["time"]), times[-1]]
    spans = [
        np.flatnonzero(is_free & (times > a) & (times < b)) for a, b in itertools.pairwise(edges)
    ]
    return [span for span in spans if len(span) > 1]


def drift(number: int, relative: float, *, spoiled: float = 1.0) -> float:
    """Largest change of the integral in one flight, as a share of its size at release."""
    config, result = landed(number, relative)
    integral = jacobi(config, result, spoiled=spoiled)
    return max(float(np.ptp(integral[span])) for span in flights(result)) / abs(integral[0])


@pytest.mark.parametrize(("relative", "most"), [(1e-10, 5e-10), (1e-12, 2e-11)])
def test_jacobis_integral_stands_still_between_impacts(relative, most):
    drifts = [drift(number, relative) for number in NUMBERS]
    assert max(drifts) < most
    assert sum(len(flights(landed(number, relative)[1])) for number in NUMBERS) > 5 * len(NUMBERS)


def test_the_check_has_teeth():
    assert drift(0, 1e-10, spoiled=1.01) > 5e-10
