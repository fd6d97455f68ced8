"""Pulses of thrusters: impulse, deadband, shortest pulse, propellant."""

from __future__ import annotations

import pytest

from haptos.dynamics.control.pulsed_thrusters import propellant_used, pulse_width
from tests.close import assert_close


@pytest.mark.parametrize("force", [-4.0, -1.5, 1.5, 4.0])
def test_the_impulse_is_that_of_the_mean_force(force):
    width = pulse_width(force, 5.0, 0.1, 0.01, 0.02)
    assert_close(5.0 * width, force * 0.1, rtol=1e-14)


def test_small_demands_and_short_pulses_give_nothing_and_large_ones_the_whole_interval():
    assert pulse_width(0.01, 5.0, 0.1, 0.02, 0.0) == 0.0
    assert pulse_width(0.9, 5.0, 0.1, 0.0, 0.02) == 0.0
    assert pulse_width(1.01, 5.0, 0.1, 0.0, 0.02) > 0.02
    assert pulse_width(-50.0, 5.0, 0.1, 0.0, 0.02) == -0.1


def test_propellant_of_a_retrieval():
    assert_close(propellant_used(20.0, 500.0, 220.0), 4.635, rtol=1e-4)
