"""Landers in air: the closed form of a fall with drag, terminal speed, what drag takes, both contact laws."""

from __future__ import annotations

import math

import pytest

import haptos as hp
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.simulate import simulate, simulate_batch
from tests.close import assert_close
from tests.hard_cases import BALL, PULL, hard

AIR = {"density_kg_per_m3": 0.8, "drag_coefficient": 0.5, "area_m2": 0.25}
MASS = 2.0  # [kg], of BALL
TERMINAL = math.sqrt(2.0 * MASS * PULL / (0.8 * 0.5 * 0.25))  # [m/s]
COMPLIANT = {
    "law": "compliant", "stiffness_N_per_m": 5000.0, "restitution": 0.5, "friction": 0.5,
    "stick_speed_m_per_s": 1e-4, "stick_rate_rad_per_s": 1e-3,
}  # fmt: skip


def falling(high: float, **changes: object) -> Config:
    """A ball let go in still air."""
    release = {"position_m": [0.0, 0.0, high], "velocity_m_per_s": [0.0, 0.0, 0.0]}
    return hard(**{"air": AIR, "release": release, **changes})


def touch_time(depth: float) -> float:
    """Time [s] of a fall over a depth [m]: s = v_t^2/g ln cosh(g t/v_t)."""
    return TERMINAL / PULL * math.acosh(math.exp(PULL * depth / TERMINAL**2))


@pytest.mark.parametrize(
    "contact", [{"law": "impulsive", "restitution": 0.5, "friction": 0.5}, COMPLIANT]
)
@pytest.mark.parametrize(
    "probe", [BALL, {"shape": "box", "mass_kg": MASS, "size_m": [0.2, 0.1, 0.2]}]
)
def test_a_fall_with_drag_has_its_closed_form(contact, probe):
    """A ball's rotation is known in closed form in flight, a box with three moments is integrated: both equations."""
    high, half = 40.0, 0.1
    result = simulate(falling(high, contact=contact, probe=probe, run={"duration_s": 120.0}))
    expected = touch_time(high - half)
    assert_close(result.metrics["first_touch_time_s"], expected, rtol=1e-8)
    speed = TERMINAL * math.tanh(PULL * expected / TERMINAL)
    assert 0.5 < speed / TERMINAL < 0.99, "the drag hardly matters, or nothing else does"
    assert_close(result.metrics["first_touch_speed_m_per_s"], speed, rtol=1e-8)
    assert result.trusted


def test_a_long_fall_ends_at_the_terminal_speed():
    result = simulate(falling(600.0, run={"duration_s": 2500.0}))
    assert_close(result.metrics["first_touch_speed_m_per_s"], TERMINAL, rtol=1e-6)
    spoiled = simulate(falling(600.0, air={**AIR, "area_m2": 0.2525}, run={"duration_s": 2500.0}))
    with pytest.raises(AssertionError):
        assert_close(spoiled.metrics["first_touch_speed_m_per_s"], TERMINAL, rtol=1e-3)


def test_drag_takes_what_the_fall_loses():
    """In thinning air, before the first touch: the work of drag is the change of kinetic and potential energy."""
    air = {**AIR, "scale_height_m": 30.0}
    result = simulate(falling(60.0, air=air, run={"duration_s": 400.0}))
    ledger = result.ledger
    flying = ledger.time < result.metrics["first_touch_time_s"]
    stored = ledger.stores["kinetic"] + ledger.stores["potential"]
    change = (stored - stored[0])[flying]
    assert change[-1] < -0.2 * MASS * PULL * 60.0, "hardly any drag"
    assert_close(ledger.works["drag"][flying], change, rtol=1e-9, scale=MASS * PULL * 60.0)
    assert result.trusted
    assert result.ledger.relative_remainder < 1e-8


def test_the_air_turns_with_the_ground():
    """A ball that rests on a spinning body in still air feels no wind, and stays."""
    surface = {"shape": "sphere", "radius_m": 100.0}
    config = hard(
        surface=surface,
        gravity={"model": "point", "mu_m3_per_s2": 200.0},
        spin={"kind": "uniform", "period_h": 1.0},
        air=AIR,
        release={"position_m": [0.0, 0.0, 100.3]},
        run={"duration_s": 600.0},
    )
    result = simulate(config)
    assert str(result.outcome) == "settled"
    assert math.hypot(result.metrics["rest_x_m"], result.metrics["rest_y_m"]) < 1e-6
    assert result.trusted


def test_wind_carries_a_falling_probe_and_one_row_equals_one_run():
    contact = {
        "law": "impulsive",
        "restitution": 0.3,
        "friction": 0.5,
        "rolling_resistance_m": 0.05,
    }
    alike = {"contact": contact, "run": {"duration_s": 200.0}}
    windy = falling(20.0, air={**AIR, "wind_m_per_s": [0.3, 0.0, 0.0]}, **alike)
    result = simulate(windy)
    drift = result.trajectory["v_BA_A"].values[:, 0]
    assert drift.max() > 0.1
    assert drift.max() < 0.3
    calm, row = simulate_batch([falling(20.0, **alike), windy], workers=1)
    assert row["rest_x_m"] == result.metrics["rest_x_m"]
    assert row["first_touch_time_s"] != calm["first_touch_time_s"]


def test_the_built_in_probe_lands_on_titan_at_its_terminal_speed():
    config = hp.default("lander-air")
    result = hp.simulate(config)
    assert result.trusted
    assert str(result.outcome) == "settled"
    air, mass = config.air, config.probe.mass_kg
    area = air.drag_coefficient * air.area_m2
    slowest = math.sqrt(2.0 * mass * 1.354 / (air.density_kg_per_m3 * area))
    sideways = air.wind_m_per_s[0]
    assert_close(
        result.metrics["first_touch_speed_m_per_s"], math.hypot(slowest, sideways), rtol=1e-3
    )
    assert result.ledger.works["drag"][-1] < -0.9 * mass * 1.354 * 300.0
