"""A success map killed three times and resumed has the bytes of one that was not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

STUDY = """
base = "docking"
name = "starts of a docking, seconds of each"

[campaign]
runs = 12
seed = 3
shard_runs = 2

[start]
offset_m = { distribution = "uniform", low = 0.0, high = 0.04 }
tilt_azimuth_deg = { distribution = "uniform", low = 0.0, high = 360.0 }

[run]
duration_s = 12.0
stay_s = 0.0
"""
KILLS = 3


def command(study: Path, out: Path, *more: str) -> list[str]:
    run = [sys.executable, "-m", "haptos", "campaign", str(study), "--out", str(out)]
    return [*run, "--no-report", "--workers", "1", *more]


def shards(out: Path) -> list[Path]:
    return sorted((out / "shards").glob("shard-*.parquet"))


@pytest.mark.slow
def test_a_map_killed_three_times_and_resumed_is_the_same_bytes(tmp_path):
    study = tmp_path / "starts.toml"
    study.write_text(STUDY)
    whole, out = tmp_path / "whole", tmp_path / "out"
    done = subprocess.run(
        command(study, whole), capture_output=True, text=True, check=False, timeout=1200
    )
    assert done.returncode == 0, done.stderr
    for _ in range(KILLS):
        before = len(shards(out))
        process = subprocess.Popen(
            command(study, out, "--resume"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 300.0
        while time.monotonic() < deadline and process.poll() is None:
            if len(shards(out)) > before:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.returncode == -signal.SIGKILL, "the campaign ended before it was killed"
    assert 0 < len(shards(out)) < 6
    done = subprocess.run(
        command(study, out, "--resume"), capture_output=True, text=True, check=False, timeout=1200
    )
    assert done.returncode == 0, done.stderr
    assert (whole / "runs.parquet").read_bytes() == (out / "runs.parquet").read_bytes()
    assert [p.read_bytes() for p in shards(whole)] == [p.read_bytes() for p in shards(out)]
