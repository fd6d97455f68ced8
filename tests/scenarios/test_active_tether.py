"""Active tethers and booms: presets, every way to end, what is refused, files with random damage."""

from __future__ import annotations

import copy
import json
import math
import tomllib
from importlib import resources
from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.dynamics.cable import active_pull
from haptos.results.result import Result
from haptos.scenarios.active_tether.figures import figures
from haptos.scenarios.active_tether.scene import scene
from haptos.scenarios.active_tether.simulate import OUTCOMES
from haptos.scenarios.files import parse
from tests.close import assert_close

PRESETS = ("tether-sampling", "tether-boom", "tether-boom-passive", "tether-wire")


def table_of(name: str) -> dict[str, Any]:
    folder = resources.files("haptos.scenarios.active_tether") / "presets" / f"{name}.toml"
    return tomllib.loads(folder.read_text(encoding="utf-8"))


def run(name: str, **tables: dict[str, Any]) -> Result:
    table = copy.deepcopy(table_of(name))
    for key, values in tables.items():
        table.setdefault(key, {}).update(values)
    return hp.simulate(parse(table, "tether.toml"))


ENDS = {
    "sampled by a tether": ("tether-sampling", {}, Outcome.SAMPLED, "within its band for 100 %"),
    "sampled by a boom": ("tether-boom", {}, Outcome.SAMPLED, "at most (Euler load 44.8 N)"),
    "buckled": ("tether-boom-passive", {}, Outcome.BUCKLED, "The boom buckles"),
    "bottomed": ("tether-boom", {"touch": {"approach_m_per_s": 0.5}}, Outcome.BOTTOMED, "end of its stroke"),
    "rates": ("tether-sampling", {"spacecraft": {"offset_m": 0.05}}, Outcome.RATES_EXCEEDED, "faster than allowed"),
    "sampled by a wire": ("tether-wire", {}, Outcome.SAMPLED, "J of heat"),
    "overheated": ("tether-wire", {"line": {"hottest_K": 300.0}}, Outcome.OVERHEATED, "hotter than it can stand"),
    "sensor": ("tether-sampling", {"failures": {"sensor_stuck_s": 0.01}}, Outcome.PULLED_OUT, "loses its hold"),
    "dead": ("tether-wire", {"failures": {"dead_segments": [0, 1, 2, 3, 4]}}, Outcome.NO_SAMPLE, "not held long enough"),
    "grip": ("tether-sampling", {"effector": {"grip_N": 10.0}}, Outcome.PULLED_OUT, "loses its hold"),
    "not held": ("tether-boom", {"touch": {"has_stage": False, "dwell_s": 2.0}}, Outcome.NO_SAMPLE, "as hard as it comes"),
}  # fmt: skip


@pytest.mark.parametrize("case", ENDS)
def test_every_way_to_end_is_reached_and_said(case):
    name, tables, outcome, words = ENDS[case]
    found = run(name, **tables)
    assert found.ended is outcome
    assert words in found.answer
    assert found.trusted
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    json.dumps(found.as_json())
    assert figures(found)
    assert scene(found).items


def test_all_outcomes_have_a_run_but_those_of_failed_motion():
    assert set(OUTCOMES) - {one[2] for one in ENDS.values()} == {Outcome.MISSED, Outcome.STALLED}


def test_thirteen_millimetres_off_the_axis_are_the_limit():
    found = run("tether-sampling", spacecraft={"offset_m": 0.013})
    assert_close(found.metrics["largest_rate_deg_per_s"], 0.1, rtol=8e-2)
    assert found.ended is Outcome.SAMPLED


def test_cells_agree_with_the_planar_chain():
    """The same pull by segments of the tether in three dimensions and by the chain in a plane."""
    cells, planar = (
        run("tether-sampling", line={"model": model}, spacecraft={"offset_m": 0.01}).metrics
        for model in ("cells", "planar")
    )
    assert cells["held_share"] == planar["held_share"] == 1.0
    # the grip of the chain is a spring of 1.5e4 N/m, that of the cells is rigid
    given = 20.0 / 1.5e4 / 250.0 * 8e4 / 3200.0
    assert_close(cells["activation"], planar["activation"] - given, rtol=5e-3)
    assert_close(cells["largest_rate_deg_per_s"], planar["largest_rate_deg_per_s"], rtol=2e-2)
    assert_close(cells["contact_impulse_N_s"], 40.0, rtol=2e-2)


