"""Harpoons: presets, every way to end, answers, what is refused, files with random damage."""

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
from haptos.dynamics.cable import line_shot_tether, retrieval_tether
from haptos.results.result import Result, open_result
from haptos.scenarios.files import parse
from haptos.scenarios.harpoon.figures import figures
from haptos.scenarios.harpoon.scene import scene
from haptos.scenarios.harpoon.simulate import OUTCOMES
from haptos.scenarios.merging import laid_over
from tests.close import assert_close

PRESETS = (
    "harpoon",
    "harpoon-st4",
    "harpoon-rigid-reel",
    "harpoon-swing",
    "harpoon-lander",
    "harpoon-plate",
    "harpoon-cells",
)
SITES = ("harpoon-asteroid", "harpoon-lander-comet")  # how they end: test_harpoon_sites.py


def table_of(name: str) -> dict[str, Any]:
    folder = resources.files("haptos.scenarios.harpoon") / "presets" / f"{name}.toml"
    return tomllib.loads(folder.read_text(encoding="utf-8"))


def changed(name: str, **tables: dict[str, Any] | None) -> dict[str, Any]:
    """A preset with keys of its tables replaced; a table given as None is left out."""
    table = copy.deepcopy(table_of(name))
    for key, values in tables.items():
        if values is None:
            table.pop(key, None)
        else:
            table.setdefault(key, {}).update(values)
    return table


def run(name: str, **tables: dict[str, Any] | None) -> Result:
    return hp.simulate(parse(changed(name, **tables), "harpoon.toml"))


@pytest.fixture(scope="module")
def presets() -> dict[str, Result]:
    return {name: hp.simulate(name) for name in PRESETS}


@pytest.mark.parametrize(
    ("name", "ended"),
    [("harpoon", Outcome.CAPTURED), ("harpoon-st4", Outcome.ANCHORED), ("harpoon-rigid-reel", Outcome.OVERRAN),
     ("harpoon-swing", Outcome.CAPTURED), ("harpoon-lander", Outcome.ANCHORED), ("harpoon-plate", Outcome.ANCHORED),
     ("harpoon-cells", Outcome.CAPTURED)],
)  # fmt: skip
def test_presets_end_as_they_should_and_are_trusted(presets, name, ended):
    found = presets[name]
    assert found.ended is ended
    assert found.trusted
    assert all(one.share < 1e-6 for one in found.ledger.judged)


def test_the_time_line_of_a_sample(presets):
    """Numbers of the retrieval table, here with a sample of 10 g in the canister."""
    found = presets["harpoon"].metrics
    assert_close(found["recoil_speed_m_per_s"], 0.02, rtol=1e-9)
    assert_close(found["capture_time_s"], 499.9, rtol=1e-3)
    assert_close(found["angle_beyond_50_m_deg"], 4.262, rtol=1e-2)
    assert_close(found["angle_beyond_10_m_deg"], 10.39, rtol=1e-2)
    assert_close(found["peak_tension_N"], 5.28, rtol=1e-2)
    assert_close(found["propellant_kg"], 4.635, rtol=2e-3)
    names = list(presets["harpoon"].events["event_name"].values)
    assert [names.index(word) for word in ("shot", "impact", "rest", "captured")] == sorted(
        names.index(word) for word in ("shot", "impact", "rest", "captured")
    )


def test_a_line_without_mass_gives_the_printed_impact():
    found = run("harpoon", line={"linear_density_kg_per_m": 0.0}, ground={"gravity_m_per_s2": 0.0}).metrics  # fmt: skip
    assert_close(found["impact_speed_m_per_s"], 8.944, rtol=2e-4)
    assert_close(found["impact_time_s"], 10.56, rtol=2e-3)
    assert_close(found["depth_m"], 0.2846, rtol=1e-3)
    assert_close(found["peak_deceleration_m_per_s2"], 251.5, rtol=2e-3)


def test_the_penetrator_of_deep_space_4_holds_450_newtons(presets):
    found = presets["harpoon-st4"]
    assert_close(found.metrics["depth_m"], 0.307, rtol=1e-2)
    assert_close(found.metrics["incidence_deg"], 45.0, rtol=1e-9)
    assert found.tables["capacity"]["capacity"].values.min() > 450.0


