"""A body shot with its line: closed forms, momentum, energy, ends."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from haptos.dynamics.cable.line_shot import (
    ANGLE,
    BRAKE,
    FEED,
    HIT,
    HOLD_X,
    HOLD_Z,
    LINE_END,
    MISSED,
    PAID,
    PITCH,
    LineShot,
    flight_energy,
    line_flight,
)
from tests.close import assert_close

LIGHT = LineShot(2500.0, 5.0, 0.1, 0.5, 0.0, 200.0, 0.2)


def test_constant_tension_has_a_closed_form():
    """100 m at 10 m/s against 0.5 N on 5 kg: 8.944 m/s after 10.56 s; the first thousandth is in the barrel."""
    found = line_flight(LIGHT, 100.0, 10.0)
    fall = math.sqrt(100.0 - 2.0 * 0.1 * 99.9)
    assert_close(-found.last[7], fall, rtol=1e-9)
    assert_close(found.times[-1], (10.0 - fall) / 0.1, rtol=1e-9)
    assert_close(-found.last[7], 8.944, rtol=2e-4)
    spoiled = line_flight(dataclasses.replace(LIGHT, tension=0.505), 100.0, 10.0)
    with pytest.raises(AssertionError):
        assert_close(-spoiled.last[7], fall, rtol=1e-9)


def test_a_massive_line_follows_the_hitchhike_law():
    """Held hull, no gravity: m v' = -(T - mu v^2), m' = -mu v, so (T - mu v^2) m^2 is constant."""
    shot = dataclasses.replace(LIGHT, density=1e-3)
    rows = line_flight(shot, 100.0, 10.0).rows
    mass, speed = 5.0 - 1e-3 * rows[:, PAID], np.abs(rows[:, 7])
    kept = (0.5 - 1e-3 * speed**2) * mass**2
    assert_close(kept / kept[0], np.ones(len(kept)), rtol=1e-8)


@pytest.mark.parametrize("holds", [True, False])
def test_momentum_and_energy_are_accounted_for(holds):
    shot = LineShot(250.0, 5.0, 0.1, 0.5, 2e-3, 200.0, 0.2, 3e-3, 0.1, holds)
    found = line_flight(shot, 100.0, 10.0, aim=0.05, tip_off=0.02)
    rows = found.rows
    hull, body = 250.0 + 2e-3 * rows[:, PAID], 5.0 - 2e-3 * rows[:, PAID]
    total = hull[:, None] * rows[:, 2:4] + body[:, None] * rows[:, 6:8]
    given = rows[:, [HOLD_X, HOLD_Z]] - np.outer(found.times, [0.0, 255.0 * 3e-3])
    assert_close(total - total[0], given, rtol=1e-9, scale=50.0)
    stored = sum(flight_energy(shot, rows))
    works = rows[:, BRAKE] + rows[:, FEED] + rows[:, PITCH]
    assert_close(stored - stored[0], works, rtol=1e-9, scale=250.0)


def test_the_hull_recoils_unless_it_holds():
    free = line_flight(dataclasses.replace(LIGHT, holds=False), 100.0, 10.0)
    assert_close(free.rows[0, 3], 0.02, rtol=1e-9)
    assert line_flight(LIGHT, 100.0, 10.0).last[3] == 0.0


def test_the_line_steadies_the_flight():
    loose = line_flight(dataclasses.replace(LIGHT, arm=0.0), 100.0, 10.0, tip_off=0.05).last[ANGLE]
    steady = line_flight(LIGHT, 100.0, 10.0, tip_off=0.05).rows[:, ANGLE]
    assert np.abs(steady).max() < 0.5 * abs(loose)


def test_ends_are_named():
    assert line_flight(LIGHT, 100.0, 10.0).ended == HIT
    assert line_flight(dataclasses.replace(LIGHT, length=50.0), 100.0, 10.0).ended == LINE_END
    near = dataclasses.replace(LIGHT, reach=1.0)
    assert line_flight(near, 100.0, 10.0, aim=0.1).ended == MISSED
    assert line_flight(dataclasses.replace(LIGHT, tension=20.0), 100.0, 10.0).ended == MISSED
