"""Speeds of linear drives: towards a mark, back against a pull, with a ramp."""

from __future__ import annotations

from haptos.dynamics.control.speed_loops import SpeedLoop
from tests.close import assert_close


def test_forward_is_fast_far_off_and_slows_down_to_the_mark():
    loop = SpeedLoop(0.01, 1.0, 0.0)
    assert loop.forward(0.4, 0.1) == 0.01
    assert_close(loop.forward(0.004, 0.1), 0.004, rtol=1e-12)
    assert loop.forward(-0.001, 0.1) == 0.0
    assert loop.forward(0.4, 0.1, is_open=False) == 0.0


def test_the_ramp_takes_its_time():
    loop = SpeedLoop(0.01, 1.0, 0.25)
    speeds = [loop.forward(1.0, 0.05) for _ in range(7)]
    assert_close(speeds, [0.002, 0.004, 0.006, 0.008, 0.01, 0.01, 0.01], rtol=1e-12)
    assert_close(
        [loop.stop(0.05) for _ in range(5)],
        [0.008, 0.006, 0.004, 0.002, 0.0],
        rtol=1e-9,
        scale=0.01,
    )


def test_back_gives_way_to_the_pull():
    loop = SpeedLoop(0.005, 1.0, 0.0)
    assert loop.back(0.0, 150.0, 0.1) == -0.005
    assert_close(loop.back(75.0, 150.0, 0.1), -0.0025, rtol=1e-12)
    assert loop.back(200.0, 150.0, 0.1) == 0.0
    assert loop.back(-50.0, 150.0, 0.1) == -0.005