def test_the_plate_is_pierced_and_barbs_hang_behind_it(presets):
    found = presets["harpoon-plate"].metrics
    assert found["depth_m"] > 0.0206
    assert found["axial_capacity_N"] > 100.0


ENDS: dict[Outcome, tuple[str, dict[str, Any]]] = {
    Outcome.SAMPLED: ("harpoon", {"retrieval": None}),
    Outcome.NOT_HELD: ("harpoon-st4", {"ground": {"strength_Pa": 1e5}}),
    Outcome.MISSED: ("harpoon-plate", {"shot": {"aim_deg": 5.0}}),
    Outcome.TETHER_END: ("harpoon", {"line": {"length_m": 60.0}}),
    Outcome.RICOCHET: ("harpoon-st4", {"ground": {"slope_deg": -80.0, "strength_Pa": 1e8, "density_kg_per_m3": 2500.0}}),
    Outcome.BROADSIDE: ("harpoon-st4", {"ground": {"slope_deg": -85.0}}),
    Outcome.NO_SAMPLE: ("harpoon", {"sampling": {"least_depth_m": 1.0}}),
    Outcome.SLIPPED: ("harpoon-st4", {"hold": {"pull_speed_m_per_s": 3.0}, "ground": {"strength_Pa": 1e6}}),
    Outcome.PULLED_OUT: ("harpoon-st4", {"hold": {"pull_speed_m_per_s": 3.0}, "ground": {"strength_Pa": 1e5}}),
    Outcome.TETHER_BROKE: ("harpoon", {"line": {"breaking_N": 4.0}}),
    Outcome.OVERRAN: ("harpoon-rigid-reel", {}),
    Outcome.COLLIDED: ("harpoon-rigid-reel", {"retrieval": {"rise_m_per_s": 3.0}}),
    Outcome.PROPELLANT_OUT: ("harpoon", {"spacecraft": {"propellant_kg": 1.0}}),
    Outcome.TIME_OVER: ("harpoon", {"retrieval": {"longest_s": 100.0}}),
    Outcome.SUNK: ("harpoon", {"run": {"depth_limit_m": 0.1}}),
    Outcome.REEL_JAMMED: ("harpoon", {"failures": {"reel_jam_s": 20.0}}),
    Outcome.WEDGED: ("harpoon", {"failures": {"no_release": True}}),
}  # fmt: skip
WORDS = {
    Outcome.MISSED: "missed", Outcome.TETHER_END: "all out", Outcome.RICOCHET: "leaves the ground again",
    Outcome.BROADSIDE: "turns sideways", Outcome.NO_SAMPLE: "not deep enough", Outcome.SLIPPED: "slips by",
    Outcome.PULLED_OUT: "pulled out", Outcome.TETHER_BROKE: "line breaks", Outcome.OVERRAN: "flies past",
    Outcome.COLLIDED: "meets the spacecraft", Outcome.PROPELLANT_OUT: "used up", Outcome.TIME_OVER: "time is over",
    Outcome.REEL_JAMMED: "has jammed", Outcome.WEDGED: "does not leave", Outcome.SUNK: "nothing stops it", Outcome.SAMPLED: "a sample of", Outcome.NOT_HELD: "required",
}  # fmt: skip


@pytest.mark.parametrize("outcome", ENDS)
def test_every_way_to_end_is_reached_and_said(outcome):
    name, tables = ENDS[outcome]
    found = run(name, **tables)
    assert found.ended is outcome
    assert WORDS[outcome] in found.answer
    assert found.ledger.closes
    assert all(check.holds for check in found.checks)
    json.dumps(found.as_json())
    assert figures(found)
    assert scene(found).items


def test_all_outcomes_but_the_limit_of_steps_have_a_run():
    reached = {*ENDS, Outcome.CAPTURED, Outcome.ANCHORED}
    assert set(OUTCOMES) - reached == {Outcome.STEPS_OVER}


