"""The scene of a lander shows what the run says: the probe where it was, the ground under it."""

from __future__ import annotations

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import Arrows, Lines, MovingFrame, Points, SceneSurface
from haptos.scenarios.lander.scene import poses, scene
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
    assert isinstance(shape, SceneSurface)
    assert isinstance(ground, SceneSurface)
    q = np.asarray(probe.quaternion)[-1]
    corners = rotated(q, np.asarray(shape.vertices)) + np.asarray(probe.position)[-1]
    assert abs(corners[:, 2].min() - np.asarray(ground.vertices)[:, 2].mean()) < 1e-3


def rotated(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    twice = 2.0 * np.cross(q[1:], x)
    return x + q[0] * twice + np.cross(q[1:], twice)


def test_every_part_is_there_and_hangs_in_a_frame(result: Result) -> None:
    shown = scene(result)
    kinds = {type(item) for item in shown.items}
    assert {SceneSurface, Points, Lines, Arrows} <= kinds
    assert [frame.name for frame in shown.frames] == ["A", "B"]
    assert all(isinstance(frame, MovingFrame) for frame in shown.frames)
    assert {"site", "follow", "inertial"} <= {camera.name for camera in shown.cameras}
    assert {event.label for event in shown.events} >= {"touch", "rest"}


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
