"""Nets pushed by profiles over time, and by a controller of the user's own."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError, HaptosError
from haptos.core.outcome import Outcome
from haptos.geometry.nets.net_topology import CLOSING, TETHER
from haptos.results.result import Result
from haptos.scenarios.files import default, load, parse_checked, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from haptos.scenarios.net.simulate import run
from haptos.scenarios.net.tables import events_table
from haptos.scenarios.net.tethers import tether_thread, thread_of
from haptos.scenarios.system_control import Push
from tests.close import assert_close

CLEAR = {"target": {"distance_m": 30.0}, "run": {"duration_s": 0.4}}  # nothing is touched
TIMES = [0.05, 0.15, 0.35]


def clear_run(changes: dict[str, Any], **options: Any) -> Result:
    return haptos.simulate(default("net-small", laid_over(CLEAR, changes)), **options)


def clear_config(changes: dict[str, Any]) -> Config:
    return Config.model_validate(default("net-small", laid_over(CLEAR, changes)).as_table())


def profile(**keys: Any) -> dict[str, Any]:
    return {"profiles": [{"body": "target", "times_s": TIMES, **keys}]}


def test_a_body_gains_the_impulse_of_its_force_profile() -> None:
    forces = [[0.0, 2.0, 0.0], [0.0, 6.0, 0.0], [0.0, -2.0, 0.0]]
    found = clear_run(profile(forces_N=forces))
    impulse = np.trapezoid(np.array(forces)[:, 1], TIMES)
    assert_close(found.trajectory["v_BN_N"].values[-1, 1, 1], impulse / 20.0, rtol=1e-9)
    alone = clear_run({}).ledger.max_remainder  # of the net that snatches; its steps end elsewhere
    assert found.ledger.max_remainder < 2.0 * alone
    assert (
        np.abs(found.trajectory["f_target_N"].values[:, 1]).max() < 3e-5
    )  # not of the net; 2 m a' h^2/8 in 0.02 s


def test_accelerations_and_turnings_are_those_asked_for() -> None:
    shape = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 0.0]]
    still = {"target": {"rate_deg_per_s": [0.0, 0.0, 0.0]}}
    asked = profile(
        accelerations_m_per_s2=shape, angular_accelerations_deg_per_s2=shape, axes="body"
    )
    end = clear_run(laid_over(still, asked)).trajectory.isel(time=-1)
    area = 0.5 * 0.3 * (TIMES[2] - TIMES[0])
    assert_close(end["v_BN_N"].values[1, 0], area, rtol=1e-3)
    assert_close(end["omega_BN_B"].values[1, 0], math.radians(area), rtol=1e-9)


def test_a_file_is_as_good_as_lists(tmp_path: Path) -> None:
    torques = [[0.0, 0.1, 0.0], [0.2, 0.0, 0.0], [0.0, 0.0, 0.3]]
    rows = [f"{t},{x},{y},{z}" for t, (x, y, z) in zip(TIMES, torques, strict=True)]
    text = "time_s, torque_x_N_m, torque_y_N_m, torque_z_N_m\n" + "\n".join(rows) + "\n"
    (tmp_path / "torque.csv").write_text(text)
    scenario = preset_text("net-small") + '\n[[profiles]]\nbody = "target"\nfile = "torque.csv"\n'
    (tmp_path / "mine.toml").write_text(scenario)
    found = haptos.simulate(load(tmp_path / "mine.toml", CLEAR))
    other = clear_run(profile(torques_N_m=torques))
    assert np.array_equal(found.trajectory["quat_NB"].values, other.trajectory["quat_NB"].values)


def test_a_tether_follows_its_length_profile(tmp_path: Path) -> None:
    (tmp_path / "reel.csv").write_text("time_s,length_m\n0,2\n0.1,1.6\n0.3,2.2\n")
    lists = {"reel_times_s": [0.0, 0.1, 0.3], "reel_lengths_m": [2.0, 1.6, 2.2]}
    for reel in (lists, {"reel_file": str(tmp_path / "reel.csv")}):
        config = clear_config({"tether": reel})
        model = build(config)
        stored, _, is_complete = run(config, model, lambda share: None)
        assert is_complete
        length = stored.length[:, model.element_class == TETHER].sum(axis=1)
        asked = np.interp(stored.time, lists["reel_times_s"], lists["reel_lengths_m"])
        assert_close(length, asked, rtol=1e-12)


@pytest.mark.parametrize("kind", ["free", "running"])
def test_closing_lines_follow_their_profile(kind: str) -> None:
    shares = {"winding_times_s": [0.1, 0.2, 0.5], "winding_shares": [0.0, 0.6, 0.2]}
    config = clear_config({"closing": {"kind": kind, **shares}})
    model = build(config)
    winches = model.system.orders.winches
    assert len(winches) == 8  # two pieces of each of four lines
    first, last = winches[0].first, winches[0].last
    assert_close(last, first * (1.0 - 0.6 * 0.9), rtol=1e-9)  # 99 % of the area: a tenth is left
    assert_close(winches[1].last, first * (1.0 - 0.2 * 0.9), rtol=1e-9)
    assert winches[0].stop == winches[1].start == 0.2
    model.motion.step.touched_at = 3.0
    events = events_table(config, model)
    begins = events["time"].values[events["kind"].values == "closing begins"]
    assert begins.tolist() == [3.1]


def test_nodes_of_straight_closing_lines_give_their_mass_to_the_winches() -> None:
    config = clear_config({"closing": {"kind": "free", "nodes": 4, "duration_s": 0.2}})
    model = build(config)
    line = thread_of(config, config.closing.diameter_m)  # type: ignore[union-attr]
    chosen = model.element_class == CLOSING
    lengths = model.motion.elements.length[chosen]
    assert len(lengths) == 4 * 5
    assert_close(lengths, np.full(20, model.mesh.extent[1] / 5.0), rtol=1e-12)
    first = 1.0 / model.motion.bodies.inverse_mass[model.bullets]
    model.motion.step.touched_at = 0.05  # as if the target had been touched
    run(config, model, lambda share: None)
    grown = 1.0 / model.motion.bodies.inverse_mass[model.bullets] - first
    whole = model.mesh.extent[1] * line.linear_density
    assert_close(
        grown, np.full(4, 0.9 * 0.8 * whole), rtol=1e-6
    )  # a fifth is the winches' from the start


def test_a_tether_may_be_of_another_thread_than_the_net() -> None:
    config = clear_config({"tether": {"material": "technora braid", "damping_ratio": 0.2}})
    assert config.tether is not None
    own, net = tether_thread(config, config.tether), thread_of(config, config.tether.diameter_m)
    assert own.material == "technora braid"
    assert own.axial_stiffness > 10.0 * net.axial_stiffness
    assert own.damping_ratio[0] == 0.2
    model = build(config)
    stretching = model.system.threads.stretching[model.element_class == TETHER]
    assert_close(stretching, np.full(len(stretching), own.axial_stiffness), rtol=1e-12)


def test_a_reel_that_carries_its_thread_makes_the_chaser_heavier() -> None:
    reel = {"reel_to_m": 1.0, "reel_duration_s": 0.3, "reel_carries_mass": True}
    config = clear_config({"tether": reel})
    model = build(config)
    first = 1.0 / model.motion.bodies.inverse_mass[0]
    before = model.motion.points.mass.sum() + first
    run(config, model, lambda share: None)
    gained = 1.0 / model.motion.bodies.inverse_mass[0] - first
    line = thread_of(config, 2e-3)
    assert_close(gained, 7.0 / 8.0 * line.linear_density, rtol=1e-6)
    assert_close(
        first - 500.0, 2.0 / 8.0 * line.linear_density, rtol=1e-6
    )  # half an element is its own
    after = model.motion.points.mass.sum() + 1.0 / model.motion.bodies.inverse_mass[0]
    assert_close(after, before, rtol=1e-12)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (profile(), "forces_N"),
        (profile(forces_N=[[0.0, 0.0, 0.0]]), "count them"),
        (profile(forces_N=[[0.0] * 3] * 3, times_s=[0.0, 2.0, 1.0]), "rising"),
        (profile(forces_N=[[0.0] * 3] * 3, body="rocket"), "bullet 4"),
        (profile(angular_accelerations_deg_per_s2=[[0.0] * 3] * 3), "axes = 'body'"),
        (profile(forces_N=[[0.0] * 3] * 3, file="x.csv"), "remove one"),
        ({"profiles": [{"file": "nowhere.csv"}]}, "no such file"),
        ({"tether": {"reel_times_s": [0.0, 1.0], "reel_lengths_m": [1.0, 2.0]}}, "begin with 2"),
        ({"tether": {"reel_times_s": [0.0, 1.0], "reel_lengths_m": [2.0]}}, "count them"),
        ({"tether": {"reel_times_s": [1.0, 0.0], "reel_lengths_m": [2.0, 1.0]}}, "rising"),
        ({"tether": {"reel_file": "x.csv", "reel_to_m": 1.0}}, "remove reel_to_m"),
        ({"closing": {"winding_times_s": [0.0, 1.0]}}, "count them"),
        ({"closing": {"kind": "running", "nodes": 3}}, "kind = 'free'"),
        ({"closing": {"winding_times_s": [0.0, 1.0], "winding_shares": [0.5, 1.0]}}, "share of 0"),
    ],
)
def test_profiles_that_do_not_fit_are_refused(changes: dict[str, Any], words: str) -> None:
    table = laid_over(parse_toml(preset_text("net-small"), "net-small"), changes)
    with pytest.raises(HaptosError) as caught:
        parse_checked(table, "mine.toml")
    assert words in str(caught.value)


def test_an_accelerated_body_must_be_free() -> None:
    held = {"chaser": {"holds_place": True}, "environment": {"kind": "ground"}}
    pushed = profile(body="chaser", accelerations_m_per_s2=[[0.0] * 3] * 3)
    with pytest.raises(ConfigError, match="holds_place"):
        haptos.simulate(default("net-small", laid_over(held, pushed)))


def test_a_controller_stops_the_spin_of_the_chaser_and_the_books_close() -> None:
    asked = []

    def hold(time: float, bodies: Any) -> dict[str, Push]:
        asked.append(time)
        return {"chaser": Push(torque=-1000.0 * bodies["chaser"].rate)}

    spin = {"chaser": {"rate_deg_per_s": [0.0, 0.0, 5.0]}, "run": {"duration_s": 1.0}}
    found = haptos.simulate(default("net-small", spin), controller=hold, control_interval=0.03)
    rate = np.linalg.norm(found.trajectory["omega_BN_B"].values[:, 0], axis=1)
    assert rate[-1] < 0.01 * rate[0]
    assert found.ledger.relative_remainder < 1e-3
    assert_close(asked, 0.03 * np.arange(34), rtol=1e-12)
    table = found.tables["control"]
    moments = 500.0 * 2.0 / 12.0
    pulse = (table["torque"].values[:, 2] * (table["stop"] - table["time"]).values).sum()
    assert abs(pulse + moments * math.radians(5.0)) < 0.01 * moments * math.radians(5.0)


def test_a_push_on_the_target_is_no_force_of_the_net() -> None:
    found = clear_run(
        {}, controller=lambda time, bodies: {"target": Push(force=(0.0, 4.0, 0.0), axes="inertial")}
    )
    assert_close(found.trajectory["v_BN_N"].values[-1, 1, 1], 4.0 * 0.4 / 20.0, rtol=1e-9)
    assert np.abs(found.trajectory["f_target_N"].values).max() < 1e-9


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ([1.0], "dict of Push"),
        ({"rocket": Push()}, "bullet 4"),
        ({"chaser": Push(force=(1.0, 2.0))}, "three finite"),
        ({"chaser": Push(torque=(math.nan, 0.0, 0.0))}, "three finite"),
        ({"chaser": Push(axes="mine")}, "'body' or 'inertial'"),  # type: ignore[arg-type]
    ],
)
def test_an_answer_that_is_none_ends_the_run(answer: Any, words: str) -> None:
    found = clear_run({}, controller=lambda time, bodies: answer)
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert words in found.traceback


def test_an_error_in_a_controller_ends_the_run_with_its_traceback(tmp_path) -> None:
    def breaks(time: float, bodies: Any) -> dict[str, Push]:
        if time > 0.15:
            raise ZeroDivisionError("gain of nothing")
        return {"target": Push(force=(0.0, 4.0, 0.0), axes="inertial")}

    found = clear_run({}, controller=breaks, control_interval=0.1)
    assert found.outcome is Outcome.NOT_TRUSTED
    assert found.ended is Outcome.CONTROLLER_FAILED
    assert "gain of nothing" in found.verdict
    assert "in breaks" in found.traceback
    assert "by an error in the controller" in found.answer
    assert_close(found.trajectory["time"].values[-1], 0.2, rtol=1e-9)
    assert_close(found.trajectory["v_BN_N"].values[-1, 1, 1], 4.0 * 0.2 / 20.0, rtol=1e-9)
    again = haptos.open(found.save(tmp_path))
    assert again.traceback == found.traceback == found.as_json()["traceback"]
    assert "in breaks" in found.summary()


def test_delay_and_limits_of_the_actuator_are_kept() -> None:
    def push(time: float, bodies: Any) -> dict[str, Push]:
        return {"target": Push(force=(0.0, 400.0, 0.0), axes="inertial")}

    mine = haptos.Controller(push, interval=0.05, delay=0.12, largest_force=4.0)
    found = clear_run({}, controller=mine)
    assert_close(found.trajectory["v_BN_N"].values[-1, 1, 1], 4.0 * 0.28 / 20.0, rtol=1e-9)
    assert found.ledger.closes
    assert_close(found.tables["control"]["time"].values[:3], [0.12, 0.17, 0.22], rtol=1e-9)


def test_what_a_controller_is_given_can_be_noisy_and_has_the_same_bits_again() -> None:
    seen: list[Any] = []

    def look(time: float, bodies: Any) -> None:
        seen.append(bodies["target"])

    for _ in range(2):
        mine = haptos.Controller(look, interval=0.02, noise=(1e-2, 0.0, 1e-3, 0.0))
        clear_run({}, controller=mine)
    first, second = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    assert all(np.array_equal(a.place, b.place) for a, b in zip(first, second, strict=True))
    assert 3e-3 < np.std([one.place[2] for one in first]) < 3e-2
    assert_close([np.linalg.norm(one.attitude) for one in first], np.ones(len(first)), rtol=1e-9)


def test_a_controller_is_of_nets_and_asked_at_a_sound_interval() -> None:
    with pytest.raises(ConfigError, match="control_interval"):
        clear_run({}, controller=lambda time, bodies: None, control_interval=0.0)
    with pytest.raises(ConfigError, match="interval"):
        haptos.Controller(lambda time, bodies: None, interval=-1)
    with pytest.raises(ConfigError, match="no controller"):
        clear_run({}, control_interval=0.1)
    with pytest.raises(ConfigError, match="lander"):
        haptos.simulate("lander", controller=lambda time, bodies: None)
    with pytest.raises(ConfigError, match="function"):
        clear_run({}, controller=3)


def test_columns_left_out_of_a_profile_are_nothing_and_unknown_ones_are_refused(tmp_path):

    file = tmp_path / "measured.csv"
    file.write_text("time_s,torque_z_N_m,force_x_N\n0,0.5,2\n1,0.25,4\n")
    changes = {"profiles": [{"body": "target", "file": str(file)}]}
    row = build(default("net-small", changes)).system.orders.loads[-1]
    assert row["force"].tolist() == [2.0, 0.0, 0.0]
    assert row["force_end"].tolist() == [4.0, 0.0, 0.0]
    assert row["torque_end"].tolist() == [0.0, 0.0, 0.25]
    for header in (
        "time_s,force_x_N,force_q_N",
        "force_x_N,force_y_N",
        "time_s,force_x_N,force_x_N",
    ):
        file.write_text(
            f"{header}\n" + "\n".join(",".join(["1"] * len(header.split(","))) for _ in "ab")
        )
        with pytest.raises(HaptosError):
            build(default("net-small", changes))