def test_a_pull_that_breaks_the_line_or_is_held():
    broken = run("harpoon-st4", hold={"pull_speed_m_per_s": 5.0}, line={"breaking_N": 500.0})
    assert broken.ended is Outcome.TETHER_BROKE
    held = run("harpoon-st4", hold={"pull_speed_m_per_s": 0.2})
    assert held.ended is Outcome.ANCHORED
    assert 0.0 < held.metrics["pull_peak_N"] < held.metrics["least_capacity_N"]


def test_slip_takes_the_energy_of_the_pull():
    found = run("harpoon-st4", hold={"pull_speed_m_per_s": 3.0}, ground={"strength_Pa": 1e6})
    slip, peak = found.metrics["slip_m"], found.metrics["pull_peak_N"]
    assert_close(-found.ledger.works["anchor slip"][-1], slip * peak, rtol=1e-9)


@pytest.mark.parametrize("entry", ["axial", "elements"])
def test_layers_are_met_at_their_depth_by_a_slanted_harpoon(entry):
    """At 60 deg it lies above the hard layer: it goes and holds as if there were none."""
    hard = {"top_m": 0.8, "strength_Pa": 1e8, "density_kg_per_m3": 1200.0}
    ground = {"strength_Pa": 2e6, "slope_deg": -60.0, "entry": entry}
    alone, above = (run("harpoon-st4", ground=ground | {"layers": layers}).metrics for layers in ([], [hard]))  # fmt: skip
    assert 0.5 < alone["depth_m"] < 0.8 < alone["depth_m"] / math.cos(math.radians(60.0))
    for name in ("depth_m", "axial_capacity_N", "lateral_capacity_N"):
        assert_close(above[name], alone[name], rtol=1e-9)


def test_a_push_sets_a_slanted_harpoon_deeper_and_adhesion_holds_it():
    ground = {"slope_deg": -40.0}
    free, stuck = (run("harpoon-st4", ground=ground, hold={"adhesion_N": force}).metrics for force in (0.0, 30.0))  # fmt: skip
    assert_close(stuck["axial_capacity_N"] - free["axial_capacity_N"], 30.0, rtol=1e-9)
    assert math.isnan(free["pushed_in_m"])
    found = run("harpoon-st4", ground=ground, hold={"push_N": 1.05 * free["inward_capacity_N"]})
    assert found.trusted
    way = found.metrics["pushed_in_m"]
    assert way > 0.01
    assert_close(found.metrics["depth_m"] - free["depth_m"], way * math.cos(math.radians(40.0)), rtol=2e-2)  # fmt: skip
    assert_close(found.metrics["inward_capacity_N"], 1.05 * free["inward_capacity_N"], rtol=1e-9)
    works = found.ledger.works
    assert_close(works["push"][-1], way * 1.025 * free["inward_capacity_N"], rtol=1e-2)
    assert "push" in found.events["event_name"].values
    assert "pushed" in found.answer


@pytest.mark.parametrize("holds", [True, False])
def test_an_impulse_or_gas_in_a_barrel_is_the_shot_of_its_muzzle_speed(holds):
    """50 N s on 5 kg; 1 MPa on 3 cm^2 over the length that gives 10 m/s, longer where the spacecraft recoils freely."""
    length = 0.5 * 5.0 * 10.0**2 / 300.0 * (1.0 if holds else 1.0 + 5.0 / 2500.0)
    barrel = {"pressure_Pa": 1e6, "bore_area_m2": 3e-4, "barrel_m": length}
    shots = ({"speed_m_per_s": 10.0}, {"impulse_N_s": 50.0}, barrel)
    table = changed("harpoon", retrieval=None, spacecraft={"holds_place": holds})
    fired = [hp.simulate(parse(table | {"shot": shot}, "harpoon.toml")) for shot in shots]
    for found in fired:
        assert found.trusted
        for name in ("muzzle_speed_m_per_s", "recoil_speed_m_per_s", "impact_speed_m_per_s", "depth_m", "hover_propellant_kg"):  # fmt: skip
            assert found.metrics[name] == pytest.approx(fired[0].metrics[name], rel=1e-9)
    assert_close((fired[2].metrics["recoil_force_N"], fired[2].metrics["barrel_time_s"]), (300.0, 50.0 / 300.0), rtol=1e-9)  # fmt: skip
    assert math.isnan(fired[0].metrics["recoil_force_N"])


