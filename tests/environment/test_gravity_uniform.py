"""Uniform gravity: the potential is the height."""

from __future__ import annotations

import pytest

from haptos.environment.gravity_uniform import uniform_gravity
from tests.close import assert_close

G = (1e-3, -2e-3, -5.7e-3)


def test_potential_is_linear_and_acceleration_constant():
    potential, acceleration = uniform_gravity((10.0, 20.0, -30.0), G)
    assert_close(potential, 0.01 - 0.04 + 0.171, rtol=1e-15)
    assert acceleration == G
    assert uniform_gravity((0.0, 0.0, 0.0), G)[0] == 0.0


def test_a_fall_gains_the_kinetic_energy_of_torricelli():
    top, _ = uniform_gravity((0.0, 0.0, 2.0), (0.0, 0.0, -1.62))
    bottom, _ = uniform_gravity((0.0, 0.0, 0.0), (0.0, 0.0, -1.62))
    assert_close(bottom - top, 1.62 * 2.0, rtol=1e-15)


def test_check_has_teeth():
    potential, _ = uniform_gravity((10.0, 20.0, -30.0), (1e-3, -2e-3, -5.7e-3 * 1.01))
    with pytest.raises(AssertionError):
        assert_close(potential, 0.141, rtol=1e-15)
