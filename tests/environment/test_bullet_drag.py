"""Bullet drag: base and side, the Newtonian coefficient, the lean of the side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.environment.bullet_drag import (
    AIR,
    bullet_drag,
    flat_nose_coefficient,
    newtonian_coefficient,
    stagnation_coefficient,
)
from tests.close import assert_close

RHO, R, H, BASE, SIDE = 1.225, 0.02, 0.1, 0.9, 1.1
STILL = (0.0, 0.0, 0.0)
parts = st.floats(-30.0, 30.0)


def test_stagnation_pressure_at_mach_ten_is_that_of_rayleigh():
    assert_close(stagnation_coefficient(10.0, AIR), 1.832, rtol=3e-4)
    assert_close(newtonian_coefficient(10.0, AIR), 1.221, rtol=5e-4)


def test_very_fast_flow_has_the_limit_of_gas_tables():
    """k -> [(chi+1)^2/(4 chi)]^(chi/(chi-1)) 4/(chi+1) = 1.8394 in air."""
    limit = ((AIR + 1.0) ** 2 / (4.0 * AIR)) ** (AIR / (AIR - 1.0)) * 4.0 / (AIR + 1.0)
    assert_close(stagnation_coefficient(1e4, AIR), limit, rtol=1e-6)
    assert_close(limit, 1.8394, rtol=1e-4)


def test_at_mach_one_the_shock_vanishes():
    """Stagnation without a shock: [(1 + 0.2)^3.5 - 1] 2/1.4."""
    assert_close(stagnation_coefficient(1.0, AIR), (1.2**3.5 - 1.0) * 2.0 / 1.4, rtol=1e-13)


@pytest.mark.parametrize("speed", [5.0, -5.0])
def test_flying_along_its_axis_only_the_base_in_front_brakes(speed):
    force, torque = bullet_drag(RHO, (0.0, 0.0, speed), STILL, R, H, BASE, SIDE, False)
    wanted = -0.5 * RHO * math.pi * R * R * BASE * speed * abs(speed)
    assert_close(force, (0.0, 0.0, wanted), rtol=1e-14)
    assert torque == STILL


def test_flying_across_only_the_side_brakes():
    force, torque = bullet_drag(RHO, (3.0, 4.0, 0.0), STILL, R, H, BASE, SIDE, False)
    wanted = -0.5 * RHO * 2.0 * R * H * SIDE * 5.0 * np.array([3.0, 4.0, 0.0])
    assert_close(force, wanted, rtol=1e-13)
    assert_close(torque, STILL, rtol=1e-12, scale=R * np.linalg.norm(wanted))


def test_flying_askew_turns_the_bullet():
    v = (3.0, 0.0, 4.0)
    force, torque = bullet_drag(RHO, v, STILL, R, H, BASE, SIDE, False)
    base = -0.5 * RHO * math.pi * R * R * BASE * 4.0 * np.array(v)
    side = -0.5 * RHO * 2.0 * R * H * SIDE * 3.0 * np.array(v)
    assert_close(force, base + side, rtol=1e-13)
    wanted = np.cross([0.0, 0.0, 0.05], base) + np.cross([R, 0.0, 0.0], side)
    assert_close(torque, wanted, rtol=1e-13)
    assert abs(torque[1]) > 1e-6


def test_leaning_side_has_the_square_of_its_cosine():
    v = (3.0, 0.0, 4.0)
    plain, _ = bullet_drag(RHO, v, STILL, R, H, 0.0, SIDE, False)
    leaning, _ = bullet_drag(RHO, v, STILL, R, H, 0.0, SIDE, True)
    assert_close(leaning, 0.36 * np.array(plain), rtol=1e-13)


def test_a_bullet_thrown_on_the_ground_feels_some_hundredths_of_a_newton():
    ground, torque = bullet_drag(RHO, (3.0, 0.0, 3.0), STILL, 0.03, 0.06, BASE, SIDE, False)
    assert 1e-2 < np.linalg.norm(ground) < 1e-1
    assert np.linalg.norm(torque) > 0.0


@given(st.tuples(parts, parts, parts), st.tuples(parts, parts, parts))
def test_drag_takes_energy_from_every_motion(v, w):
    force, torque = bullet_drag(RHO, v, w, R, H, BASE, SIDE, True)
    assert np.dot(force, v) + np.dot(torque, w) <= 1e-12
    assert np.isfinite(force).all()
    assert np.isfinite(torque).all()


def test_flat_noses_of_the_data_book():
    assert_close(
        [flat_nose_coefficient(x) for x in (1.0, 3.0, 7.0)], [0.91, 0.86, 0.99], rtol=1e-12
    )
    with pytest.raises(ConfigError, match="bullet drag"):
        flat_nose_coefficient(0.5)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(stagnation_coefficient(10.0, 1.01 * AIR), 1.832, rtol=3e-4)
