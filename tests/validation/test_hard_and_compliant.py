"""Impulsive contact is the limit of stiff springs: the same releases rest alike, the more so the stiffer.

The figures of 2,000 releases are in docs/validation/hard-and-compliant.md; here are the few that seconds buy.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from tests.bilobe_cases import HARD
from tests.close import assert_close
from tests.validation.hard_and_compliant import (
    RESTITUTION,
    Rests,
    damping_ratio,
    masses_at_the_lowest_vertex,
    mean_restitution,
    rests,
    share_that_sticks,
    soft_contact,
    spread,
)

RUNS = 150  # 40 leave 600 s of sampling error, more than an eighth of the median
LASTING = 0.05  # [-] of the settling time that soft springs may differ by


@functools.cache
def hard_rests(count: int) -> Rests:
    return rests(HARD, count, workers=2)


def apart(other: Rests, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(difference, half its 95 % interval) from impulsive contact: median time [s], spread [m].

    Medians, since now and then a cube creeps for hours on a slope that friction barely holds.
    """
    hard, rng = hard_rests(count), np.random.default_rng(1)

    def difference(rows: np.ndarray) -> np.ndarray:
        times = np.median(other.times[rows]) - np.median(hard.times[rows])
        return np.array([times, spread(other.places[rows]) - spread(hard.places[rows])])

    drawn = [difference(rng.integers(count, size=count)) for _ in range(2000)]
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return difference(np.arange(count)), 0.5 * (high - low)


@functools.cache
def compared(stiffness: float, count: int = RUNS) -> tuple[np.ndarray, np.ndarray]:
    soft = rests(soft_contact(stiffness), count, workers=2)
    assert soft.settled.all()
    return apart(soft, count)


def test_damper_has_the_restitution_of_the_impacts_on_average():
    assert_close(mean_restitution(damping_ratio()), RESTITUTION, rtol=1e-9)
    masses = masses_at_the_lowest_vertex(0.0)
    assert 0.25 < masses.min() < masses.max() <= 1.0  # flat on a face, on a corner
    assert_close(share_that_sticks(), 0.67, rtol=0.02)
    assert masses_at_the_lowest_vertex().mean() > 1.4 * masses.mean()


def test_rests_agree_within_the_sampling_error_and_what_lasts():
    (time, place), (time_error, place_error) = compared(50.0)
    median = np.median(hard_rests(RUNS).times)
    assert abs(time) < LASTING * median + time_error
    assert abs(place) < 1.5 * place_error
    assert time_error < 0.1 * median


def test_differences_do_not_grow_with_the_stiffness():
    (soft, _), (stiff, errors) = compared(5.0), compared(50.0)
    assert np.all(np.abs(stiff) < np.abs(soft) + 1.5 * errors)


def test_comparison_has_teeth():
    """A restitution of 0.7 in place of 0.5 is seen."""
    (time, _), (error, _) = apart(rests({**HARD, "restitution": 0.7}, RUNS, workers=2), RUNS)
    assert time > LASTING * np.median(hard_rests(RUNS).times) + error


@pytest.mark.slow
def test_stiffer_springs_come_nearer():
    """Of 500 releases, a quarter of those of the page."""
    for stiffness in (50.0, 500.0):
        (time, place), (time_error, place_error) = compared(stiffness, 500)
        assert abs(time) < LASTING * np.median(hard_rests(500).times) + time_error
        assert abs(place) < 3.0 + place_error  # [m] of 70
