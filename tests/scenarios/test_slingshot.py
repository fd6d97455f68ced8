"""Sling-shots: the runs that are known, every way they can end, what is refused, what stays the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.files import parse_checked, parse_toml, preset_text
from haptos.scenarios.registry import scenario
from haptos.scenarios.slingshot.config import Config
from haptos.scenarios.slingshot.model import check
from tests.close import assert_close

COARSE = {"run": {"cells": 12, "tolerance": 1e-6, "output_interval_s": 1.0}}


def changed(name: str, *changes: dict) -> Config:
    """A preset with tables merged into it."""
    table = parse_toml(preset_text(name), name)
    for change in changes:
        for key, value in change.items():
            table[key] = {**table.get(key, {}), **value} if isinstance(value, dict) else value
    made = parse_checked(table, name)
    assert isinstance(made, Config)
    return made


def run(name: str, *changes: dict) -> Result:
    return hp.simulate(changed(name, *changes))


@pytest.fixture(scope="module")
def hitchhiker() -> Result:
    return run("slingshot")


def test_the_hitchhiker_is_captured_with_line_left(hitchhiker):
    found = hitchhiker.metrics
    assert hitchhiker.outcome is Outcome.CAPTURED
    known = {
        "end_time_s": 114.8, "deployed_m": 101.35e3, "peak_acceleration_m_per_s2": 21.63, "peak_tension_N": 28.10e3,
        "brake_energy_J": 1.452e9, "recovered_J": 0.363e9, "feed_loss_J": 0.397e9, "end_speed_across_m_per_s": 188.8,
    }  # fmt: skip
    for name, value in known.items():
        assert_close(found[name], value, rtol=2e-3)
    assert_close(found["peak_tension_time_s"], 8.4, rtol=1e-2)
    assert hitchhiker.ledger.relative_remainder < 1e-9
    assert {check.name for check in hitchhiker.checks} == {"mass", "momentum", "strain"}


def test_the_energy_goes_where_the_ledger_says(hitchhiker):
    found = hitchhiker.metrics
    mass = 990.0 + 1560.0 * 5.34e-6 * (120e3 - 9.9e3)
    line = 1560.0 * 5.34e-6 * 9.9e3 * 1400.0**2 / 6.0  # of a line whose speed rises evenly along it
    start = 0.5 * mass * 1400.0**2 + line
    taken = sum(found[name] for name in ("brake_energy_J", "feed_loss_J", "damping_loss_J"))
    left = hitchhiker.ledger.total[-1]
    assert_close(start + found["transport_J"], taken + left, rtol=1e-4)
    assert_close(found["recovered_J"], 0.25 * found["brake_energy_J"], rtol=1e-9)
    assert_close(found["brake_end_K"], 290.0 + found["brake_heat_J"] / 18e3, rtol=1e-6)


def test_the_answer_has_numbers_and_the_closed_form(hitchhiker):
    for word in (
        "captured",
        "101 km",
        "18.7 km",
        "kN",
        "GJ",
        "hitchhike equation",
        "target",
        "K, uncooled",
    ):
        assert word in hitchhiker.answer
    shown = scenario("slingshot").showing
    assert len(shown.figures(hitchhiker)) >= 6
    assert {item.label for item in shown.scene(hitchhiker).items} >= {"target", "cables", "bodies"}
    kinds = [str(kind) for kind in hitchhiker.events["kind"].values]
    assert kinds[0] == "brake fades"
    assert {"ramp ends", "largest tension", "line meets the target", "end"} <= set(kinds)


@pytest.mark.parametrize(
    ("name", "changes", "outcome"),
    [
        ("slingshot-end", COARSE, Outcome.TETHER_END),
        ("slingshot-leave", COARSE, Outcome.DEPARTED),
        ("slingshot-turn", COARSE, Outcome.TURNED),
        ("slingshot", {**COARSE, "tether": {"damping_N_s": 1.0e5}}, Outcome.TETHER_BROKE),
        ("slingshot", {**COARSE, "reel": {"jam_s": 20.0}}, Outcome.REEL_JAMMED),
        ("slingshot", {**COARSE, "failure": {"break_at_s": 30.0}}, Outcome.TETHER_BROKE),
        ("slingshot-fig16", {**COARSE, "reel": {"ramp_s": 20.0}}, Outcome.SUPERCRITICAL),
        ("slingshot", {"run": {**COARSE["run"], "duration_s": 20.0}}, Outcome.TIME_OVER),
        ("slingshot", {"run": {**COARSE["run"], "max_steps": 20}}, Outcome.STEPS_OVER),
    ],
)  # fmt: skip
def test_every_way_to_end_is_reached(name, changes, outcome):
    result = run(name, changes)
    assert result.ended is outcome
    assert result.answer
    if outcome is not Outcome.STEPS_OVER:
        assert result.trusted, result.verdict


def test_a_line_that_is_only_watched_says_when_it_would_break():
    result = run("slingshot-fig16", COARSE)
    assert result.ended is Outcome.CAPTURED
    assert_close(result.metrics["would_break_time_s"], 4.8, rtol=0.05)


def test_leaving_and_turning_are_their_closed_forms():
    leave = run("slingshot-leave", COARSE).metrics
    assert_close(leave["end_speed_m_per_s"], leave["closed_speed_m_per_s"], rtol=2e-2)
    turn = run("slingshot-turn", COARSE).metrics
    assert_close(turn["turned_deg"], 60.0, rtol=1e-6)
    assert_close(turn["end_time_s"], turn["closed_time_s"], rtol=1e-2)
    assert_close(turn["peak_acceleration_m_per_s2"], 20.0, rtol=5e-2)


def test_the_motion_has_the_same_bits_for_any_output_interval():
    one, other = (
        run("slingshot", {"run": {**COARSE["run"], "output_interval_s": every, "duration_s": 20.0}})
        for every in (0.37, 5.0)
    )
    assert one.metrics["peak_tension_N"] == other.metrics["peak_tension_N"]
    last = [np.asarray(r.trajectory["r_point_N"].values[-1]) for r in (one, other)]
    assert np.array_equal(*last)


def test_a_hundredth_of_tension_more_is_seen(hitchhiker):
    spoiled = run("slingshot", COARSE, {"reel": {"tension_N": 24776.0 * 1.01}})
    with pytest.raises(AssertionError):
        assert_close(spoiled.metrics["deployed_m"], hitchhiker.metrics["deployed_m"], rtol=2e-3)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"spacecraft": {"speed_m_per_s": 1800.0}}, "hitchhike equation"),
        ({"reel": {"tension_N": 40e3}}, 'breaking = "report"'),
        ({"tether": {"breaking_strain": 0.05}}, "agree"),
        ({"tether": {"material": "zylon hm"}}, "leave out one"),
        ({"tether": {"length_m": 5e3}}, "distance"),
        ({"run": {"cells": 2}}, "3 or more"),
        ({"spacecraft": {"harpoon_mass_kg": 2000.0}}, "below mass_kg"),
        ({"anchor": {"position_m": [0.0, -1000.0, 0.0]}}, "ellipsoid"),
        ({"run": {"output_interval_s": 1e-6}}, "stored times"),
        ({"reel": {"generator_efficiency": 1.5}}, "generator_efficiency"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_work_starts(changes, words):
    with pytest.raises(ConfigError, match=words.replace('"', ".")):
        check(changed("slingshot", changes))


def test_a_material_of_the_table_serves_as_the_numbers_do():
    table = parse_toml(preset_text("slingshot"), "slingshot")
    for name in ("youngs_modulus_Pa", "density_kg_per_m3", "breaking_stress_Pa"):
        del table["tether"][name]
    table["tether"]["material"] = "zylon hm"
    check(parse_checked(table, "slingshot"))


def test_ends_have_their_numbers():
    assert math.isclose(changed("slingshot").distance, 9.9e3)


def test_a_turn_of_more_than_half_a_circle_is_counted_whole():
    result = run("slingshot-turn", COARSE, {"manoeuvre": {"angle_deg": 270.0}}, {"run": {"cells": 6, "duration_s": 600.0}})  # fmt: skip
    assert result.outcome is Outcome.TURNED
    assert_close(result.metrics["turned_deg"], 270.0, rtol=1e-6)


@pytest.mark.parametrize("angle", [20.0, 60.0])
def test_a_line_that_is_slack_at_first_turns_as_far_as_asked(angle):
    """The spacecraft comes nearer first: nothing turns, until the line gets taut with a snatch."""
    result = run(
        "slingshot-turn", COARSE, {"manoeuvre": {"angle_deg": angle}, "spacecraft": {"downrange_m": -20e3}},
        {"tether": {"length_m": 60e3, "start": "unstretched", "breaking": "report"}, "run": {"cells": 6, "duration_s": 400.0}},
    )  # fmt: skip
    assert result.outcome is Outcome.TURNED
    assert_close(result.metrics["turned_deg"], angle, rtol=1e-3)
    assert result.metrics["end_time_s"] < 80.0


@pytest.mark.parametrize(
    ("name", "change", "word"),
    [
        ("slingshot-turn", {"spacecraft": {"speed_m_per_s": 0.0}}, "speed above 0"),
        ("slingshot-leave", {"manoeuvre": {"release_distance_m": 70e3}}, "release_distance_m"),
    ],
)
def test_manoeuvres_that_cannot_begin_are_refused(name, change, word):
    with pytest.raises(ConfigError, match=word):
        changed(name, change)
