"""Stops by paying out a line, starts by reeling in, turns: closed forms against integration."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import solve_ivp

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.hitchhike import fly_by_turn, hitchhike, reel_in_speed
from tests.close import assert_close

LINE = 8.3304e-3  # [kg/m]
BREAKING = 30.97e3  # [N]


def integrated(mass, speed, tension, linear, strain):
    """(final mass, length, time) of the equations of motion, step by step."""

    def rates(t, y):
        p, m, _ = y
        paid = p / m / (1.0 + strain)
        return [-tension, -linear * paid, paid]

    def rest(t, y):
        return y[0]

    rest.terminal = True
    run = solve_ivp(
        rates, (0.0, 10.0 * mass * speed / tension), [mass * speed, mass, 0.0], events=rest,
        rtol=1e-11, atol=1e-9,
    )  # fmt: skip
    return run.y[1, -1], run.y[2, -1], run.t[-1]


@pytest.mark.parametrize("stiffness", [math.inf, 1.4418e6])
def test_a_stop_is_that_of_the_equations_of_motion(stiffness):
    found = hitchhike(2000.0, 1400.0, 24.776e3, LINE, stiffness)
    final, length, time = integrated(2000.0, 1400.0, 24.776e3, LINE, 24.776e3 / stiffness)
    assert_close(found.final_mass, final, rtol=1e-7)
    assert_close(found.length, length, rtol=1e-7)
    assert_close(found.time, time, rtol=1e-7)


def test_half_of_the_mass_is_line_at_0_866_of_the_characteristic_speed():
    v_c = math.sqrt(BREAKING / LINE)
    assert_close(v_c, 1928.0, rtol=1e-3)
    found = hitchhike(2000.0, math.sqrt(0.75) * v_c, BREAKING, LINE)
    assert_close(found.final_mass, 1000.0, rtol=1e-9)
    assert_close(found.length, 120e3, rtol=1e-3)
    assert_close(found.largest_acceleration, 30.97, rtol=1e-9)


def test_energies_add_up_and_losses_are_those_of_taking_the_line_to_rest():
    mass, speed, tension = 2000.0, 1000.0, 20e3
    found = hitchhike(mass, speed, tension, LINE)
    lost = 0.5 * tension / LINE * (mass - found.final_mass) ** 2 / mass
    assert_close(found.feed_loss, lost, rtol=1e-12)
    assert found.line_energy == 0.0
    whole = found.brake_energy + found.line_energy + found.feed_loss
    assert_close(whole, 0.5 * mass * speed**2, rtol=1e-14)


@pytest.mark.parametrize(
    ("length", "speed", "time"), [(20e3, 888.2, 41.8), (60e3, 1285.3, 77.8), (115.29e3, 1483.3, 117.4)]
)  # fmt: skip
def test_reeling_in_reaches_the_speeds_of_the_inverse_stop(length, speed, time):
    found = reel_in_speed(1000.0, length, 24.776e3, LINE)
    assert_close(found[0], speed, rtol=1e-4)
    assert_close(found[1], time, rtol=1e-3)


def test_a_turn_of_60_degrees_at_1_km_per_second():
    force, time, change = fly_by_turn(1000.0, 1000.0, 50e3, math.radians(60.0))
    assert_close(force, 20e3, rtol=1e-12)
    assert_close(time, 52.3599, rtol=1e-6)
    assert_close(change, 1000.0, rtol=1e-12)


def test_too_fast_a_fly_by_cannot_be_stopped():
    limit = math.sqrt(BREAKING / LINE)
    with pytest.raises(ConfigError, match="no length stops it"):
        hitchhike(2000.0, 1.0001 * limit, BREAKING, LINE)
    assert hitchhike(2000.0, 0.9999 * limit, BREAKING, LINE).final_mass > 0.0
    with pytest.raises(ConfigError, match="above zero"):
        reel_in_speed(1000.0, -1.0, BREAKING, LINE)
    with pytest.raises(ConfigError, match="360"):
        fly_by_turn(1000.0, 1000.0, 50e3, 7.0)
