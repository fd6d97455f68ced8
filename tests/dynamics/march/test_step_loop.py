"""The loop of steps: the order of its calls, rejected and shortened steps, implicit steps without an interpolant."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
import pytest

from haptos.core.jit import device, entry
from haptos.dynamics.march.step_loop import (
    StepFunctions,
    march_steps,
    no_part,
    nothing,
    to_the_end,
)
from tests.close import assert_close

Recorded = namedtuple("Recorded", "said script")


def _recorder(name):
    def noted(run, *numbers):
        run.said.append(name)
        return run.script[name].pop(0) if run.script.get(name) else None

    return noted


def _recorded(script):
    """Names of the calls of a march whose functions return what the script says, in turn."""
    run = Recorded([], {name: list(values) for name, values in script.items()})
    march_steps(StepFunctions(*(_recorder(name) for name in StepFunctions._fields)), run)
    return run.said


ACCEPTED = ["choose", "store_rows", "watch", "commit", "settle", "conclude"]


def test_an_accepted_step_makes_its_calls_in_one_order():
    said = _recorded({"goes_on": [True, False], "propose": [1.0], "attempt": [0.5], "search": [1.0]})  # fmt: skip
    assert said == ["goes_on", "propose", "attempt", "search", *ACCEPTED, "goes_on"]


def test_a_step_with_too_large_an_error_is_neither_searched_nor_kept():
    said = _recorded({"goes_on": [True, False], "propose": [1.0], "attempt": [1.5]})
    assert said == ["goes_on", "propose", "attempt", "reject", "goes_on"]


def test_a_step_with_an_event_within_is_taken_again():
    said = _recorded(
        {"goes_on": [True, True, False], "propose": [1.0, 0.4], "attempt": [0.5, 0.1], "search": [0.4, 0.4]}
    )  # fmt: skip
    again = ["goes_on", "propose", "attempt", "search"]
    assert said == [*again, "shorten", *again, *ACCEPTED, "goes_on"]


def test_no_step_ends_the_march():
    assert _recorded({"goes_on": [True], "propose": [0.0]}) == ["goes_on", "propose"]


# Decay at a fast rate by implicit steps of order 1, as exact as halving the step says; a level is met by shorter steps.
TIME, STEP, STATE, END, RATE, LEVEL, TRIED, TOLERANCE = range(8)
UNTIL = 1.0


@device
def _goes_on(x):
    return x[TIME] < UNTIL and x[STATE] > x[LEVEL] * (1.0 + 1e-12)


@device
def _propose(x):
    return min(x[STEP], UNTIL - x[TIME])


@device
def _attempt(x, h):
    x[TRIED] += 1.0
    whole = x[STATE] / (1.0 + h * x[RATE])
    half = x[STATE] / (1.0 + 0.5 * h * x[RATE]) / (1.0 + 0.5 * h * x[RATE])
    x[END] = 2.0 * half - whole
    return abs(half - whole) / x[TOLERANCE]


@device
def _reject(x, h, ratio):
    x[STEP] = 0.5 * h


@device
def _search(x, h):
    if x[END] >= x[LEVEL]:
        return h
    return h * (x[STATE] - x[LEVEL]) / (x[STATE] - x[END])


@device
def _shorten(x, h, part):
    x[STEP] = part


@device
def _choose(x, h, ratio):
    x[STEP] = h * min(0.9 / math.sqrt(max(ratio, 1e-4)), 3.0)


@device
def _commit(x, h):
    x[TIME] += h
    x[STATE] = x[END]


@device
def _implicit(x):
    march_steps(
        StepFunctions(
            _goes_on, _propose, _attempt, _reject, _search, _shorten, _choose, nothing, nothing, _commit, nothing, nothing
        ),
        x,
    )  # fmt: skip


@entry
def decay(x):
    _implicit(x)


@entry
def decay_freely(x):
    march_steps(
        StepFunctions(
            _goes_on, _propose, _attempt, _reject, to_the_end, no_part, _choose, nothing, nothing, _commit, nothing, nothing
        ),
        x,
    )  # fmt: skip


def started(level=0.0, tolerance=1e-7):
    return np.array([0.0, 0.1, 1.0, 0.0, 3.0, level, 0.0, tolerance])


def test_implicit_steps_follow_the_decay():
    x = started()
    decay(x)
    assert x[TIME] == UNTIL
    assert_close(x[STATE], math.exp(-3.0), rtol=3e-4)


def test_a_decay_one_percent_faster_is_told_apart():
    x = started()
    x[RATE] *= 1.01
    decay(x)
    with pytest.raises(AssertionError):
        assert_close(x[STATE], math.exp(-3.0), rtol=3e-4)


def test_an_event_without_interpolant_is_met_by_shorter_steps():
    x = started(level=0.5, tolerance=1e-9)
    decay(x)
    assert_close(x[STATE], 0.5, rtol=1e-12)
    assert_close(x[TIME], math.log(2.0) / 3.0, rtol=1e-4)


def test_without_a_search_a_step_goes_beyond_the_level():
    x = started(level=0.5)
    decay_freely(x)
    assert x[STATE] < 0.5


def test_compiled_is_plain_python():
    compiled, plain = started(level=0.3), started(level=0.3)
    decay(compiled)
    _implicit(plain)
    assert compiled.tobytes() == plain.tobytes()
