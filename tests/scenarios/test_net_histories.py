"""Forces, momenta and key figures that follow from what a net run stores."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import haptos as hp
from haptos.reports import write_files
from haptos.results.result import Result
from haptos.scenarios.net.figures import figures
from haptos.scenarios.net.histories import slopes
from haptos.scenarios.net.model import build
from haptos.scenarios.net.scene import scene
from haptos.scenarios.net.scene_overview import overview
from tests.close import assert_close


@pytest.fixture(scope="module")
def result() -> Result:
    return hp.simulate(hp.default("net-small", {"closing": {"kind": "running", "duration_s": 0.5}}))


def test_the_force_on_the_target_is_what_its_momentum_gains(result: Result) -> None:
    motion = result.trajectory
    force, time = motion["f_target_N"].values, motion["time"].values
    gained = 20.0 * motion["v_BN_N"].values[-1, 1]  # the box weighs 20 kg
    summed = (force[1:] * np.diff(time)[:, None]).sum(axis=0)
    assert_close(summed, gained, rtol=1e-9, scale=float(np.abs(gained).max()))
    before = time < result.metrics["first_touch_s"] - 0.05
    assert np.abs(force[before]).max() == 0.0
    largest = np.linalg.norm(force, axis=1).max()  # windows as long end with steps, 1 % later
    assert_close(result.metrics["target_force_N"], largest, rtol=0.01)


def test_momentum_of_all_is_kept_without_burns(result: Result) -> None:
    momentum = result.trajectory["momentum_N"].values
    size = 4.0 * result.metrics["bullet_mass_kg"] * 2.0
    assert np.abs(momentum - momentum[0]).max() < 1e-9 * size


def test_a_burn_gives_its_impulse_and_nothing_to_the_target() -> None:
    burn = {"start_s": 0.1, "duration_s": 0.1, "force_N": [-3.0, 0.0, 0.0], "end_force_N": [-5.0, 0.0, 0.0]}  # fmt: skip
    pushed = {**burn, "body": "target", "start_s": 0.2}
    found = hp.simulate(
        hp.default("net-small", {"burns": [burn, pushed], "run": {"duration_s": 0.3}})
    )
    momentum = found.trajectory["momentum_N"].values
    assert_close(momentum[-1, 0] - momentum[0, 0], -0.8, rtol=1e-9)
    force = found.trajectory["f_target_N"].values
    assert (
        np.abs(force).max() < 1e-5
    )  # its own burn is no force of the net; speeds go linearly in a step


def test_a_push_off_the_centre_is_no_torque_of_the_net() -> None:
    """2 N at 0.1 m from the centre of the target: 0.2 N m are its own, whatever axes they are in."""
    push = {"body": "target", "times_s": [0.0, 0.3], "forces_N": [[0.0, 0.0, 2.0]] * 2}
    changes = {"profiles": [push | {"point_m": [0.0, 0.1, 0.0]}], "run": {"duration_s": 0.3}}
    found = hp.simulate(hp.default("net-small", changes))
    turned = found.trajectory["h_B_N"].values[:, 1]
    assert np.linalg.norm(turned[-1] - turned[0]) > 0.05  # 0.06 N m s
    assert np.abs(found.trajectory["t_target_N"].values).max() < 2e-3  # turns within an interval


def test_slopes_are_means_since_the_time_before() -> None:
    time = np.array([0.0, 1.0, 3.0])
    found = slopes(time, np.array([[0.0], [2.0], [4.0]]))
    assert found[:, 0].tolist() == [0.0, 2.0, 1.0]


def test_closing_lines_shorten_and_cost_work(result: Result) -> None:
    length = result.trajectory["closing_length"].values
    assert (np.diff(length) <= 0.0).all()
    assert 0.1 < length[-1] / length[0] < 0.5  # towards 99 % of the area, until it is tight
    assert result.metrics["closing_tension_N"] > 0.0
    assert result.metrics["winch_work_J"] > 0.0


def test_a_running_line_pulls_only_where_its_way_round_the_rings_is_longer_than_it(
    result: Result,
) -> None:
    motion = result.trajectory
    lines = build(hp.default("net-small", {"closing": {"kind": "running"}})).system.lines
    ways = []
    for first, last in zip(lines.start[:-1], lines.start[1:], strict=True):
        apart = np.diff(motion["r_point_N"].values[:, lines.point[first:last]], axis=1)
        ways.append((np.sqrt((apart**2).sum(axis=2) + lines.ring**2) - lines.ring).sum(axis=1))
    own = motion["closing_length"].values / len(ways)  # four sides of one length
    is_slack = np.max(ways, axis=0) <= own
    tension = motion["closing_tension"].values
    is_late = motion["time"].values > result.metrics["first_touch_s"]
    assert (is_slack & is_late).any()
    assert not tension[is_slack].any()
    largest = tension[~is_slack & is_late].max()
    assert 0.0 < largest <= result.metrics["closing_tension_N"]


def test_the_largest_tension_of_a_running_line_is_that_of_all_steps() -> None:
    """Stored every millisecond: strikes of bullets on the box pull for some of them."""
    closing, run = {"kind": "running", "duration_s": 0.5}, {"output_interval_s": 1e-3}
    result = hp.simulate(hp.default("net-small", {"closing": closing, "run": run}))
    largest = result.trajectory["closing_tension"].values.max()
    assert (
        0.8 * result.metrics["closing_tension_N"] < largest <= result.metrics["closing_tension_N"]
    )


def test_predictions_stand_beside_what_was_found(result: Result) -> None:
    metrics = result.metrics
    model = build(hp.default("net-small", {}))  # type: ignore[arg-type]
    knots = model.nodes.masses[model.nodes.bullet_knots].sum()  # they are shot with the bullets
    ratio = (model.bullet_masses.sum() + knots) / (model.bullet_masses.sum() + model.nodes.mass)
    expected = ratio * 2.0 * math.cos(math.pi / 6)
    assert_close(metrics["predicted_speed_m_per_s"], expected, rtol=1e-12)
    assert_close(
        metrics["predicted_distance_m"], math.sqrt(0.5) / math.tan(math.pi / 6), rtol=1e-12
    )
    assert_close(metrics["bullet_ratio"], 0.5, rtol=1e-12)
    assert 0.0 < metrics["quality_at_touch_percent"] <= metrics["best_quality_percent"]


def test_errors_of_bullets_follow_the_draw_and_nothing_else() -> None:
    def masses(**errors: float) -> list[float]:
        changes = {"errors": errors}
        return list(build(hp.default("net-small", changes)).bullet_masses)  # type: ignore[arg-type]

    plain, first, again, other = (
        masses(), masses(mass=0.5, draw=1.0), masses(mass=0.5, draw=1.0), masses(mass=0.5, draw=2.0)
    )  # fmt: skip
    assert first == again
    assert first != other
    ratios = np.array(first) / plain
    assert 0.5 <= ratios.min() < ratios.max() <= 1.5
    assert masses(speed=0.5) == plain


def test_a_lost_bullet_flies_off_without_the_net() -> None:
    found = hp.simulate(
        hp.default("net-small", {"bullets": {"lost": [0]}, "run": {"duration_s": 0.8}})
    )
    speed = np.linalg.norm(found.trajectory["v_BN_N"].values[-1], axis=1)
    names = [str(name) for name in found.trajectory["body"].values]
    assert_close(speed[names.index("bullet 1")], 2.0, rtol=0.01)  # nothing slows it
    assert speed[names.index("bullet 3")] < 1.9


def test_files_and_figures_hold_the_histories(result: Result, tmp_path: Path) -> None:
    write_files(result, tmp_path)
    head, *rows = (tmp_path / "history.csv").read_text(encoding="utf-8").splitlines()
    assert "f_target_N x [N]" in head
    assert "quality [%]" in head
    assert len(rows) == result.trajectory.sizes["time"]
    drawn = figures(result)
    for title in (
        "Force of closing",
        "Force of the net on the target, N axes",
        "Angular momentum of all about the origin, N axes",
    ):
        assert title in drawn


def test_scene_and_overview_show_the_run(result: Result) -> None:
    import pandas as pd

    assert any(item.label == "threads" and item.maps for item in scene(result).items)  # type: ignore[union-attr]
    config = hp.default("net-small")
    runs = pd.DataFrame([{"run": 0, **result.as_row()}])
    many = overview(config, runs, {0: result})  # type: ignore[arg-type]
    assert {item.label for item in many.items} == {"chaser", "target", "ways of the nets", "bullets"}  # fmt: skip
    none = overview(config, runs, {})  # type: ignore[arg-type]
    assert [item.label for item in none.items] == ["chaser"]


def test_in_orbit_forces_are_told_along_the_axes_of_the_orbit() -> None:
    found = hp.simulate(
        hp.default("net-small", {"environment": {"kind": "orbit"}, "run": {"duration_s": 1.0}})
    )
    motion = found.trajectory
    still, turning = motion["f_target_N"].values, motion["f_target_L"].values
    assert_close(np.linalg.norm(turning, axis=1), np.linalg.norm(still, axis=1), rtol=1e-12)
    # In one second an orbit of 500 km turns by a milliradian about -y.
    angle = motion["time"].values * math.sqrt(3.986004418e14 / 6_878_137.0**3)
    wanted = np.cos(angle) * still[:, 0] + np.sin(angle) * still[:, 2]
    assert_close(turning[:, 0], wanted, rtol=1e-6, scale=float(np.abs(still).max()))


def test_after_a_long_tow_the_first_camera_follows() -> None:
    from haptos.scenarios.net.scene import _cameras

    ends = np.array([[[0.0, 0, 0], [3.0, 0, 0]], [[-70.0, 0, 0], [-67.0, 0, 0]]])
    assert _cameras(ends, ["chaser", "target"])[0].name == "follow the target"
    assert _cameras(0.01 * ends, ["chaser", "target"])[0].name == "inertial"
    both = [{camera.name for camera in _cameras(s * ends, ["chaser", "target"])} for s in (1, 0.01)]
    assert both[0] == both[1]
