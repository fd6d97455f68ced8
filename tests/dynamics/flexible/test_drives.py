"""Linear drives: their line, their ramp, stall and self-locking."""

from __future__ import annotations

import math

import pytest

from haptos.dynamics.flexible.drives import Drive, asked_speed, drive_speed
from tests.close import assert_close


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_speed_falls_with_the_load_and_ends_at_stall(sign):
    assert_close(drive_speed(sign * 5e-3, 350.0, sign * 87.5, 0.0), sign * 3.75e-3, rtol=1e-14)
    assert drive_speed(sign * 5e-3, 350.0, sign * 400.0, 0.0) == 0.0
    assert drive_speed(sign * 5e-3, 350.0, -sign * 400.0, 0.0) == sign * 5e-3


def test_a_standing_drive_is_not_driven():
    assert drive_speed(0.0, 350.0, 1e6, 0.0) == 0.0


def test_a_load_that_grows_with_speed_is_solved_for():
    speed = drive_speed(5e-3, 350.0, 100.0, 5000.0)
    assert_close(speed, 5e-3 * (1.0 - (100.0 + 5000.0 * speed) / 350.0), rtol=1e-14)


def test_a_drive_without_stall_keeps_its_speed():
    assert drive_speed(-5e-3, math.inf, -1e3, 5e3) == -5e-3


def test_speed_is_asked_for_on_a_ramp():
    drive = Drive(0.0, 0.01, 2.0, 0.25, 60.0)
    assert asked_speed(drive, 1.0) == 0.0
    assert_close(asked_speed(drive, 2.125), 0.005, rtol=1e-14)
    assert asked_speed(drive, 3.0) == 0.01
    assert asked_speed(drive._replace(ramp=0.0), 2.0) == 0.01