def test_a_wire_is_heated_and_its_phases_are_drawn():
    found = run("tether-wire")
    assert found.metrics["joule_heat_J"] > 0.0
    table = found.tables["loop"]
    total = table["plus"] + table["minus"] + table["austenite"]
    assert_close(total.values, np.ones(len(total)), rtol=1e-12)
    assert {"Phase fractions", "Stress over strain", "Temperature"} <= set(figures(found))
    line = next(item for item in scene(found).items if item.label == "line")
    assert {one.name for one in line.maps} == {"tension", "austenite", "temperature"}


def test_stiffness_follows_the_phase():
    soft, stiff = (run("tether-boom-passive", line={"austenite": x}).metrics for x in (0.0, 1.0))
    assert_close((soft["buckling_load_N"], stiff["buckling_load_N"]), (14.95, 38.09), rtol=2e-3)
    assert stiff["largest_bow_m"] < 0.02 < 1.0 < soft["largest_bow_m"]


@pytest.mark.parametrize(
    ("change", "load"), [({"austenite": 1.0}, 38.09), ({"curvature_gain": 2.0}, 44.8)]
)
def test_a_boom_that_is_made_stiff_in_time_does_not_buckle(change, load):
    """14.9 N of Euler load under 25 N: stiffened within 2 s it stays straight, after 50 s it has buckled before."""
    soon, late = (run("tether-boom-passive", line={"change": change | {"begin_s": begin, "duration_s": 2.0}}) for begin in (0.0, 50.0))  # fmt: skip
    assert soon.ended is Outcome.SAMPLED
    assert soon.trusted
    assert all(one.share < 1e-6 for one in soon.ledger.judged)
    assert_close(soon.metrics["buckling_load_N"], 14.95, rtol=2e-3)
    assert_close(soon.metrics["changed_buckling_load_N"], load, rtol=2e-3)
    assert late.ended is Outcome.BUCKLED
    assert soon.metrics["largest_bow_m"] < 0.2 < late.metrics["largest_bow_m"]


def test_a_boom_that_is_made_soft_in_time_buckles():
    line = {"austenite": 1.0, "change": {"austenite": 0.0, "duration_s": 0.1}}
    found = run("tether-boom-passive", line=line)
    assert found.ended is Outcome.BUCKLED
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    nothing = run("tether-boom-passive", line={"change": {"austenite": 0.0, "duration_s": 1.0}})
    plain = run("tether-boom-passive")
    for name in ("largest_bow_m", "peak_force_N", "contact_impulse_N_s"):
        assert_close(nothing.metrics[name], plain.metrics[name], rtol=1e-3)


@pytest.mark.parametrize("name", ["cells", "planar"])
def test_a_wanted_force_rises_at_its_rate(name):
    """40 N/s: 20 N after 0.5 s; the impulse is that of the ramp, and the line overshoots less than from a step."""
    rising, step = (run("tether-sampling", line={"model": name}, touch=touch, wanted={"settling_s": 0.8}) for touch in ({"rise_N_per_s": 40.0}, {}))  # fmt: skip
    assert rising.ended is Outcome.SAMPLED
    assert rising.trusted
    assert_close(abs(step.metrics["contact_impulse_N_s"]) - abs(rising.metrics["contact_impulse_N_s"]), 5.0, rtol=5e-2)  # fmt: skip
    time, felt = rising.trajectory["time"].values, rising.trajectory["tension"].values
    # a loop of 30 rad/s follows a ramp 1/30 s later
    assert_close(np.interp(0.25, time, felt), 40.0 * (0.25 - 1.0 / 30.0), rtol=3e-2)
    assert rising.metrics["peak_force_N"] < step.metrics["peak_force_N"]


