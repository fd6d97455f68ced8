"""A cube as in [VanWal2017] section 5.1: worked-out rest height, energy that only falls."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from tests.close import assert_close
from tests.lander_cases import lander

MASS, GRAVITY, STIFFNESS = 5.0, 5.7e-3, 50.0  # [kg], [m/s^2], [N/m]
EDGE = (MASS / 500.0) ** (1.0 / 3.0)  # [m], 500 kg/m^3
REST_HEIGHT = EDGE / 2.0 - MASS * GRAVITY / (4.0 * STIFFNESS)  # [m], weight on four springs


@functools.cache
def fall(rolling: float) -> Result:
    run = {"duration_s": 200.0, "output_interval_s": 0.0}
    return haptos.simulate(lander(contact={"rolling_resistance_m": rolling}, run=run))


def test_cube_rests_on_four_vertices_before_100_s_at_the_height_of_its_weight():
    result = fall(0.005)
    assert result.outcome is Outcome.SETTLED
    assert result.metrics["settle_time_s"] < 100.0
    assert result.metrics["touching_at_end"] == 4
    assert_close(result.metrics["rest_z_m"], REST_HEIGHT, rtol=1e-6)
    assert_close(REST_HEIGHT, 0.107579, rtol=3e-6)  # worked out independently, six digits


def test_initial_energy_is_the_one_worked_out_independently():
    assert_close(fall(0.005).ledger.phases[0].stored, 2.45e-2, rtol=2e-3)  # three digits


@pytest.mark.parametrize("rolling", [0.005, 0.0])
def test_energy_never_rises_by_more_than_3_nanojoule_in_a_step(rolling):
    result = fall(rolling)
    rises = np.diff(result.ledger.total)
    assert rises.size == result.metrics["steps"]
    assert rises.max() < 3e-9
    assert result.metrics["largest_energy_rise_J"] < 3e-9


def test_without_rolling_resistance_only_a_spin_about_the_normal_is_left():
    result = fall(0.0)
    assert result.outcome is Outcome.TIME_OVER
    spin_B = result.trajectory["omega_BA_B"].values[-1]
    # The cube lies on a face, so the normal is one of its axes: one component is left, steady.
    turning = np.sort(np.abs(spin_B))
    assert 1e-6 < turning[2] < 1e-2
    assert turning[1] < 1e-6 * turning[2]
    late = result.trajectory.sel(time=slice(190.0, 200.0))["omega_BA_B"].values
    assert_close(late, np.broadcast_to(spin_B, late.shape), rtol=1e-6)
    assert np.linalg.norm(result.trajectory["v_BA_A"].values[-1]) < 1e-9


@pytest.mark.parametrize("rolling", [0.005, 0.0])
def test_ledger_closes_to_a_millionth_of_the_initial_energy(rolling):
    ledger = fall(rolling).ledger
    assert ledger.relative_remainder < 1e-6
    assert np.max(np.abs(ledger.remainder)) <= ledger.max_remainder


def test_rest_height_check_has_teeth():
    spoiled = haptos.simulate(lander(contact={"stiffness_N_per_m": STIFFNESS * 1.01}))
    with pytest.raises(AssertionError):
        assert_close(spoiled.metrics["rest_z_m"], REST_HEIGHT, rtol=1e-6)
