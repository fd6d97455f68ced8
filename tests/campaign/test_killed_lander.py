"""2,000 real landings, every touch and path kept: killed ten times, on threads or on Dask, the tables are the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

STUDY = """
base = "lander"
name = "boxes thrown on a plane, gravity like that of Earth, loose tolerances: quick to run"

[campaign]
runs = 2000
seed = 5
shard_runs = 20
store = "trajectories"

[gravity]
acceleration_m_per_s2 = [0.0, 0.0, -9.81]

[contact]
stiffness_N_per_m = 2e4
damping_N_s_per_m = 800.0
friction = { distribution = "uniform", low = 0.3, high = 0.9 }
rolling_resistance_m = 0.01
stick_speed_m_per_s = 0.05
stick_rate_rad_per_s = 0.2

[release]
attitude_quaternion = { distribution = "random_attitude" }
velocity_m_per_s = [{ distribution = "normal", mean = 1.0, sigma = 0.2 }, 0.0, 0.0]

[settle]
speed_m_per_s = 1e-3
rate_rad_per_s = 1e-2
hold_s = 0.05

[run]
duration_s = 30.0
output_interval_s = 0.5
relative_tolerance = 1e-5
position_tolerance_m = 1e-5
velocity_tolerance_m_per_s = 1e-5
rate_tolerance_rad_per_s = 1e-4
attitude_tolerance = 1e-5
energy_tolerance = 1e-5
ledger_bound = 1e-2
"""
KILLS = 10


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("landings") / "landings.toml"
    path.write_text(STUDY)
    return path


def command(study: Path, out: Path, *more: str) -> list[str]:
    run = [sys.executable, "-m", "haptos", "campaign", str(study), "--out", str(out)]
    return [*run, "--no-report", *more]


def finished(study: Path, out: Path, *more: str) -> Path:
    done = subprocess.run(
        command(study, out, *more), capture_output=True, text=True, check=False, timeout=1200
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="module")
def whole(study) -> Path:
    """The campaign on one thread, never interrupted."""
    return finished(study, study.parent / "whole", "--workers", "1")


def same_tables(first: Path, second: Path) -> bool:
    names = sorted(path.name for path in (first / "shards").iterdir())
    assert len(names) == 300
    assert names == sorted(path.name for path in (second / "shards").iterdir())
    joined = ["runs.parquet", "impacts.parquet", "trajectories.parquet"]
    tables = [*joined, *(f"shards/{name}" for name in names)]
    return all((first / table).read_bytes() == (second / table).read_bytes() for table in tables)


def test_killed_at_ten_moments_and_resumed_the_tables_are_the_same_bytes(study, whole, tmp_path):
    out, moment = tmp_path / "out", random.Random(3)
    for _ in range(KILLS):
        before = len(list((out / "shards").glob("shard-*.parquet")))
        process = subprocess.Popen(
            command(study, out, "--resume", "--workers", "2"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 60.0
        while time.monotonic() < deadline and process.poll() is None:
            if len(list((out / "shards").glob("shard-*.parquet"))) > before:
                break
            time.sleep(0.002)
        time.sleep(moment.uniform(0.0, 0.02))  # a shard takes about as long
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.returncode == -signal.SIGKILL, "the campaign ended before it was killed"
    assert not (out / "runs.parquet").exists()
    finished(study, out, "--resume", "--workers", "2")
    assert same_tables(whole, out)


def test_two_threads_give_the_bytes_of_one(study, whole, tmp_path):
    assert same_tables(whole, finished(study, tmp_path / "out", "--workers", "2"))


def test_dask_workers_give_the_bytes_of_threads(study, whole, tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        out = finished(study, tmp_path / "out", "--scheduler", cluster.scheduler_address)
    assert same_tables(whole, out)