def test_a_wire_that_is_heated_after_a_rising_force_lags_less():
    found = run("tether-wire", touch={"rise_N_per_s": 5.0})
    assert found.ended is Outcome.SAMPLED
    assert found.trusted
    assert found.metrics["peak_force_N"] < run("tether-wire").metrics["peak_force_N"] + 1.0


@pytest.mark.parametrize(
    ("name", "touch"),
    [("tether-wire", {"dwell_s": 7.0}), ("tether-sampling", {"rise_N_per_s": 40.0})],
)
def test_every_time_that_is_asked_for_is_stored(name, touch):
    """Times that are those of the heater's samples were left out."""
    found = run(name, touch=touch, run={"output_interval_s": 0.01})
    time = found.trajectory["time"].values
    wanted = np.arange(0.0, time[-1], 0.01)
    assert np.abs(time[np.searchsorted(time, wanted - 1e-9)] - wanted).max() < 1e-9


def test_a_force_beyond_the_line_is_refused_with_one_that_it_can_hold():
    thin = {"section_m2": 4e-7}
    with pytest.raises(HaptosError, match="force_N = 2"):
        run("tether-sampling", line=thin)
    assert (
        run("tether-sampling", line=thin, touch={"force_N": 2.0, "first_force_N": 1e-3}).metrics[
            "held_share"
        ]
        > 0.0
    )


def test_a_boom_that_bows_beyond_its_elastic_strain_is_not_trusted(monkeypatch):
    found = run("tether-boom-passive")
    assert found.trusted, found.verdict
    strain = next(check for check in found.checks if check.name == "strain")
    assert_close(strain.value, 0.12 * math.pi**2 * found.metrics["largest_bow_m"] / 100.0**2, rtol=1e-12)  # fmt: skip
    monkeypatch.setattr("haptos.scenarios.active_tether.simulate.ELASTIC", 0.9 * strain.value)
    again = run("tether-boom-passive")
    assert again.outcome is Outcome.NOT_TRUSTED
    assert "not elastic" in again.verdict


@pytest.mark.parametrize(
    "name", ["tether-boom", "tether-boom-passive", "tether-sampling", "tether-wire"]
)
def test_output_changes_neither_numbers_nor_outcome(name):
    """Ten times fewer rows: the force is judged at times of its own."""
    own = table_of(name).get("run", {}).get("output_interval_s", 0.01)
    usual, coarse, fine = (run(name, run={"output_interval_s": k * own}) for k in (1.0, 10.0, 0.7))
    for other in (coarse, fine):
        assert other.ended is usual.ended
        assert repr(other.metrics) == repr(usual.metrics)


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        ({"touch": {"dwell_s": 5000.0}, "run": {"output_interval_s": 1.0}}, "1000 s at most"),
        ({"line": {"wall_m": 1.0, "cells": 2}}, "wall|times the spacecraft"),
        ({"line": {"imperfection_m": 50.0}}, "imperfection_m"),
        ({"line": {"length_m": 5.0, "imperfection_m": 0.2}}, "strains the tube by 0.947 %"),
        ({"effector": {"mass_kg": 1e-9, "radius_m": 1e-3}}, "rad/s"),
        ({"wanted": {"settling_s": 100.0}}, "settling_s"),
        ({"failures": {"sensor_stuck_s": 1.0}}, "cells"),
    ],
)
def test_what_cannot_be_is_refused(tables, word):
    with pytest.raises(HaptosError, match=word):
        run("tether-boom", **tables)


def test_a_boom_does_not_pull():
    table = table_of("tether-boom") | {"touch": {"kind": "pull"}}
    with pytest.raises(HaptosError, match="presses"):
        hp.simulate(parse(table, "tether.toml"))


ODD = [-1.0, 0.0, 1e300, 1e-300, math.nan, math.inf, "text", None, [], {}, True, -7, 10**30]