def test_a_barrel_in_which_the_brake_of_the_line_is_felt_is_not_trusted():
    shot = {"pressure_Pa": 1e4, "bore_area_m2": 3e-4, "barrel_m": 50.0}
    table = changed("harpoon", retrieval=None) | {"shot": shot}
    found = hp.simulate(parse(table, "harpoon.toml"))
    assert [one.name for one in found.checks if not one.holds] == ["barrel"]


@pytest.mark.parametrize(
    ("shot", "word"),
    [
        ({}, "neither"),
        ({"speed_m_per_s": 10.0, "impulse_N_s": 50.0}, "one of them"),
        (
            {"impulse_N_s": 50.0, "pressure_Pa": 1e6, "bore_area_m2": 3e-4, "barrel_m": 0.5},
            "one of them",
        ),
        ({"pressure_Pa": 1e6, "bore_area_m2": 3e-4}, "without a barrel"),
        ({"speed_m_per_s": 10.0, "barrel_m": 0.5}, "leave it out"),
    ],
)
def test_a_shot_in_two_ways_or_none_is_refused(shot, word):
    with pytest.raises(HaptosError, match=word):
        parse(changed("harpoon") | {"shot": shot}, "harpoon.toml")


def test_one_way_to_shoot_replaces_the_other():
    table = laid_over(table_of("harpoon"), {"shot": {"impulse_N_s": 40.0}})
    assert table["shot"] == {"impulse_N_s": 40.0}
    barrel = {"pressure_Pa": 1e6, "bore_area_m2": 3e-4, "barrel_m": 0.5}
    assert laid_over(table, {"shot": barrel})["shot"] == barrel
    assert laid_over(table, {"shot": barrel | {"barrel_m": 0.7}})["shot"] == barrel | {
        "barrel_m": 0.7
    }


def test_a_sample_has_the_density_of_the_layers_it_passes():
    """0.1 m of tube: 4 cm of snow on ice."""
    ice = {"top_m": 0.04, "strength_Pa": 1e5, "density_kg_per_m3": 900.0}
    found = run("harpoon", retrieval=None, ground={"density_kg_per_m3": 200.0, "layers": [ice]})
    assert found.metrics["depth_m"] > 0.1
    assert_close(found.metrics["sample_kg"], 2e-4 * (0.04 * 200.0 + 0.06 * 900.0), rtol=1e-12)


def test_more_harpoons_hold_a_lander_better(presets):
    one = run("harpoon-lander", stance={"harpoon_count": 1}).metrics["stance_load_N"]
    three = run("harpoon-lander", stance={"harpoon_count": 3}).metrics["stance_load_N"]
    assert one < presets["harpoon-lander"].metrics["stance_load_N"] < three


def test_output_does_not_change_the_motion(presets):
    coarse = run("harpoon", run={"output_interval_s": 7.0})
    assert repr(coarse.metrics) == repr(presets["harpoon"].metrics)


def test_a_spacecraft_that_falls_below_the_ground_is_not_trusted(presets):
    """20 N do not carry 2500 kg in a tenth of a metre per second squared: canister and spacecraft fall together."""
    falls = run("harpoon", ground={"gravity_m_per_s2": 0.1})
    depth = next(check for check in falls.checks if check.name == "ground")
    assert falls.outcome is Outcome.NOT_TRUSTED
    assert depth.value > 1e3
    for name in ("harpoon", "harpoon-cells"):
        kept = next(check for check in presets[name].checks if check.name == "ground")
        assert kept.value < 0.01


def test_the_result_is_stored_whole(presets, tmp_path):
    kept = presets["harpoon"].save(tmp_path)
    assert open_result(kept).equals(presets["harpoon"])


def test_surface_elements_straight_down_are_the_axial_law():
    """Within the speeds over which stress turns on: 1 % of the depth at 150 m/s, more for slow harpoons."""
    axial = run("harpoon-st4", ground={"slope_deg": 0.0, "entry": "axial"}).metrics["depth_m"]
    sampled = run("harpoon-st4", ground={"slope_deg": 0.0, "entry": "elements"}).metrics["depth_m"]
    assert_close(sampled, axial, rtol=1e-3)


