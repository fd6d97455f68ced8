"""An active line that pulls at a gripped end: the planar chain, levers in both directions, failures."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable.active_pull import LinePull, PullCase, pull
from haptos.dynamics.cable.tether_extremes import TURN_0
from haptos.dynamics.cable.tether_segments import polymer_segments
from haptos.dynamics.cable.tether_system import TetherLine
from haptos.materials.electro_active import POLYMER
from haptos.scenarios.line_results import line_rows
from tests.close import assert_close

AREA = 8e-5  # [m^2]
STIFFNESS = POLYMER.modulus * AREA


def pulled(attachment=(0.0, 0.0, -1.0), **changed) -> LinePull:
    case = PullCase(500.0, (300.0, 300.0, 200.0), attachment, 20.0, 5e-3, 2.0, loop=30.0 / (POLYMER.largest * AREA), **changed)  # fmt: skip
    line = TetherLine(100.0, POLYMER.density * AREA, STIFFNESS, 200.0)
    return pull(case, line, polymer_segments(0.0, 10.0, 10, AREA), 10)


def test_twenty_newtons_are_held_for_two_seconds():
    found = pulled()
    assert_close(found.run.tether.springs.tension[0], 20.0, rtol=5e-3)
    assert abs(found.run.balance()["relative"]) < 1e-6
    assert_close(found.run.impulse()[2], found.run.momentum()[0][2], rtol=1e-6, scale=40.0)


@pytest.mark.parametrize("side", [(0.013, 0.0), (0.0, 0.013)])
def test_a_lever_turns_the_spacecraft_as_torque_over_inertia(side):
    """J phi'' = T (a - l phi) about either axis, a 13 mm, l 1 m, J 300 kg m^2; the rise of the force counts as a delay."""
    found = pulled(attachment=(*side, -1.0))
    rows = line_rows(found.run)
    impulse = float(np.trapezoid(rows.tension[:, 0], rows.time))
    w = math.sqrt(20.0 / 300.0)
    expected = 0.013 * w * math.sin(w * impulse / 20.0)
    assert_close(found.run.extremes[TURN_0], expected, rtol=1e-2)


def test_dead_segments_far_away_leave_the_work_to_the_others():
    whole, half = pulled(), pulled(dead=(5, 6, 7, 8, 9))
    last = half.segments(half.run.state[None])[0, :, 0]
    assert np.abs(last[5:]).max() == 0.0
    assert_close(half.run.tether.springs.tension[0], 20.0, rtol=2e-2)
    assert last[0] > 1.5 * whole.segments(whole.run.state[None])[0, 0, 0]


def test_dead_segments_beside_the_sensor_make_the_loop_unstable():
    """What acts is then 50 m of passive line away from what measures: the loop of 30 rad/s swings up."""
    rows = line_rows(pulled(dead=(0, 1, 2, 3, 4)).run)
    assert rows.tension[:, 0].max() > 60.0


def test_a_sensor_that_sticks_below_the_force_drives_the_loop_to_its_end():
    found = pulled(stuck=0.01)
    assert [what for _, what in found.events] == ["sensor stuck"]
    assert found.run.tether.springs.tension[0] > 30.0