def damaged(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """A preset with one or two values, keys or tables replaced, removed or added; short, so that it may run."""
    table = copy.deepcopy(table_of(name))
    table["touch"]["dwell_s"] = 0.6
    for _ in range(int(rng.integers(1, 3))):
        names = [key for key in table if isinstance(table[key], dict) and table[key]]
        where = table if rng.random() < 0.2 else table[names[int(rng.integers(len(names)))]]
        key = list(where)[int(rng.integers(len(where)))]
        kind = rng.random()
        if kind < 0.7:
            where[key] = ODD[int(rng.integers(len(ODD)))]
        elif kind < 0.85:
            where.pop(key)
        else:
            where["unknown_key"] = 1.0
    if isinstance(table.get("touch"), dict) and "dwell_s" not in table["touch"]:
        table["touch"]["dwell_s"] = 0.6
    return table


@pytest.mark.parametrize("name", [*PRESETS, "tether-sampling-asteroid", "tether-boom-asteroid"])
def test_200_random_damages_are_refused_or_end_with_a_name(name, monkeypatch):
    monkeypatch.setattr(active_pull, "MOST_STEPS", 5_000)
    rng = np.random.default_rng(5)
    refused = 0
    for _ in range(200):
        try:
            found = hp.simulate(parse(damaged(name, rng), "tether.toml"))
            assert found.ended in OUTCOMES
        except HaptosError:
            refused += 1
    assert refused > 50


def test_noise_of_the_curvature_shakes_a_boom_that_stays_straight():
    """1e-4 1/m of noise bends a controlled boom more than none, by its seed, and the ledger closes; a passive one feels none."""
    noise = {"curvature_noise_per_m": 1e-4}
    still, shaken, again = (run("tether-boom", line=line) for line in ({}, noise, noise))
    assert shaken.ended is still.ended
    assert repr(shaken.metrics) == repr(again.metrics)
    assert shaken.metrics["largest_bow_m"] != still.metrics["largest_bow_m"]
    assert shaken.metrics["largest_moment_N_m"] > 1.2 * still.metrics["largest_moment_N_m"]
    assert shaken.trusted
    passive = [run("tether-boom-passive", line=line).metrics for line in ({}, noise)]
    assert passive[0]["largest_bow_m"] == pytest.approx(passive[1]["largest_bow_m"], rel=1e-6)


SITES = ("tether-sampling-asteroid", "tether-boom-asteroid")
ROUND = {
    "terrain": {}, "spin": {"kind": "none"}, "site": {"target_m": [0.0, 0.0, 1e6]},
    "surface": {"shape": "sphere", "radius_m": 1e6}, "gravity": {"model": "point", "mu_m3_per_s2": 8e-5 * 1e12},
}  # fmt: skip


def on_site(name: str, world: dict[str, Any], **tables: dict[str, Any]) -> Result:
    """A preset in another world."""
    table = copy.deepcopy(table_of(name)) | world
    table.setdefault("ground", {}).pop("gravity_m_per_s2", None)
    for key, values in tables.items():
        table.setdefault(key, {}).update(values)
    return hp.simulate(parse(table, "tether.toml"))


@pytest.mark.parametrize("name", SITES)
def test_presets_on_an_asteroid_are_sampled_and_trusted(name):
    found = run(name)
    assert found.ended is Outcome.SAMPLED
    assert found.trusted, found.verdict
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    assert {"ground"} <= {check.name for check in found.checks}
    assert found.metrics["largest_rate_deg_per_s"] < 0.1
    assert scene(found).items


@pytest.mark.parametrize("surface", [{"shape": "plane", "point_m": [0.0, 0.0, 1e6]}, ROUND["surface"]])  # fmt: skip
def test_a_boom_on_flat_ground_is_that_of_a_plane(surface):
    """On a plane by the contact of surfaces, on a sphere of 1e6 m to the order of its curvature: 1e-7 of the ball's radius."""
    flat = run("tether-boom").metrics
    gravity = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -8e-5]}
    found = on_site("tether-boom", ROUND | {"surface": surface, "gravity": gravity})
    assert found.trusted, found.verdict
    for name in (
        "peak_force_N",
        "contact_impulse_N_s",
        "stroke_m",
        "largest_bow_m",
        "largest_moment_N_m",
    ):
        assert_close(found.metrics[name], flat[name], rtol=1e-4)


