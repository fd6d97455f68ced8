"""A campaign's memory does not grow with its runs, and what runs share is parsed once."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pyarrow as pa

from haptos.campaign import tables
from haptos.campaign.campaign import campaign
from haptos.campaign.plan import load_plan
from tests.campaign.fake_scenario import write_study

STUDY = """
base = "lander"
[campaign]
runs = {runs}
seed = 7
shard_runs = 250
[run]
duration_s = 0.5
[release]
velocity_m_per_s = [{{ distribution = "normal", mean = 0.05, sigma = 0.01 }}, 0.0, 0.0]
"""
MOST_BYTES = 400.0  # [bytes] per run more, of which the joined table takes some; 4 GB for 10^7 runs


def nothing_done(configs, *, workers, should_stop=None):
    return [{"outcome": "settled", "ended": "settled", "trusted": True, "t": 1.0} for _ in configs]


def peak_bytes(folder, runs: int) -> int:
    folder.mkdir()
    study = write_study(folder, STUDY.format(runs=runs))
    tracemalloc.start()
    campaign(study, out=folder / "out", workers=1, batch=nothing_done)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_memory_grows_by_few_bytes_per_run(tmp_path):
    peak_bytes(tmp_path / "first", 250)  # caches fill
    few, many = peak_bytes(tmp_path / "few", 1000), peak_bytes(tmp_path / "many", 5000)
    assert (many - few) / 4000 < MOST_BYTES


def joining_bytes(path, rows: int) -> int:
    """Most that Arrow holds while shards of 100 rows are joined."""
    held = [0]
    start = pa.total_allocated_bytes()

    def shards():
        for _ in range(rows // 100):
            yield pa.table({f"m{k}": np.full(100, 0.1 * k) for k in range(40)})
            held.append(pa.total_allocated_bytes() - start)

    with open(path, "wb") as file:
        tables.write_joined(file, shards())
    return max(held)


def test_joining_holds_one_row_group_however_many_runs_there_are(tmp_path):
    few, many = (joining_bytes(tmp_path / "joined", rows) for rows in (20_000, 60_000))
    assert many < 1.2 * few


def test_what_does_not_vary_is_parsed_once(tmp_path):
    plan = load_plan(write_study(tmp_path, STUDY.format(runs=3)))
    first, second, third = plan.configs(range(3))
    assert first.probe is second.probe is third.probe
    assert first.release != second.release
    assert [plan.config(run) for run in range(3)] == [first, second, third]
