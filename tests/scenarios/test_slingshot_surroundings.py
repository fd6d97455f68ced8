"""Sling-shots with what is around them: hot brakes, the line as a harpoon lays it, a target that pulls and is touched."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.files import parse, parse_toml, preset_text
from tests.close import assert_close


def table(name: str, **tables: Any) -> dict[str, Any]:
    found: dict[str, Any] = parse_toml(preset_text(name), name)
    for key, values in tables.items():
        found[key] = {**found.get(key, {}), **values}
    return found


def run(name: str, **tables: Any) -> Result:
    return hp.simulate(parse(table(name, **tables), "slingshot.toml"))


COARSE = {"cells": 20}


@pytest.fixture(scope="module")
def slow() -> Result:
    return run("slingshot-slow", run=COARSE)


def test_a_brake_that_loses_force_when_hot_pays_out_more(slow):
    weak = run("slingshot-slow", run=COARSE, reel={"brake_fade_share": 0.9})
    assert "brake fades" in [str(kind) for kind in weak.events["kind"].values]
    # 9 / 10 of the force from 0.3 s of full power on: 1/0.9 of the time of the closed form
    assert_close(weak.metrics["end_time_s"] / slow.metrics["end_time_s"], 1.0 / 0.9, rtol=0.02)
    assert weak.metrics["deployed_m"] > 1.08 * slow.metrics["deployed_m"]
    assert weak.trusted


def test_the_brake_s_largest_power_is_that_of_all_steps_not_of_stored_rows(slow):
    coarse = run("slingshot-slow", run={**COARSE, "output_interval_s": 20.0})
    name = "peak_brake_power_W"
    assert coarse.metrics[name] == slow.metrics[name] > 1e7


def test_a_line_laid_out_by_the_harpoon_is_struck_across_when_it_is_anchored():
    """It moves with the spacecraft at 1.4 km/s across its own direction; fibres of Zylon break at that."""
    start = {"start": "flight", "breaking": "report"}
    craft = {"harpoon_speed_m_per_s": 2170.0}
    result = run("slingshot", tether=start, spacecraft=craft, run={**COARSE, "duration_s": 2.0})
    assert_close(result.metrics["flight_time_s"], 9.9e3 / 2170.0, rtol=1e-12)
    assert result.metrics["peak_tension_share"] > 1.0
    broken = run("slingshot", tether={"start": "flight"}, spacecraft=craft, run=COARSE)
    assert broken.ended == Outcome.TETHER_BROKE
    assert broken.metrics["end_time_s"] < 0.1


def test_the_end_of_the_line_sends_the_wave_of_its_closed_form():
    metrics = run("slingshot-end", run=COARSE).metrics
    wave = math.sqrt(270e9 * 5.34e-6 * 1560.0 * 5.34e-6)
    speed = (metrics["end_snatch_N"] - 30350.0) / wave
    assert_close(speed, metrics["end_range_rate_m_per_s"], rtol=5e-3)


def test_a_line_that_feels_the_target_lies_on_it():
    loose, felt = (
        run("slingshot", run={"cells": 30, "max_steps": 3_000_000}, **tables)
        for tables in ({}, {"contact": {"stiffness_N_per_m": 3e4, "friction": 0.0}})
    )
    assert_close(felt.metrics["target_time_s"], loose.metrics["target_time_s"], rtol=0.02)
    depth = next(check for check in felt.checks if check.name == "ground")
    assert depth.value < depth.bound
    assert felt.trusted
    centre, axes = np.array([0.0, -30.0e3, 0.0]), np.array([60.0e3, 30.1e3, 60.0e3])
    deep = []
    for result in (loose, felt):
        points = np.asarray(result.trajectory["r_point_N"].values[-1])
        deep.append(1.0 - np.linalg.norm((points - centre) / axes, axis=1).min())
    assert deep[1] < 0.1 * deep[0]


def test_a_target_with_gravity_pulls_by_its_potential():
    """A turn on a fixed length about a ball: work of gravity is the change of the potential of spacecraft and line."""
    mu, centre = 1e9, np.array([0.0, -30.0e3, 0.0])
    target = {"centre_m": centre.tolist(), "semi_axes_m": [30.1e3] * 3, "mu_m3_per_s2": mu}
    result = run("slingshot-turn", target=target, run=COARSE)
    points = np.asarray(result.trajectory["r_point_N"].values)[:, :-1]
    density = 1560.0 * 5.34e-6
    deployed = float(result.trajectory["deployed"].values[0])
    config = result.config
    craft = config["spacecraft"]["mass_kg"] - config["spacecraft"].get("harpoon_mass_kg", 0.0)
    craft += density * (config["tether"]["length_m"] - deployed)
    masses = np.array([craft, *[density * deployed / 20] * 20])
    potential = -(masses * mu / np.linalg.norm(points - centre, axis=2)).sum(axis=1)
    work = np.asarray(result.ledger.works["gravity"])
    assert_close(work[-1] - work[0], potential[0] - potential[-1], rtol=1e-5)
    assert result.trusted


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        ({"tether": {"start": "flight"}}, "harpoon_speed"),
        ({"spacecraft": {"harpoon_speed_m_per_s": 1.0}}, "harpoon_speed"),
        ({"air": {"turns": True}}, "turns"),
        ({"reel": {"brake_fade_share": 0.0}}, "brake_fade_share"),
    ],
)
def test_surroundings_that_cannot_be_are_refused(tables, word):
    with pytest.raises(ConfigError, match=word):
        parse(table("slingshot", **tables), "slingshot.toml")


def test_contact_needs_a_target():
    found = table("slingshot", contact={})
    del found["target"]
    with pytest.raises(ConfigError, match="target"):
        parse(found, "slingshot.toml")
