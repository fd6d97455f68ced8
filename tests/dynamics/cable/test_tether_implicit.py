"""The stiff part of a tether's rates: the solve beside the Jacobian, steps it allows, springs that change their mode."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable.reel_build import hold, prescribed
from haptos.dynamics.cable.tether import tether_rates
from haptos.dynamics.cable.tether_implicit import factorise, freeze, solve_stiff
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, CELLS, MOMENTUM, POSITION
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem
from tests.close import assert_close

PACE = 0.3  # [s]


def curved(tension_share: float = 1.0) -> TetherRun:
    """Two point masses at rest on a line of five cells that is stretched and bent."""
    rng = np.random.default_rng(3)
    system = TetherSystem(
        bodies=(EndBody(3.0), EndBody(1.0, position=(105.0, 0.0, 0.0))),
        line=TetherLine(100.0, 0.02, 500.0 * tension_share, 40.0),
        cells=5,
    )
    places = np.array([[10.5 + 21.0 * i, 0.0, 0.0] for i in range(5)]) + rng.normal(size=(5, 3))
    return TetherRun(system, cells=(places, np.zeros((5, 3))))


def moving(size: int) -> np.ndarray:
    """Numbers of the state that say where bodies and cells are and how they move."""
    ends = [BODY * k + part + c for k in (0, 1) for part in (POSITION, MOMENTUM) for c in range(3)]
    return np.array(ends + list(range(CELLS, CELLS + 30)))


def jacobian(run: TetherRun, which: np.ndarray) -> np.ndarray:
    """Of the rates, by central differences."""
    columns = []
    for i in which:
        rates = []
        for sign in (1.0, -1.0):
            y, dy = run.state.copy(), np.zeros(len(run.state))
            y[i] += sign * 1e-5
            tether_rates(run.tether, 0.0, y, dy)
            rates.append(dy[which])
        columns.append((rates[0] - rates[1]) / 2e-5)
    return np.array(columns).T


def test_the_solve_is_that_with_the_jacobian():
    run = curved()
    which = moving(len(run.state))
    right = np.zeros(len(run.state))
    right[which] = np.random.default_rng(4).normal(size=len(which))
    expected = np.linalg.solve(np.eye(len(which)) - PACE * jacobian(run, which), right[which])
    tether_rates(run.tether, 0.0, run.state, np.zeros(len(run.state)))
    freeze(run.tether, run.state)
    factorise(run.tether, PACE)
    z = np.zeros(len(right))
    solve_stiff(run.tether, PACE, right, z)
    assert_close(z[which], expected, rtol=1e-6, scale=np.abs(expected).max())
    total = [sum(z[BODY * k + MOMENTUM + c] for k in (0, 1)) + z[CELLS + 15 + c :: 3][:5].sum() for c in range(3)]  # fmt: skip
    given = [sum(right[BODY * k + MOMENTUM + c] for k in (0, 1)) + right[CELLS + 15 + c :: 3][:5].sum() for c in range(3)]  # fmt: skip
    assert_close(total, given, rtol=1e-13, scale=1.0)


def test_one_percent_of_the_stiffness_shows():
    run, softer = curved(), curved(1.01)
    found = []
    for one in (run, softer):
        right, z = np.zeros(len(one.state)), np.zeros(len(one.state))
        right[CELLS : CELLS + 30] = 1.0 + np.arange(30.0)
        tether_rates(one.tether, 0.0, one.state, np.zeros(len(one.state)))
        freeze(one.tether, one.state)
        factorise(one.tether, PACE)
        solve_stiff(one.tether, PACE, right, z)
        found.append(z)
    assert np.abs(found[0] - found[1]).max() > 1e-3 * np.abs(found[0]).max()


def reeled(damping: float, tolerance: float, *, smooth: bool) -> TetherRun:
    """A mass of 20 kg that turns about a reel on 100 m, 20 m of which are taken in in 100 s."""
    turning, count = 0.05, 40
    line = TetherLine(101.0, 0.05, 2e4, damping)
    pull = turning**2 * (20.0 * 100.0 + 0.5 * 0.05 * 100.0**2)
    middle = (np.arange(count) + 0.5) / count * 100.0 * (1.0 + pull / 2e4)
    far = 100.0 * (1.0 + pull / 2e4)
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(20.0, position=(far, 0.0, 0.0), velocity=(0.0, turning * far, 0.0))),
        line=line,
        cells=count,
        reels=(prescribed([0.0, 100.0], [0.0, -20.0], smooth=smooth), hold()),
        stored=(1.0, 0.0),
    )  # fmt: skip
    zero = np.zeros(count)
    cells = np.stack([middle, zero, zero], axis=1), np.stack([zero, turning * middle, zero], axis=1)
    return TetherRun(system, tolerance=tolerance, cells=cells)


def rate_at_the_end(run: TetherRun) -> float:
    run.advance(100.0)
    r, p = (run.state[BODY + part : BODY + part + 2] for part in (POSITION, MOMENTUM))
    return float((r[0] * p[1] - r[1] * p[0]) / 20.0 / (r @ r))


def test_transverse_waves_do_not_limit_the_steps_of_a_smooth_run():
    """Solved with the axial stiffness alone it takes 650 steps."""
    run = reeled(200.0, 1e-3, smooth=True)
    ideal = (
        0.05 * (100.0 / 80.0) ** 2
    )  # of a massless line of constant length; line and stretch are 3 % of it
    assert abs(rate_at_the_end(run) / ideal - 1.0) < 0.03
    assert run.counts["steps"] < 150


@pytest.mark.parametrize("tolerance", [1e-2, 3e-3])
def test_a_loose_tolerance_does_not_let_springs_feed_waves(tolerance):
    """A jump of the reel's speed makes the line go slack at every bounce; 28 % and more were gained by modes held too long."""
    found = rate_at_the_end(reeled(20.0, tolerance, smooth=False))
    assert math.isfinite(found)
    assert abs(found / rate_at_the_end(reeled(200.0, 1e-3, smooth=True)) - 1.0) < 0.01