@pytest.mark.parametrize(
    ("speed", "soil"), [(1.0, "comet"), (1.0, "ice"), (3.0, "comet"), (9.0, "agilkia")]
)
def test_slow_harpoons_meet_the_same_ground_by_elements_and_straight(speed, soil):
    """Stress turns on over 2 % of their speed; over 1 m/s a harpoon of 1 m/s went 45 % too deep into ice."""
    tables = {
        "shot": {"speed_m_per_s": speed},
        "line": {"tension_N": 1e-4, "linear_density_kg_per_m": 0.0},
    }
    elements, axial = (run("harpoon", retrieval=None, ground={"soil": soil, "gravity_m_per_s2": 0.0, "entry": entry}, **tables).metrics for entry in ("elements", "axial"))  # fmt: skip
    assert_close(elements["depth_m"], axial["depth_m"], rtol=5e-3)


def test_a_place_that_is_held_while_the_canister_closes_costs_propellant():
    """2500 kg against 0.5 m/s^2 for 60 s and while the harpoon flies and enters."""
    tables = {"ground": {"gravity_m_per_s2": 0.5}, "sampling": {"closing_time_s": 60.0}}
    found = run("harpoon", **tables, spacecraft={"height_m": 20.0})
    begun = float(found.events["event_time"].values[list(found.events["event_name"].values).index("rest")])  # fmt: skip
    expected = 2500.0 * 0.5 * (begun + 60.0) / (220.0 * 9.80665) + 50.0 / (220.0 * 9.80665)
    assert_close(found.metrics["hover_propellant_kg"], expected, rtol=5e-3)
    less = run("harpoon", **tables, spacecraft={"height_m": 20.0, "propellant_kg": 20.0})
    assert less.ended is Outcome.PROPELLANT_OUT
    assert "before the canister leaves" in less.answer


@pytest.mark.parametrize("cells", [0, 4])
def test_a_free_spacecraft_falls_while_the_canister_closes(cells):
    table = {
        "ground": {"gravity_m_per_s2": 0.1},
        "line": {"cells": cells},
        "retrieval": {"thrust_N": 400.0},
    }
    craft = {"holds_place": False, "rise_m_per_s": 2.0, "height_m": 60.0}
    found = run("harpoon", **table, spacecraft=craft, sampling={"closing_time_s": 20.0})
    assert all(one.share < 1e-6 for one in found.ledger.judged)
    time, hull = found.trajectory["time"].values, found.trajectory["r_BN_N"].values[:, 2]
    closing = next(one.phase for one in found.ledger.judged if one.phase.name == "closing")
    rows = (time >= closing.start) & (time <= closing.end)
    begun = hull[rows][0]
    speed = found.trajectory["v_BN_N"].values[:, 2][rows][0]
    assert_close(hull[rows][-2], begun + 20.0 * speed - 0.5 * 0.1 * 20.0**2, rtol=1e-6)
    down = run("harpoon", **table, spacecraft=craft, sampling={"closing_time_s": 200.0})
    assert down.ended is Outcome.COLLIDED
    assert "while the canister closes" in down.answer
    away = run("harpoon", **(table | {"ground": {"gravity_m_per_s2": 0.0}}), spacecraft=craft, sampling={"closing_time_s": 60.0})  # fmt: skip
    assert away.ended is Outcome.TETHER_END
    assert "before the canister leaves" in away.answer


@pytest.mark.parametrize("entry", ["axial", "elements"])
def test_viscosity_of_the_soil_brakes_straight_and_slanted(entry):
    """1e5 Pa s/m at 45 deg and straight down; it had been left out by surface elements."""
    slope = {"axial": 0.0, "elements": -45.0}[entry]
    ground = {"slope_deg": slope, "entry": entry}
    thin = run("harpoon-st4", ground=ground)
    thick = run("harpoon-st4", ground=ground | {"viscosity_Pa_s_per_m": 1e5})
    assert thick.metrics["depth_m"] < 0.7 * thin.metrics["depth_m"]
    assert thick.trusted, thick.verdict
    assert thick.ledger.works["soil viscosity"][-1] < -0.2 * 0.5 * 150.0**2


