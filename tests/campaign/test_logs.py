"""Impacts and trajectories of a campaign: whole before their runs, joined in order, the same bytes after anything."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pyarrow.parquet as pq
import pytest

from haptos.campaign.campaign import campaign, open_campaign
from haptos.campaign.logs import check_logs
from haptos.campaign.plan import load_plan
from haptos.campaign.store import Store
from haptos.core.errors import ConfigError, StorageError
from haptos.core.stop import Stopped
from haptos.results.many_runs import ManyRuns, joined
from tests.campaign.fake_scenario import STUDY, contents, fake_batch, write_study

LOGGED = STUDY.replace("[campaign]", '[campaign]\nstore = "trajectories"').replace(
    "[contact]", "[run]\noutput_interval_s = 10.0\n[contact]"
)


def fake_log(row: dict, name: str) -> dict[str, np.ndarray]:
    """Some rows, none for one run in three: a pure function of the run's row."""
    count = int(1e6 * abs(row["ledger_friction_work_J"])) % 3 * (4 if name == "impacts" else 9)
    return {"time_s": np.arange(count) + 0.5, "vertex": np.arange(count)}


def logged_batch(configs, *, workers, should_stop=None, fails_at=None) -> ManyRuns:
    rows = fake_batch(configs, workers=workers, should_stop=should_stop)
    if fails_at is not None and next(fails_at) == 0:
        raise Stopped
    names = ("impacts", "trajectories")
    return ManyRuns(rows, {name: joined([fake_log(row, name) for row in rows]) for name in names})


def run(study, out, **more):
    return campaign(study, out=out, **{"workers": 1, "batch": logged_batch, **more})


@pytest.fixture
def study(tmp_path):
    return write_study(tmp_path, LOGGED)


@pytest.fixture
def finished(study, tmp_path):
    run(study, tmp_path / "out")
    return tmp_path / "out"


def test_every_row_of_a_log_has_its_run_and_stands_in_order(study, finished):
    stored = open_campaign(finished)
    rows = fake_batch(load_plan(study).configs(range(36)), workers=1)
    for name, table in (("impacts", stored.impacts), ("trajectories", stored.trajectories)):
        expected = joined([fake_log(row, name) for row in rows])
        assert list(table.columns) == ["run", "time_s", "vertex"]
        for column, values in expected.items():
            assert np.array_equal(table[column], values)
        assert 0 < table["run"].nunique() < 36


def test_workers_and_their_batches_change_no_byte(study, finished, tmp_path):
    for workers in (2, 7):
        run(study, tmp_path / f"out{workers}", workers=workers)
        assert contents(tmp_path / f"out{workers}") == contents(finished)


def test_a_log_is_on_disk_before_its_runs(study, tmp_path, monkeypatch):
    from haptos.campaign import store as room

    written: list[str] = []
    checked = room.write_checked
    monkeypatch.setattr(
        room,
        "write_checked",
        lambda path, *rest: (written.append(path.name), checked(path, *rest)),
    )
    run(study, tmp_path / "out")
    shards = [name for name in written if name.endswith("3.parquet")]
    assert shards == [
        "impacts-000003.parquet", "trajectories-000003.parquet", "shard-000003.parquet",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["impacts-000003", "trajectories-000003", "shard-000003"])
@pytest.mark.parametrize("bytes_kept", [None, 0, 300])
def test_a_shard_with_any_file_lost_or_damaged_is_computed_again(study, finished, name, bytes_kept):
    before = contents(finished)
    path = finished / "shards" / f"{name}.parquet"
    data = path.read_bytes()
    path.unlink()
    if bytes_kept is not None:
        path.write_bytes(data[:bytes_kept])
    for joined_name in ("runs", "impacts", "trajectories"):
        (finished / f"{joined_name}.parquet").unlink()
    run(study, finished, resume=True)
    assert contents(finished) == before


