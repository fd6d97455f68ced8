"""Electro-active polymer: response, stress, energy drawn, limits of the signal."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import solve_ivp

from haptos.materials.electro_active import (
    POLYMER,
    POLYMER_SOURCES,
    activated,
    activation_rate,
    active_stress,
    electric_energy,
    polymer_stress,
    signal_for,
)
from tests.close import assert_close


def test_it_reaches_95_percent_in_15_milliseconds():
    assert_close(activated(POLYMER, 0.0, 1.0, 15e-3), 1.0 - math.exp(-3.0), rtol=1e-12)
    assert activated(POLYMER, 0.0, 1.0, 15e-3) > 0.95


def test_a_step_is_the_solution_of_its_rate():
    done = solve_ivp(lambda t, a: [activation_rate(POLYMER, a[0], 0.7)], (0, 8e-3), [0.1], rtol=1e-11, atol=1e-13)  # fmt: skip
    assert_close(activated(POLYMER, 0.1, 0.7, 8e-3), done.y[0, -1], rtol=1e-9)


@pytest.mark.parametrize("signal", [-1.0, 2.0])
def test_signals_are_limited(signal):
    assert activated(POLYMER, 0.5, signal, 10.0) == min(max(signal, 0.0), 1.0)


def test_stress_adds_elasticity_viscosity_and_activation():
    assert_close(polymer_stress(POLYMER, 0.01, 2.0, 0.5), 1e7 + 2e5 + 2e7, rtol=1e-12)
    assert active_stress(POLYMER, 0.25) == 10e6
    free = -POLYMER.largest / POLYMER.modulus
    assert polymer_stress(POLYMER, free, 0.0, 1.0) == 0.0


def test_the_pull_of_twenty_newtons_is_a_small_signal():
    """0.25 MPa on 8e-5 m^2 is 20 N."""
    signal = signal_for(POLYMER, 20.0 / 8e-5)
    assert_close(signal, 0.25 / 40.0, rtol=1e-12)
    assert signal_for(POLYMER, 1e12) == 1.0


def test_energy_drawn_is_work_over_coupling_and_holding():
    assert_close(electric_energy(POLYMER, 2.0, 25, 2.0), 20.0 + 0.5, rtol=1e-12)
    assert electric_energy(POLYMER, -1.0, 0, 2.0) == 0.0


def test_every_value_has_a_source():
    assert set(POLYMER_SOURCES) == set(POLYMER._fields)
