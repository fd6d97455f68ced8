"""Two balls that meet keep energy and angular momentum, bounce as the law says, and never pass."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.ball_flow import ball_energy, ball_flow, central_step, meeting_time
from haptos.contact.contact_flow import FIXED_FACTOR, OPEN
from haptos.contact.impact_damping import deepest, effective_restitution
from haptos.contact.laws.normal import HERTZ
from tests.close import assert_close

MASS, REACH = 1e-3, 0.05  # [kg] reduced, [m]


def pair_of(stiffness=1e6, factor=0.0):
    return (stiffness, FIXED_FACTOR, 0, factor, 0.0, 1e-4, 1e-5, 0.0, 1e5, 0.0, HERTZ)


def flown(pair, d, w, time, factor=OPEN):
    """(d, w) at the end, losses, factor."""
    (impulse, early), losses, factor = ball_flow(
        pair, factor, REACH, tuple(d), tuple(w), time, 1.0 / MASS
    )
    w_end = np.asarray(w) + np.array(impulse) / MASS
    return np.asarray(d) + time * w_end - np.array(early) / MASS, w_end, losses, factor


def energy(pair, d, w):
    return 0.5 * MASS * w @ w + ball_energy(pair, REACH, float(np.linalg.norm(d)))


def approaches(count):
    """Random starts that come near each other."""
    generator = np.random.default_rng(5)
    for _ in range(count):
        n = generator.normal(size=3)
        d = n / np.linalg.norm(n) * REACH * generator.uniform(1.0, 1.5)
        aim = generator.normal(size=3) * 0.4 * REACH - d
        yield d, aim / np.linalg.norm(aim) * 10 ** generator.uniform(-1.0, 1.3)


@pytest.mark.parametrize("factor", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_energy_with_losses_and_angular_momentum_are_kept_to_rounding(stiffness, factor):
    pair, met = pair_of(stiffness, factor), 0
    for d, w in approaches(12):
        for time in (1e-4, 3e-3, 0.1):
            d_end, w_end, (lost, peak), _ = flown(pair, d, w, time)
            at_first = energy(pair, d, w)
            assert_close(energy(pair, d_end, w_end) + lost, at_first, rtol=1e-11)
            spin = np.cross(d, w)
            assert_close(np.cross(d_end, w_end), spin, rtol=1e-12, scale=REACH * np.linalg.norm(w))
            assert lost >= -1e-12 * at_first
            met += peak > 0.0
    assert met > 10


@pytest.mark.parametrize("product", [0.0, 0.2, 1.0])
def test_a_head_on_bounce_has_the_restitution_and_depth_of_its_damping(product):
    speed = 3.0
    pair = pair_of(1e6, product / speed)
    _, w_end, (_, peak), factor = flown(pair, (0.06, 0.0, 0.0), (-speed, 0.0, 0.0), 0.05)
    assert factor == OPEN
    assert_close(w_end[0] / speed, effective_restitution(product), rtol=2e-3)
    if product == 0.0:
        depth = deepest(MASS, 1e6, 1e-9, speed)
        assert_close(peak, 1e6 * depth**1.5, rtol=1e-2)


def test_a_restitution_off_by_a_hundredth_is_seen():
    _, w_end, _, _ = flown(pair_of(1e6, 0.21), (0.06, 0.0, 0.0), (-3.0, 0.0, 0.0), 0.05)
    with pytest.raises(AssertionError):
        assert_close(w_end[0] / 3.0, effective_restitution(0.6), rtol=2e-3)


def test_a_step_cut_in_two_gives_nearly_the_same_as_one():
    d, w, pair = np.array([0.051, 0.01, 0.0]), np.array([-4.0, 0.5, 0.2]), pair_of(1e5, 0.02)
    whole = flown(pair, d, w, 2e-3)
    d_half, w_half, _, factor = flown(pair, d, w, 8e-4)
    assert factor != OPEN
    parts = flown(pair, d_half, w_half, 1.2e-3, factor)
    assert_close(parts[0], whole[0], rtol=1e-3)
    assert_close(parts[1], whole[1], rtol=1e-3)


@pytest.mark.parametrize("reach", [1e-3, REACH])
def test_no_speed_takes_one_ball_through_the_other(reach):
    """20 m/s and more, over steps that go a hundred times the reach."""
    for speed in (20.0, 60.0):
        d, w = (0.1, 0.3 * reach, 0.0), (-speed, 0.0, 0.0)
        (impulse, _), (_, peak), _ = ball_flow(
            pair_of(1e9), OPEN, reach, d, w, 1.0 / speed, 1.0 / MASS
        )
        assert peak > 0.0
        assert impulse[0] / MASS > 0.5 * speed


def test_time_of_meeting_is_when_centres_are_a_reach_apart():
    d, w = (0.2, 0.03, 0.0), (-2.0, 0.0, 0.1)
    time = meeting_time(d, w, REACH)
    there = np.array(d) + time * np.array(w)
    assert_close(np.linalg.norm(there), REACH, rtol=1e-14)
    assert there @ np.array(w) < 0.0
    assert meeting_time((0.2, 0.06, 0.0), w, REACH) == math.inf
    assert meeting_time(d, (2.0, 0.0, 0.0), REACH) == math.inf
    assert meeting_time((0.01, 0.0, 0.0), w, REACH) == 0.0


def test_one_step_keeps_energy_to_rounding():
    d, w = np.array([0.045, 0.003, 0.0]), np.array([-1.0, 2.0, 0.5])
    for h in (1e-6, 1e-5, 1e-4):
        kick, force, spring, end = central_step(
            HERTZ, 1e5, 0.0, 1.0 / MASS, REACH, tuple(d), tuple(w), h
        )
        assert force == spring
        pair = pair_of(1e5)
        assert_close(
            energy(pair, np.array(end), w + np.array(kick)), energy(pair, d, w), rtol=1e-11
        )
