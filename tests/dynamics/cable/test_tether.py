"""Cells of variable mass: momentum, angular momentum, energy while line runs in and out at both ends."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from haptos.dynamics.cable.tether_grid import regrid
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import CELLS
from haptos.dynamics.field import uniform_field
from tests.close import assert_close
from tests.tether_cases import positions, reel_both_ways, run_of, spun_reel_in

# Drift of the angular momentum of point ends, relative, as published for this run; falls as N^-2.
DRIFT = {5: 1.51e-3, 10: 3.79e-4, 20: 9.52e-5, 40: 2.40e-5}


@pytest.fixture(scope="module")
def reeled():
    return {n: run_of(spun_reel_in(n), 60.0, tolerance=1e-9) for n in DRIFT}


def test_momentum_and_mass_are_kept_to_rounding_while_reeling_in(reeled):
    for n, run in reeled.items():
        p, _, m = run.momentum()
        p_0, _, m_0 = TetherRun(spun_reel_in(n)).momentum()
        assert_close(p, p_0, rtol=1e-13)
        assert abs(m - m_0) <= 1e-13 * m_0


def test_half_cells_of_point_ends_leave_the_published_drift_of_angular_momentum(reeled):
    for n, run in reeled.items():
        h, h_0 = run.momentum()[1][2], TetherRun(spun_reel_in(n)).momentum()[1][2]
        assert_close((h - h_0) / h_0, DRIFT[n], rtol=0.01)


def test_transport_falls_as_the_square_of_the_cells(reeled):
    found = [run.balance()["transport"] for run in reeled.values()]
    for coarse, fine in itertools.pairwise(found[:3]):
        assert 3.2 < coarse / fine < 4.6


def test_line_turns_at_the_published_rate_after_reeling(reeled):
    for run in reeled.values():
        y = run.state
        apart = y[17:19] - y[0:2]
        v = y[20:22] / 20.0 - y[3:5] / (100.0 + 0.05 * y[34])
        assert_close((apart[0] * v[1] - apart[1] * v[0]) / (apart @ apart), 0.0821, rtol=2e-3)


def test_ledger_closes_to_a_millionth_at_default_tolerance():
    for n in (5, 20):
        assert abs(run_of(spun_reel_in(n), 60.0).balance()["relative"]) < 1e-6


def test_couple_on_a_rigid_hull_keeps_the_angular_momentum():
    system = spun_reel_in(5, is_rigid=True)
    run = run_of(system, 60.0, tolerance=1e-10)
    h, h_0 = run.momentum()[1], TetherRun(system).momentum()[1]
    assert_close(h, h_0, rtol=1e-11)


def test_reels_at_both_ends_keep_momentum_angular_momentum_and_mass():
    system = reel_both_ways(6)
    run = run_of(system, 60.0, tolerance=1e-9)
    (p, h, m), (p_0, h_0, m_0) = run.momentum(), TetherRun(system).momentum()
    assert_close(p, p_0, rtol=1e-13)
    assert_close(h, h_0, rtol=1e-8)
    assert abs(m - m_0) <= 1e-13 * m_0
    assert abs(run.balance()["relative"]) < 1e-6


def test_a_hull_with_a_lever_falls_without_turning():
    system = spun_reel_in(5, is_rigid=True)
    still = dataclasses.replace(system.bodies[1], velocity=(0.0, 0.0, 0.0))
    calm = system.changed(
        bodies=(system.bodies[0], still),
        field=uniform_field((0.0, 0.0, -1.0)),
        reels=(system.reels[1],) * 2,
    )
    run = run_of(calm, 20.0)
    assert np.abs(run.state[10:13]).max() < 1e-12
    assert_close(run.momentum()[0], run.impulse(), rtol=1e-12)


def test_rows_do_not_change_the_path():
    bare, rich = TetherRun(spun_reel_in(5)), TetherRun(spun_reel_in(5))
    bare.advance(20.0)
    rich.advance(20.0, rows=np.linspace(0.0, 20.0, 173))
    assert (bare.state == rich.state).all()
    assert (rich.rows[-1] == rich.state).all()


def test_rows_are_as_accurate_as_the_path():
    first, second = TetherRun(spun_reel_in(5)), TetherRun(spun_reel_in(5))
    for run in (first, second):
        run.advance(10.0)
    first.advance(14.0, rows=[12.3])
    second.advance(12.3)
    error = np.abs(first.rows[0] - second.state)[CELLS : CELLS + 15].max()
    assert error < 1e-6 * 120.0  # of the tolerance 1e-8 and some hundred steps


def test_explicit_and_implicit_halves_agree():
    a, b = (
        run_of(spun_reel_in(10), 30.0, tolerance=1e-10, scheme=s) for s in ("implicit", "explicit")
    )
    assert_close(positions(a), positions(b), rtol=1e-7)


def test_regridding_keeps_mass_momentum_and_first_moment():
    run = run_of(spun_reel_in(12), 25.0)
    for cells in (24, 6, 17):
        made = regrid(run, cells)
        (p, _, m), (p_0, _, m_0) = made.momentum(), run.momentum()
        assert_close(p, p_0, rtol=1e-13)
        assert abs(m - m_0) <= 1e-13 * m_0
        assert_close(positions(made).mean(axis=0), positions(run).mean(axis=0), rtol=1e-13)
        made.advance(30.0)
        assert abs(made.balance()["relative"]) < 1e-6
