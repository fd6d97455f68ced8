"""Regularised Coulomb friction: opposes slip, fades smoothly, records its heat."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.slip_friction import slip_fade, slip_friction
from haptos.core.vectors import dot, norm
from tests.close import assert_close

MU, V_EPS, V_TH, LOAD = 0.3, 1e-3, 1e-4, 20.0

parts = st.floats(-1.0, 1.0)
slips = st.tuples(parts, parts, parts) | st.tuples(parts, parts, parts).map(
    lambda v: (1e-4 * v[0], 1e-4 * v[1], 1e-4 * v[2])
)


@given(slips)
def test_force_opposes_slip_within_the_cone_and_its_power_is_heat(slip):
    force, power = slip_friction(MU, V_EPS, V_TH, LOAD, slip)
    assert norm(force) <= MU * LOAD * (1.0 + 1e-14)
    assert_close(power, -dot(force, slip), rtol=1e-14, scale=MU * LOAD * 2.0)
    assert power >= 0.0


def test_full_friction_from_v_eps_on():
    for speed in (V_EPS, 0.1, 7.0):
        force, power = slip_friction(MU, V_EPS, V_TH, LOAD, (0.0, speed, 0.0))
        assert_close(force, (0.0, -6.0, 0.0), rtol=1e-14)
        assert_close(power, 6.0 * speed, rtol=1e-14)


def test_between_the_speeds_the_fade_is_a_parabola():
    force, _ = slip_friction(MU, V_EPS, V_TH, LOAD, (0.25 * V_EPS, 0.0, 0.0))
    assert_close(force[0], -6.0 * 0.25 * 1.75, rtol=1e-14)


def test_below_v_th_the_unit_vector_is_relaxed():
    s = 0.4  # of v_th
    speed = s * V_TH
    force, _ = slip_friction(MU, V_EPS, V_TH, LOAD, (speed, 0.0, 0.0))
    fade = (speed / V_EPS) * (2.0 - speed / V_EPS)
    assert_close(force[0], -6.0 * fade * (1.5 * s - 0.5 * s**3), rtol=1e-14)


def test_friction_and_its_slope_have_no_step_at_either_speed():
    for edge in (V_TH, V_EPS):
        at = edge * np.array([1.0 - 2e-6, 1.0 - 1e-6, 1.0 + 1e-6, 1.0 + 2e-6])
        f = [-slip_friction(MU, V_EPS, V_TH, LOAD, (v, 0.0, 0.0))[0][0] for v in at]
        below, above = (f[1] - f[0]) / (at[1] - at[0]), (f[3] - f[2]) / (at[3] - at[2])
        assert abs(f[2] - f[1]) < 1e-4
        if edge == V_EPS:  # both slopes are zero there
            assert_close(above, below, rtol=0.02, scale=6.0 / V_EPS)
        else:
            assert_close(above, below, rtol=1e-3, scale=6.0 / V_EPS)


def test_nothing_is_divided_by_a_vanishing_slip():
    force, power = slip_friction(MU, V_EPS, V_TH, LOAD, (0.0, 0.0, 0.0))
    assert norm(force) == 0.0
    assert power == 0.0
    assert norm(slip_friction(MU, V_EPS, V_TH, LOAD, (1e-300, 0.0, 0.0))[0]) < 1e-290


def test_a_lifted_point_has_no_friction():
    assert norm(slip_friction(MU, V_EPS, V_TH, -3.0, (1.0, 0.0, 0.0))[0]) == 0.0


def test_a_loaded_point_creeps_at_the_speed_where_the_fade_balances_the_pull():
    """Half of full friction: s (2 - s) = 1/2, so s = 1 - sqrt(1/2); the law does not stick."""
    creep = V_EPS * (1.0 - np.sqrt(0.5))
    assert_close(slip_fade(creep, V_EPS), 0.5, rtol=1e-12)
    force, _ = slip_friction(MU, V_EPS, V_TH, LOAD, (creep, 0.0, 0.0))
    assert_close(force[0], -0.5 * MU * LOAD, rtol=1e-12)


def test_check_has_teeth():
    force, _ = slip_friction(1.01 * MU, V_EPS, V_TH, LOAD, (0.0, 1.0, 0.0))
    with pytest.raises(AssertionError):
        assert_close(force, (0.0, -6.0, 0.0), rtol=1e-14)
