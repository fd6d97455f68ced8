"""Dockings run for seconds: same bits, ledger, faults, controllers, damaged files; whole ones are marked slow."""

from __future__ import annotations

import math
import re
import sys
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.scenarios.docking.flight import DockingFlight
from haptos.scenarios.docking.metrics import margins
from haptos.scenarios.docking.model import build
from haptos.scenarios.docking.simulate import OUTCOMES
from haptos.scenarios.docking.watch import NOZZLE_LATERAL
from haptos.scenarios.files import (
    default,
    parse_checked,
    parse_toml,
    preset_names,
    preset_text,
)
from haptos.scenarios.merging import laid_over

SHORT: dict[str, Any] = {"run": {"duration_s": 1.0, "stay_s": 0.0}}
BITS = ("r_CN_N", "quat_NC", "r_TN_N", "quat_NT", "boom_length")


def run(changes: dict[str, Any], preset: str = "docking", **options: Any) -> haptos.Result:
    return haptos.simulate(default(preset, laid_over(SHORT, changes)), **options)


def last(result: haptos.Result) -> bytes:
    return b"".join(np.asarray(result.trajectory[name].values[-1]).tobytes() for name in BITS)


@pytest.fixture(scope="module")
def short() -> haptos.Result:
    return run({})


def test_a_short_run_closes_its_ledger_and_keeps_momentum(short):
    assert short.trusted, short.verdict
    assert short.ended is Outcome.TIMED_OUT
    names = {check.name for check in short.checks}
    assert names == {"momentum", "angular momentum", "surfaces", "layers"}
    assert short.ledger.worst.share < 1e-3


def test_the_motion_has_the_same_bits_for_any_output_interval(short):
    assert last(run({"run": {"output_interval_s": 0.07}})) == last(short)


def test_metrics_and_checks_do_not_depend_on_the_output_interval():
    """The attitude error of a chaser that turns back and forth is largest between rows 1 s apart."""
    turning = {"start": {"chaser_rate_deg_per_s": [0.0, 0.0, 1.0]}, "run": {"duration_s": 1.5}}
    often, seldom = (
        run(laid_over(turning, {"run": {"output_interval_s": s}})) for s in (0.05, 1.5)
    )
    assert often.checks == seldom.checks
    assert often.metrics == pytest.approx(seldom.metrics, rel=0.0, abs=0.0, nan_ok=True)
    assert often.metrics["attitude_error_deg"] > 0.3


def test_a_run_lasts_as_long_as_asked_whatever_its_ticks():
    assert run({"run": {"duration_s": 0.109}}).trajectory["time"].values[-1] == 0.109


def test_a_seed_gives_the_same_bits_and_another_others(short):
    assert last(run({})) == last(short)
    assert last(run({"seed": 7})) != last(short)


def test_a_sensor_nobody_listens_to_changes_nothing(short):
    """Twice the samples of the distance sensors, far off: streams of the others are their own."""
    assert last(run({"sensors": {"distance": {"rate_Hz": 20.0}}})) == last(short)


def test_thrust_asked_for_by_a_controller_moves_the_chaser(short):
    def push(time: float, measured: dict[str, Any]) -> dict[str, Any]:
        assert set(measured) >= {"state", "pose", "rate", "length", "tension", "shoulder"}
        return {"force": (0.0, 5.0, 0.0), "boom_speed": 0.0}

    mine = haptos.Controller(push, interval=0.5, delay=0.1, largest_force=1.0)
    found = run({}, controller=mine)
    assert found.trajectory["boom_length"].values[-1] < 0.652
    assert found.tables["control"].sizes["command"] == 4
    assert np.abs(found.tables["control"]["value"].values[0]).max() == 1.0


def test_a_controller_that_fails_ends_the_run_with_its_traceback():
    def breaks(time: float, measured: dict[str, Any]) -> None:
        raise KeyError("no such gain")

    found = run({}, controller=breaks)
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "no such gain" in found.traceback
    odd = run({}, controller=lambda time, measured: {"thrust": 1.0})
    assert odd.ended is Outcome.CONTROLLER_FAILED


def test_a_controller_that_leaves_the_program_ends_the_run_alone():
    found = run({}, controller=lambda time, measured: sys.exit(3))
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "SystemExit: 3" in found.traceback


@pytest.mark.parametrize("speed", [0.01, np.float64(0.01), np.float32(0.01), np.int64(0), 0])
def test_numbers_of_python_and_numpy_are_commands(speed):
    found = run(
        {"run": {"duration_s": 0.1}}, controller=lambda time, measured: {"boom_speed": speed}
    )
    assert found.ended is not Outcome.CONTROLLER_FAILED, found.traceback


