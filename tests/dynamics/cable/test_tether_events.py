"""Breaks, ends of lines, supercritical pay-out, tangles, ground, heat: what changes a tether at an instant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.reel_laws import BRAKE
from haptos.dynamics.cable.tether_reel import TENSION_SET
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import CELLS, CUT
from haptos.dynamics.cable.tether_system import (
    EndBody,
    TetherLine,
    TetherSystem,
    TetherWatch,
    ground_under,
    hold,
    no_heat,
    prescribed,
    sun_light,
)
from haptos.environment.heat import STEFAN_BOLTZMANN
from haptos.geometry.distance.surface import plane
from tests.close import assert_close
from tests.tether_cases import reel_both_ways, spun_reel_in


def pulled(breaking: float = math.inf, cells: int = 8) -> TetherSystem:
    """Two bodies that fly apart on a line of 50 m."""
    line = TetherLine(50.0, 0.05, 1e4, 50.0, breaking)
    bodies = (EndBody(30.0), EndBody(20.0, position=(50.0, 0.0, 0.0), velocity=(1.5, 0.2, 0.0)))
    return TetherSystem(bodies, line, cells)


def brake(tension: float):
    reel = hold()._replace(kind=BRAKE)
    reel.numbers[TENSION_SET] = tension
    reel.numbers[5] = 0.0
    return reel


def test_a_line_that_breaks_lives_on_in_two_parts():
    run = TetherRun(pulled(breaking=40.0))
    p = run.momentum()[0]
    run.advance(30.0, most_steps=60_000)
    (when, name, spring, tension), *_ = run.events
    assert (name, spring) == ("tether broke", int(run.tether.status[CUT]))
    assert_close(tension, 40.0, rtol=1e-6)
    assert 0.0 < when < 1.0
    assert_close(run.momentum()[0], p, rtol=1e-13)
    balance = run.balance()
    assert balance["breakage"] < 0.0
    assert abs(balance["relative"]) < 1e-6
    apart = np.linalg.norm(run.state[17:20] - run.state[0:3])
    assert apart > 60.0  # nothing holds the bodies any more


def test_both_parts_of_a_broken_line_can_be_reeled():
    reels = (prescribed([2.0, 10.0], [0.0, -5.0]), prescribed([2.0, 10.0], [0.0, -3.0]))
    run = TetherRun(pulled(breaking=40.0).changed(reels=reels))
    p, _, m = run.momentum()
    run.advance(12.0, most_steps=60_000)
    assert_close(run.momentum()[0], p, rtol=1e-12)
    assert abs(run.momentum()[2] - m) < 1e-12 * m


def test_the_end_of_the_line_is_reached_and_holds():
    line = TetherLine(50.0, 0.05, 1e4, 50.0)
    bodies = (EndBody(30.0), EndBody(20.0, position=(40.0, 0.0, 0.0), velocity=(2.0, 0.0, 0.0)))
    run = TetherRun(TetherSystem(bodies, line, 6, reels=(brake(1.5), hold()), stored=(10.0, 0.0)))
    run.advance(20.0, most_steps=60_000)
    assert "tether end reached" in [name for _, name, *_ in run.events]
    assert abs(run.state[34]) < 1e-6
    assert abs(run.balance()["relative"]) < 1e-6


def test_paying_out_faster_than_tension_can_brake_stops_the_run():
    line = TetherLine(5000.0, 0.05, 1e4, 500.0)
    bodies = (EndBody(30.0), EndBody(200.0, position=(100.0, 0.0, 0.0), velocity=(60.0, 0.0, 0.0)))
    run = TetherRun(
        TetherSystem(bodies, line, 10, reels=(brake(60.0), hold()), stored=(4900.0, 0.0))
    )
    ended = run.advance(60.0, most_steps=60_000)
    assert ended.event == "supercritical pay-out"


def test_slack_line_that_comes_together_is_a_tangle():
    line = TetherLine(50.0, 0.05, 1e4, 50.0)
    n = 8
    angle = np.linspace(0.0, 1.8 * math.pi, n)
    places = np.stack([3.0 * np.cos(angle), 3.0 * np.sin(angle), 0.0 * angle], axis=1)
    speeds = np.stack([-0.2 * np.cos(angle), -0.2 * np.sin(angle), 0.0 * angle], axis=1)
    bodies = (EndBody(30.0, position=(3.5, 0.0, 0.0)), EndBody(20.0, position=(3.5, -2.5, 0.0)))
    system = TetherSystem(bodies, line, n, tangle=(0.05, 0.5), stops=("slack tangle",))
    run = TetherRun(system, cells=(places, speeds))
    assert run.advance(30.0, most_steps=60_000).event == "slack tangle"


def test_watches_stop_where_their_number_falls_through():
    system = pulled().changed(
        watches=(TetherWatch("distance above", 50.2), TetherWatch("tension above", 1e9))
    )
    run = TetherRun(system)
    assert run.advance(10.0).event == "watch"
    assert_close(np.linalg.norm(run.state[17:20] - run.state[0:3]), 50.2, rtol=1e-8)


def test_an_end_body_bounces_on_the_ground():
    ground = ground_under(plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)), stiffness=1.5e4)
    bodies = (
        EndBody(50.0, position=(0.0, 0.0, 100.0), is_fixed=True),
        EndBody(
            30.0,
            inertia=(1.0, 1.0, 1.0),
            position=(0.0, 0.0, 1.25),
            velocity=(0.0, 0.0, -0.1),
            radius=0.25,
        ),
    )
    run = TetherRun(TetherSystem(bodies, TetherLine(200.0, 0.0, 1e4), 0, ground=ground))
    run.advance(10.0 + math.pi * math.sqrt(30.0 / 1.5e4) + 5.0)
    assert_close(run.state[22] / 30.0, 0.1, rtol=1e-5)
    assert_close(run.state[19], 0.25 + 0.5, rtol=1e-4)
    assert "touches ground" in [name for _, name, *_ in run.events]
    assert abs(run.balance()["relative"]) < 1e-6


def test_a_cord_in_sunlight_takes_its_equilibrium_temperature():
    heat = no_heat()._replace(is_on=1.0, flux=1361.0, reel_temperature=250.0)
    light = sun_light((0.0, 0.0, 1.0))
    line = TetherLine(100.0, 8.33e-3, 1e5, 100.0, diameter=2.6076e-3)
    bodies = (EndBody(30.0), EndBody(20.0, position=(100.0, 0.0, 0.0)))
    run = TetherRun(
        TetherSystem(bodies, line, 5, heat=heat, light=light), temperatures=np.full(5, 300.0)
    )
    run.advance(6000.0, most_steps=60_000)
    exact = (0.5 * 1361.0 / (math.pi * 0.8 * STEFAN_BOLTZMANN)) ** 0.25
    assert_close(run.state[CELLS + 30 : CELLS + 35], np.full(5, exact), rtol=1e-4)
    works = run.works()
    stored = 8.33e-3 * 1000.0 * 20.0 * (run.state[CELLS + 30 : CELLS + 35] - 300.0).sum()
    assert_close(works["heat_absorbed"] - works["heat_emitted"], stored, rtol=1e-8)


def test_emission_alone_cools_a_cord_in_the_closed_form_time():
    heat = no_heat()._replace(is_on=1.0, flux=0.0)
    radius, density = 1.3038e-3, 1560.0
    line = TetherLine(100.0, density * math.pi * radius**2, 1e5, 100.0, diameter=2.0 * radius)
    bodies = (EndBody(30.0), EndBody(20.0, position=(100.0, 0.0, 0.0)))
    run = TetherRun(TetherSystem(bodies, line, 4, heat=heat), temperatures=np.full(4, 300.0))
    run.advance(657.3, most_steps=60_000)
    assert_close(run.state[CELLS + 24], 200.0, rtol=1e-4)


def test_heat_that_line_carries_is_accounted_for_while_reeling():
    heat = no_heat()._replace(is_on=1.0, flux=1361.0, reel_temperature=280.0)
    run = TetherRun(spun_reel_in(10).changed(heat=heat), temperatures=np.full(10, 320.0))
    line = run.system.line

    def held() -> float:
        theta = run.state[CELLS + 60 : CELLS + 70]
        width = (line.total - run.state[34] - run.state[35]) / 10
        return float(line.density * line.heat_capacity * width * theta.sum())

    before = held()
    run.advance(60.0, most_steps=60_000)
    w = run.works()
    assert_close(held() - before, w["heat_absorbed"] - w["heat_emitted"] + w["heat_fed"], rtol=1e-8)


@pytest.mark.parametrize(
    "change",
    [
        {"cells": -1}, {"cells": 2}, {"stored": (70.0, 60.0)}, {"stored": (-1.0, 0.0)}, {"cells": 0},
    ],
)  # fmt: skip
def test_systems_that_make_no_sense_are_refused(change):
    with pytest.raises(ConfigError):
        spun_reel_in(10).changed(**change)


def test_slack_systems_end_within_their_steps():
    run = TetherRun(reel_both_ways(6).changed(), tolerance=1e-6)
    ended = run.advance(60.0, most_steps=200_000)
    assert ended.code == 1
