"""Shots: the impulse is exact, the gas obeys its law, recoil balances, the impossible is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.dynamics.nets.shot import (
    barrel_shot,
    constant_pressure_shot,
    gas_generator_shot,
    recoil_velocity,
    shot_axes,
    shot_force,
    shot_times,
)
from tests.close import assert_close

GAS = {"nominal_pressure": 4e5, "nominal_volume": 5e-5, "chamber_volume": 2e-5}


def generator(mass=0.3, speed=1.0, area=1e-4, **more):
    return gas_generator_shot(mass, speed, area, **(GAS | more))


def test_constant_pressure_gives_the_impulse_and_the_work():
    shot = constant_pressure_shot(0.3, 10.0, 2e5, 1e-4)
    assert_close(shot.force, 20.0, rtol=1e-15)
    assert_close(shot.force * shot.duration, 3.0, rtol=1e-15)
    assert_close(shot.force * shot.stroke, 0.5 * 0.3 * 100.0, rtol=1e-15)
    assert shot.gas_stroke == shot.stroke


@pytest.mark.parametrize("hull", [math.inf, 100.0, 4.0])
def test_a_barrel_shares_the_work_of_the_gas_between_body_and_hull(hull):
    mass, force, length = 5.0, 300.0, 0.6
    speed, shot = barrel_shot(mass, 1e6, 3e-4, length, hull)
    assert_close((shot.force, shot.force * shot.duration), (force, mass * speed), rtol=1e-14)
    recoil = mass * speed / hull
    kinetic = 0.5 * mass * speed**2 + (0.0 if math.isinf(hull) else 0.5 * hull * recoil**2)
    assert_close(kinetic, force * length, rtol=1e-14)
    # both move apart by the barrel while the force acts
    assert_close(0.5 * (speed + recoil) * shot.duration, length, rtol=1e-14)
    with pytest.raises(ConfigError, match="length"):
        barrel_shot(mass, 1e6, 3e-4, 0.0, hull)


@given(st.floats(0.01, 2.0), st.floats(0.1, 8.0), st.floats(1.1, 1.7), st.integers(1, 8))
def test_generator_gives_the_impulse_exactly(mass, speed, ratio, bullets):
    work = 0.5 * bullets * mass * speed**2
    first = 4e5 * 2.5**ratio
    enough = 2.0 * work * (ratio - 1.0) / first + 1e-5
    shot = generator(mass, speed, heat_ratio=ratio, bullets=bullets, chamber_volume=enough,
                     nominal_volume=2.5 * enough)  # fmt: skip
    assert_close(shot.force * shot.duration, mass * speed, rtol=1e-13)
    assert shot.pressure[1] < shot.pressure[0]


def test_expanding_gas_does_the_work_of_the_bullets():
    """The isentrope integrated by quadrature over the volume that the gas stroke frees."""
    area, bullets, ratio = 1e-4, 4, 1.4
    shot = generator(0.3, 5.0, area, bullets=bullets, heat_ratio=ratio)
    last = GAS["chamber_volume"] + bullets * area * shot.gas_stroke
    nodes, weights = np.polynomial.legendre.leggauss(40)
    volume = 0.5 * (last - 2e-5) * nodes + 0.5 * (last + 2e-5)
    pressure = 4e5 * (5e-5 / volume) ** ratio
    work = 0.5 * (last - 2e-5) * weights @ pressure
    assert_close(work, 0.5 * bullets * 0.3 * 25.0, rtol=1e-12)
    assert_close(shot.pressure, 4e5 * (5e-5 / np.array([2e-5, last])) ** ratio, rtol=1e-12)
    assert_close(shot.force, 0.5 * area * sum(shot.pressure), rtol=1e-15)


def test_compressing_the_nominal_gas_into_the_chamber_raises_its_pressure():
    assert generator(chamber_volume=2.5e-5).pressure[0] > 4e5
    assert generator(chamber_volume=1e-4).pressure[0] < 4e5
    assert_close(generator(chamber_volume=5e-5).pressure[0], 4e5, rtol=1e-15)


def test_the_two_strokes_agree_for_a_small_expansion_and_differ_for_a_large_one():
    small, large = generator(speed=0.1), generator(speed=10.0)
    assert_close(small.gas_stroke, small.stroke, rtol=1e-4)
    assert large.gas_stroke > 1.05 * large.stroke


def test_a_shot_beyond_the_energy_of_the_gas_is_refused():
    first = 4e5 * 2.5**1.4
    most = first * 2e-5 / 0.4
    fastest = math.sqrt(2.0 * most / 0.3)
    assert generator(speed=0.999 * fastest).force > 0.0
    with pytest.raises(ConfigError, match="all the gas can give"):
        generator(speed=(1.0 + 1e-12) * fastest)
    with pytest.raises(ConfigError, match="all the gas can give"):
        generator(speed=0.6 * fastest, bullets=4)


def test_recoil_of_the_reference_shot():
    """4 bullets of 0.3 kg at 1 m/s, 30 degrees, chaser 50 kg: 0.0208 m/s backwards, none across."""
    azimuth = math.radians(45.0) + 0.5 * math.pi * np.arange(4)
    axes = shot_axes(math.radians(30.0), azimuth)
    change = recoil_velocity(np.full(4, 0.3), 1.0 * axes, 50.0)
    assert_close(change, [-0.0207846097, 0.0, 0.0], rtol=1e-9)


def test_axes_are_unit_vectors_at_the_divergence_angle():
    tilt, turn = np.radians([0.0, 10.0, 80.0]), np.radians([10.0, 100.0, -30.0])
    axes = shot_axes(tilt, turn)
    assert_close(np.linalg.norm(axes, axis=1), np.ones(3), rtol=1e-15)
    assert_close(axes[:, 0], np.cos(tilt), rtol=1e-15)
    assert_close(np.arctan2(axes[1:, 2], axes[1:, 1]), turn[1:], rtol=1e-14)


def test_force_acts_from_the_delay_for_the_duration():
    assert [shot_force(t, 0.5, 3.0, 0.1) for t in (0.0, 0.499, 0.5, 0.599, 0.6, 9.0)] == [
        0.0, 0.0, 3.0, 3.0, 0.0, 0.0,
    ]  # fmt: skip
    assert shot_times([0.5, 0.5, 0.7], [0.1, 0.1, 0.1]).tolist() == [0.5, 0.6, 0.7, 0.7 + 0.1]


@pytest.mark.parametrize(
    "wrong",
    [{"mass": 0.0}, {"speed": -1.0}, {"area": math.nan}, {"heat_ratio": 1.0}, {"bullets": 0},
     {"nominal_pressure": 0.0}, {"chamber_volume": math.inf}],
)  # fmt: skip
def test_impossible_shots_are_refused(wrong):
    with pytest.raises(ConfigError):
        generator(**wrong)


def test_impossible_angles_and_delays_are_refused():
    with pytest.raises(ConfigError, match="90 degrees"):
        shot_axes(math.radians(90.0), 0.0)
    with pytest.raises(ConfigError, match="0 or more seconds"):
        shot_times([-0.1], [0.1])
    with pytest.raises(ConfigError, match="pressure"):
        constant_pressure_shot(0.3, 1.0, 0.0, 1e-4)


def test_check_has_teeth():
    heavier = generator(1.01 * 0.3, 5.0)
    with pytest.raises(AssertionError):
        assert_close(heavier.force * heavier.duration, 0.3 * 5.0, rtol=1e-3)
