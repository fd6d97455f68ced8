"""The scene of a lander shows what the run says: the probe where it was, the ground under it."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import Arrows, Lines, MovingFrame, Points, Surface
from haptos.scenarios.lander.scene import overview, poses, scene, turned
from haptos.scenarios.lander.scene_ground import slope_deg, vertex_normals
from tests.close import assert_close
from tests.results.hop import hop


@pytest.fixture(scope="module")
def result() -> Result:
    return hp.simulate(hp.default("lander"))


def test_the_probe_stands_where_the_run_put_it(result: Result) -> None:
    shown = scene(result)
    probe = next(frame for frame in shown.frames if frame.name == "B")
    stored = result.trajectory
    for row in (0, -1):
        assert_close(np.asarray(probe.position)[row], stored["r_BA_A"].values[row], rtol=1e-12)
        assert_close(np.asarray(probe.quaternion)[row], stored["quat_AB"].values[row], rtol=1e-12)
    assert shown.time[-1] == stored["time"].values[-1]


def test_at_rest_its_lowest_corner_is_on_the_ground(result: Result) -> None:
    shown = scene(result)
    shape = next(item for item in shown.items if item.label == "probe")
    ground = next(item for item in shown.items if item.label == "ground")
    probe = next(frame for frame in shown.frames if frame.name == "B")
    assert isinstance(shape, Surface)
    assert isinstance(ground, Surface)
    q = np.asarray(probe.quaternion)[-1]
    corners = rotated(q, np.asarray(shape.vertices)) + np.asarray(probe.position)[-1]
    assert abs(corners[:, 2].min() - np.asarray(ground.vertices)[:, 2].mean()) < 1e-3


def rotated(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    twice = 2.0 * np.cross(q[1:], x)
    return x + q[0] * twice + np.cross(q[1:], twice)


def test_every_part_is_there_and_hangs_in_a_frame(result: Result) -> None:
    shown = scene(result)
    kinds = {type(item) for item in shown.items}
    assert {Surface, Points, Lines, Arrows} <= kinds
    assert [frame.name for frame in shown.frames] == ["A", "B"]
    assert all(isinstance(frame, MovingFrame) for frame in shown.frames)
    assert {"site", "follow", "inertial"} <= {camera.name for camera in shown.cameras}
    assert {event.label for event in shown.events} >= {"touch", "rest"}


def test_many_runs_share_one_scene(result: Result) -> None:
    import pandas as pd

    row = pd.DataFrame([result.as_row()] * 3)
    shown = overview(hp.default("lander"), row, [result, result])
    labels = {item.label: item for item in shown.items}
    assert {"ground", "places of rest", "trails", "probes"} <= set(labels)
    probes = labels["probes"]
    assert isinstance(probes, Points)
    assert np.shape(probes.positions) == (len(shown.time), 2, 3)
    assert len(overview(hp.default("lander"), row[:0], []).items) >= 1


def test_a_turn_in_steps_is_a_turn_at_once() -> None:
    start = np.array([[1.0, 0.0, 0.0, 0.0]])
    angle = np.array([[0.3, -0.2, 0.5]])
    half = turned(turned(start, 0.5 * angle), 0.5 * angle)
    assert_close(half, turned(start, angle), rtol=1e-12)
    with pytest.raises(AssertionError):
        assert_close(half, turned(start, 1.01 * angle), rtol=1e-12)


def test_slope_is_the_angle_to_what_pulls() -> None:
    vertices = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    normals = vertex_normals(vertices, np.array([[0, 1, 2]]))
    tilt = np.radians(20.0)
    pull = np.tile([np.sin(tilt), 0.0, -np.cos(tilt)], (3, 1))
    assert_close(slope_deg(normals, pull), np.full(3, 20.0), rtol=1e-12)


def test_a_result_without_attitude_is_refused() -> None:
    plain = hop(count=20)
    if "quat_NA" in plain.trajectory.variables:
        plain = plain.__class__(
            **{**vars(plain), "trajectory": plain.trajectory.drop_vars("quat_NA")}
        )
    with pytest.raises(HaptosError, match="quat_NA"):
        scene(plain)


def test_poses_rise_in_time(result: Result) -> None:
    assert np.all(np.diff(poses(result)["t"]) >= 0.0)
