"""Gravity terms beside the body's pull: tides and sunlight, against differences and limits."""

from __future__ import annotations

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.environment.gravity_terms import (
    ASTRONOMICAL_UNIT,
    SOLAR_PRESSURE,
    SOLAR_RADIUS,
    locked_tide,
    primary_tide,
    sunlight_acceleration,
    sunlit_share,
)
from tests.close import assert_close

MARS = 4.282837e13  # [m^3/s^2]
PHOBOS_ORBIT = 9.376e6  # [m]
RATE = math.sqrt(MARS / PHOBOS_ORBIT**3)
coordinate = st.floats(-1.5e4, 1.5e4)


def with_fifty_digits(x, primary, mu):
    getcontext().prec = 50
    s, p = ([Decimal(value) for value in vector] for vector in (primary, x))
    gap = [a - b for a, b in zip(s, p, strict=True)]
    away, far = (sum(value * value for value in vector).sqrt() for vector in (gap, s))
    along = sum(a * b for a, b in zip(s, p, strict=True))
    u = Decimal(mu) * (1 / away - 1 / far - along / far**3)
    a = [Decimal(mu) * (g / away**3 - q / far**3) for g, q in zip(gap, s, strict=True)]
    return float(u), [float(value) for value in a]


@given(st.tuples(coordinate, coordinate, coordinate))
def test_tide_of_a_primary_is_the_difference_of_its_pulls(x):
    primary = (-PHOBOS_ORBIT, 1e5, -3e5)
    u, a = primary_tide(x, primary, MARS)
    expected_u, expected_a = with_fifty_digits(x, primary, MARS)
    size = RATE**2 * max(math.hypot(*x), 1.0)
    assert_close(a, expected_a, rtol=1e-14, scale=size)
    assert_close(u, expected_u, rtol=1e-14, scale=size * max(math.hypot(*x), 1.0))


def test_tiny_displacements_keep_all_digits_of_the_tide():
    x = (1e-3, 2e-3, -1e-3)
    _, a = primary_tide(x, (-PHOBOS_ORBIT, 0.0, 0.0), MARS)
    assert_close(a, locked_tide(x, RATE)[1], rtol=1e-9)


def test_locked_tide_is_the_first_order_of_the_tide_of_the_primary():
    x = np.array([11e3, -9e3, 8e3])
    gaps = []
    for share in (1.0, 0.5, 0.25):
        _, near = locked_tide(tuple(share * x), RATE)
        _, full = primary_tide(tuple(share * x), (-PHOBOS_ORBIT, 0.0, 0.0), MARS)
        gaps.append(np.linalg.norm(np.subtract(near, full)))
    assert_close(np.log2(np.array(gaps[:-1]) / gaps[1:]), [2.0, 2.0], rtol=0.01)


@pytest.mark.parametrize(
    "tide",
    [lambda x: locked_tide(x, RATE), lambda x: primary_tide(x, (-9e6, 2e6, 1e6), MARS)],
    ids=["locked", "primary"],
)
def test_tide_is_the_gradient_of_its_potential_and_has_no_source(tide):
    x, step = np.array([9e3, -7e3, 4e3]), 10.0
    slope, divergence = [], 0.0
    for axis, shift in enumerate(step * np.eye(3)):
        up, down = tide(tuple(x + shift)), tide(tuple(x - shift))
        slope.append((up[0] - down[0]) / (2.0 * step))
        divergence += (up[1][axis] - down[1][axis]) / (2.0 * step)
    assert_close(slope, tide(tuple(x))[1], rtol=1e-6)
    assert_close(divergence, 0.0, rtol=1e-6, scale=RATE**2)


def test_locked_tide_and_spin_make_hills_equations():
    x = (3.0, 5.0, 7.0)
    _, a = locked_tide(x, RATE)
    centrifugal = (RATE**2 * 3.0, RATE**2 * 5.0, 0.0)
    assert_close(np.add(a, centrifugal), RATE**2 * np.array([9.0, 0.0, -7.0]), rtol=1e-14)


def test_sunlight_pushes_away_from_the_sun_with_the_known_pressure():
    sun = (0.6, 0.0, 0.8)
    a = sunlight_acceleration(sun, ASTRONOMICAL_UNIT, 0.02, 0.3)
    assert_close(a, -1.3 * 0.02 * SOLAR_PRESSURE * np.array(sun), rtol=1e-15)
    assert_close(1367.0 / 299_792_458.0, SOLAR_PRESSURE, rtol=3e-4)
    farther = sunlight_acceleration(sun, 2.0 * ASTRONOMICAL_UNIT, 0.02, 0.3)
    assert_close(np.array(a) / 4.0, farther, rtol=1e-15)


def test_shadow_covers_what_a_straight_edge_covers():
    radius, behind, sun = 300.0, 2000.0, (1.0, 0.0, 0.0)
    half = behind * SOLAR_RADIUS / ASTRONOMICAL_UNIT
    for u in (-1.0, -0.5, 0.0, 0.3, 1.0):
        x = (-behind, radius + u * half, 0.0)
        disc = np.linspace(-1.0, 1.0, 2_000_001)
        free = np.sum(np.sqrt(1.0 - disc[disc > -u] ** 2)) * (disc[1] - disc[0]) * 2.0 / math.pi
        assert_close(sunlit_share(x, sun, ASTRONOMICAL_UNIT, radius), free, rtol=1e-5, scale=1.0)


def test_light_is_full_in_front_and_far_beside_and_none_in_the_shadow():
    sun = (0.0, 1.0, 0.0)
    assert sunlit_share((0.0, 400.0, 0.0), sun, ASTRONOMICAL_UNIT, 300.0) == 1.0
    assert sunlit_share((500.0, -400.0, 0.0), sun, ASTRONOMICAL_UNIT, 300.0) == 1.0
    assert sunlit_share((100.0, -400.0, 0.0), sun, ASTRONOMICAL_UNIT, 300.0) == 0.0
    assert sunlit_share((300.0, -400.0, 0.0), sun, ASTRONOMICAL_UNIT, 300.0) == 0.5


def test_check_has_teeth():
    x, primary = (9e3, -7e3, 4e3), (-9e6, 2e6, 1e6)
    _, a = primary_tide(x, primary, 1.01 * MARS)
    with pytest.raises(AssertionError):
        assert_close(a, with_fifty_digits(x, primary, MARS)[1], rtol=1e-11)