@pytest.mark.parametrize("speed", [True, np.bool_(True), "fast", math.nan, np.array([0.01]), None])
def test_what_is_no_number_is_no_speed(speed):
    found = run(
        {"run": {"duration_s": 0.1}}, controller=lambda time, measured: {"boom_speed": speed}
    )
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "a finite number" in found.traceback


def test_a_run_that_ends_before_its_sequence_says_so(short):
    assert (
        "Not docked: timed out: the run ends after 1 s in INSERT, before anything has failed."
        in short.answer
    )


def test_a_rim_that_is_struck_closes_its_ledger():
    """The shoulder rides over the rim's edge: normals of nodes jump there, and area that sticks comes and goes."""
    off = 0.085 * math.sqrt(0.5)
    camera = {"faults": [{"kind": "bias", "at_s": 0.0, "offset": [0.0, off, -off, 0.0, 0.0, 0.0]}]}
    found = run({
        "start": {"offset_m": 0.085}, "sensors": {"camera": camera}, "sequence": {"until": "locked"},
        "run": {"duration_s": 60.0},
    })  # fmt: skip
    assert found.trusted, found.verdict
    assert found.ended.label != "captured"
    assert found.metrics["insertion_force_N"] > 1.0
    assert found.ledger.worst.share < 2e-4


def test_a_boom_of_elements_flies_with_its_nodes(short):
    found = run({"boom": {"elements": 4}})
    assert found.trusted, found.verdict
    assert found.ledger.worst.share < 1e-4
    assert found.metrics["steps"] >= found.metrics["ended_s"] / 0.003
    shape = found.trajectory["boom_shape"].values
    assert shape.shape[1:] == (5, 3)
    pieces = np.linalg.norm(np.diff(shape, axis=1), axis=2)
    length = found.trajectory["boom_length"].values
    assert np.abs(pieces / (0.25 * length[:, None]) - 1.0).max() < 1e-4
    before = short.trajectory["boom_length"].values[-1]
    assert abs(length[-1] / before - 1.0) < 1e-4
    with pytest.raises(HaptosError, match="density above 0"):
        default("docking", {"boom": {"elements": 4, "density_kg_per_m": 0.0}})


@pytest.mark.slow
def test_a_docking_with_a_boom_of_elements_goes_as_with_one():
    """The first bending of the bare boom is sixty times as fast as the pair: mass along it changes little."""
    one, four = (haptos.simulate(default("docking", {"boom": {"elements": n}})) for n in (1, 4))
    for found in (one, four):
        assert found.ended is Outcome.DOCKED
        assert found.trusted, found.verdict
    for name in ("lock_s", "retract_s", "touchdown_s", "docked_s"):
        assert abs(four.metrics[name] - one.metrics[name]) < 0.5
    ratio = four.metrics["largest_boom_moment_N_m"] / one.metrics["largest_boom_moment_N_m"]
    assert abs(ratio - 1.0) < 0.05


def test_a_fast_start_is_followed_to_what_it_breaks():
    """At 0.5 m/s the polygons near a long step's way do not fit their room: it ended as steps over before it touched."""
    found = run({"start": {"velocity_m_per_s": [-0.5, 0.0, 0.0]}, "run": {"duration_s": 2.0}})
    assert found.trusted, found.verdict
    assert found.ended is Outcome.OVER_FORCE
    assert found.metrics["insertion_force_N"] > 100.0
    assert found.metrics["least_margin"] < 0.0
    assert "% beyond its limit" in found.answer
    assert "least margin" not in found.answer
    causes = [str(cause) for cause in found.events["cause"].values]
    assert any(re.fullmatch(r"over-force: side force [\d.]+ N, limit 60 N", c) for c in causes)


def test_a_part_beyond_its_limit_is_named_with_its_load():
    weak = {"damage": {"nozzle_axial_N": 5.0, "for_s": 0.0}, "sequence": {"side_force_N": 1e6}}
    fast = {"start": {"velocity_m_per_s": [-0.5, 0.0, 0.0]}, "run": {"duration_s": 2.0}}
    found = run({**weak, **fast})
    assert re.search(r"\(over-force: nozzle, axial force [\d.]+ N, limit 5 N\)", found.answer)


