"""Heat of a thin cylinder: view factors by summing the cap, equilibria, cooling, a series that is exact enough."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.environment.heat import (
    SOLAR_CONSTANT,
    STEFAN_BOLTZMANN,
    cylinder_view_factor,
    emitted_power,
    equilibrium_temperature,
    planet_power,
    sun_power,
    time_constant,
)
from haptos.materials.thread_heat import HEATS, thread_heat
from haptos.materials.threads import MATERIALS
from tests.close import assert_close

EARTH = 6378.137e3
DIAMETER = 2.0 * 1.3038e-3
SURFACE = (0.5, 0.8)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def cap_sum(sine: float, tilt: float) -> float:
    """F by the midpoint rule over directions of the cap."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    half = math.asin(sine)
    down = 0.5 * half * (nodes + 1.0)
    around = (np.arange(1500) + 0.5) * (2.0 * math.pi / 1500)
    cosine = np.cos(down)[:, None] * tilt + np.sin(down)[:, None] * math.sqrt(
        1.0 - tilt**2
    ) * np.cos(around)
    seen = np.sqrt(np.maximum(1.0 - cosine**2, 0.0)).mean(axis=1) * 2.0 * math.pi
    return float((0.5 * half * weights * np.sin(down) * seen).sum() / math.pi**2)


@pytest.mark.parametrize(
    ("altitude", "radial", "horizontal"),
    [(300e3, 0.3141, 0.3755), (500e3, 0.2674, 0.3403), (800e3, 0.2185, 0.3006)],
)
def test_view_factors_over_the_earth(altitude, radial, horizontal):
    sine = EARTH / (EARTH + altitude)
    assert_close(cylinder_view_factor(sine, 1.0), radial, rtol=1e-4, scale=1.0)
    assert_close(cylinder_view_factor(sine, 0.0), horizontal, rtol=1e-4, scale=1.0)
    closed = (math.asin(sine) - sine * math.sqrt(1.0 - sine**2)) / math.pi  # radial
    assert_close(cylinder_view_factor(sine, 1.0), closed, rtol=1e-6, scale=1.0)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.05, 1.0), st.floats(-1.0, 1.0))
def test_the_series_is_the_sum_over_the_cap(sine, tilt):
    assert_close(cylinder_view_factor(sine, tilt), cap_sum(sine, tilt), rtol=2e-6, scale=1.0)


def test_a_view_factor_of_one_percent_more_is_seen():
    found = cylinder_view_factor(0.9 * 1.01, 1.0)
    with pytest.raises(AssertionError):
        assert_close(found, cap_sum(0.9, 1.0), rtol=2e-6, scale=1.0)


@pytest.mark.parametrize(("distance", "expected"), [(1.0, 262.87), (2.5, 166.25)])
def test_equilibrium_in_sunlight_far_from_planets(distance, expected):
    absorbed = sun_power(SURFACE[0], SOLAR_CONSTANT / distance**2, 1.0, DIAMETER, Z, X)
    assert_close(equilibrium_temperature(absorbed, SURFACE[1], DIAMETER), expected, rtol=6e-5)


def test_equilibria_over_the_earth_in_light_and_shadow():
    planet = (EARTH, SOLAR_CONSTANT, 0.3, 239.7)
    place = (EARTH + 500e3, 0.0, 0.0)
    albedo, infrared = planet_power(SURFACE, planet, DIAMETER, place, X, X)  # the Sun overhead
    direct = sun_power(SURFACE[0], SOLAR_CONSTANT, 1.0, DIAMETER, X, Y)
    lit = equilibrium_temperature(direct + albedo + infrared, SURFACE[1], DIAMETER)
    dark = equilibrium_temperature(infrared, SURFACE[1], DIAMETER)
    assert_close((lit, dark), (290.4, 183.4), rtol=0.1 / 290.0)
    night, same = planet_power(SURFACE, planet, DIAMETER, place, X, (-1.0, 0.0, 0.0))
    assert night == 0.0
    assert same == infrared


def test_cooling_and_time_constant_of_a_cord():
    density, heat = 1560.0 * 5.34e-6, 1000.0
    assert_close(time_constant(density, heat, 0.8, DIAMETER, 262.9), 308.5, rtol=5e-4)
    law = solve_ivp(
        lambda _, theta: [-emitted_power(0.8, DIAMETER, float(theta[0])) / (density * heat)],
        (0.0, 657.3), [300.0], rtol=1e-10, atol=1e-8,
    )  # fmt: skip
    assert_close(law.y[0, -1], 200.0, rtol=0.1 / 200.0)
    radius = DIAMETER / 2.0
    closed = 1560.0 * heat * radius / (6.0 * 0.8 * STEFAN_BOLTZMANN) * (200.0**-3 - 300.0**-3)
    assert_close(closed, 657.3, rtol=1e-3)


def test_a_cord_along_the_light_takes_none():
    assert sun_power(0.5, 1361.0, 1.0, DIAMETER, X, X) == 0.0
    assert_close(sun_power(0.5, 1361.0, 0.25, 1e-3, X, Y), 0.5 * 1361.0 * 0.25e-3, rtol=1e-14)


def test_every_fibre_has_thermal_numbers_and_a_source_for_each():
    assert set(HEATS) == set(MATERIALS)
    for name in HEATS:
        assert set(thread_heat(name).sources) == {
            "absorptance", "emissivity", "specific_heat", "expansion",
        }  # fmt: skip
