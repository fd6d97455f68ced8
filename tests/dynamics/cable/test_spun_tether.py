"""Spun tethers: published ratios, profiles by integration, taper with and without gravity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.spun_tether import (
    characteristic_speed,
    ejection_speed,
    largest_speed,
    most_stressed_radius,
    payload_per_tether,
    spun_tension,
    tapered_area,
    tapered_tether_per_payload,
)
from tests.close import assert_close

KEVLAR, ZYLON, CNT = (1.8e9, 1440.0), (2.9e9, 1560.0), (25e9, 1340.0)  # half strength, density


@pytest.mark.parametrize(
    ("fibre", "limit", "straight", "tapered"),
    [
        (KEVLAR, 1581.1, (4.500, 0.750, 0.0556), (0.2139, 1.0517, 3.3926)),
        (ZYLON, 1928.2, (6.936, 1.359, 0.3262), (0.1407, 0.6456, 1.8404)),
        (CNT, 6108.5, (74.13, 18.16, 7.792), (0.01346, 0.05457, 0.12557)),
    ],
)
def test_ratios_of_three_fibres_at_half_their_strength(fibre, limit, straight, tapered):
    assert_close(largest_speed(*fibre), limit, rtol=5e-5)
    for speed, payload, tether in zip((500.0, 1000.0, 1500.0), straight, tapered, strict=True):
        assert_close(payload_per_tether(speed, *fibre), payload, rtol=1e-3)
        assert_close(tapered_tether_per_payload(speed, *fibre), tether, rtol=5e-4)


def test_kevlar_of_ten_kilometres_a_second_and_a_hundredth_of_strain():
    stress, density = 0.01 * 1440.0 * 1e8, 1440.0  # E = rho C_L^2, C_L = 10 km/s
    assert_close(characteristic_speed(stress, density), 1000.0, rtol=1e-12)
    assert_close(largest_speed(stress, density), 1414.2136, rtol=1e-7)
    found = [payload_per_tether(v, stress, density) for v in (250.0, 500.0, 750.0, 1000.0, 1250.0)]
    assert_close(np.array(found), np.array([15.5, 3.5, 1.2777778, 0.5, 0.14]), rtol=1e-6)


def test_tension_is_the_weight_of_all_beyond():
    tip, speed, linear, mu, payload = 5e3, 300.0, 0.02, 4.5e5, 40.0
    rate = speed / tip

    def pull(r):
        return rate**2 * r - mu / r**2

    for r in (400.0, 1500.0, 4900.0):
        beyond = linear * quad(pull, r, tip, epsabs=0.0, epsrel=1e-12)[0] + payload * pull(tip)
        found = spun_tension(r, payload=payload, speed=speed, tip=tip, linear_density=linear, mu=mu)
        assert_close(float(found), beyond, rtol=1e-11)


def test_tension_is_largest_where_spin_and_gravity_balance():
    tip, speed, mu = 2e3, 1.0, 5.0e5
    middle = most_stressed_radius(speed, tip, mu)
    assert 0.0 < middle < tip * 100.0
    given = {"payload": 1.0, "speed": speed, "tip": tip, "linear_density": 0.1, "mu": mu}
    three = spun_tension(np.array([0.99, 1.0, 1.01]) * middle, **given)
    assert three[1] > max(three[0], three[2])


@pytest.mark.parametrize("mu", [0.0, 2e5])
def test_a_tapered_tether_has_the_same_stress_everywhere(mu):
    stress, density, speed, root, tip = 2e9, 1440.0, 1200.0, 500.0, 4e3
    shape = {"speed": speed, "tip": tip, "stress": stress, "density": density, "root": root}
    rate = speed / tip

    def change(r, area):
        return -density * area * (rate**2 * r - mu / r**2) / stress

    solved = solve_ivp(change, (root, tip), [1.0], rtol=1e-11, atol=1e-14)
    assert_close(float(tapered_area(tip, mu=mu, **shape)), float(solved.y[0, -1]), rtol=1e-8)
    whole = quad(lambda r: float(tapered_area(r, mu=mu, **shape)), root, tip)[0] * density
    payload = stress * float(tapered_area(tip, mu=mu, **shape)) / (rate**2 * tip - mu / tip**2)
    found = tapered_tether_per_payload(speed, stress, density, root=root, tip=tip, mu=mu)
    assert_close(found, whole / payload, rtol=1e-8)


def test_a_short_root_leads_to_the_closed_form():
    near = tapered_tether_per_payload(1000.0, *KEVLAR, root=1e-6, tip=1.0)
    assert_close(near, tapered_tether_per_payload(1000.0, *KEVLAR), rtol=3e-6)


def test_ejection_is_where_the_root_bears_its_stress():
    stress, density = KEVLAR
    payload, section, length = 30.0, 2e-6, 20e3
    speed = ejection_speed(stress, density, payload, section, length)
    root = spun_tension(
        0.0, payload=payload, speed=speed, tip=length, linear_density=density * section
    )
    assert_close(float(root), stress * section, rtol=1e-12)
    assert_close(
        ejection_speed(stress, density, 0.0, section, length), largest_speed(*KEVLAR), rtol=1e-12
    )


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
def test_what_is_no_size_is_refused(value):
    for call in (
        lambda: characteristic_speed(value, 1440.0),
        lambda: payload_per_tether(value, *KEVLAR),
        lambda: tapered_tether_per_payload(1000.0, *KEVLAR, root=1.0, tip=value),
    ):
        with pytest.raises(ConfigError, match="above zero"):
            call()
    with pytest.raises(ConfigError, match="below the tip"):
        tapered_tether_per_payload(1000.0, *KEVLAR, root=2.0, tip=1.0)
