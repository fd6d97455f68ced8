"""A flying origin: millimetres at 7,000 km, Kepler's motion, Clohessy and Wiltshire in the limit."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.core.vectors import norm
from haptos.environment.gravity_point import point_gravity
from haptos.environment.orbit_frames import (
    EARTH_MU,
    KeplerElements,
    later,
    lvlh_axes,
    orbit_period,
    state_from_elements,
)
from haptos.environment.orbital_origin import (
    absolute_state,
    differential_gravity,
    ground_gravity,
    kepler_anomaly,
    origin_path,
    origin_state,
)
from tests.close import assert_close

CIRCLE = KeplerElements(7e6, 0.0, 0.9, 0.4, 0.0, 0.3)
ELLIPSE = KeplerElements(9e6, 0.25, 1.2, 2.0, -0.7, 1.0)


def exact_difference(r, origin, mu):
    """g(R0 + r) - g(R0) with fifty digits."""
    with decimal.localcontext(prec=50):
        base = [Decimal(x) for x in origin]
        there = [a + Decimal(b) for a, b in zip(base, r, strict=True)]
        cubes = [sum(x * x for x in p) * sum(x * x for x in p).sqrt() for p in (base, there)]
        return [
            float(Decimal(mu) * (a / cubes[0] - b / cubes[1]))
            for a, b in zip(base, there, strict=True)
        ]


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3, 1e6])
def test_every_digit_of_a_small_offset_survives(size):
    origin = (4.1e6, -5.2e6, 2.3e6)
    r = (0.3 * size, 0.8 * size, -0.5 * size)
    _, found = differential_gravity(r, origin, EARTH_MU)
    assert_close(found, exact_difference(r, origin, EARTH_MU), rtol=1e-14)


def test_the_plain_difference_loses_millimetres():
    origin, r = (4.1e6, -5.2e6, 2.3e6), (3e-4, 8e-4, -5e-4)
    there, _ = absolute_state(r, (0.0, 0.0, 0.0), origin, (0.0, 0.0, 0.0))
    plain = np.subtract(point_gravity(there, EARTH_MU)[1], point_gravity(origin, EARTH_MU)[1])
    exact = np.array(exact_difference(r, origin, EARTH_MU))
    assert np.abs(plain - exact).max() > 1e-8 * np.abs(exact).max()


@given(st.floats(-20.0, 20.0), st.floats(0.0, 0.95))
def test_kepler_is_solved_for_any_mean_anomaly(mean, e):
    anomaly = kepler_anomaly(mean, e)
    turned = math.remainder(anomaly - e * math.sin(anomaly) - mean, 2.0 * math.pi)
    assert abs(turned) < 1e-13


@pytest.mark.parametrize("orbit", [CIRCLE, ELLIPSE])
@pytest.mark.parametrize("time", [0.0, 777.0, 1e5])
def test_origin_is_where_the_elements_say(orbit, time):
    place, velocity = origin_state(origin_path(orbit), time)
    wanted = state_from_elements(later(orbit, time))
    assert_close(place, wanted[0], rtol=1e-11)
    assert_close(velocity, wanted[1], rtol=1e-11)


def fly(orbit, r0, v0, duration):
    """Place and velocity [m], [m/s] seen from the origin after a time [s]."""
    path = origin_path(orbit)

    def rate(t, y):
        origin, _ = origin_state(path, t)
        return [*y[3:], *differential_gravity(tuple(y[:3]), origin, EARTH_MU)[1]]

    start = [*r0, *v0]
    scale = max(norm(tuple(r0)), 1e-9)
    found = solve_ivp(
        rate, (0.0, duration), start, "DOP853", rtol=1e-12, atol=[1e-13 * scale] * 3 + [1e-16 * scale] * 3
    )  # fmt: skip
    return found.y[:3, -1], found.y[3:, -1]


def test_relative_flight_is_the_difference_of_two_orbits():
    """Ten kilometres apart for a third of a turn, against elements of the second orbit."""
    from haptos.environment.orbit_frames import elements_from_state

    place, velocity = state_from_elements(ELLIPSE)
    r0, v0 = np.array([4e3, -7e3, 5e3]), np.array([2.0, 5.0, -1.0])
    other = elements_from_state(place + r0, velocity + v0)
    r, v = fly(ELLIPSE, r0, v0, 3000.0)
    wanted = [
        a - b for a, b in zip(
            state_from_elements(later(other, 3000.0)),
            state_from_elements(later(ELLIPSE, 3000.0)), strict=True,
        )
    ]  # fmt: skip
    assert_close(r, wanted[0], rtol=1e-9)
    assert_close(v, wanted[1], rtol=1e-9)


def clohessy_wiltshire(r, v, n, t):
    """Place after t in Hill axes: x outward, y forward, z along the orbit's normal."""
    (x, y, z), (u, w, q) = r, v
    c, s = math.cos(n * t), math.sin(n * t)
    return np.array(
        [
            (4 - 3 * c) * x + s / n * u + 2 / n * (1 - c) * w,
            6 * (s - n * t) * x + y - 2 / n * (1 - c) * u + (4 * s - 3 * n * t) / n * w,
            c * z + s / n * q,
        ]
    )


