"""Surfaces that meet faster than a law of contact can describe: the run is not trusted, in every scenario that has contact."""

from __future__ import annotations

import math
from typing import Any

import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.results.checks import Check
from haptos.results.result import Result
from haptos.scenarios.contact_speed import FASTEST, MOST_SHARE, SOUND, impact_check, thread_check
from haptos.scenarios.files import parse, read_named
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.simulate import simulate_batch
from haptos.scenarios.merging import laid_over

SOUND_IN_NET = math.sqrt(85.0 / (0.4 * 0.25e-6 * math.pi * 1140.0))  # of `net-small`


def run(name: str, **tables: Any) -> Result:
    table, where = read_named(name)
    return haptos.simulate(parse(laid_over(table, tables), where))


def impact(result: Result) -> Check:
    return next(check for check in result.checks if check.name == "impact speed")


def fall(height: float, law: str) -> dict[str, Any]:
    """Tables of a lander that falls on a plane."""
    contact: dict[str, Any] = {"law": law, "friction": 0.0}
    if law == "impulsive":
        contact["restitution"] = 0.5
    else:
        contact |= {"stiffness_N_per_m": 1e7, "damping_N_s_per_m": 1e3}
    speed = math.sqrt(2.0 * 9.81 * height)
    return {
        "scenario": "lander", "name": "fall", "schema": 1, "contact": contact,
        "probe": {"shape": "sphere", "mass_kg": 5.0, "radius_m": 0.5}, "surface": {"shape": "plane"},
        "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -9.81]},
        "release": {"position_m": [0.0, 0.0, height + 0.5]},
        "run": {"duration_s": 1.2 * speed / 9.81, "escape_distance_m": 1e9, "output_interval_s": 100.0},
    }  # fmt: skip


@pytest.mark.parametrize("law", ["impulsive", "compliant"])
def test_a_long_fall_is_not_trusted_although_its_ledger_closes(law: str) -> None:
    result = haptos.simulate(fall(5000.0, law))
    assert result.ledger.relative_remainder < 1e-3
    assert impact(result).value == pytest.approx(math.sqrt(2.0 * 9.81 * 5000.0), rel=1e-3)
    assert not result.trusted
    assert "no spring or restitution describes" in result.verdict


@pytest.mark.parametrize("law", ["impulsive", "compliant"])
def test_a_shorter_fall_is_trusted(law: str) -> None:
    result = haptos.simulate(fall(300.0, law))
    assert impact(result).value == pytest.approx(math.sqrt(2.0 * 9.81 * 300.0), rel=1e-3)
    assert result.trusted


def test_a_row_of_a_batch_is_judged_as_the_single_run() -> None:
    tables = [fall(height, "impulsive") for height in (300.0, 5000.0)]
    configs = [Config.model_validate(table) for table in tables]
    rows = simulate_batch(configs, workers=1)
    assert [row["trusted"] for row in (rows[0], rows[1])] == [True, False]
    assert [haptos.simulate(table).trusted for table in tables] == [True, False]


def test_a_probe_that_spins_fast_where_it_touches_counts_with_its_spin() -> None:
    table = fall(1.0, "impulsive")
    table["release"]["rate_rad_per_s"] = [400.0, 0.0, 0.0]
    result = haptos.simulate(table)
    assert impact(result).value == pytest.approx(math.hypot(200.0, math.sqrt(2.0 * 9.81)), rel=1e-3)
    assert not result.trusted


def test_bodies_of_a_net_that_collide_fast_are_not_trusted() -> None:
    """A target that comes at 900 m/s runs into net and chaser."""
    result = run("net-small", target={"velocity_m_per_s": [-900.0, 0.0, 0.0]})
    assert result.ledger.relative_remainder < 1e-3
    assert not impact(result).holds
    assert not result.trusted


@pytest.mark.parametrize(
    ("scheme", "coming"), [("verlet", 20.0), ("verlet", 90.0), ("dormand-prince", 90.0)]
)
def test_threads_that_meet_a_target_near_their_speed_of_sound_are_not_trusted(
    scheme: str, coming: float
) -> None:
    """The shot adds some 1.5 m/s; runs end soon after the touch."""
    steps: dict[str, Any] = {"scheme": scheme, "duration_s": 1.3 / (coming + 2.0)}
    if scheme == "verlet":
        steps["longest_step_s"] = 2e-5
    result = run("net-small", target={"velocity_m_per_s": [-coming, 0.0, 0.0]}, run=steps)
    speed = impact(result).value * SOUND_IN_NET
    assert speed == pytest.approx(coming + 1.5, abs=1.6)
    assert impact(result).holds == (coming < MOST_SHARE * SOUND_IN_NET)


def test_the_speed_of_a_net_is_the_same_for_any_output_interval() -> None:
    values = [
        impact(run("net-small", run={"output_interval_s": interval, "duration_s": 1.0})).value
        for interval in (0.02, 0.37)
    ]
    assert values[0] == values[1] > 0.0


def test_a_bench_that_drops_its_body_fast_is_not_trusted() -> None:
    fast = run(
        "foundation-drop", motion={"velocity_m_per_s": [0.0, 0.0, -150.0], "duration_s": 1e-4},
        contact={"max_depth_m": 0.04, "damping_Pa_s_per_m": 0.0},
    )  # fmt: skip
    assert impact(fast).value == pytest.approx(150.0, rel=1e-3)
    assert not impact(fast).holds
    assert impact(run("foundation-drop")).value == pytest.approx(0.05, rel=1e-3)


def test_a_body_on_a_line_that_strikes_the_ground_fast_is_not_trusted() -> None:
    result = run(
        "tether-touch", start={"relative_velocity_m_per_s": [0.0, 0.0, -500.0]}, run={"max_steps": 20000}
    )  # fmt: skip
    assert 400.0 < impact(result).value < 500.0
    assert not result.trusted


def test_a_harpoon_beyond_its_law_of_penetration_is_not_trusted() -> None:
    result = run(
        "harpoon-st4", shot={"speed_m_per_s": 400.0}, line={"linear_density_kg_per_m": 1e-5}
    )
    assert impact(result).value == pytest.approx(400.0, rel=0.05)
    assert not impact(result).holds
    assert impact(run("harpoon-st4")).holds


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("tether-boom", {"touch": {"approach_m_per_s": 500.0}}),
        ("docking", {"start": {"rate_deg_per_s": [0.0, 0.0, 3600.0]}}),
    ],
)
def test_what_is_known_before_the_run_is_refused(name: str, changes: dict[str, Any]) -> None:
    table, where = read_named(name)
    with pytest.raises(ConfigError, match="m/s"):
        parse(laid_over(table, changes), where)


def test_bounds_follow_the_slower_sound_and_a_nan_never_holds() -> None:
    assert FASTEST == MOST_SHARE * SOUND
    assert thread_check(48.0, 500.0).holds
    assert not thread_check(52.0, 500.0).holds
    assert thread_check(99.0, 1e4).holds
    assert not thread_check(101.0, 1e4).holds
    assert impact_check(0.0).holds
    assert not impact_check(math.nan).holds
