"""Shards on a Dask cluster: the same bytes as on this machine, errors and stops reported cleanly."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from haptos.campaign import cluster
from haptos.campaign.campaign import campaign
from haptos.campaign.interruption import Interrupted
from haptos.campaign.plan import load_plan
from haptos.core.errors import ConfigError, GeometryError
from tests.campaign.fake_scenario import contents, fake_batch, slow_batch, write_study
from tests.campaign.test_failures import Failing

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def scheduler():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as made:
        yield made.scheduler_address


@pytest.fixture
def study(tmp_path) -> Path:
    return write_study(tmp_path)


def test_the_cluster_gives_the_bytes_of_this_machine(study, tmp_path, scheduler):
    campaign(study, out=tmp_path / "here", batch=fake_batch)
    campaign(study, out=tmp_path / "there", batch=fake_batch, scheduler=scheduler)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_what_one_began_the_other_ends(study, tmp_path, scheduler):
    campaign(study, out=tmp_path / "here", batch=fake_batch)
    whole = contents(tmp_path / "here")
    for shard in (0, 3, 7):
        (tmp_path / "here" / "shards" / f"shard-{shard:06d}.parquet").unlink()
    (tmp_path / "here" / "runs.parquet").unlink()
    campaign(study, out=tmp_path / "here", batch=fake_batch, scheduler=scheduler, resume=True)
    assert contents(tmp_path / "here") == whole


def test_a_refusal_on_a_worker_reaches_the_user(study, tmp_path, scheduler):
    def picky(configs, *, workers, should_stop=None):
        raise GeometryError("release", "a probe inside the ground", "above it", "lift it")

    with pytest.raises(GeometryError, match="inside the ground"):
        campaign(study, out=tmp_path / "out", batch=picky, scheduler=scheduler)


def test_a_run_that_raises_on_a_worker_is_a_row(study, tmp_path, scheduler):
    batch = Failing(load_plan(study), [7, 30, 31, 32, 33, 34])
    here = campaign(study, out=tmp_path / "here", batch=batch)
    there = campaign(study, out=tmp_path / "there", batch=batch, scheduler=scheduler)
    assert (there.runs["outcome"] == "failed").sum() == 6
    assert there.runs.equals(here.runs)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_a_campaign_that_loses_all_workers_says_so_and_resumes(study, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "LOST_TIME", 0.5)
    out, made = tmp_path / "out", {}

    def lose_workers(text, done, total):
        if text == "running" and done and not made["is_lost"]:
            made["is_lost"] = True
            made["cluster"].scale(0)

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as local:
        made |= {"cluster": local, "is_lost": False}
        address = local.scheduler_address
        with pytest.raises(ConfigError, match=r"workers lost|no worker left") as caught:
            campaign(study, out=out, batch=slow_batch, scheduler=address, progress=lose_workers)
    assert "--resume" in caught.value.hint
    campaign(study, out=out, batch=fake_batch, resume=True)
    campaign(study, out=tmp_path / "here", batch=fake_batch)
    assert contents(out) == contents(tmp_path / "here")


def test_no_worker_for_a_while_ends_the_campaign(monkeypatch):
    monkeypatch.setattr(cluster, "LOST_TIME", 0.0)
    workers = cluster._Workers(SimpleNamespace(nthreads=lambda: {"tcp://there": 1}), "tcp://here")
    workers.check()
    workers = cluster._Workers(SimpleNamespace(nthreads=dict), "tcp://here")
    with pytest.raises(ConfigError, match="no worker left for 0 s"):
        workers.check()


def test_a_stop_cancels_what_waits_and_keeps_what_came(study, tmp_path, scheduler):
    def stop_soon(text, done, total):
        if text == "running" and done:
            signal.raise_signal(signal.SIGINT)

    out = tmp_path / "out"
    with pytest.raises(Interrupted) as caught:
        campaign(study, out=out, batch=slow_batch, scheduler=scheduler, progress=stop_soon)
    assert 0 < caught.value.done < 36
    campaign(study, out=out, batch=fake_batch, scheduler=scheduler, resume=True)
    campaign(study, out=tmp_path / "here", batch=fake_batch)
    assert contents(out) == contents(tmp_path / "here")


def test_a_cluster_without_workers_is_refused():
    empty = SimpleNamespace(nthreads=dict)
    with pytest.raises(ConfigError, match="no workers"):
        cluster.check_workers(empty, "tcp://10.0.0.1:8786")


def version_by_thread() -> str:
    """What haptos a worker has: an older one than the main thread, which is the client."""
    return "0.1.0" if threading.current_thread() is threading.main_thread() else "0.0.9"


def test_workers_with_another_version_are_refused(study, tmp_path, scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "haptos_version", version_by_thread)
    with pytest.raises(ConfigError, match=r"haptos 0\.0\.9 on"):
        campaign(study, out=tmp_path / "out", batch=fake_batch, scheduler=scheduler)
