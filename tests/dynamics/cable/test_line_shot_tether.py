"""A shot on the tether of cells: the straight line, recoil, momentum, energy, ends."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from haptos.dynamics.cable.line_shot import ANGLE, HIT, LINE_END, PAID, LineShot, line_flight
from haptos.dynamics.cable.line_shot_tether import CellFlight, LineOfCells, flight_on_tether
from tests.close import assert_close

SHOT = LineShot(2500.0, 5.0, 0.08, 0.5, 1e-3, 150.0, 0.0)
LINE = LineOfCells(1.1343e4, 49.24, 300.0, 6)


def flown(shot: LineShot = SHOT, line: LineOfCells = LINE, **options: float) -> CellFlight:
    return flight_on_tether(shot, line, 100.0, 10.0, **options)


@pytest.mark.parametrize("changed", [{}, {"holds": False}, {"gravity": 0.01, "slope": 0.2}])
def test_cells_agree_with_the_straight_line(changed):
    shot = dataclasses.replace(SHOT, **changed)
    straight, cells = line_flight(shot, 100.0, 10.0), flown(shot)
    assert cells.flight.ended == HIT == straight.ended
    assert_close(cells.flight.times[-1], straight.times[-1], rtol=1e-5)
    assert_close(cells.flight.last[7], straight.last[7], rtol=1e-5)
    assert_close(cells.flight.last[3], straight.last[3], rtol=1e-5, scale=0.02)
    assert abs(cells.run.balance()["relative"]) < 1e-9


def test_the_comparison_notices_a_percent():
    spoiled = flown(dataclasses.replace(SHOT, tension=0.505)).flight.last[7]
    with pytest.raises(AssertionError):
        assert_close(spoiled, line_flight(SHOT, 100.0, 10.0).last[7], rtol=1e-5)


def test_recoil_and_momentum_are_kept():
    found = flown(dataclasses.replace(SHOT, holds=False))
    momentum, _, mass = found.run.momentum()
    assert_close(mass, 2505.0, rtol=1e-13)
    assert_close(momentum[2] - found.start[2], 0.0, rtol=1e-10, scale=50.0)
    assert_close(found.run.state[5], 2500.0 * 0.0179, rtol=1e-2)


def test_line_behind_the_centre_of_mass_steadies_the_body():
    """The spool at the attachment feels T - mu u^2; its mass there, 0.15 falling to 0.05 kg, counts in the inertia, and only on average."""
    shot = dataclasses.replace(SHOT, arm=0.1)
    heavier = dataclasses.replace(shot, inertia=shot.inertia + 0.1 * shot.arm**2)
    straight = line_flight(heavier, 100.0, 10.0, tip_off=0.1, interval=0.1)
    cells = flown(shot, tip_off=0.1, interval=0.1).flight
    count = min(len(straight.times), len(cells.times)) - 1
    apart = np.abs(cells.rows[:count, ANGLE] - straight.rows[:count, ANGLE]).max()
    assert apart < 0.07 * np.abs(straight.rows[:, ANGLE]).max()


def test_a_short_line_ends_the_flight():
    short = flown(dataclasses.replace(SHOT, length=60.0))
    assert short.flight.ended == LINE_END
    assert_close(short.flight.last[PAID], 60.0, rtol=1e-6)


def test_three_dimensions_are_those_of_the_plane():
    found = flown(aim=math.radians(10.0), tip_off=0.05)
    assert np.abs(found.cells[:, :, 1]).max() == 0.0
