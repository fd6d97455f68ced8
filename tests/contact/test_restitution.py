"""Closed form of the bounce against the law itself, integrated; and the way back to damping."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.contact.restitution import damping, damping_ratio, restitution
from haptos.contact.spring_damper import spring_damper
from tests.close import assert_close

MASS, K, V0 = 5.0, 50.0, 0.05  # [kg], [N/m], [m/s]


def bounce(zeta, mass=MASS, k=K, v0=V0):
    """(exit / entry speed, deepest [m], length of the release [s]) of one vertex, integrated."""
    c = 2.0 * zeta * math.sqrt(k * mass)

    def rate(_, y):
        spring, damper = spring_damper(k, c, y[0], -y[1])
        return [y[1], (spring + damper) / mass]

    def leg(start, event):
        event.terminal = True
        found = solve_ivp(
            rate, (0.0, 1e6), start, "DOP853", events=event, rtol=1e-12, atol=1e-15,
            max_step=0.05 * math.sqrt(mass / k) * (1.0 + 2.0 * zeta),
        )  # fmt: skip
        return found.t[-1], found.y[:, -1]

    _, turned = leg([0.0, -v0], lambda t, y: y[1])
    release_time, end = leg([turned[0], 0.0], lambda t, y: y[0])
    return end[1] / v0, -turned[0], release_time


@pytest.mark.parametrize("zeta", [0.0, 0.07, 0.329, 0.8, 1.0, 1.336, 4.0])
def test_exit_speed_is_that_of_the_integrated_impact(zeta):
    exit_speed, _, _ = bounce(zeta)
    assert_close(exit_speed, restitution(zeta), rtol=1e-9)


@pytest.mark.parametrize("speed", [1e-5, 0.05, 30.0])
def test_restitution_does_not_depend_on_speed_mass_or_stiffness(speed):
    exit_speed, _, _ = bounce(0.4, mass=0.3 + speed, k=900.0, v0=speed)
    assert_close(exit_speed, restitution(0.4), rtol=1e-9)


@pytest.mark.parametrize("zeta", [0.07, 0.597, 1.336])
def test_deepest_point_and_release_time_have_closed_forms(zeta):
    _, deepest, release_time = bounce(zeta)
    natural = math.sqrt(MASS / K)
    assert_close(deepest, restitution(zeta) * V0 * natural, rtol=1e-9)
    assert_close(release_time, 0.5 * math.pi * natural, rtol=1e-9)


PRINTED = {0.9: 0.070, 0.8: 0.156, 0.7: 0.264, 0.65: 0.329, 0.5: 0.597, 0.3: 1.336}


@pytest.mark.parametrize(("e", "zeta"), PRINTED.items())
def test_damping_ratios_are_the_tabulated_ones(e, zeta):
    assert round(damping_ratio(e), 3) == zeta


@given(st.floats(1e-9, 1.0) | st.floats(0.1, 12.0).map(lambda p: 1.0 - 10.0**-p))
def test_inverse_undoes_the_closed_form_for_any_restitution(e):
    assert_close(restitution(damping_ratio(e)), e, rtol=3e-11)


@pytest.mark.parametrize("e", [1e-12, 1e-6, 0.02, math.exp(-1.0), 0.999, 1.0 - 1e-9])
def test_ends_of_the_range_round_trip(e):
    assert_close(restitution(damping_ratio(e)), e, rtol=3e-11)


def test_no_damping_is_a_perfect_bounce_and_critical_damping_keeps_one_part_in_e():
    assert restitution(0.0) == 1.0
    assert damping_ratio(1.0) == 0.0
    assert_close(restitution(1.0), math.exp(-1.0), rtol=1e-15)


def test_small_damping_costs_half_pi_per_unit():
    assert_close(1.0 - restitution(1e-6), 0.5 * math.pi * 1e-6, rtol=1e-5)


def test_heavy_damping_leaves_one_half_over_zeta():
    assert_close(restitution(1e5), 0.5e-5, rtol=1e-9)


@pytest.mark.parametrize("edge", [1.0 - 1e-6, 1.0, 1.0 + 1e-6])
def test_the_three_branches_meet_without_a_step(edge):
    """The slope at 1 is -2/3 e: over 2e-9 the value may change by 5e-10 and no more."""
    before, after = restitution(edge - 1e-9), restitution(edge + 1e-9)
    # 1 - zeta^2 loses digits next to 1: 3e-11 is the rounding of its square root
    assert_close(before - after, 2.0 / 3.0 * math.exp(-1.0) * 2e-9, rtol=3e-11, scale=1.0)


@given(st.floats(0.0, 50.0), st.floats(1e-4, 1.0))
def test_more_damping_bounces_less(zeta, more):
    assert restitution(zeta + more) < restitution(zeta)


def test_damping_coefficient_gives_the_bounce_asked_for():
    c = damping(0.65, K, MASS)
    exit_speed, _, _ = bounce(c / (2.0 * math.sqrt(K * MASS)))
    assert_close(exit_speed, 0.65, rtol=1e-9)


@pytest.mark.parametrize("e", [0.0, -0.1, 1.0 + 1e-12, math.nan])
def test_impossible_restitutions_are_refused(e):
    with pytest.raises(ValueError, match="not in"):
        damping_ratio(e)


def test_negative_damping_is_refused():
    with pytest.raises(ValueError, match="negative"):
        restitution(-1e-9)


def test_check_has_teeth():
    exit_speed, _, _ = bounce(0.329 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(exit_speed, restitution(0.329), rtol=1e-9)