def test_a_layer_that_is_pressed_flat_is_not_trusted():
    """A foundation describes small depths: of a layer of 1 mm, 0.4 mm are none."""
    fast = {"start": {"velocity_m_per_s": [-0.5, 0.0, 0.0]}, "run": {"duration_s": 2.0}}
    thin = {"tool": {"thickness_m": 1e-3, "youngs_modulus_Pa": 1.25e7}}
    usual, pressed = run(fast), run({**fast, **thin})
    assert usual.trusted
    assert abs(pressed.metrics["largest_depth_m"] / usual.metrics["largest_depth_m"] - 1.0) < 1e-3
    assert not pressed.trusted
    assert [check.name for check in pressed.checks if not check.holds] == ["layers"]


def test_a_contact_beyond_its_law_is_named_in_the_answer():
    fast = {"start": {"velocity_m_per_s": [-0.5, 0.0, 0.0]}, "contact": {"max_depth_m": 1e-4}}
    found = run({**fast, "run": {"duration_s": 2.0}})
    assert found.ended is Outcome.OVER_FORCE
    assert "in INSERT (" in found.answer
    assert "deeper than contact.max_depth_m)" in found.answer


def test_margins_are_those_of_what_is_judged():
    """Two pairs may push the same way: the limit is on all of them together, and so is the margin."""
    flight = DockingFlight(build(default("docking", SHORT)))
    before = margins(flight)["margin_nozzle_lateral"]
    limit = flight.model.config.damage.nozzle_lateral_N
    flight.watch.largest[NOZZLE_LATERAL] = 1.2 * limit
    assert before == 1.0
    assert margins(flight)["margin_nozzle_lateral"] == pytest.approx(-0.2)


def damaged(table: dict[str, Any], generator: np.random.Generator) -> dict[str, Any]:
    """A copy of a file's table with one number or word spoiled."""
    leaves: list[tuple[list[Any], Any]] = []

    def walk(node: Any, path: list[Any]) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            if isinstance(value, dict | list):
                walk(value, [*path, key])
            else:
                leaves.append(([*path, key], value))

    walk(table, [])
    path, value = leaves[generator.integers(len(leaves))]
    odd = [-1.0, 0.0, 1e9, 1e-9, math.nan, math.inf, "left", True, None, [], {}]
    choices = odd + ([] if isinstance(value, str | bool) else [3.0 * value, 0.3 * value, -value])
    copy = laid_over(table, {})
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = choices[generator.integers(len(choices))]
    return copy


def outcome_of(number: int, seconds: float, preset: str = "docking") -> str:
    generator = np.random.default_rng(number)
    table = laid_over(default(preset).as_table(), {"run": {"duration_s": seconds, "stay_s": 0.0}})
    spoiled = damaged(table, generator)
    spoiled.setdefault("run", {})
    if isinstance(spoiled["run"], dict) and isinstance(spoiled["run"].get("duration_s"), float):
        spoiled["run"]["duration_s"] = min(spoiled["run"]["duration_s"], seconds)
    try:
        config = parse_checked(spoiled, "spoiled.toml")
    except HaptosError:
        return "refused"
    return haptos.simulate(config).ended.label


@pytest.mark.parametrize("number", range(12))
def test_a_spoiled_file_is_refused_or_ends_with_an_outcome(number: int):
    assert outcome_of(number, 0.1) in {"refused", *(one.label for one in OUTCOMES)}


@pytest.mark.slow
@pytest.mark.parametrize("preset", [name for name in preset_names() if name.startswith("docking")])
def test_200_spoiled_files_are_refused_or_end_with_an_outcome(preset: str):
    found = {outcome_of(number, 0.3, preset) for number in range(200)}
    assert found <= {"refused", *(one.label for one in OUTCOMES)}
    assert "refused" in found
    assert len(found) > 1


@pytest.mark.slow
def test_the_whole_sequence_docks():
    found = haptos.simulate("docking")
    assert found.outcome is Outcome.DOCKED, found.verdict
    assert found.metrics["largest_depth_m"] < 5e-4


def test_a_file_of_ones_own_reads_back():
    table = parse_toml(preset_text("docking-heavy"), "docking-heavy")
    config = parse_checked(table, "mine.toml")
    assert parse_checked(config.as_table(), "again.toml") == config


def test_figures_scene_and_files_of_a_run(short, tmp_path):
    from haptos.scenarios.docking.exports import write_files
    from haptos.scenarios.docking.figures import figures
    from haptos.scenarios.docking.scene import scene

    drawn = figures(short)
    assert {
        "Force at the crown",
        "Torque at the crown",
        "Depth of each pair",
        "Shape of the boom",
        "State",
    } <= set(drawn)
    assert {item.label for item in scene(short).items} >= {"chaser", "client", "boom", "nozzle"}
    assert [path.name for path in write_files(short, tmp_path)] == [
        "loads.csv",
        "measured.csv",
        "events.csv",
    ]
    assert "Not docked" in short.answer
