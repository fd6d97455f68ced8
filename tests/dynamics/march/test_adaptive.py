"""The adaptive march: closed forms, events, rows that change no bit, steps that `begin` and `fits` bound."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
import pytest

from haptos.core.by_reference import by_reference
from haptos.core.jit import device, entry
from haptos.dynamics.march.adaptive import (
    ACCEPTED,
    EVENT,
    GO_ON,
    JUMP,
    NEXT,
    REACHED,
    REJECTED,
    ROWS,
    SMALLEST,
    STALLED,
    STEPS_OVER,
    STOP,
    STOPPED,
    TIME,
    WHICH,
    advance,
    changed,
    march_of,
)
from tests.close import assert_close


@by_reference
class Fall(namedtuple("Fall", "gravity levels limits seen")):
    """A stone over two levels: gravity, levels [m], (longest step, farthest way of a step, step to stop after)."""

    __slots__ = ()


@device
def rates(model, t, y, dy):
    dy[0], dy[1] = y[1], -model.gravity[0]


@device
def begin(model, t, y, h):
    return min(h, model.limits[0])


@device
def fits(model, t, h, y, y1):
    return abs(y1[0] - y[0]) <= model.limits[1]


@device
def accept(model, t, h, y, y1):
    model.seen[0] += 1.0
    model.seen[1] = max(model.seen[1], abs(y1[0] - y[0]))
    if model.seen[0] >= model.limits[2]:
        return STOP
    return JUMP if model.seen[0] % 2 == 0 else GO_ON


@device
def gaps(model, t, y, out):
    out[0], out[1] = y[0] - model.levels[0], y[0] - model.levels[1]


@entry
def fall(model, march, until, relative, longest, most):
    return advance(rates, begin, fits, accept, gaps, model, march, until, relative, longest, most)


def stone(*, gravity=2.0, levels=(0.0, -1e9), limits=(math.inf, math.inf, math.inf)):
    return Fall(np.array([gravity]), np.array(levels), np.array(limits), np.zeros(2))


def started(times=(), height=1.0, events=2):
    return march_of([height, 0.0], 1e-12, events=events, times=times)


def test_ends_at_the_time_asked_for():
    march = started(events=0)
    assert fall(stone(), march, 3.0, 1e-10, math.inf, 1000) == REACHED
    assert march.clock[TIME] == 3.0
    assert_close(march.y, [1.0 - 9.0, -6.0], rtol=1e-13)


def test_event_is_found_where_the_gap_closes():
    march = started()
    assert fall(stone(), march, 3.0, 1e-10, math.inf, 1000) == EVENT
    assert march.counts[WHICH] == 0
    assert_close(march.clock[TIME], 1.0, rtol=1e-12)
    assert abs(march.y[0]) < 1e-12


def test_a_level_off_by_one_percent_moves_the_event():
    march = started()
    fall(stone(levels=(0.01, -1e9)), march, 3.0, 1e-10, math.inf, 1000)
    with pytest.raises(AssertionError):
        assert_close(march.clock[TIME], 1.0, rtol=1e-3)


def test_of_two_events_in_one_step_the_first_comes_first_and_then_the_other():
    model, march = stone(levels=(-0.02, 0.0)), started()
    assert fall(model, march, 3.0, 1e-10, math.inf, 1000) == EVENT
    assert march.counts[WHICH] == 1
    assert fall(model, march, 3.0, 1e-10, math.inf, 1000) == EVENT
    assert march.counts[WHICH] == 0
    assert_close(march.clock[TIME], math.sqrt(1.02), rtol=1e-12)


def test_an_event_is_not_seen_again_until_its_gap_has_been_open():
    model, march = stone(), started()
    fall(model, march, 3.0, 1e-10, math.inf, 1000)
    assert fall(model, march, 3.0, 1e-10, math.inf, 1000) == REACHED


def test_a_ball_bounces_at_the_times_of_its_closed_form():
    model, march, e = stone(), started(), 0.8
    hits = []
    for _ in range(12):
        assert fall(model, march, 100.0, 1e-10, math.inf, 10_000) == EVENT
        hits.append(float(march.clock[TIME]))
        march.y[1] *= -e
        changed(march)
    flights = 2.0 * np.cumsum(e ** np.arange(1, 12))
    assert_close(np.array(hits[1:]), 1.0 + flights, rtol=1e-10)


def test_stored_rows_change_no_bit_and_lie_on_the_path():
    plain, dense = started(), started(times=np.linspace(0.0, 0.99, 38))
    for march in (plain, dense):
        fall(stone(limits=(0.07, math.inf, math.inf)), march, 3.0, 1e-10, math.inf, 1000)
    assert plain.y.tobytes() == dense.y.tobytes()
    assert plain.clock.tobytes() == dense.clock.tobytes()
    assert dense.counts[ROWS] == 38
    assert_close(dense.rows[:, 0], 1.0 - dense.times**2, rtol=1e-12)


def test_begin_bounds_every_step():
    march = started(events=0)
    fall(stone(limits=(0.01, math.inf, math.inf)), march, 1.0, 1e-10, math.inf, 1000)
    assert march.counts[ACCEPTED] >= 100


def test_a_step_that_does_not_fit_is_tried_again_shorter():
    model, march = stone(limits=(math.inf, 0.05, math.inf)), started(events=0)
    fall(model, march, 2.0, 1e-10, math.inf, 10_000)
    assert march.counts[REJECTED] > 0
    assert model.seen[1] <= 0.05
    assert_close(march.y, [-3.0, -4.0], rtol=1e-12)


def test_accept_may_stop_the_march():
    model, march = stone(limits=(0.1, math.inf, 3.0)), started(events=0)
    assert fall(model, march, 2.0, 1e-10, math.inf, 1000) == STOPPED
    assert model.seen[0] == 3.0


def test_steps_run_out_and_rates_that_are_none_stall():
    assert fall(stone(), started(events=0), 3.0, 1e-10, 1e-3, 10) == STEPS_OVER
    assert fall(stone(gravity=math.nan), started(events=0), 3.0, 1e-10, 1.0, 10**6) == STALLED


def test_a_march_in_two_parts_goes_on_with_its_step():
    march = started(events=0)
    model = stone(limits=(0.1, math.inf, math.inf))
    fall(model, march, 1.0, 1e-10, math.inf, 1000)
    before = march.clock[NEXT]
    fall(model, march, 1.0 + 1e-6, 1e-10, math.inf, 1000)
    assert march.clock[NEXT] >= before
    assert march.clock[SMALLEST] <= 1.1e-6


def test_plain_python_has_the_bits_of_the_compiled_march():
    bits = []
    for run in (fall, fall.py_func):
        march = started(times=[0.3, 0.6])
        run(stone(limits=(0.07, math.inf, math.inf)), march, 3.0, 1e-10, math.inf, 1000)
        bits.append((march.y.tobytes(), march.clock.tobytes(), march.rows.tobytes()))
    assert bits[0] == bits[1]