def hill_axes(time):
    place, velocity = origin_state(origin_path(CIRCLE), time)
    v_bar, h_bar, r_bar = np.array(lvlh_axes(place, velocity))
    return np.array([-r_bar, v_bar, -h_bar])


@pytest.mark.parametrize("size", [1e-3, 1.0])
def test_small_offsets_follow_clohessy_and_wiltshire(size):
    """The rest is quadratic in the offset: 3/2 size/R0 and some turns of drift."""
    n, t = math.sqrt(EARTH_MU / 7e6**3), 0.8 * orbit_period(7e6)
    r_H, v_H = size * np.array([1.0, -2.0, 0.7]), size * n * np.array([0.3, -1.6, 0.9])
    to_H, spin = hill_axes(0.0), np.array([0.0, 0.0, n])
    r, _ = fly(CIRCLE, to_H.T @ r_H, to_H.T @ (v_H + np.cross(spin, r_H)), t)
    found = hill_axes(t) @ r
    assert_close(found, clohessy_wiltshire(r_H, v_H, n, t), rtol=max(1e-5 * size, 1e-8))


def test_quadratic_rest_grows_with_the_offset():
    n, t = math.sqrt(EARTH_MU / 7e6**3), 2000.0
    to_H, spin = hill_axes(0.0), np.array([0.0, 0.0, n])
    rests = []
    for size in (100.0, 200.0, 400.0):
        r_H, v_H = size * np.array([1.0, -2.0, 0.7]), np.zeros(3)
        r, _ = fly(CIRCLE, to_H.T @ r_H, to_H.T @ np.cross(spin, r_H), t)
        rests.append(np.linalg.norm(hill_axes(t) @ r - clohessy_wiltshire(r_H, v_H, n, t)))
    orders = np.log2(np.divide(rests[1:], rests[:-1]))
    assert_close(orders, [2.0, 2.0], rtol=0.01)


def test_potential_and_acceleration_keep_the_energy_of_relative_flight_at_rest():
    """a is the gradient of U."""
    origin, r, step = (7e6, 1e6, -2e6), np.array([120.0, -40.0, 65.0]), 0.5
    slope = [
        (
            differential_gravity(tuple(r + step * e), origin, EARTH_MU)[0]
            - differential_gravity(tuple(r - step * e), origin, EARTH_MU)[0]
        )
        / (2.0 * step)
        for e in np.eye(3)
    ]
    assert_close(slope, differential_gravity(tuple(r), origin, EARTH_MU)[1], rtol=1e-8)


def test_on_the_ground_things_fall_with_the_gravity_of_their_height():
    mu, radius = 3.986e14, 6378e3
    for height in (0.0, 1e-3, 100.0):
        found = ground_gravity((0.0, 0.0, height), (0.0, 0.0, radius), mu)
        assert_close(found, (0.0, 0.0, -mu / (radius + height) ** 2), rtol=1e-15)


def test_check_has_teeth():
    origin, r = (4.1e6, -5.2e6, 2.3e6), (3e-4, 8e-4, -5e-4)
    _, spoiled = differential_gravity(r, origin, 1.01 * EARTH_MU)
    with pytest.raises(AssertionError):
        assert_close(spoiled, exact_difference(r, origin, EARTH_MU), rtol=1e-14)
