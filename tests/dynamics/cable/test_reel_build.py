"""Reels at the end of a line: tension held, clutch, servo, limits of force, power, speed and acceleration, brake heat."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.cable import tether_extremes as extremes
from haptos.dynamics.cable.reel_build import (
    ReelParts,
    brake,
    clutch,
    constant_tension,
    hold,
    prescribed,
    servo,
)
from haptos.dynamics.cable.tether_reel import BRAKE_TEMPERATURE, Reel
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import (
    BODY,
    JAMMED,
    MOMENTUM,
    POSITION,
    REEL,
    SHAFT,
    STORED,
    WORKS,
)
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem, TetherWatch
from tests.close import assert_close

MASS, OUT = 50.0, 100.0


def on_reel(
    reel: Reel, *, speed: float = 0.0, stored: float = 200.0, cells: int = 0, damping: float = 200.0,
    breaking: float = math.inf, stops: tuple[str, ...] = (), watches: tuple[TetherWatch, ...] = (),
) -> TetherRun:  # fmt: skip
    """A mass of 50 kg that leaves a fixed reel at a speed, on 100 m of line that is just taut."""
    density = 0.01 if cells else 0.0
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(MASS, position=(OUT, 0.0, 0.0), velocity=(speed, 0.0, 0.0))),
        line=TetherLine(OUT + stored, density, 2e4, damping, breaking),
        cells=cells,
        reels=(reel, hold()),
        stored=(stored, 0.0),
        stops=stops,
        watches=watches,
    )  # fmt: skip
    return TetherRun(system, tolerance=1e-8)


def speed_of(run: TetherRun) -> float:
    return float(run.state[BODY + MOMENTUM] / MASS)


def tension_of(run: TetherRun) -> float:
    run.refresh()
    return float(run.tether.springs.tension[0])


@pytest.mark.parametrize("cells", [0, 8])
def test_a_brake_stops_a_mass_at_its_tension(cells):
    run = on_reel(
        brake(20.0), speed=4.0, cells=cells, watches=(TetherWatch("range rate below", 0.0),)
    )
    run.advance(100.0)
    if cells == 0:  # the line has no mass: T = m v/t from the moment it is tight
        assert_close(run.time, MASS * 4.0 / 20.0, rtol=5e-3)
        assert_close(run.extremes[extremes.TENSION], 20.0, rtol=1e-6)
    assert_close(-run.works()["shaft_0"], 0.5 * MASS * 16.0, rtol=2e-2)
    assert_close(run.works()["recovered_0"], -0.25 * run.works()["shaft_0"], rtol=1e-6)
    heated = run.state[REEL + BRAKE_TEMPERATURE]
    assert_close(heated, run.works()["brake_heat_0"] / (20.0 * 900.0), rtol=1e-6)
    assert abs(run.balance()["relative"]) < 1e-7


def test_constant_tension_reels_in_what_comes_back():
    run = on_reel(constant_tension(20.0), speed=2.0)
    run.advance(12.0)  # stops after 5 s, then is pulled in
    assert_close(speed_of(run), 2.0 - 20.0 / MASS * 12.0, rtol=2e-3)
    assert_close(tension_of(run), 20.0, rtol=1e-6)
    assert run.works()["drawn_0"] > 0.0


def test_a_clutch_slips_above_its_tension_and_reels_in_below():
    reel = clutch([0.0, 60.0], [0.0, -20.0], 30.0, 100.0)
    run = on_reel(reel, speed=3.0)
    run.advance(20.0)
    assert run.extremes[extremes.TENSION] > 30.0
    assert run.extremes[extremes.TENSION] < 3.0 * math.sqrt(
        2e4 / OUT * MASS
    )  # a rigid reel's snatch
    run.advance(60.0)
    paid = 200.0 - float(run.state[STORED])
    assert paid > -20.0  # slipped by some metres
    assert (
        abs(run.balance()["relative"]) < 1e-5
    )  # steps pass over the corner where it begins to slip


def test_a_servo_follows_its_rate():
    reel = servo([0.0, 100.0], [0.0, -30.0], 5.0)
    run = on_reel(reel, cells=6)
    run.advance(100.0)
    assert_close(200.0 - float(run.state[STORED]), -30.0, rtol=1e-2)
    assert abs(run.balance()["relative"]) < 1e-6


def test_a_weak_servo_lags_behind():
    strong = on_reel(servo([0.0, 20.0], [0.0, -30.0], 5.0))
    weak = on_reel(servo([0.0, 20.0], [0.0, -30.0], 5.0, parts=ReelParts(force=2.0)))
    for run in (strong, weak):
        run.advance(20.0)
    assert float(weak.state[STORED]) < float(strong.state[STORED]) - 1.0


def test_a_reel_slips_at_its_largest_force():
    run = on_reel(hold(), speed=3.0)
    run.advance(3.0)
    held = float(run.extremes[extremes.TENSION])
    reel = prescribed([0.0, 50.0], [0.0, 0.0], parts=ReelParts(force=100.0))
    slipping = on_reel(reel, speed=3.0)
    slipping.advance(3.0)
    assert held > 200.0
    assert_close(slipping.extremes[extremes.TENSION], 100.0, rtol=1e-6)


def test_power_and_speed_of_a_brake_are_limited():
    free = on_reel(brake(100.0), speed=10.0)
    weak = on_reel(brake(100.0, parts=ReelParts(power=200.0)), speed=10.0)
    for run in (free, weak):
        run.advance(1.0, rows=np.linspace(0.0, 1.0, 101))
    shaft = -np.diff(weak.rows[:, WORKS + SHAFT]) / 0.01
    assert shaft.max() <= 200.0 * 1.02  # the stretch of the line lags behind
    assert_close(shaft[-1], 200.0, rtol=1e-2)
    assert speed_of(weak) > speed_of(free) + 1.0
    slow = on_reel(brake(100.0, parts=ReelParts(fastest=2.0)), speed=10.0)
    slow.advance(1.0)
    assert slow.extremes[extremes.PAYOUT_0] <= 2.0
    assert (
        slow.extremes[extremes.TENSION] > 150.0
    )  # what the reel cannot let out, the line stretches


def test_acceleration_of_a_reel_is_limited():
    run = on_reel(brake(20.0, parts=ReelParts(acceleration=1.0)), speed=4.0)
    times = np.linspace(0.0, 2.0, 201)
    run.advance(2.0, rows=times)
    payout = np.diff(200.0 - run.rows[:, STORED]) / np.diff(run.row_times)
    assert payout.max() <= 2.0 * (1.0 + 1e-6)
    assert run.extremes[extremes.TENSION] > 40.0


def test_the_line_ends_where_the_reel_is_empty():
    run = on_reel(brake(5.0), speed=10.0, stored=20.0, stops=("tether end reached",))
    ended = run.advance(100.0)
    assert ended.event == "tether end reached"
    assert abs(float(run.state[STORED])) < 1e-4


def test_a_line_that_runs_faster_than_its_waves_is_told():
    run = on_reel(brake(0.5), speed=20.0, cells=8, stops=("supercritical pay-out",))
    assert run.advance(50.0).event == "supercritical pay-out"


def test_a_jam_snatches():
    soft = on_reel(brake(20.0), speed=4.0)
    soft.advance(3.0)
    soft.tether.status[JAMMED] = 1.0
    soft.advance(6.0)
    assert soft.extremes[extremes.TENSION] > 100.0
    assert float(soft.state[BODY + POSITION]) < 130.0


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: brake(0.0), "above 0"),
        (lambda: clutch([0.0, 1.0], [0.0, 1.0], 2.0, 0.0), "slope"),
        (lambda: servo([0.0, 1.0], [0.0, 1.0], 0.0), "inertia"),
        (lambda: prescribed([0.0], [0.0]), "two or more"),
        (lambda: prescribed([0.0, 1.0], [0.0, 9.0], parts=ReelParts(fastest=2.0)), "more time"),
        (lambda: ReelParts(generator=(1.2, 1.0)), "share"),
        (lambda: ReelParts(power=-1.0), "above 0"),
    ],
)
def test_reels_that_cannot_be_are_refused(call, word):
    with pytest.raises(ConfigError, match=word):
        call()
