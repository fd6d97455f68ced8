"""Scenario `tether`: presets, closed forms, outcomes, refusals, output."""

from __future__ import annotations

import copy
import math
import random
import tomllib
from importlib import resources
from typing import Any

import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.files import parse
from haptos.scenarios.tether.figures import figures
from haptos.scenarios.tether.metrics import longest_hold
from haptos.scenarios.tether.scene import scene
from haptos.scenarios.tether.simulate import OUTCOMES
from tests.close import assert_close

PRESETS = (
    "tether", "tether-libration", "tether-spin", "tether-small-body", "tether-cut", "tether-low-orbit", "tether-touch",
)  # fmt: skip
EARTH_MU = 3.986004418e14


def table_of(name: str) -> dict[str, Any]:
    folder = resources.files("haptos.scenarios.tether") / "presets" / f"{name}.toml"
    return tomllib.loads(folder.read_text(encoding="utf-8"))


def changed(name: str, **tables: Any) -> dict[str, Any]:
    """A preset with keys of its tables, or whole lists, replaced."""
    table = copy.deepcopy(table_of(name))
    for key, values in tables.items():
        if isinstance(values, dict):
            table.setdefault(key, {}).update(values)
        else:
            table[key] = values
    return table


def run(name: str, **tables: Any) -> Result:
    return hp.simulate(parse(changed(name, **tables), "tether.toml"))


@pytest.fixture(scope="module")
def presets() -> dict[str, Result]:
    return {name: hp.simulate(name) for name in PRESETS}


def test_presets_end_as_meant_and_are_trusted(presets):
    for name, result in presets.items():
        expected = Outcome.TETHER_BROKE if name == "tether-cut" else Outcome.COMPLETED
        assert (name, result.outcome) == (name, expected)
        assert result.ledger.relative_remainder < 1e-6
        assert all(check.holds for check in result.checks)


def test_ledgers_of_all_runs_have_the_same_columns(presets):
    names = [tuple(result.ledger.works) for result in presets.values()]
    assert len(set(names)) == 1


def test_answers_figures_and_scenes_have_numbers(presets):
    for result in presets.values():
        assert any(c.isdigit() for c in result.answer)
        assert {"Tension along the line", "Swing", "Line out", "Energy over time"} <= set(
            figures(result)
        )
        assert len(scene(result).time) == result.trajectory.sizes["time"]


def test_a_held_line_swings_with_root_three_of_the_orbit_rate(presets):
    n = math.sqrt(EARTH_MU / 6878137.0**3)
    amplitude = math.radians(5.0)
    # finite amplitude: 4 K(sin^2)/(sqrt3 n), to second order
    expected = 2.0 * math.pi / (math.sqrt(3.0) * n) * (1.0 + math.sin(amplitude) ** 2 / 4.0)
    assert_close(presets["tether-libration"].metrics["swing_period_s"], expected, rtol=1e-3)


def test_the_period_of_a_swing_is_that_of_the_longest_hold(presets):
    assert longest_hold(hp.default("tether")) == (7200.0, 10800.0)
    assert math.isnan(
        presets["tether"].metrics["swing_period_s"]
    )  # one swing is longer than its hold


def test_reeling_in_quickens_the_turn(presets):
    metrics = presets["tether-spin"].metrics
    assert_close(
        metrics["turn_rate_deg_per_s"], math.degrees(0.0821 * 1.2 / math.degrees(0.02)), rtol=5e-3
    )
    assert_close(metrics["deployed_m"], 60.0, rtol=1e-9)


def test_the_time_line_has_steps_and_eclipses(presets):
    kinds = [str(kind) for kind in presets["tether"].events["kind"].values]
    assert [k for k in kinds if k.endswith("begins") and "eclipse" not in k] == [
        "deploy from the first begins", "hold begins", "retrieve from the first begins",
    ]  # fmt: skip
    assert kinds.count("eclipse begins") == 3


