"""Controllers of the user's own in tethers: clock, delay, limits, propellant, what no body can do, errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from tests.close import assert_close
from tests.scenarios.test_tether import changed

TORQUE, INERTIA, SECONDS = 0.05, 300.0, 20.0


def short(**first: Any) -> dict[str, Any]:
    """A line held for 20 s between a body with wheels that hold nothing and one with a thruster."""
    body = {"hold_gain_N_m": 0.0, "hold_damping_N_m_s": 0.0} | first
    jet = {
        "force_N": 2.0,
        "isp_s": 200.0,
        "direction": [1.0, 0.0, 0.0],
        "start_s": 1e6,
        "stop_s": 2e6,
    }
    return changed(
        "tether", first=body, second={"thrusters": [jet], "propellant_kg": 1.0},
        steps=[{"kind": "hold", "duration_s": SECONDS}], run={"cells": 4, "output_interval_s": 5.0},
    )  # fmt: skip


def turned(controller: Any) -> haptos.Result:
    return haptos.simulate(short(), controller=controller)


def twist(time: float, measured: dict[str, Any]) -> dict[str, haptos.Push]:
    return {"first": haptos.Push(torque=(TORQUE, 0.0, 0.0))}


def rate_x(result: haptos.Result) -> float:
    return float(result.trajectory["omega_BN_B"].values[-1, 0, 0])


def test_wheels_turn_a_body_as_asked_and_as_late_as_their_delay():
    free = rate_x(haptos.simulate(short()))
    found = turned(haptos.Controller(twist, interval=1.0, delay=2.0))
    assert found.trusted
    assert_close(rate_x(found) - free, TORQUE * (SECONDS - 2.0) / INERTIA, rtol=1e-3)
    table = found.tables["control"]
    assert len(table["time"]) == 18
    assert_close(float(table["time"][0]), 2.0, rtol=1e-12)


def test_answers_are_cut_to_the_limits():
    found = turned(haptos.Controller(twist, interval=1.0, largest_torque=0.02))
    assert_close(np.abs(found.tables["control"]["torque"].values).max(), 0.02, rtol=1e-12)


def test_a_force_burns_propellant_and_is_no_larger_than_the_thrusters():
    def push(time: float, measured: dict[str, Any]) -> dict[str, haptos.Push]:
        assert {"first", "second", "tension", "length"} <= set(measured)
        return {"second": haptos.Push(force=(0.0, 10.0, 0.0), axes="inertial")}

    found = turned(haptos.Controller(push, interval=1.0))
    force = np.linalg.norm(found.tables["control"]["force"].values, axis=1)
    assert_close(force, np.full(20, 2.0), rtol=1e-12)
    assert found.trusted


def test_an_error_ends_the_run_with_its_traceback():
    def broken(time: float, measured: dict[str, Any]) -> None:
        if time > 6.0:
            raise ValueError("no idea")

    found = turned(haptos.Controller(broken, interval=2.0))
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "no idea" in found.traceback
    assert 6.0 < float(found.trajectory["time"].values[-1]) <= 8.0 + 1e-9


@pytest.mark.parametrize(
    "answer",
    [{"first": haptos.Push(force=(1.0, 0.0, 0.0))}, {"second": haptos.Push(torque=(1.0, 0.0, 0.0))},
     {"third": haptos.Push()}, 3.0, {"first": haptos.Push(torque=(math.nan, 0.0, 0.0))}],
)  # fmt: skip
def test_what_no_body_can_do_fails(answer: Any):
    found = turned(haptos.Controller(lambda time, measured: answer, interval=5.0))
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "ConfigError" in found.traceback


def test_bodies_without_actuators_take_no_controller():
    table = changed("tether", first={"wheel_torque_N_m": 0.0}, run={"cells": 4})
    with pytest.raises(ConfigError, match="actuator"):
        haptos.simulate(table, controller=twist)


@pytest.mark.parametrize("name", ["lander", "slingshot", "harpoon", "foundation"])
def test_scenarios_without_actuators_refuse_one(name: str):
    with pytest.raises(ConfigError, match="a controller in scenario"):
        haptos.simulate(name, controller=twist)
