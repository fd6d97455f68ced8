"""Flexible wings: couplings of the beam, the coupled mass matrix, turning wings, momentum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from haptos.core.errors import ConfigError
from haptos.dynamics.flexible.appendages import (
    FIRST_MODE,
    SECOND_MODE,
    TWIST,
    ClampedMode,
    beam_modes,
    hinge_mode,
    hub_velocity,
    mode_rate,
    set_body,
    wing_power,
)
from haptos.dynamics.joined.parts import JoinedBody, Wing
from haptos.dynamics.joined.plant_build import make_plant
from tests.close import assert_close


def cantilever(number: int) -> tuple[float, float]:
    """Integrals of phi and x phi of a mode of a uniform cantilever of mass and length 1."""
    low, high = ((1.0, 3.0), (4.0, 5.5))[number]
    b = brentq(lambda z: math.cosh(z) * math.cos(z) + 1.0, low, high)
    s = (math.cosh(b) + math.cos(b)) / (math.sinh(b) + math.sin(b))
    shape = lambda x: math.cosh(b * x) - math.cos(b * x) - s * (math.sinh(b * x) - math.sin(b * x))  # noqa: E731
    size = math.sqrt(quad(lambda x: shape(x) ** 2, 0.0, 1.0)[0])
    return quad(shape, 0.0, 1.0)[0] / size, quad(lambda x: x * shape(x), 0.0, 1.0)[0] / size


def test_couplings_are_integrals_of_the_cantilevers_modes():
    assert_close(FIRST_MODE, cantilever(0), rtol=2e-6)
    assert_close(SECOND_MODE, cantilever(1), rtol=5e-6)
    twist = quad(lambda x: math.sqrt(2.0) * math.sin(0.5 * math.pi * x), 0.0, 1.0)[0]
    assert_close(TWIST, twist, rtol=1e-12)


def test_a_hinged_wing_moves_all_of_its_inertia():
    mode = np.asarray(hinge_mode(60.0, 11.0, 0.12).coupling)
    assert_close(mode[4] ** 2, 60.0 * 11.0**2 / 3.0, rtol=1e-12)
    assert_close(mode[2] * -mode[4], 60.0 * 5.5, rtol=1e-12)


def winged(angle: float = 0.0, rate: float = 0.0) -> JoinedBody:
    modes = beam_modes(60.0, 11.0, 2.1, out_of_plane=0.12, in_plane=0.35, torsion=0.6, second=True)
    wings = tuple(
        Wing((0.1, side * 1.2, 0.2), (0.0, side, 0.0), (0.0, 0.0, 1.0), 60.0, 11.0, 2.1, modes, angle, rate)
        for side in (1.0, -1.0)
    )  # fmt: skip
    return JoinedBody("hub", 1680.0, np.diag([1120.0, 1435.0, 1435.0]), wings=wings)


def test_velocities_solve_the_whole_mass_matrix():
    plant, y = make_plant([winged(0.3)], (), (), (), None, (), ())
    a, at = plant.appendages, plant.layout
    rng = np.random.default_rng(3)
    x, eta = rng.normal(size=6), rng.normal(size=len(a.omega))
    momentum = a.rigid[0] @ x + a.coupling.T @ eta
    y[at.momenta : at.wheels] = eta + a.coupling @ x
    v, w = hub_velocity(a, 0, tuple(momentum[:3]), tuple(momentum[3:]), y, at.momenta)
    assert_close([*v, *w], x, rtol=1e-12)
    found = [mode_rate(a, m, v, w, y[at.momenta + m]) for m in range(len(eta))]
    assert_close(found, eta, rtol=1e-12)


def lagrangian(angle: float, x: np.ndarray, eta: np.ndarray) -> float:
    """Energy of motion with one wing at its angle, the other at rest."""
    plant, y = make_plant([winged()], (), (), (), None, (), ())
    a, at = plant.appendages, plant.layout
    y[at.angles] = angle
    set_body(a, 0, y, at.angles)
    return float(0.5 * x @ a.rigid[0] @ x + x @ (a.coupling.T @ eta) + 0.5 * eta @ eta)


def test_power_of_a_turning_wing_is_what_the_mass_matrix_loses():
    plant, y = make_plant([winged()], (), (), (), None, (), ())
    a, at = plant.appendages, plant.layout
    rng = np.random.default_rng(4)
    x, eta = rng.normal(size=6), rng.normal(size=len(a.omega))
    y[at.angles] = 0.4
    set_body(a, 0, y, at.angles)
    y[at.momenta : at.wheels] = eta + a.coupling @ x
    found = wing_power(a, 0, 0.4, 2.0, tuple(x[:3]), tuple(x[3:]), y, at.momenta)
    step = 1e-5
    slope = (lagrangian(0.4 + step, x, eta) - lagrangian(0.4 - step, x, eta)) / (2.0 * step)
    assert_close(found, -2.0 * slope, rtol=1e-7)
    a.coupling[...] *= 1.01
    spoiled = wing_power(a, 0, 0.4, 2.0, tuple(x[:3]), tuple(x[3:]), y, at.momenta)
    with pytest.raises(AssertionError):
        assert_close(spoiled, -2.0 * slope, rtol=1e-7)


def test_modes_that_move_more_than_there_is_are_refused():
    heavy = ClampedMode(0.1, 0.0, (0.0, 0.0, 50.0, 0.0, 0.0, 0.0))
    wing = Wing((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 60.0, 11.0, 2.0, (heavy,))
    with pytest.raises(ConfigError):
        make_plant([JoinedBody("a", 100.0, np.eye(3), wings=(wing,))], (), (), (), None, (), ())
    with pytest.raises(ConfigError):
        beam_modes(-1.0, 1.0, 1.0, out_of_plane=0.1)