def test_flipped_bits_of_a_log_are_noticed(study, finished):
    path = finished / "shards" / "impacts-000002.parquet"
    good = path.read_bytes()
    writer = good.index(b"parquet-cpp-arrow")
    with Store(finished, load_plan(study), resume=True) as store:
        assert store.verified(2) is not None
        for place in random.Random(5).sample(range(8 * len(good)), 200):
            if 0 <= place // 8 - writer < 40:
                continue
            bad = bytearray(good)
            bad[place // 8] ^= 1 << place % 8
            path.write_bytes(bad)
            assert store.verified(2) is None
        path.write_bytes(good)


def test_a_log_of_another_place_is_not_taken(study, finished):
    shards = finished / "shards"
    data = (shards / "impacts-000001.parquet").read_bytes()
    with Store(finished, load_plan(study), resume=True) as store:
        (shards / "impacts-000002.parquet").write_bytes(data)
        assert store.verified(2) is None


def test_a_lost_or_damaged_joined_log_is_told_and_joined_again(study, finished):
    before = contents(finished)
    path = finished / "impacts.parquet"
    path.unlink()
    with pytest.raises(StorageError, match="not finished"):
        open_campaign(finished)
    run(study, finished, resume=True)
    assert contents(finished) == before
    data = bytearray(path.read_bytes())
    data[40] ^= 1
    path.write_bytes(data)
    with pytest.raises(StorageError, match="damaged"):
        open_campaign(finished).impacts  # noqa: B018 - reading is the test
    run(study, finished, resume=True)
    assert contents(finished) == before


@pytest.mark.parametrize("stops_at", [1, 4])
def test_stopped_and_resumed_it_ends_with_the_same_bytes(study, finished, tmp_path, stops_at):
    from haptos.campaign.interruption import Interrupted

    out, calls = tmp_path / "stopped", iter(range(stops_at, -100, -1))
    with pytest.raises(Interrupted):
        run(study, out, batch=partial(logged_batch, fails_at=calls))
    run(study, out, resume=True)
    assert contents(out) == contents(finished)


def test_a_goal_that_is_met_removes_later_logs_too(tmp_path):
    goal = 'until = { metric = "settled", statistic = "share", half_width = 0.2 }'
    text = LOGGED.replace("runs = 12", f"runs = 400\n{goal}")
    text = text.replace('{ sweep = "grid", values = [0.002, 0.005, 0.01] }', "0.005")
    stored = run(write_study(tmp_path, text), tmp_path / "out")
    shards = len(stored.runs) // 5
    assert len(stored.runs) < 400
    assert len(list((tmp_path / "out" / "shards").iterdir())) == 3 * shards
    assert stored.impacts["run"].max() < len(stored.runs)


def test_logs_have_row_groups_of_one_size(study, finished, monkeypatch):
    from haptos.campaign import tables

    monkeypatch.setattr(tables, "ROW_GROUP", 16)
    (finished / "impacts.parquet").unlink()
    run(study, finished, resume=True)
    found = pq.ParquetFile(finished / "impacts.parquet").metadata
    sizes = [found.row_group(group).num_rows for group in range(found.num_row_groups)]
    assert len(sizes) > 3
    assert set(sizes[:-1]) == {16}


def test_a_campaign_without_logs_says_how_to_get_them(tmp_path):
    stored = campaign(write_study(tmp_path), out=tmp_path / "out", workers=1, batch=fake_batch)
    with pytest.raises(ConfigError, match=r'store = "impacts"'):
        stored.impacts  # noqa: B018 - reading is the test
    with pytest.raises(ConfigError, match=r'store = "trajectories"'):
        stored.trajectories  # noqa: B018 - reading is the test
    assert not list((tmp_path / "out").glob("*impacts*"))


def test_a_scenario_without_impacts_is_refused_before_work(tmp_path):
    text = 'base = "liftoff"\n[campaign]\nruns = 2\nstore = "impacts"\n'
    with pytest.raises(ConfigError, match="liftoff, which has no impacts"):
        campaign(write_study(tmp_path, text), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_stored_is_refused_before_work(tmp_path, study):
    for bad in ('"all"', "true", '{ distribution = "choice", values = ["impacts"] }'):
        text = STUDY.replace("[campaign]", f"[campaign]\nstore = {bad}")
        with pytest.raises(ConfigError, match="store"):
            load_plan(write_study(tmp_path, text, "bad.toml"))


def test_trajectories_that_would_fill_the_memory_are_refused(tmp_path):
    text = LOGGED.replace("output_interval_s = 10.0", "output_interval_s = 0.01")
    text = text.replace("runs = 12", "runs = 12000").replace("shard_runs = 5", "shard_runs = 5000")
    with pytest.raises(ConfigError, match="shard_runs = ") as refusal:
        check_logs(load_plan(write_study(tmp_path, text)))
    fit = refusal.value.hint.split()[2].rstrip(",")
    text = text.replace("shard_runs = 5000", f"shard_runs = {fit}")
    check_logs(load_plan(write_study(tmp_path, text)))