@pytest.mark.parametrize("entry", ["axial", "elements"])
def test_a_flat_tip_feels_the_drag_coefficient_of_the_file(entry):
    """A tip that is flat, in soil without strength: depth goes as one over the drag coefficient."""
    flat = {"tip_radius_m": 0.0299, "shaft_grip": 0.0}
    soft = {
        "soil": None,
        "strength_Pa": 1.0,
        "density_kg_per_m3": 500.0,
        "friction": 0.0,
        "entry": entry,
    }
    one, two = (
        run("harpoon", harpoon=flat, retrieval=None, sampling=None, ground=soft | {"drag_coefficient": c, "gravity_m_per_s2": 0.0})
        for c in (1.0, 2.0)
    )  # fmt: skip
    early = [np.interp(0.5, run.tables["entry"]["depth"], run.tables["entry"]["kinetic"]) for run in (one, two)]  # fmt: skip
    first = one.tables["entry"]["kinetic"].values[0]
    assert_close(math.log(early[1] / first) / math.log(early[0] / first), 2.0, rtol=0.01)


def test_an_impact_faster_than_the_laws_of_entry_is_not_trusted():
    fast = {"tension_N": 300.0, "breaking_N": 1e4}
    assert run("harpoon", shot={"speed_m_per_s": 200.0}, line=fast, retrieval=None).trusted
    found = run("harpoon", shot={"speed_m_per_s": 500.0}, line=fast, retrieval=None)
    assert found.outcome is Outcome.NOT_TRUSTED
    assert "200 m/s" in found.verdict


@pytest.mark.parametrize(("length", "is_enough"), [(100.5, False), (102.5, True)])
def test_an_entry_that_asks_for_more_line_than_there_is_is_not_trusted(length, is_enough):
    """From 100 m, 1.6 m deep: no law of entry knows that a line ends."""
    found = run("harpoon", ground={"soil": "weak comet"}, line={"length_m": length}, retrieval=None)
    assert 1.6 < found.metrics["depth_m"] < 1.7
    assert found.trusted is is_enough
    assert is_enough or f"{length:.3g} m" in found.verdict
    assert "lies whole below the surface" in found.answer


@pytest.mark.parametrize("retrieval", [{}, None])
def test_a_place_that_cannot_be_held_until_the_shot_ends_the_run(retrieval):
    found = run(
        "harpoon", retrieval=retrieval, spacecraft={"propellant_kg": 1.0}, failures={"late_s": 1e5},
        run={"output_interval_s": 100.0},
    )  # fmt: skip
    assert found.ended is Outcome.PROPELLANT_OUT
    assert found.metrics["hover_propellant_kg"] > 20.0
    assert "there are 1 kg" in found.answer
    assert math.isnan(found.metrics["depth_m"])


def test_momentum_that_cancels_is_measured_by_what_moves_each_way():
    """Without gravity hull and harpoon have no momentum together: 3e-13 N s missing of 30 each way."""
    table = {
        "schema": 1, "scenario": "harpoon",
        "spacecraft": {"mass_kg": 100.0, "propellant_kg": 5.0, "height_m": 20.0, "holds_place": False},
        "harpoon": {"shell_mass_kg": 1.0, "radius_m": 0.02, "half_angle_deg": 20.0, "shaft_length_m": 0.3},
        "shot": {"speed_m_per_s": 30.0}, "line": {"length_m": 40.0, "tension_N": 1.5},
        "ground": {"strength_Pa": 1.0e6, "density_kg_per_m3": 500.0, "friction_angle_deg": 30.0,
                   "friction": 0.1, "drag_coefficient": 0.0},
        "hold": {"required_N": 100.0},
    }  # fmt: skip
    result = hp.simulate(table)
    assert result.trusted, result.verdict
    assert next(check.value for check in result.checks if check.name == "momentum") < 1e-13