def test_a_snatch_is_an_event_each_time_the_tension_passes_its_threshold():
    """A pair that spins bounces by v sqrt(k m) about its pull; half of that is passed a twelfth of a period after each zero."""
    k, reduced, speed = 2e4 / 120.0, 100.0 * 20.0 / 120.0, 0.01
    pull = reduced * 120.0 * math.radians(1.2) ** 2
    snatch = pull + 0.5 * speed * math.sqrt(k * reduced)
    tables = {
        "line": {"length_m": 130.0, "linear_density_kg_per_m": 1e-5, "damping_N_s": 0.0, "snatch_N": snatch},
        "start": {"tension_N": pull, "relative_velocity_m_per_s": [speed, 0.0, 0.0]},
        "steps": [{"kind": "hold", "duration_s": 9.0}], "run": {"cells": 3, "output_interval_s": 1.0},
    }  # fmt: skip
    events = run("tether-spin", **tables).events
    times = [
        float(when) for when, kind in zip(events["time"].values, events["kind"].values, strict=True)
        if str(kind) == "snatch"
    ]  # fmt: skip
    period = 2.0 * math.pi * math.sqrt(reduced / k)
    assert_close(times, [(1.0 / 12.0 + i) * period for i in range(5)], rtol=5e-3)
    without = run("tether-spin", **tables | {"line": {**tables["line"], "snatch_N": 2.0 * snatch}})
    assert "snatch" not in [str(kind) for kind in without.events["kind"].values]


def test_output_interval_does_not_change_the_motion():
    coarse, fine = (run("tether-spin", run={"output_interval_s": every}) for every in (10.0, 0.7))
    for name in ("peak_tension_N", "winch_work_J", "transport_J", "steps"):
        assert coarse.metrics[name] == fine.metrics[name]


HOLD = {"kind": "hold", "duration_s": 30.0}
WAYS = {
    Outcome.TETHER_BROKE: ("tether-spin", {"line": {"breaking_tension_N": 5.0}}),
    Outcome.TETHER_END: ("tether-spin", {
        "line": {"length_m": 130.0}, "steps": [{"kind": "deploy", "duration_s": 40.0, "length_m": 40.0}],
    }),
    Outcome.TANGLED: ("tether-small-body", {
        "second": {"thrusters": []}, "run": {"cells": 30}, "line": {"length_m": 600.0},
        "steps": [{"kind": "deploy", "duration_s": 300.0, "length_m": 300.0}],
    }),
    Outcome.SUPERCRITICAL: ("tether-spin", {
        "line": {"length_m": 2000.0}, "start": {"relative_velocity_m_per_s": [60.0, 0.0, 0.0], "spin_deg_per_s": [0.0, 0.0, 0.0]},
        "first_reel": {"law": "brake", "tension_N": 100.0, "feed": "coil"}, "steps": [HOLD],
    }),
    Outcome.REEL_JAMMED: ("tether-spin", {"steps": [HOLD, {"kind": "jam", "duration_s": 10.0}]}),
    Outcome.PROPELLANT_OUT: ("tether-small-body", {"second": {"propellant_kg": 0.01}, "run": {"tangle_share": 0.0}}),
    Outcome.COLLIDED: ("tether-spin", {"run": {"collision_m": 100.0}}),
    Outcome.STEPS_OVER: ("tether-spin", {"run": {"max_steps": 50}}),
}  # fmt: skip


@pytest.mark.parametrize("outcome", WAYS, ids=str)
def test_every_outcome_is_reached(outcome):
    name, tables = WAYS[outcome]
    result = run(name, **tables)
    assert result.ended == outcome
    assert outcome in OUTCOMES