def test_a_tilted_surface_is_level_along_its_normal():
    """Along its normal a plane tilted by 10 deg is level ground, but for the part of gravity along it."""
    tilt = math.radians(10.0)
    world = {
        "surface": {"shape": "plane", "normal": [math.sin(tilt), 0.0, math.cos(tilt)]}, "site": {"target_m": [0.0, 0.0, 0.0]},
        "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -8e-5]},
    }  # fmt: skip
    found = on_site("tether-boom", world, touch={"dwell_s": 5.0})
    assert found.trusted, found.verdict
    level = run("tether-boom", ground={"gravity_m_per_s2": 8e-5 * math.cos(tilt)}, touch={"dwell_s": 5.0})  # fmt: skip
    assert_close(found.metrics["contact_impulse_N_s"], level.metrics["contact_impulse_N_s"], rtol=1e-3)  # fmt: skip


def test_a_pull_on_a_site_is_the_pull_of_free_space_with_its_weight_held():
    free = run("tether-sampling").metrics
    found = run("tether-sampling-asteroid").metrics
    for name in ("held_share", "contact_impulse_N_s", "active_work_J", "peak_force_N"):
        assert_close(found[name], free[name], rtol=1e-3)


def test_a_boom_on_a_small_body_says_what_it_leaves_out():
    """A ball of 60 m with ten times the gravity: the field changes along the boom by more than the boom knows."""
    world = ROUND | {
        "surface": {"shape": "sphere", "radius_m": 60.0}, "site": {"target_m": [0.0, 0.0, 60.0]},
        "gravity": {"model": "point", "mu_m3_per_s2": 100.0},
    }  # fmt: skip
    found = on_site("tether-boom", world, touch={"dwell_s": 5.0})
    left = next(check for check in found.checks if check.name == "left_out")
    assert left.value > left.bound
    assert found.outcome is Outcome.NOT_TRUSTED


def test_a_mesh_with_relief_is_pressed_on():
    """A built-in mesh with noise: the ledger closes, since the push of the ground is integrated as work."""
    world = {
        "surface": {"shape": "body", "body": "bilobe", "level": 4}, "site": {"target_m": [200.0, 20.0, 100.0]},
        "terrain": {"seed": 2, "noise": {"relief_m": 0.5, "longest_m": 20.0, "octaves": 2}},
        "gravity": {"model": "point", "mu_m3_per_s2": 2.36}, "spin": {"kind": "uniform", "period_h": 12.132},
    }  # fmt: skip
    found = on_site("tether-boom", world, touch={"dwell_s": 5.0})
    assert found.trusted, found.verdict
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    assert 1000.0 > found.metrics["contact_impulse_N_s"] > 100.0


@pytest.mark.parametrize(
    ("name", "tables", "word"),
    [
        ("tether-boom-asteroid", {"ground": {"gravity_m_per_s2": 1e-4}}, "gravity_m_per_s2 with"),
        ("tether-boom-asteroid", {"ground": {"slope_deg": 5.0}}, "slope_deg with"),
        ("tether-sampling-asteroid", {"line": {"model": "planar"}}, "planar"),
        ("tether-boom-asteroid", {"terrain": {"noise": {"relief_m": 0.1, "longest_m": 0.2}}}, "features"),
        ("tether-boom", {"site": {"target_m": [0.0, 0.0, 1.0]}}, "without \\[surface\\]"),
    ],
)  # fmt: skip
def test_what_cannot_be_on_a_site_is_refused(name, tables, word):
    with pytest.raises(HaptosError, match=word):
        run(name, **tables)


def test_the_turn_of_a_spacecraft_that_keeps_on_is_what_rests():
    """Pushed 5 cm off its axis it turns: nothing rests from its start on, and the least of the ascent does."""
    found = run("tether-boom-passive", spacecraft={"offset_m": 0.05}, touch={"dwell_s": 20.0})
    time, rate = (found.trajectory[name].values for name in ("time", "rate"))
    approach, _, ascent = found.ledger.phases
    assert approach.resting == 0.0
    least = 0.5 * 300.0 * float((rate[time >= ascent.start] ** 2).min())
    assert least > 1.0
    assert_close(ascent.resting, least, rtol=1e-12)
