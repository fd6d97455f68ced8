"""Loads of booms solved within a stage: the equation they solve, their damping matrix, drives that give way."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.flexible.boom import boom_damping, boom_load
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedBoom
from haptos.dynamics.joined.plant_booms import law_of
from haptos.dynamics.joined.plant_build import make_plant
from haptos.dynamics.joined.plant_implicit import calm, settle
from haptos.dynamics.joined.plant_rates import set_velocities
from tests.close import assert_close
from tests.joined_cases import boom_between

BETA = 0.0159  # [s]


def made(booms, count=2):
    """Model and state of bodies on booms; nothing is compiled."""
    bodies = [
        JoinedBody(name, mass, np.diag([inertia] * 3), place)
        for name, mass, inertia, place in (
            ("a", 1000.0, 600.0, (0.0, 0.0, 0.0)), ("b", 9.0, 0.02, (2.50, 0.01, -0.02)),
            ("c", 30.0, 0.5, (0.1, -1.0, 0.0)),
        )[:count]
    ]  # fmt: skip
    model, y = make_plant(bodies, booms, (), (), None, (), ())
    rng = np.random.default_rng(3)
    for b in range(count):
        y[13 * b + 7 : 13 * b + 13] += rng.normal(size=6) * 0.05
    return model, y


def solved(model, y, hg):
    """(state solved, rates of momenta) of a stage."""
    found, part = y.copy(), np.zeros(len(y))
    settle(model, 0.0, found, hg, part)
    return found, part


@pytest.mark.parametrize("speed", [0.0, -0.005, 0.01])
@pytest.mark.parametrize("hg", [1e-5, 2.5e-3])
def test_a_stage_solves_its_equation(hg, speed):
    model, y = made([boom_between(0.3, beta=BETA)])
    model.booms.drive[0] = (speed, speed, 0.0, 0.0, 60.0)
    found, part = solved(model, y, hg)
    scale = np.abs(part).max()
    assert np.abs(found - y - hg * part).max() <= 1e-14 * max(hg * scale, 1.0)
    assert np.abs(solved(model, found, 0.0)[1] - part).max() <= 1e-11 * scale


def test_what_one_body_gains_the_other_loses():
    model, y = made([boom_between(0.3, beta=BETA)])
    _, part = solved(model, y, 2.5e-3)
    assert np.abs(part[7:13] + part[20:26]).max() <= 1e-13 * np.abs(part).max()


def test_two_booms_on_one_body_are_solved_together():
    second = JoinedBoom(
        "second", BodyFrame("a", (0.0, -0.3, 0.0)), BodyFrame("c", (0.0, 0.4, 0.0)), 0.3, 400.0, 300.0, 1.5e6, 0.17, 1.2,
        damping_time=BETA,
    )  # fmt: skip
    model, y = made([boom_between(0.3, beta=BETA), second], 3)
    found, part = solved(model, y, 2.5e-3)
    assert np.abs(solved(model, found, 0.0)[1] - part).max() <= 1e-7 * np.abs(part).max()


def test_the_damping_matrix_is_the_slope_of_the_loads():
    model, _ = made([boom_between(0.3, beta=BETA)])
    law, out = law_of(model.booms.law, 0), np.zeros((6, 6))
    p, phi = (0.3001, 0.004, -0.003), (0.02, -0.03, 0.05)

    def wrench(x):
        load = boom_load(law, 0.3, p, phi, tuple(x[:3]), tuple(x[3:]), 0.0)
        return np.array([*load.force, *load.moment])

    boom_damping(law, 0.3, p, phi, 1.0, out)
    slopes = np.stack([wrench(unit) - wrench(np.zeros(6)) for unit in np.eye(6)], axis=1)
    assert_close(-out, slopes, rtol=1e-9, scale=np.abs(slopes).max())
    assert_close(out, out.T, rtol=1e-12, scale=np.abs(out).max())


def test_errors_are_filtered_by_the_slope_of_the_loads():
    """(1 - hg A) of what comes out is what went in, A by differences."""
    model, y = made([boom_between(0.3, beta=BETA)])
    error = np.zeros(len(y))
    error[7:13], error[20:26] = np.arange(1, 7) * 1e-3, np.arange(6, 0, -1) * 2e-3
    hg, found = 2e-3, error.copy()
    set_velocities(model, y)
    calm(model, 0.0, y, hg, found)
    slope = solved(model, y + 0.5 * found, 0.0)[1] - solved(model, y - 0.5 * found, 0.0)[1]
    assert_close(found - hg * slope, error, rtol=1e-9, scale=np.abs(hg * slope).max())
