"""Rest needs slowness, contact and persistence, all three at once."""

from __future__ import annotations

import math

import pytest

from haptos.contact.settling import NOT_CALM, calm_since, is_settled

V_F, W_F, HOLD = 1e-7, 1e-6, 5.0  # [m/s], [rad/s], [s]


def settle_time(times, speed, rate, count, hold=HOLD, v_f=V_F):
    """First time [s] the rule calls rest along a motion given by functions of time, or None."""
    since = NOT_CALM
    for time in times:
        since = calm_since(since, time, speed(time), rate(time), count(time), v_f, W_F)
        if is_settled(since, time, hold):
            return time
    return None


def every(step, until):
    return [i * step for i in range(round(until / step) + 1)]


def test_body_at_rest_settles_when_the_hold_is_over():
    assert settle_time(every(0.25, 10.0), lambda t: 0.0, lambda t: 0.0, lambda t: 4) == HOLD


def assert_decay_settles_on_time(v_f):
    """v = e^-t passes 1e-7 at 7 ln 10 = 16.118 s; w = e^-t/2 has passed 1e-6 at 13.122 s."""
    step = 1e-3
    found = settle_time(
        every(step, 25.0),
        lambda t: math.exp(-t),
        lambda t: 0.5 * math.exp(-t),
        lambda t: 1,
        v_f=v_f,
    )
    late = found - (7.0 * math.log(10.0) + HOLD)
    assert 0.0 <= late <= step, f"off by {late} s"


def test_decay_settles_one_hold_after_the_last_threshold_is_passed():
    assert_decay_settles_on_time(V_F)


def test_top_of_a_hop_is_not_rest_however_slow_it_is():
    assert settle_time(every(0.25, 100.0), lambda t: 0.0, lambda t: 0.0, lambda t: 0) is None


def test_touching_for_a_moment_while_slow_is_not_rest():
    def hopping(time):
        return 1 if time % HOLD < HOLD - 0.125 else 0

    assert settle_time(every(0.125, 200.0), lambda t: 0.0, lambda t: 0.0, hopping) is None


@pytest.mark.parametrize("what", ["speed", "rate", "contact"])
def test_any_interruption_starts_the_clock_anew(what):
    def disturbed(time):
        return 3.0 <= time < 3.5

    found = settle_time(
        every(0.25, 20.0),
        lambda t: 1.0 if what == "speed" and disturbed(t) else 0.0,
        lambda t: 1.0 if what == "rate" and disturbed(t) else 0.0,
        lambda t: 0 if what == "contact" and disturbed(t) else 2,
    )
    assert found == 3.5 + HOLD


@pytest.mark.parametrize(("speed", "rate"), [(V_F, 0.0), (0.0, W_F), (math.nan, 0.0)])
def test_at_the_threshold_or_unknown_is_not_calm(speed, rate):
    assert calm_since(1.0, 9.0, speed, rate, 4, V_F, W_F) == NOT_CALM


def test_calm_keeps_its_beginning():
    assert calm_since(NOT_CALM, 2.0, 0.0, 0.0, 1, V_F, W_F) == 2.0
    assert calm_since(2.0, 3.0, 0.0, 0.0, 1, V_F, W_F) == 2.0
    assert calm_since(NOT_CALM, 0.0, 0.0, 0.0, 1, V_F, W_F) == 0.0


def test_no_calm_is_never_rest_even_without_a_hold():
    assert not is_settled(NOT_CALM, 1e9, 0.0)
    assert is_settled(7.0, 7.0, 0.0)


def test_check_has_teeth():
    with pytest.raises(AssertionError, match="off by"):
        assert_decay_settles_on_time(1.01 * V_F)
