"""Runs that used to go on for ever end in a named outcome: balances at the friction angle, and sleeping tops."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from tests.hard_cases import CUBE, hard

FRICTION, WEAK = 0.5, 1e-4  # [-], [m/s^2]
GRAVITY = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -WEAK]}
HOURS = 36_000.0  # [s]


def on_slope(share: float):
    """A cube dropped flat on a slope of that share of the friction angle."""
    slope = share * math.atan(FRICTION)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    return haptos.simulate(
        hard(
            probe=CUBE,
            surface={"shape": "plane", "normal": normal.tolist()},
            gravity=GRAVITY,
            contact={"restitution": 0.5, "friction": FRICTION},
            release={
                "position_m": (0.15 * normal).tolist(),
                "attitude_quaternion": [math.cos(slope / 2), 0.0, math.sin(slope / 2), 0.0],
            },
            run={"duration_s": HOURS, "max_steps": 20_000, "output_interval_s": 100.0},
        )
    )


@pytest.mark.parametrize("share", [0.98, 0.99, 0.999])
def test_a_cube_rests_up_to_the_friction_angle(share):
    result = on_slope(share)
    assert result.outcome is Outcome.SETTLED


@pytest.mark.parametrize("share", [1.001, 1.01])
def test_a_slide_of_hours_beyond_it_ends_with_its_time(share):
    result = on_slope(share)
    assert result.outcome is Outcome.TIME_OVER
    slope = share * math.atan(FRICTION)
    along = WEAK * (math.sin(slope) - FRICTION * math.cos(slope))
    assert result.metrics["displacement_m"] > 0.4 * along * HOURS**2


def top(rate: float, **settle: float):
    """A cube on one corner that spins about its upright diagonal."""
    half = 0.5 * math.acos(1.0 / math.sqrt(3.0))
    axis = np.array([1.0, -1.0, 0.0]) / math.sqrt(2.0)
    return haptos.simulate(
        hard(
            probe=CUBE,
            gravity=GRAVITY,
            contact={"restitution": 0.0, "friction": FRICTION},
            release={
                "position_m": [0.0, 0.0, 0.1 * math.sqrt(3.0)],
                "attitude_quaternion": [math.cos(half), *(math.sin(half) * axis)],
                "rate_rad_per_s": [rate / math.sqrt(3.0)] * 3,
            },
            settle=settle,
            run={"duration_s": HOURS, "max_steps": 200_000, "output_interval_s": 100.0},
        )
    )


def test_a_sleeping_top_ends_as_spinning():
    result = top(0.3)
    assert result.outcome is Outcome.SPINNING
    assert 1800.0 <= result.metrics["end_time_s"] < 1900.0


def test_the_rule_can_be_switched_off():
    result = top(0.3, place_hold_s=0.0)
    assert result.ended is not Outcome.SPINNING
    assert result.metrics["end_time_s"] > 2000.0