def test_a_tip_off_rate_gives_an_angle_of_attack():
    found = run("harpoon-st4", shot={"tip_off_deg_per_s": 20.0})
    assert abs(found.metrics["attack_deg"]) > 1.0
    assert found.trusted


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        ({"ground": {"strength_Pa": 1e5}}, "soil and strength_Pa"),
        ({"line": {"linear_density_kg_per_m": 0.1}}, "lighter harpoon"),
        ({"line": {"tension_N": 0.05}}, "cannot be braked"),
        ({"line": {"tension_N": 5.0}}, "reaches the ground"),
        ({"sampling": None}, "without \\[sampling\\]"),
        ({"hold": {"pull_speed_m_per_s": 1.0}}, "pull_speed_m_per_s with"),
        ({"harpoon": {"half_angle_deg": 2.0}}, "half_angle_deg"),
        ({"harpoon": {"canister_mass_kg": 0.0}}, "canister"),
        ({"spacecraft": {"propellant_kg": 5000.0}}, "propellant"),
        ({"retrieval": {"capture_distance_m": 0.2}}, "least_length_m"),
        ({"retrieval": {"capture_distance_m": 200.0}}, "at a height"),
        ({"ground": {"soil": "cheese"}}, "cheese"),
        ({"harpoon": {"attachment_m": 0.3}}, "a place within the harpoon"),
        ({"harpoon": {"inertia_kg_m2": 1.0}}, "all mass at its ends"),
        ({"harpoon": {"tip_radius_m": 0.03}}, r"\[harpoon\]: found tip_radius_m = 0.03"),
        ({"ground": {"elements": [24, 17]}}, "an even number around"),
        ({"shot": {"aim_deg": 70.0}, "ground": {"slope_deg": -30.0}}, "from the normal"),
    ],
)
def test_what_cannot_be_is_refused(tables, word):
    with pytest.raises(HaptosError, match=word):
        run("harpoon", **tables)


ODD = [
    -1.0,
    0.0,
    1e300,
    1e-300,
    math.nan,
    math.inf,
    "text",
    None,
    [],
    [1.0],
    {},
    True,
    -7,
    10**30,
    1e-9,
    1e9,
]


