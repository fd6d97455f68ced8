"""A draw depends on seed, name and run index, and on nothing else."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from haptos.core.random_streams import RunStreams, stream
from tests.close import assert_close

FIRST_WORDS = [5058948649220328629, 2562175941456864120]
FAR_DRAW = 0.8792983786103988


def test_a_draw_is_the_same_in_any_order_of_runs() -> None:
    forward = [stream(7, run, "speed").random(4) for run in range(20)]
    backward = [stream(7, run, "speed").random(4) for run in reversed(range(20))][::-1]
    assert np.array_equal(forward, backward)


def test_these_bits_are_the_same_on_every_machine_and_version() -> None:
    # Written down once; a change here changes every campaign already run.
    assert stream(0, 0).integers(0, 2**63, size=2).tolist() == FIRST_WORDS
    assert stream(2**62, 10**9, "contact.friction").random() == FAR_DRAW


@pytest.mark.parametrize(
    "other", [stream(2, 3, "a"), stream(1, 4, "a"), stream(1, 3, "b"), stream(1, 3)]
)
def test_seed_run_and_name_each_give_another_stream(other: np.random.Generator) -> None:
    assert not np.isin(stream(1, 3, "a").random(1000), other.random(1000)).any()


def test_adjoining_parts_of_the_key_do_not_run_together() -> None:
    assert stream(1, 0, "2").random() != stream(12, 0, "").random()


def test_streams_of_neighbouring_runs_do_not_overlap_even_when_long() -> None:
    draws = [stream(5, run).integers(0, 2**63, size=20_000) for run in range(4)]
    for first, second in itertools.combinations(draws, 2):
        assert not np.intersect1d(first, second).size


def test_first_draws_over_runs_are_uniform() -> None:
    count = 4000
    first = np.array([stream(11, run, "x").random() for run in range(count)])
    # Mean and variance of U(0, 1); five standard errors: 5 sqrt(1/12/n), 5 sqrt(1/180/n).
    assert_close(first.mean(), 0.5, rtol=5.0 * np.sqrt(1.0 / 12.0 / count) / 0.5)
    assert_close(first.var(), 1.0 / 12.0, rtol=5.0 * np.sqrt(1.0 / 180.0 / count) * 12.0)


def test_neighbouring_runs_are_not_correlated() -> None:
    count = 4000
    first = np.array([stream(11, run, "x").random() for run in range(count)])
    lag_one = np.corrcoef(first[:-1], first[1:])[0, 1]
    assert abs(lag_one) < 5.0 / np.sqrt(count)


def test_a_negative_run_is_refused() -> None:
    with pytest.raises(OverflowError):
        stream(0, -1)


def test_moved_streams_draw_what_fresh_streams_draw() -> None:
    moved = RunStreams(5, "a key")
    for run in (0, 1, 2**40, 3, 1):
        fresh, again = stream(5, run, "a key"), moved.at(run)
        assert again.random(5).tolist() == fresh.random(5).tolist()
        assert again.standard_normal(3).tolist() == fresh.standard_normal(3).tolist()
        assert again.integers(0, 9, 3).tolist() == fresh.integers(0, 9, 3).tolist()