REFUSED = {
    "unknown key": {"line": {"colour": "red"}},
    "point mass with a lever": {"first": {"attachment_m": [1.0, 0.0, 0.0]}},
    "no line": {"line": {"stiffness_N": None}},
    "two cells": {"run": {"cells": 2}},
    "too fast": {"steps": [{"kind": "retrieve", "duration_s": 0.1, "length_m": 60.0}]},
    "too much": {"steps": [{"kind": "retrieve", "duration_s": 60.0, "length_m": 120.0}]},
    "no steps": {"steps": []},
    "distance": {"start": {"distance_m": 1e4}},
    "tension": {"line": {"breaking_tension_N": 1.0}, "start": {"tension_N": 2.0}},
    "thrusters": {
        "first": {"thrusters": [{"direction": [1.0, 0, 0], "force_N": 1.0, "stop_s": 1.0}]}
    },
    "low orbit": {"place": {"kind": "orbit", "semi_major_axis_km": 100.0}},
    "material": {
        "line": {"material": "cheese", "stiffness_N": None, "linear_density_kg_per_m": None}
    },
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_files_that_make_no_sense_are_refused(change):
    table = changed("tether-spin", **change)
    table = {
        k: {a: b for a, b in v.items() if b is not None} if isinstance(v, dict) else v
        for k, v in table.items()
    }
    with pytest.raises(ConfigError) as refusal:
        hp.simulate(parse(table, "tether.toml"))
    error = refusal.value
    assert all((error.where, error.found, error.allowed, error.hint))


FACTORS = (-1.0, 0.0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 1e3, 1e9, math.nan, math.inf)
QUICK = {"cells": 5, "tolerance": 1e-4, "output_interval_s": 1e3, "max_steps": 500}
# 6000 s in orbit are 1800 steps at the least, and a tolerance of 1e-4 leaves a ledger that is not trusted.
LONG = {"tether-low-orbit": {"tolerance": 1e-6, "max_steps": 20_000}}
COUNT = 200


def damaged(table: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    """A copy with one to three values changed, dropped or replaced by something of another kind."""
    made = copy.deepcopy(table)
    parts = [value for value in made.values() if isinstance(value, dict)] + list(made["steps"])
    for _ in range(generator.randint(1, 3)):
        part = generator.choice([p for p in parts if p])
        key = generator.choice(list(part))
        value, how = part[key], generator.random()
        if how < 0.1:
            del part[key]
        elif how < 0.2:
            part[key] = generator.choice(["text", [], True, -1, {"a": 1}])
        elif isinstance(value, list) and all(isinstance(v, float) for v in value):
            part[key] = [v * generator.choice(FACTORS) for v in value]
        elif isinstance(value, float):
            part[key] = value * generator.choice(FACTORS)
    return made


def end_of(name: str, table: dict[str, Any]) -> str:
    try:
        parse(table, "damaged")
        table["run"] = {**table.get("run", {}), **QUICK, **LONG.get(name, {})}
        result = hp.simulate(parse(table, "damaged"))
    except ConfigError as error:
        return "refused" if all((error.where, error.found, error.allowed, error.hint)) else "half"
    assert isinstance(result.outcome, Outcome)
    assert result.answer
    return result.outcome.label


@pytest.mark.parametrize(
    "name",
    [
        "tether-spin",
        *(pytest.param(n, marks=pytest.mark.slow) for n in PRESETS if n != "tether-spin"),
    ],
)
def test_damages_are_refused_or_end_with_a_named_outcome(name):
    ends = [end_of(name, damaged(table_of(name), random.Random(k))) for k in range(COUNT)]
    assert 20 < ends.count("refused") < COUNT - 20
    assert len(set(ends)) >= 3
    assert "half" not in ends


FEW = {"cells": 5, "tolerance": 1e-6}


def test_swing_and_distances_do_not_depend_on_the_output():
    """A pair that turns by 254 degrees, stored at 160 times and at 3."""
    often, seldom = (
        run("tether-spin", run={**FEW, "output_interval_s": every}).metrics for every in (0.5, 40.0)
    )
    assert often["largest_in_plane_deg"] > 200.0
    for name in ("largest_in_plane_deg", "shortest_distance_m", "range_rate_m_per_s"):
        assert_close(seldom[name], often[name], rtol=1e-6)


def test_a_line_that_gets_below_the_ground_is_not_trusted():
    """From 150 m, the pole at 120 m: 85 m at 0.85 m/s, 8.3 m by its thrust, 0.6 m by gravity, less the pull of the line."""
    lowered = [{"kind": "deploy", "duration_s": 100.0, "length_m": 100.0, "shape": "linear"}]
    start = {"relative_velocity_m_per_s": [0.0, 0.0, -0.9]}
    place = {"position_m": [0.0, 0.0, 200.0]}
    result = run("tether-small-body", place=place, start=start, steps=lowered, run=FEW)
    assert not result.trusted
    depth = next(check.value for check in result.checks if check.name == "ground")
    lowest = 200.0 + float(result.trajectory["r_BN_N"].values[-1, 1, 2])
    assert 61.0 < 120.0 - lowest < 64.0
    assert_close(depth, 120.0 - lowest, rtol=0.01)


def test_spin_over_a_small_body_is_about_the_centre_of_mass():
    still = [{"kind": "hold", "duration_s": 1.0}]
    found = []
    for rate in (0.0, 1.0):
        start = {"spin_deg_per_s": [0.0, rate, 0.0]}
        result = run("tether-small-body", start=start, steps=still, run=FEW)
        found.append(result.trajectory["v_BN_N"].values[0])
    first, second = (found[1] - found[0])[:, 0]
    assert first * second < 0.0
    assert_close(second - first, -math.radians(1.0) * 50.0, rtol=1e-9)


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        ({"steps": [{"kind": "hold", "duration_s": 5.0}, {"kind": "cut", "length_m": 30.0, "duration_s": 1.0}]}, "duration_s"),
        ({"steps": [{"kind": "hold", "duration_s": 5.0}, {"kind": "cut", "length_m": 1e6}]}, "a cut at"),
        ({"first": {"inertia_kg_m2": [1.0, 1.0, 100.0]}}, "triangle"),
        ({"first": {"propellant_kg": 1.0, "thrusters": [{"direction": [0.0, 0.0, 0.0], "force_N": 1.0, "stop_s": 3.0}]}}, "direction"),
        ({"first": {"propellant_kg": 1.0, "thrusters": [{"direction": [1.0, 0.0, 0.0], "force_N": 1.0, "start_s": 5.0, "stop_s": 3.0}]}}, "stop_s"),
    ],
)  # fmt: skip
def test_steps_bodies_and_thrusters_that_cannot_be_are_refused(tables, word):
    with pytest.raises(ConfigError, match=word):
        parse(changed("tether-spin", **tables), "tether.toml")


