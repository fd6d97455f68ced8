"""Readings of a file: the newest row not after the sample, and files that are refused."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.sensing.quantised import Quantised
from haptos.dynamics.sensing.replay import read_replay
from haptos.dynamics.sensing.sensor import Chain, Sensor
from haptos.dynamics.sensing.streams import Stream


def written(tmp_path, text: str):
    path = tmp_path / "recorded.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sensor_gives_what_was_recorded(tmp_path):
    path = written(tmp_path, "time_s,a,b\n0.4,1,2\n0.9,3,nan\n1.4,5,6\n")
    replay = read_replay(path, 2, "camera")
    one = Sensor("camera", Chain(0.5), Stream.named(0, "c"), Quantised(sigma=9.0), replay=replay)
    found = [one.sample([0.0, 0.0]).values for _ in range(4)]
    assert np.isnan(found[0]).all()
    assert np.array_equal(found[1], [1.0, 2.0])
    assert not np.isfinite(found[2][1])
    assert np.array_equal(found[3], [5.0, 6.0])


@pytest.mark.parametrize(
    ("text", "found"),
    [("", "0 rows"), ("0,1\n1,2\n", "2 columns"), ("0,1,2\n0,1,2\n", "do not rise"), ("0,1,2\n1,a,3\n", "recorded"), ("nan,1,2\n", "do not rise")],
)  # fmt: skip
def test_other_files_are_refused(tmp_path, text, found):
    with pytest.raises(ConfigError, match=found):
        read_replay(written(tmp_path, text), 2, "camera")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no file"):
        read_replay(tmp_path / "none.csv", 2, "camera")
