"""Impacts and paths of many landers: those of single runs to the bit, and consistent with their rows."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.core.stop import Stopped
from haptos.results.many_runs import ManyRuns
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.logs import TRAJECTORY_COLUMNS
from haptos.scenarios.lander.simulate import most_log_rows, simulate, simulate_batch
from haptos.scenarios.lander.simulate import simulate_logged as logged
from tests.close import assert_close
from tests.hard_cases import CUBE, hard
from tests.lander_cases import lander

AXES = "xyz"


def thrown(run: int) -> Config:
    release = {
        "position_m": [0.0, 0.0, 1.0],
        "attitude_yaw_pitch_roll_deg": [10.0 * run, 20.0 + run, 30.0],
        "velocity_m_per_s": [0.05 + 0.01 * run, 0.0, -0.02],
    }
    return hard(probe=CUBE, release=release, run={"output_interval_s": 7.0})


@functools.cache
def five(store: str = "trajectories", workers: int = 2) -> ManyRuns:
    return logged([thrown(run) for run in range(5)], store=store, workers=workers)  # type: ignore[arg-type]


def of_run(table, run: int, pattern: str) -> np.ndarray:
    return table[table["run"] == run][[pattern.format(axis) for axis in AXES]].to_numpy()


def test_the_rows_are_those_of_a_batch_that_stores_nothing():
    plain = simulate_batch([thrown(run) for run in range(5)], workers=1)
    assert repr(five().rows) == repr(plain) == repr(five("impacts").rows)


def test_workers_and_neighbours_change_no_bit():
    one = five("trajectories", 1)
    for name in ("impacts", "trajectories"):
        for column, values in five().logs[name].items():
            assert values.tobytes() == one.logs[name][column].tobytes()
    (alone,) = (logged([thrown(3)], store="impacts", workers=1),)
    there = five().impacts[five().impacts["run"] == 3].drop(columns="run").reset_index(drop=True)
    assert alone.impacts.drop(columns="run").equals(there)
    assert five("impacts").impacts.equals(five().impacts)


def test_a_path_is_that_of_the_run_stored_in_full():
    result, table = simulate(thrown(2)), five().trajectories
    mine = table[table["run"] == 2]
    path = result.trajectory
    assert np.array_equal(mine["time_s"], path["time"])
    assert np.array_equal(of_run(table, 2, "position_{}_m"), path["r_BA_A"])
    assert np.array_equal(of_run(table, 2, "velocity_{}_m_per_s"), path["v_BA_A"])
    assert np.array_equal(of_run(table, 2, "rate_{}_rad_per_s"), path["omega_BA_B"])
    assert np.array_equal(mine[[f"quaternion_{i}" for i in range(4)]], path["quat_AB"])
    assert np.array_equal(mine["contacts"], path["contact_count"])


def test_impacts_are_those_of_the_run_stored_in_full():
    events = simulate(thrown(2)).events
    is_impact = (events["kind"] == "impact").to_numpy()
    table = five().impacts
    mine = table[table["run"] == 2]
    assert len(mine) == is_impact.sum() > 3
    for column, variable in (
        ("time_s", "time"), ("impact_angle_rad", "impact_angle"),
        ("aspect_angle_rad", "aspect_angle"), ("kinetic_energy_before_J", "kinetic_energy"),
        ("vertex", "vertex"), ("ground", "ground"), ("friction_work_J", "friction_work"),
    ):  # fmt: skip
        assert np.array_equal(mine[column], events[variable][is_impact])
    for pattern, variable in (
        ("point_{}_m", "point_A"), ("normal_{}", "normal_A"),
        ("velocity_before_{}_m_per_s", "v_before_A"), ("velocity_after_{}_m_per_s", "v_after_A"),
        ("rate_after_{}_rad_per_s", "omega_after_B"),
        ("point_velocity_before_{}_m_per_s", "point_velocity_before_A"),
    ):  # fmt: skip
        assert np.array_equal(of_run(table, 2, pattern), events[variable][is_impact])


def test_impacts_add_up_to_the_rows_of_their_runs():
    table = five().impacts
    for run, row in enumerate(five().rows):
        mine = table[table["run"] == run]
        assert len(mine) == row["impacts"]
        assert np.all(np.diff(mine["time_s"]) >= 0.0)
        assert_close(mine["loss_J"].mean(), row["mean_impact_loss_J"], rtol=1e-12)
        assert mine["loss_J"].max() == row["largest_impact_loss_J"]


def test_the_contact_point_closes_in_along_the_normal():
    table = five().impacts
    for run in range(5):
        before = of_run(table, run, "point_velocity_before_{}_m_per_s")
        normal = of_run(table, run, "normal_{}")
        closing = table[table["run"] == run]["closing_speed_m_per_s"].to_numpy()
        along = -np.sum(before * normal, axis=1)
        assert_close(along, closing, rtol=1e-12, scale=closing.max())
        slip = np.linalg.norm(before + along[:, None] * normal, axis=1)
        stored = table[table["run"] == run]["slip_speed_m_per_s"].to_numpy()
        assert_close(slip, stored, rtol=1e-9, scale=stored.max())


def test_on_springs_each_touch_is_a_row_without_what_impacts_have():
    found = logged([lander()], store="impacts", workers=1)
    assert len(found.impacts) == found.rows[0]["vertex_touches"] > 0
    assert found.impacts["loss_J"].isna().all()
    assert (found.impacts["ground"] == -1).all()
    assert found.impacts["closing_speed_m_per_s"].notna().all()


def test_a_run_without_impacts_has_no_rows_and_the_same_columns():
    still = hard(release={"position_m": [0.0, 0.0, 1000.0]}, run={"duration_s": 1.0})
    found = logged([still, thrown(0)], store="impacts", workers=1)
    assert set(found.impacts["run"]) == {1}
    none = logged([still], store="impacts", workers=1)
    assert none.impacts.empty
    for column, values in none.logs["impacts"].items():
        assert values.dtype == found.logs["impacts"][column].dtype


def test_a_stop_is_heard():
    with pytest.raises(Stopped):
        logged([thrown(0)], store="impacts", workers=1, should_stop=lambda: True)


def test_rows_of_a_path_are_known_before():
    config = thrown(0)
    assert most_log_rows(config) >= (five().trajectories["run"] == 0).sum()
    assert len(TRAJECTORY_COLUMNS) == 15


def test_keys_are_changed_from_python_as_in_a_file(tmp_path):
    plain, slippery = haptos.default("lander"), {"contact": {"friction": 0.2}}
    changed = haptos.default("lander", slippery)
    assert changed.contact.friction == 0.2 != plain.contact.friction
    assert changed.release == plain.release
    assert haptos.load("lander", slippery) == changed
    with pytest.raises(ConfigError, match="unknown key 'frictoin'"):
        haptos.default("lander", {"contact": {"frictoin": 0.2}})


def test_many_runs_from_python():
    found = haptos.simulate_batch([thrown(0), thrown(1)], store="impacts", workers=1)
    assert list(found.runs["outcome"]) == [row["outcome"] for row in five().rows[:2]]
    assert set(found.impacts["run"]) == {0, 1}
    with pytest.raises(ConfigError, match=r'store = "trajectories"'):
        found.trajectories  # noqa: B018 - reading is the test
    assert len(haptos.simulate_batch(["lander"], workers=1).runs) == 1
    with pytest.raises(ConfigError, match="no scenarios"):
        haptos.simulate_batch([])
    with pytest.raises(ConfigError, match="store = 'all'"):
        haptos.simulate_batch(["lander"], store="all")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="liftoff, which has no impacts"):
        haptos.simulate_batch(["liftoff"], store="impacts")
