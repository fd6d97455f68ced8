"""The stiff part of joined bodies: the slopes it is made of, the equation a stage solves, errors it filters."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.flexible.boom import boom_load, boom_slope
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedBoom
from haptos.dynamics.joined.plant_booms import law_of
from haptos.dynamics.joined.plant_build import make_plant
from haptos.dynamics.joined.plant_implicit import calm, settle
from haptos.dynamics.joined.plant_rates import rates, set_velocities
from haptos.dynamics.joined.plant_slopes import set_slopes
from tests.close import assert_close
from tests.joined_cases import boom_between

BETA = 0.0159  # [s]
MOMENTA = np.r_[7:13, 20:26]


def made(booms, count=2):
    """Model and state of bodies on booms, at the start of a step; nothing is compiled."""
    bodies = [
        JoinedBody(name, mass, np.diag([inertia] * 3), place)
        for name, mass, inertia, place in (
            ("a", 1000.0, 600.0, (0.0, 0.0, 0.0)), ("b", 9.0, 0.02, (2.50, 1e-4, -2e-4)),
            ("c", 30.0, 0.5, (0.1, -1.0, 0.0)),
        )[:count]
    ]  # fmt: skip
    model, y = make_plant(bodies, booms, (), (), None, (), ())
    set_velocities(model, y)
    set_slopes(model, 0.0, y)
    return model, y


def moved(y, size=1e-5, seed=3):
    """The state a little later: places, turns and momenta of all bodies, lengths."""
    return y + size * np.random.default_rng(seed).normal(size=len(y))


def solved(model, y, hg):
    """(state solved, rates of its stiff part) of a stage."""
    found, part = y.copy(), np.zeros(len(y))
    settle(model, 0.0, found, hg, part)
    return found, part


def slope_times(model, change):
    """A of f_I = A (y - start), on a change: a stage of next to no weight."""
    return solved(model, model.implicit.start + change, 1e-15)[1]


@pytest.mark.parametrize("hg", [1e-5, 2.5e-3])
def test_a_stage_solves_its_equation(hg):
    model, y = made([boom_between(0.3, beta=BETA)])
    found, part = solved(model, moved(y), hg)
    scale = np.abs(part).max()
    assert scale > 1.0
    assert_close(slope_times(model, found - y), part, rtol=1e-9, scale=scale)


def test_a_stage_without_weight_or_change_has_no_part():
    model, y = made([boom_between(0.3, beta=BETA)])
    assert np.all(solved(model, moved(y), 0.0)[1] == 0.0)
    assert np.all(solved(model, y, 2.5e-3)[1] == 0.0)


def test_what_one_body_gains_the_other_loses():
    model, y = made([boom_between(0.3, beta=BETA)])
    _, part = solved(model, moved(y), 2.5e-3)
    assert np.abs(part[7:13] + part[20:26]).max() <= 1e-12 * np.abs(part).max()


@pytest.mark.parametrize("column", [13, 14, 15, 20, 21, 22, 23, 24, 25])
def test_its_slope_is_that_of_the_loads(column):
    """Momenta of both bodies by a shift or a push of the light one, against differences of all rates."""
    model, y = made([boom_between(0.3, beta=BETA)])
    step = np.zeros(len(y))
    step[column] = 1e-7
    after, before = np.zeros(len(y)), np.zeros(len(y))
    rates(model, 0.0, y + step, after)
    rates(model, 0.0, y - step, before)
    expected = 0.5 * (after - before)[MOMENTA]
    found = slope_times(model, step)[MOMENTA]
    assert_close(found, expected, rtol=1e-3, scale=np.abs(expected).max())


def test_a_drive_that_moves_on_with_its_tip_stretches_nothing():
    model, y = made([boom_between(0.3, beta=BETA)])
    way = np.zeros(len(y))
    way[13], way[model.layout.lengths] = -1e-4, -1e-4
    pull = np.abs(slope_times(model, way)).max()
    way[model.layout.lengths] = 0.0
    assert pull < 0.01 * np.abs(slope_times(model, way)).max()


def test_a_longer_boom_at_one_pose_changes_loads_as_the_slope_says():
    model, y = made([boom_between(0.3, beta=BETA)])
    step = np.zeros(len(y))
    step[model.layout.lengths] = 1e-6
    after, before = np.zeros(len(y)), np.zeros(len(y))
    rates(model, 0.0, y + step, after)
    rates(model, 0.0, y - step, before)
    expected = 0.5 * (after - before)[MOMENTA]
    assert_close(slope_times(model, step)[MOMENTA], expected, rtol=1e-5)


def test_two_booms_on_one_body_are_solved_together():
    second = JoinedBoom(
        "second", BodyFrame("a", (0.0, -0.3, 0.0)), BodyFrame("c", (0.0, 0.4, 0.0)), 0.3, 400.0, 300.0, 1.5e6, 0.17, 1.2,
        damping_time=BETA,
    )  # fmt: skip
    model, y = made([boom_between(0.3, beta=BETA), second], 3)
    found, part = solved(model, moved(y), 2.5e-3)
    assert_close(slope_times(model, found - y), part, rtol=1e-9, scale=np.abs(part).max())


@pytest.mark.parametrize("weight", [1.0, BETA])
def test_the_damping_matrix_is_the_slope_of_the_loads(weight):
    model, _ = made([boom_between(0.3, beta=weight)])
    law, out = law_of(model.booms.law, 0), np.zeros((6, 6))
    p, phi = (0.3001, 0.004, -0.003), (0.02, -0.03, 0.05)

    def wrench(x):
        load = boom_load(law, 0.3, p, phi, tuple(x[:3]), tuple(x[3:]), 0.0)
        return np.array([*load.force, *load.moment])

    boom_slope(law, 0.3, p, phi, weight, weight, out)
    slopes = np.stack([wrench(unit) - wrench(np.zeros(6)) for unit in np.eye(6)], axis=1)
    assert_close(-out, slopes, rtol=1e-9, scale=np.abs(slopes).max())
    assert_close(out, out.T, rtol=1e-12, scale=np.abs(out).max())


def test_errors_are_filtered_by_the_slope_of_the_loads():
    """(1 - hg A) of what comes out is what went in."""
    model, y = made([boom_between(0.3, beta=BETA)])
    error = np.zeros(len(y))
    error[:26] = np.random.default_rng(1).normal(size=26) * 1e-5
    hg, found = 2e-3, error.copy()
    calm(model, 0.0, y, hg, found)
    slope = slope_times(model, found)
    assert_close(found - hg * slope, error, rtol=1e-9, scale=np.abs(hg * slope).max())
