"""Slip that turns, as a series: the differential equation in the stretched impulse, and its events."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.contact.collision_slip import (
    COLUMNS,
    LENGTH,
    NU3,
    RISE,
    SLIP,
    crossing,
    fill_series,
    series_value,
    series_values,
)
from tests.close import assert_close
from tests.contact.impact_cases import matrix_of, random_six

seeds = st.integers(0, 2**32 - 1)


def start(seed):
    """(M over M33, f, V, nu3) of unit speed, and the series of its first step."""
    rng = np.random.default_rng(seed)
    six = random_six(rng)
    six = tuple(x / six[5] for x in six)
    nu = rng.normal(size=3)
    nu /= np.linalg.norm(nu)
    f = rng.uniform(0.05, 2.0)
    series = np.full((LENGTH, COLUMNS), np.nan)
    step = fill_series(six, f, nu[0], nu[1], nu[2], series)
    return six, f, nu, series, step


def exact(six, f, nu, t):
    """(V1, V2, nu3, P1, P2, p, xi, W) by solve_ivp."""
    m = matrix_of(six)

    def rate(_, y):
        s = math.hypot(y[0], y[1])
        impulse = np.array([-f * y[0], -f * y[1], s])
        return np.concatenate([m @ impulse, impulse, [y[2] * s, -f * s * s]])

    first = np.concatenate([nu, np.zeros(5)])
    return solve_ivp(rate, (0.0, t), first, "DOP853", rtol=1e-13, atol=1e-15).y[:, -1]


@pytest.mark.parametrize("seed", range(12))
def test_series_solve_the_equations_of_slip(seed):
    six, f, nu, series, step = start(seed)
    for t in (0.3 * step, step):
        assert_close(series_values(series, t), exact(six, f, nu, t), rtol=1e-11, scale=1.0)


@given(seeds)
def test_speed_is_the_length_of_the_slip_velocity(seed):
    *_, series, step = start(seed)
    v1, v2 = series_values(series, step)[:2]
    assert_close(series_value(series, SLIP, step), math.hypot(v1, v2), rtol=1e-11, scale=1.0)


@given(seeds, st.floats(1e-9, 1.0))
def test_crossings_are_found_to_the_last_digits(seed, share):
    *_, series, step = start(seed)
    t = share * step
    rates = [series_value(series, RISE, x) for x in np.linspace(0.0, step, 20)]
    if min(rates) > 0.0:
        found = crossing(series, NU3, series_value(series, NU3, t), step)
        size = abs(series[0, NU3]) / min(rates) + t
        assert_close(found, t, rtol=1e-13, scale=size + step)


def test_check_has_teeth():
    six, f, nu, series, step = start(2)
    with pytest.raises(AssertionError):
        assert_close(
            series_values(series, step), exact(six, 1.01 * f, nu, step), rtol=1e-6, scale=1.0
        )
