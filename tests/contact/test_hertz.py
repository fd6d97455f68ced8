"""Hertz: stiffness from materials and radii, force as the slope of its energy, length of an impact."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import solve_ivp

from haptos.contact.hertz import (
    DURATION,
    contact_modulus,
    elastic_depth,
    elastic_duration,
    hertz_energy,
    hertz_force,
    sphere_plane_stiffness,
    sphere_sphere_stiffness,
)
from haptos.core.errors import ConfigError
from tests.close import assert_close

STEEL, ALUMINIUM = (2.1e11, 0.3), (7e10, 0.33)  # Young's modulus [Pa], Poisson's ratio [-]


def stiffness_by_h(one, other, radius_i, radius_j):
    """k by Eqs. (4.3) and (4.4) of the thesis, with h = (1 - nu^2)/(pi E)."""
    h = [(1.0 - nu * nu) / (math.pi * young) for young, nu in (one, other)]
    shape = math.sqrt(radius_i * radius_j / (radius_i + radius_j))
    return 4.0 / (3.0 * math.pi * sum(h)) * shape


@pytest.mark.parametrize(("r_i", "r_j"), [(0.001, 0.02), (0.5, 0.5), (1e-4, 30.0)])
def test_stiffness_of_two_spheres_is_that_written_with_h(r_i, r_j):
    found = sphere_sphere_stiffness(contact_modulus(*STEEL, *ALUMINIUM), r_i, r_j)
    assert_close(found, stiffness_by_h(STEEL, ALUMINIUM, r_i, r_j), rtol=1e-14)


def test_a_plane_is_a_very_large_sphere():
    modulus = contact_modulus(*STEEL, *ALUMINIUM)
    far = sphere_sphere_stiffness(modulus, 0.01, 1e12)
    assert_close(far, sphere_plane_stiffness(modulus, 0.01), rtol=1e-12)
    assert_close(sphere_plane_stiffness(modulus, 0.01), 4.0 / 3.0 * modulus * 0.1, rtol=1e-15)


def test_a_rigid_body_leaves_the_compliance_of_the_other():
    assert_close(contact_modulus(*STEEL, math.inf, 0.3), 2.1e11 / (1.0 - 0.09), rtol=1e-15)


@pytest.mark.parametrize(
    "call",
    [
        lambda: contact_modulus(0.0, 0.3, 1e9, 0.3),
        lambda: contact_modulus(1e9, 0.51, 1e9, 0.3),
        lambda: contact_modulus(math.inf, 0.3, math.inf, 0.3),
        lambda: sphere_sphere_stiffness(1e9, 0.0, 1.0),
        lambda: sphere_plane_stiffness(1e9, math.inf),
        lambda: contact_modulus(math.nan, 0.3, 1e9, 0.3),
    ],
)
def test_impossible_materials_and_radii_are_refused(call):
    with pytest.raises(ConfigError, match="allowed"):
        call()


@pytest.mark.parametrize("depth", [1e-6, 3e-4, 0.2])
def test_force_is_the_slope_of_the_energy(depth):
    step = 1e-4 * depth
    slope = (hertz_energy(7.0, depth + step) - hertz_energy(7.0, depth - step)) / (2.0 * step)
    assert_close(hertz_force(7.0, depth), slope, rtol=1e-8)


def test_bodies_apart_feel_nothing():
    assert hertz_force(1e9, -1e-3) == hertz_energy(1e9, -1e-3) == hertz_force(1e9, 0.0) == 0.0


def test_depth_and_duration_are_those_of_the_integrated_impact():
    mass, k, speed = 0.1, 1e7, 1.5

    def end(_, y):
        return y[0]

    end.terminal, end.direction = True, -1.0
    found = solve_ivp(
        lambda _, y: [y[1], -hertz_force(k, y[0]) / mass], (0.0, 1.0), [0.0, speed], "DOP853",
        events=end, rtol=1e-11, atol=1e-14, first_step=1e-6, max_step=1e-5,
    )  # fmt: skip
    assert_close(found.t[-1], elastic_duration(mass, k, speed), rtol=1e-8)
    assert_close(found.y[0].max(), elastic_depth(mass, k, speed), rtol=1e-4)
    assert_close(DURATION, 2.94, rtol=2e-3)  # the number of textbooks


def test_check_has_teeth():
    spoiled = sphere_sphere_stiffness(1.01 * contact_modulus(*STEEL, *ALUMINIUM), 0.1, 0.2)
    with pytest.raises(AssertionError):
        assert_close(spoiled, stiffness_by_h(STEEL, ALUMINIUM, 0.1, 0.2), rtol=1e-14)