@pytest.mark.parametrize(
    ("name", "tables"),
    [
        ("tether-small-body", {"start": {"distance_m": 290.0}, "place": {"position_m": [0.0, 0.0, 300.0]}}),
        ("tether-libration", {"line": {"length_m": 1.1e6}, "start": {"distance_m": 1e6, "direction": [0.0, 0.0, -1.0]}}),
    ],
)  # fmt: skip
def test_a_start_below_the_ground_is_refused(name, tables):
    with pytest.raises(ConfigError, match="inside"):
        run(name, **tables)


@pytest.mark.parametrize("name", ["tether-cut", "tether-spin", "tether-libration"])
def test_no_number_depends_on_the_output_interval(name):
    """`turn_rate_deg_per_s` of a line that was cut came from the last stored times."""
    own = table_of(name).get("run", {}).get("output_interval_s", 1.0)
    usual, *others = (run(name, run={"output_interval_s": k * own}) for k in (1.0, 2.0, 3.7))
    for other in others:
        assert other.ended is usual.ended
        assert repr(other.metrics) == repr(usual.metrics)


def test_a_run_whose_steps_go_into_a_slack_line_says_what_to_change():
    found = hp.simulate(hp.default("tether-low-orbit", {"run": {"max_steps": 3000}}))
    assert found.ended is Outcome.STEPS_OVER
    assert "slack line takes most of its steps" in found.answer
    taut = hp.simulate(hp.default("tether", {"run": {"max_steps": 100}}))
    assert taut.ended is Outcome.STEPS_OVER
    assert "slack line takes" not in taut.answer
