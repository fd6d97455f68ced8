"""Reels: the tension asked for is held exactly, limits act, and every law is where it should be."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.cable.reel_laws import (
    BRAKE,
    CLUTCH,
    CONSTANT_TENSION,
    HOLD,
    PRESCRIBED,
    end_spring,
    force_limited,
    motor_limited,
    pay_out_speed,
    power_setting,
    ramped,
)
from tests.close import assert_close

STIFFNESS, DAMPING, HALF, SETTING = 1.4418e6, 1e6, 1000.0, 24776.0
strains, partings = st.floats(1e-4, 0.03), st.floats(-200.0, 1600.0)


def tension(strain: float, parting: float, speed: float, damping: float = DAMPING) -> float:
    """T [N] of the end spring, from the definition of its strain rate."""
    return STIFFNESS * strain + damping * (parting - speed * (1.0 + strain)) / HALF


@given(strains, partings)
def test_tension_and_brake_hold_exactly_what_is_set(strain, parting):
    still, fall = end_spring(STIFFNESS, DAMPING, HALF, strain, parting)
    assert_close(still, tension(strain, parting, 0.0), rtol=1e-12, scale=STIFFNESS)
    both = pay_out_speed(CONSTANT_TENSION, 0.0, SETTING, 0.0, still, fall, 10.0)
    assert_close(tension(strain, parting, both), SETTING, rtol=1e-9)
    brake = pay_out_speed(BRAKE, 0.0, SETTING, 0.0, still, fall, 10.0)
    if both > 0.0:
        assert brake == both
    else:
        assert brake == 0.0
        assert tension(strain, parting, 0.0) <= SETTING * (1.0 + 1e-12)


def test_the_check_has_teeth():
    still, fall = end_spring(STIFFNESS, DAMPING * 1.01, HALF, 0.017, 1400.0)
    speed = pay_out_speed(CONSTANT_TENSION, 0.0, SETTING, 0.0, still, fall, 10.0)
    with pytest.raises(AssertionError):
        assert_close(tension(0.017, 1400.0, speed), SETTING, rtol=1e-9)


@given(strains, partings, st.floats(-5.0, 5.0))
def test_a_clutch_slips_by_the_excess_over_its_slope(strain, parting, commanded):
    still, fall = end_spring(STIFFNESS, DAMPING, HALF, strain, parting)
    speed = pay_out_speed(CLUTCH, commanded, SETTING, 2.0, still, fall, 10.0)
    found = tension(strain, parting, speed)
    assert_close(
        speed, commanded + max(found - SETTING, 0.0) / 2.0, rtol=1e-7, scale=1.0 + abs(speed) * 100
    )


def test_without_damping_the_slope_takes_its_place():
    still, fall = end_spring(STIFFNESS, 0.0, HALF, 0.02, 1400.0)
    assert fall == 0.0
    speed = pay_out_speed(BRAKE, 0.0, SETTING, 100.0, still, fall, 10.0)
    assert_close(speed, (STIFFNESS * 0.02 - SETTING) / 100.0, rtol=1e-12)
    assert pay_out_speed(BRAKE, 0.0, SETTING, 0.0, still, fall, 10.0) == 10.0


def test_what_is_held_prescribed_or_slack():
    assert pay_out_speed(HOLD, 3.0, SETTING, 0.0, 9e9, 1.0, 10.0) == 0.0
    assert pay_out_speed(PRESCRIBED, -3.0, SETTING, 0.0, 9e9, 1.0, 10.0) == -3.0
    still, fall = end_spring(STIFFNESS, DAMPING, HALF, -0.01, 1400.0)
    assert (still, fall) == (0.0, 0.0)
    assert pay_out_speed(BRAKE, 0.0, SETTING, 0.0, still, fall, 10.0) == 0.0
    assert pay_out_speed(CONSTANT_TENSION, 0.0, SETTING, 0.0, still, fall, 10.0) == -10.0


def test_a_reel_slips_at_its_largest_force():
    still, fall = end_spring(STIFFNESS, DAMPING, HALF, 0.02, 10.0)
    slipping = force_limited(0.0, still, fall, 0.0, 20e3)
    assert_close(still - fall * slipping, 20e3, rtol=1e-12)
    assert force_limited(0.0, still, fall, 0.0, 1e9) == 0.0


@given(st.floats(1.0, 1500.0), st.floats(1e5, 1e8))
def test_a_brake_lowers_its_setting_to_its_power(drawn, largest):
    flux = 8.33e-3
    found = power_setting(SETTING, drawn, flux, largest)
    power = drawn * (found - flux * drawn**2)
    assert power <= largest * (1.0 + 1e-12)
    assert found == SETTING or abs(power / largest - 1.0) < 1e-9
    assert power_setting(SETTING, -1.0, flux, largest) == SETTING


@given(st.floats(1e-3, 0.02), st.floats(1e3, 1e7))
def test_a_motor_stays_within_its_power(strain, largest):
    still, fall = end_spring(STIFFNESS, DAMPING, HALF, strain, 0.0)
    gather = 0.5 * STIFFNESS * strain**2
    back = motor_limited(-50.0, still, fall, gather, largest)
    drawn = -back * (still - fall * back - gather)
    assert -50.0 <= back < 0.0
    assert drawn <= largest * (1.0 + 1e-9)
    assert back == -50.0 or abs(drawn / largest - 1.0) < 1e-9
    assert motor_limited(3.0, still, fall, gather, 1.0) == 3.0


def test_a_ramp_rises_evenly():
    assert [ramped(8.0, t, 1.0, 4.0) for t in (0.0, 1.0, 3.0, 5.0, 9.0)] == [0, 0, 4.0, 8.0, 8.0]
    assert ramped(8.0, math.nextafter(1.0, 2.0), 1.0, 0.0) == 8.0
