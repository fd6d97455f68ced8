"""A thread element: tension only, its energy, its damping, and what the damper takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

from haptos.dynamics.cable.thread_link import link_damping, link_energy, link_tension
from tests.close import assert_close

STRETCHING, LENGTH, DENSITY, RATIO = 9840.0, 0.2, 1.86e-4, 0.106  # [N], [m], [kg/m], [-]
DAMPING = link_damping(STRETCHING, DENSITY, RATIO)

lengths = st.floats(1e-3, 10.0)
rates = st.floats(-100.0, 100.0)


@given(lengths, st.floats(0.0, 1.0), rates)
def test_a_slack_thread_pulls_nothing_however_fast_it_moves(length, share, rate):
    assert link_tension(STRETCHING, DAMPING, length, share * length, rate) == (0.0, 0.0)
    assert link_energy(STRETCHING, length, share * length) == 0.0


@given(lengths, st.floats(1e-6, 0.1), rates)
def test_a_taut_thread_pulls_with_spring_and_damper_and_never_pushes(length, strain, rate):
    tension, spring = link_tension(STRETCHING, DAMPING, length, length * (1.0 + strain), rate)
    assert_close(spring, STRETCHING * strain, rtol=1e-9)
    assert_close(tension, max(0.0, spring + DAMPING * rate), rtol=1e-14, scale=spring + 1.0)
    assert tension >= 0.0


def test_a_thread_that_shortens_fast_is_cut_off_at_no_tension():
    distance = 1.001 * LENGTH
    spring = STRETCHING * 0.001
    limit = -spring / DAMPING
    assert link_tension(STRETCHING, DAMPING, LENGTH, distance, 1.01 * limit)[0] == 0.0
    assert link_tension(STRETCHING, DAMPING, LENGTH, distance, 0.99 * limit)[0] > 0.0
    assert_close(
        link_tension(STRETCHING, DAMPING, LENGTH, distance, 2.0 * limit)[1], spring, rtol=1e-9
    )


@given(lengths, st.floats(1e-3, 0.5))
def test_energy_is_the_work_of_the_spring(length, strain):
    end = length * (1.0 + strain)
    work, _ = quad(lambda d: link_tension(STRETCHING, 0.0, length, d, 0.0)[0], length, end)
    assert_close(link_energy(STRETCHING, length, end), work, rtol=1e-9)


@given(lengths)
def test_damping_is_that_of_an_element_of_any_length(length):
    """2 zeta sqrt(k m) with k = EA/L and m = rho L."""
    expected = 2.0 * RATIO * math.sqrt(STRETCHING / length * DENSITY * length)
    assert_close(DAMPING, expected, rtol=1e-14)
    assert_close(link_damping(STRETCHING, DENSITY, 2.0 * RATIO), 2.0 * DAMPING, rtol=1e-15)


def test_a_mass_on_a_taut_thread_swings_as_a_damped_oscillator():
    """As long as it stays taut: x = stretch, m x'' = W - k x - c x', closed form."""
    mass, k = 2.0, STRETCHING / LENGTH
    weight = 0.5 * k * 1e-3 + 10.0
    rest, own = weight / k, math.sqrt(k / mass)
    zeta = DAMPING / (2.0 * math.sqrt(k * mass))
    start = 1.2 * rest

    def rate(_, y, stretching, damping):
        tension, _ = link_tension(stretching, damping, LENGTH, LENGTH + y[0], y[1])
        return [y[1], (weight - tension) / mass]

    times = np.linspace(0.0, 6.0 / own, 50)

    def stretch(*law):
        return solve_ivp(
            rate, (0.0, times[-1]), [start, 0.0], "DOP853", times, args=law, rtol=1e-11, atol=1e-14
        ).y[0]

    w = own * math.sqrt(1.0 - zeta**2)
    swing = np.cos(w * times) + zeta * own / w * np.sin(w * times)
    exact = rest + (start - rest) * np.exp(-zeta * own * times) * swing
    assert_close(stretch(STRETCHING, DAMPING), exact, rtol=1e-8)
    for spoiled in ((1.01 * STRETCHING, DAMPING), (STRETCHING, 1.01 * DAMPING)):
        with pytest.raises(AssertionError):
            assert_close(stretch(*spoiled), exact, rtol=1e-8)


@given(st.floats(1e-6, 0.1), rates)
def test_the_damper_only_ever_takes_energy(strain, rate):
    """Also where the tension is cut off: (T - spring) l' >= 0."""
    tension, spring = link_tension(STRETCHING, DAMPING, LENGTH, LENGTH * (1.0 + strain), rate)
    assert (tension - spring) * rate >= 0.0
