"""One vertex: a spring that only pushes, a damper that only brakes the way in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.spring_damper import spring_damper, spring_energy
from tests.close import assert_close

K, C = 50.0, 6.6  # [N/m], [N s/m]

stiffnesses = st.floats(1e-3, 1e8)
dampings = st.floats(0.0, 1e5)
gaps = st.floats(-1.0, 1.0)
speeds = st.floats(-100.0, 100.0)


@given(stiffnesses, dampings, gaps, speeds)
def test_neither_part_ever_pulls(k, c, gap, closing_speed):
    spring, damper = spring_damper(k, c, gap, closing_speed)
    assert spring >= 0.0
    assert damper >= 0.0


@given(stiffnesses, dampings, gaps, speeds)
def test_damper_never_feeds_energy_and_is_silent_on_the_way_out(k, c, gap, closing_speed):
    _, damper = spring_damper(k, c, gap, closing_speed)
    assert -damper * closing_speed <= 0.0
    if closing_speed <= 0.0:
        assert damper == 0.0


@given(stiffnesses, gaps, speeds)
def test_spring_knows_depth_only(k, gap, closing_speed):
    spring, _ = spring_damper(k, 3.0, gap, closing_speed)
    assert spring == (k * -gap if gap < 0.0 else 0.0)
    assert spring == spring_damper(k, 0.0, gap, 0.0)[0]


def test_damper_is_proportional_to_the_closing_speed():
    assert spring_damper(K, C, -0.01, 0.2) == (0.5, C * 0.2)
    assert spring_damper(K, C, 0.0, 0.2) == (0.0, C * 0.2)  # a step at the instant of touch


def energy_slope(k, gap, step=1e-4):
    """dE/d(gap) by the central difference, exact for a quadratic."""
    return (spring_energy(k, gap + step) - spring_energy(k, gap - step)) / (2.0 * step)


@pytest.mark.parametrize("gap", [-0.3, -0.01, -2e-4, 2e-4, 0.5])
def test_force_is_minus_the_slope_of_the_energy(gap):
    spring, _ = spring_damper(K, C, gap, 0.0)
    assert_close(spring, -energy_slope(K, gap), rtol=1e-11, scale=K * abs(gap))


def test_energy_of_a_spring_of_50_newtons_per_metre_at_2_centimetres():
    assert_close(spring_energy(K, -0.02), 0.01, rtol=1e-15)
    assert spring_energy(K, 0.02) == 0.0


def test_check_has_teeth():
    spring, _ = spring_damper(1.01 * K, C, -0.01, 0.0)
    with pytest.raises(AssertionError):
        assert_close(spring, -energy_slope(K, -0.01), rtol=1e-11)