def damaged(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """A preset with one or two values, keys or tables replaced, removed or added."""
    table = copy.deepcopy(table_of(name))
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
    return table


@pytest.mark.parametrize("name", [*PRESETS, *SITES])
def test_200_random_damages_are_refused_or_end_with_a_name(name, monkeypatch):
    for module in (line_shot_tether, retrieval_tether):
        monkeypatch.setattr(module, "MOST_STEPS", 5_000)
    rng = np.random.default_rng(11)
    refused = 0
    for _ in range(200):
        table = damaged(name, rng)
        if isinstance(table.get("ground"), dict):
            table["ground"].setdefault("elements", [4, 4])
        if name in ("harpoon-cells", "harpoon-asteroid") and isinstance(
            table.get("retrieval"), dict
        ):
            table["retrieval"].setdefault("longest_s", 2.0)
        try:
            found = hp.simulate(parse(table, "harpoon.toml"))
            assert found.ended in OUTCOMES
        except HaptosError:
            refused += 1
    assert refused > 50


def test_slopes_to_both_sides_are_mirror_images():
    """Straight down under strong gravity, on ground that falls to one side or to the other."""
    ground = {"entry": "axial", "gravity_m_per_s2": 9.8, "strength_Pa": 1e4}
    left, right = (run("harpoon-st4", ground=ground | {"slope_deg": s}) for s in (-45.0, 45.0))
    assert_close(right.metrics["depth_m"], left.metrics["depth_m"], rtol=1e-12)


@pytest.mark.parametrize("cells", [0, 4])
def test_a_clutch_that_lets_out_all_of_the_line_ends_the_run(cells):
    """It lets out 0.87 m more than the 100 m to the ground."""
    found = run("harpoon", line={"length_m": 100.5, "cells": cells})
    assert found.ended is Outcome.TETHER_END
    assert found.trusted
    assert "let out all of the line" in found.answer


def test_a_clutch_has_line_left():
    assert run("harpoon", line={"length_m": 101.0}).ended is Outcome.CAPTURED


def test_a_retrieval_begins_where_the_harpoon_hit():
    """Aimed 5 degrees off, the line begins as a swing of 5 degrees, and the path has no jump."""
    found = run("harpoon", shot={"aim_deg": 5.0})
    motion = found.trajectory
    events = dict(zip(found.events["event_name"].values, found.events["event_time"].values, strict=True))  # fmt: skip
    after = motion["time"].values > events["rest"] + 1.0
    assert_close(np.degrees(motion["swing_angle"].values[after][0]), 5.0, rtol=1e-2)
    load = motion["r_CN_N"].values
    step = np.linalg.norm(np.diff(load, axis=0), axis=1)
    assert step.max() < 10.0 * 0.51  # [m] of the flight in an output interval
    assert_close(load[after][0][0], 100.0 * math.tan(math.radians(5.0)), rtol=1e-2)


CELLS = {"cells": 4}
SHORT = {"longest_s": 40.0}


@pytest.mark.parametrize(
    ("failures", "cells", "outcome", "event"),
    [
        ({"reel_jam_s": 20.0}, 4, Outcome.REEL_JAMMED, "reel jam"),
        ({"clutch_jam_s": 0.0}, 0, Outcome.TIME_OVER, "clutch jam"),
        ({"clutch_jam_s": 0.0}, 4, Outcome.TIME_OVER, "clutch jam"),
        ({"line_break_s": 20.0}, 0, Outcome.TETHER_BROKE, "line break"),
        ({"line_break_s": 20.0}, 4, Outcome.TETHER_BROKE, "line break"),
        ({"thrust_off_s": 1.0}, 0, Outcome.TIME_OVER, "thrust off"),
        ({"thrust_off_s": 1.0}, 4, Outcome.TIME_OVER, "thrust off"),
        ({"camera_loss_s": 10.0}, 0, Outcome.TIME_OVER, "camera loss"),
    ],
)  # fmt: skip
def test_failures_act_and_are_said(failures, cells, outcome, event):
    found = run("harpoon", failures=failures, line={"cells": cells}, retrieval=SHORT)
    assert found.ended is outcome
    assert found.trusted
    assert event in list(found.events["event_name"].values)


def test_a_clutch_that_jams_snatches_the_canister():
    held = run("harpoon", failures={"clutch_jam_s": 0.0}, retrieval=SHORT).metrics
    assert held["peak_tension_N"] > 1.5 * run("harpoon", retrieval=SHORT).metrics["peak_tension_N"]


def test_a_lost_thruster_leaves_less_speed():
    lost, whole = (
        run("harpoon", failures=failures, retrieval=SHORT).trajectory["v_BN_N"].values[-1][2]
        for failures in ({"thrust_off_s": 1.0}, {})
    )
    assert_close(whole - lost, 20.0 * 39.0 / 2500.0, rtol=2e-2)


@pytest.fixture(scope="module")
def both(presets) -> tuple[Result, Result]:
    """The preset straight and on cells, with swing damping."""
    return presets["harpoon-swing"], presets["harpoon-cells"]


def test_the_line_of_cells_agrees_with_the_straight_line(both):
    straight, cells = (one.metrics for one in both)
    for name, bound in (
        ("impact_speed_m_per_s", 2e-4), ("depth_m", 3e-4), ("impact_time_s", 2e-3), ("capture_time_s", 3e-3),
        ("angle_beyond_10_m_deg", 1e-1), ("propellant_kg", 5e-2),
    ):  # fmt: skip
        assert_close(cells[name], straight[name], rtol=bound)
    assert both[1].trusted


def test_the_mass_of_the_line_is_felt_in_the_snatch(both):
    """A wave along the line has v sqrt(EA mu): more than the bounce of a line without mass."""
    cells = both[1].metrics["peak_tension_N"]
    assert cells > 2.0 * math.sqrt(1.1343e4 * 1e-3)


def test_scenes_and_figures_of_cells(both):
    assert figures(both[1])
    drawn = {item.label: item for item in scene(both[1]).items}
    assert np.shape(drawn["line"].positions)[1] == 8


def test_more_rows_than_memory_are_refused():
    with pytest.raises(HaptosError, match="stored times"):
        run("harpoon", run={"output_interval_s": 1e-9})
