"""Shape-memory metal: rates, loops, recovery, heat, two integrators, and an independent one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp
from scipy.special import erfcx as erfcx_of_scipy

from haptos.core.errors import ConfigError
from haptos.materials.shape_memory import (
    BOLTZMANN,
    NITINOL,
    NITINOL_SOURCES,
    Rates,
    ShapeMemory,
    erfcx,
    exchanged,
    stiffness_of,
    strain_of,
    stress_of,
    transformation_work,
    transition_rates,
    zero_stress_latent_heat,
)
from haptos.materials.shape_memory_cycle import Cycle, cycle
from tests.close import assert_close

MPA = 1e6


def at(found: Cycle, name: str, value: float, column: str, part: slice) -> float:
    """A column where another crosses a value, interpolated between two steps."""
    x, y = getattr(found, name)[part], getattr(found, column)[part]
    k = int(np.nonzero(np.diff(np.sign(x - value)))[0][0])
    return float(y[k] + (value - x[k]) / (x[k + 1] - x[k]) * (y[k + 1] - y[k]))


def halves(found: Cycle) -> tuple[slice, slice]:
    top = int(np.argmax(found.strain))
    return slice(0, top + 1), slice(top, None)


@pytest.mark.parametrize(
    ("theta", "up", "down", "peak", "full", "loop"),
    [(325.0, 348.6, 198.8, 354.9, 0.9934, 10.97), (335.0, 427.9, 279.2, 431.4, 0.9558, 10.73)],
)
def test_superelastic_loops_are_closed(theta, up, down, peak, full, loop):
    found = cycle([0, 80, 160], strain=[0, 0.08, 0], temperature=theta)
    loading, unloading = halves(found)
    assert_close(at(found, "plus", 0.5, "stress", loading), up * MPA, rtol=1e-3)
    assert_close(at(found, "plus", 0.5, "stress", unloading), down * MPA, rtol=1e-3)
    assert_close(found.stress.max(), peak * MPA, rtol=1e-3)
    assert_close(found.plus[loading.stop - 1], full, rtol=1e-4)
    assert_close(found.worked[-1], loop * MPA, rtol=1e-3)
    assert abs(found.stress[-1]) < 1.0
    assert found.plus[-1] < 1e-12


@pytest.mark.parametrize(
    ("seconds", "hottest", "peak", "half"),
    [(160.0, 370.1, 708.0, 563.0), (16.0, 370.1, 711.0, 567.0), (1.6, 370.0, 715.0, 570.0)],
)
def test_an_adiabatic_loop_heats_and_cools_again(seconds, hottest, peak, half):
    found = cycle([0, seconds / 2, seconds], strain=[0, 0.08, 0], temperature=325.0, balance=True)
    assert_close(found.theta.max(), hottest, rtol=3e-4)
    assert_close(found.stress.max(), peak * MPA, rtol=2e-3)
    assert_close(at(found, "plus", 0.5, "stress", halves(found)[0]), half * MPA, rtol=2e-3)
    assert_close(found.theta[-1], 325.0, rtol=1e-8)
    assert found.heat_left < 1e-8 * NITINOL.latent


def test_exchange_of_heat_makes_the_loop_largest():
    found = cycle([0, 80, 160], strain=[0, 0.08, 0], temperature=325.0, balance=True, exchange=3e5)
    assert_close((found.theta.min(), found.theta.max()), (317.4, 332.0), rtol=3e-4)
    assert_close(found.worked[-1], 17.44 * MPA, rtol=1e-3)
    assert found.heat_left < 1e-8 * NITINOL.latent


def test_quasi_plastic_strain_stays():
    found = cycle([0, 100, 200], stress=[0, 300e6, 0], temperature=280.0, start=(0.5, 0.5))
    loading = slice(0, int(np.argmax(found.stress)) + 1)
    assert_close(at(found, "plus", 0.75, "stress", loading), 166.9 * MPA, rtol=2e-3)
    assert_close(found.strain.max(), 0.07841, rtol=1e-4)
    assert_close(found.strain[-1], 0.0670, rtol=1e-4)


def test_heating_recovers_the_strain():
    found = cycle([0, 60], stress=[0, 0], temperature=[285.0, 315.0], start=(1.0, 0.0))
    levels = [at(found, "plus", x, "theta", slice(None)) for x in (0.9, 0.5, 0.1)]
    assert_close(levels, (300.59, 300.81, 300.96), rtol=1e-4)
    assert abs(found.strain[-1]) < 1e-9


def test_cooling_makes_equal_twins():
    found = cycle([0, 50], stress=[0, 0], temperature=[290.0, 275.0])
    levels = [at(found, "austenite", x, "theta", slice(None)) for x in (0.9, 0.5, 0.1)]
    assert_close(levels, (280.85, 280.53, 280.32), rtol=1e-4)
    assert_close(found.plus[-1], 0.5, rtol=1e-9)


def test_clamped_and_heated_it_pulls():
    found = cycle([0, 20, 160], strain=[0, 0.03, 0.03], temperature=[280, 280, 350], start=(0.5, 0.5))  # fmt: skip
    hot = found.time > 20.0
    levels = np.interp([310, 320, 330, 340], found.theta[hot], found.stress[hot])
    assert_close(levels, np.array([79.9, 160.3, 240.7, 321.1]) * MPA, rtol=1e-3)


def radau(material: ShapeMemory, theta: float, peak: float, seconds: float) -> np.ndarray:
    """Fractions at the peak of a strain ramp, by a method and a programme that share no step with ours."""

    def rates(t, x):
        eps = peak * t / seconds
        sigma = stress_of(material, eps, x[0], x[1], 1.0 - x[0] - x[1])
        p = transition_rates(material, sigma, theta)
        a = 1.0 - x[0] - x[1]
        return [a * p.enter_plus - x[0] * p.leave_plus, a * p.enter_minus - x[1] * p.leave_minus]

    done = solve_ivp(rates, (0, seconds), [0.0, 0.0], "Radau", rtol=1e-9, atol=1e-12, max_step=0.5)
    return np.array(done.y[:, -1])


def test_both_schemes_and_an_independent_one_agree():
    fine = cycle([0, 80], strain=[0, 0.06], temperature=325.0, tolerance=1e-7)
    first = cycle([0, 80], strain=[0, 0.06], temperature=325.0, step=80 / 20000, order=1)
    expected = radau(NITINOL, 325.0, 0.06, 80.0)
    assert_close(fine.plus[-1], expected[0], rtol=6e-7)
    assert_close(first.plus[-1], expected[0], rtol=1e-4)
    spoiled = NITINOL._replace(hysteresis=1.01 * NITINOL.hysteresis, stress=1.01 * NITINOL.stress)
    with pytest.raises(AssertionError):
        assert_close(radau(spoiled, 325.0, 0.06, 80.0)[0], expected[0], rtol=6e-7)


@pytest.mark.parametrize("order", [1, 2])
def test_the_order_of_the_schemes(order):
    exact = cycle([0, 40], strain=[0, 0.03], temperature=330.0, tolerance=1e-9).stress[-1]
    errors = [
        abs(cycle([0, 40], strain=[0, 0.03], temperature=330.0, step=h, order=order).stress[-1] - exact)
        for h in (0.4, 0.2, 0.1)
    ]  # fmt: skip
    observed = math.log2(errors[1] / errors[2])
    assert observed > order - 0.25


@settings(deadline=None, max_examples=60)
@given(
    st.floats(260.0, 400.0), st.lists(st.floats(-0.1, 0.1), min_size=2, max_size=5),
    st.floats(0.01, 100.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.booleans(),
)  # fmt: skip
def test_fractions_stay_fractions(theta, strains, seconds, plus, share, balance):
    times = [seconds * k for k in range(len(strains))]
    start = (plus, share * (1.0 - plus))
    found = cycle(times, strain=strains, temperature=theta, start=start, balance=balance)
    for part in (found.plus, found.minus, found.austenite):
        assert part.min() >= 0.0
        assert part.max() <= 1.0 + 1e-12
    assert np.abs(found.plus + found.minus + found.austenite - 1.0).max() < 1e-12
    assert np.isfinite(found.stress).all()


def test_work_is_elastic_energy_and_work_of_transformation():
    found = cycle([0, 1, 2], strain=[0, 0.06, 0.02], temperature=325.0, balance=True)
    soft = (1.0 - found.austenite) / NITINOL.martensite + found.austenite / NITINOL.austenite
    elastic = 0.5 * found.stress**2 * soft
    assert_close(found.worked - found.transformed, elastic, rtol=1e-12)


def test_self_heating_keeps_all_energy():
    warm = NITINOL._replace(self_heating=1.0, latent=zero_stress_latent_heat(NITINOL))
    found = cycle(
        [0, 0.8, 1.6], strain=[0, 0.08, 0], temperature=325.0, balance=True, material=warm
    )
    rise = found.worked[-1] / (warm.density * warm.heat)
    assert_close(found.theta[-1] - 325.0, rise, rtol=1e-4)
    assert found.heat_left < 1e-5 * warm.latent


def test_rates_are_those_of_the_wells():
    """p(A+) and p(+A) from their integrals over the wells, by quadrature."""
    theta, sigma = 325.0, 340e6
    b = NITINOL.volume / (BOLTZMANN * theta)
    s_a = NITINOL.stress + NITINOL.slope * (theta - NITINOL.reference)
    s_m = s_a - NITINOL.hysteresis
    e_a, e_m = NITINOL.austenite, NITINOL.martensite
    inside = quad(lambda e: math.exp(-b * e_a * (e - sigma / e_a) ** 2 / 2), -s_a / e_a, s_a / e_a,
                  points=[sigma / e_a], epsabs=0.0, epsrel=1e-11)[0]  # fmt: skip
    top = math.exp(-b * (s_a - sigma) ** 2 / (2 * e_a))
    found = transition_rates(NITINOL, sigma, theta)
    assert_close(found.enter_plus * NITINOL.attempt, top / inside, rtol=1e-8)
    beyond = quad(lambda e: math.exp(-b * e_m * (e - sigma / e_m) ** 2 / 2), s_m / e_m, 0.1,
                  points=[sigma / e_m], epsabs=0.0, epsrel=1e-11)[0]  # fmt: skip
    back = math.exp(-b * (sigma - s_m) ** 2 / (2 * e_m)) / beyond
    assert_close(found.leave_plus * NITINOL.attempt, back, rtol=1e-8)


@pytest.mark.parametrize("sigma", [-5e9, -3e8, 0.0, 2e8, 3.5e8, 8e8, 5e9])
@pytest.mark.parametrize("theta", [150.0, 276.0, 325.0, 500.0])
def test_rates_are_finite_and_capped_everywhere(sigma, theta):
    found = transition_rates(NITINOL, sigma, theta)
    assert all(0.0 <= p <= 1.0 / NITINOL.least for p in found[:4])
    mirrored = transition_rates(NITINOL, -sigma, theta)
    assert (mirrored.enter_plus, mirrored.leave_plus) == (found.enter_minus, found.leave_minus)


@pytest.mark.parametrize("x", [0.0, 0.3, 3.0, 24.9, 25.1, 60.0])
def test_scaled_complement_of_the_error_function(x):
    assert_close(erfcx(x), erfcx_of_scipy(x), rtol=2e-12)


def test_an_endless_step_reaches_equilibrium():
    rates = Rates(2.0, 3.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0)
    plus, minus, rest = exchanged(rates, 1e12, 0.0, 0.0, 1.0)
    assert_close((plus * 2.0, minus * 1.0), (rest * 3.0, rest * 0.5), rtol=1e-9)
    assert_close(plus + minus + rest, 1.0, rtol=1e-14)


def test_mixtures_lie_between_their_phases():
    assert_close(stiffness_of(NITINOL, 1.0), 67e9, rtol=1e-12)
    assert_close(stiffness_of(NITINOL, 0.0), 26.3e9, rtol=1e-12)
    sigma = stress_of(NITINOL, 0.03, 0.3, 0.1, 0.6)
    assert_close(strain_of(NITINOL, sigma, 0.3, 0.1, 0.6), 0.03, rtol=1e-12)
    assert transformation_work(NITINOL, 1e8, 0.1, 0.0) > 0.0


def test_every_value_has_a_source():
    assert set(NITINOL_SOURCES) == set(NITINOL._fields)


def test_impossible_cycles_are_refused():
    with pytest.raises(ConfigError, match="stress and strain"):
        cycle([0, 1], temperature=300.0)
    with pytest.raises(ConfigError, match="start"):
        cycle([0, 1], stress=[0, 1], temperature=300.0, start=(0.8, 0.8))
    with pytest.raises(ConfigError, match="rows"):
        cycle([0, 1], strain=[0, 0.08], temperature=325.0, rows=5)
