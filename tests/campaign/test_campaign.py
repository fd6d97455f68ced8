"""A campaign from end to end with an imagined scenario: progress, errors of runs, interruption."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest

import haptos as hp
from haptos.campaign.campaign import campaign
from haptos.campaign.interruption import Interrupted, stop_on_signals
from haptos.campaign.local import core_count
from haptos.campaign.progress import reporter
from haptos.campaign.runner import batch_of
from haptos.core.errors import ConfigError
from haptos.core.stop import Stopped
from tests.campaign.fake_scenario import STUDY, contents, fake_batch, write_study


@pytest.fixture
def study(tmp_path):
    return write_study(tmp_path)


def test_the_room_is_the_function(study, tmp_path):
    done = hp.campaign(study, out=tmp_path / "out", batch=fake_batch)
    assert len(done.runs) == 36
    assert done.directory == tmp_path / "out"
    assert hp.open(tmp_path / "out").runs.equals(done.runs)
    assert (tmp_path / "out" / "campaign.toml").read_text() == STUDY


def test_texts_of_a_row_are_stored_and_are_no_metrics(study, tmp_path):
    def batch(configs, *, workers, should_stop=None):
        texts = {"not_trusted_because": "ledger", "ledger_phase": "flight"}
        return [texts | row for row in fake_batch(configs, workers=workers)]

    done = hp.campaign(study, out=tmp_path / "out", batch=batch)
    assert set(done.runs["ledger_phase"]) == {"flight"}
    assert set(done.runs["not_trusted_because"]) == {"ledger"}
    assert "ledger_phase" not in done.statistics.metrics.index


def test_progress_tells_every_phase_and_ends_complete(study, tmp_path):
    reported = []
    campaign(study, out=tmp_path / "out", batch=fake_batch, progress=lambda *p: reported.append(p))
    assert reported[0] == ("checking", 0, 36)
    assert ("checking", 36, 36) in reported
    assert reported[-1] == ("running", 36, 36)
    done = [count for text, count, _ in reported if text == "running"]
    assert done == sorted(done)


def test_resumed_runs_count_as_done(study, tmp_path):
    out = tmp_path / "out"
    campaign(study, out=out, batch=fake_batch)
    (out / "shards" / "shard-000004.parquet").unlink()
    (out / "runs.parquet").unlink()
    reported, ran = [], []

    def counted(configs, *, workers, should_stop=None):
        ran.append(len(configs))
        return fake_batch(configs, workers=workers)

    campaign(study, out=out, batch=counted, resume=True, progress=lambda *p: reported.append(p))
    assert ran == [5]
    assert ("verifying what is there", 36, 36) in reported
    assert ("checking", 5, 5) in reported
    assert [count for text, count, _ in reported if "check" not in text][-2:] == [31, 36]


def test_no_bar_where_nobody_looks_and_a_bar_where_asked(study, tmp_path, capsys):
    campaign(study, out=tmp_path / "quiet", batch=fake_batch)
    campaign(study, out=tmp_path / "off", batch=fake_batch, progress="off")
    assert capsys.readouterr() == ("", "")
    campaign(study, out=tmp_path / "bar", batch=fake_batch, progress="bar")
    assert "36/36" in capsys.readouterr().err


def test_an_unknown_progress_is_refused():
    with pytest.raises(ValueError, match="progress"), reporter("loud"):
        pass


def test_a_run_the_scenario_cannot_build_is_named_before_anything_is_made(tmp_path):
    text = 'base = "lander"\n[campaign]\nruns = 50\n[release]\n'
    text += 'position_m = [0.0, 0.0, { distribution = "uniform", low = 0.05, high = 0.6 }]\n'
    study = write_study(tmp_path, text)
    with pytest.raises(ConfigError, match="vertices above ground") as caught:
        campaign(study, out=tmp_path / "out", batch=fake_batch)
    assert "study.toml run " in caught.value.where
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows[:-1],
        lambda rows: [*rows[:-1], {"outcome": "settled", "ended": "settled", "trusted": True}],
        lambda rows: [{k: v for k, v in row.items() if k != "trusted"} for row in rows],
        lambda rows: [row | {"run": 1} for row in rows],
        lambda rows: [row | {"settle_time_s": None} for row in rows],
    ],
)
def test_rows_that_do_not_fit_are_never_written(study, tmp_path, spoil):
    def spoiled(configs, *, workers, should_stop=None):
        return spoil(fake_batch(configs, workers=workers))

    with pytest.raises(TypeError):
        campaign(study, out=tmp_path / "out", batch=spoiled)
    assert list((tmp_path / "out" / "shards").iterdir()) == []


@pytest.mark.parametrize("stops_at", [0, 1, 17, 35])
def test_a_stopped_campaign_keeps_whole_shards_and_resumes_to_equal_bytes(
    study, tmp_path, stops_at
):
    campaign(study, out=tmp_path / "whole", batch=fake_batch)
    seen = iter(range(10**6))

    def stopping(configs, *, workers, should_stop=None):
        rows = []
        for config in configs:
            if next(seen) == stops_at:
                signal.raise_signal(signal.SIGINT)
            rows += fake_batch([config], workers=workers, should_stop=should_stop)
        return rows

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Interrupted) as caught:
        campaign(study, out=tmp_path / "out", batch=stopping, workers=1)
    assert signal.getsignal(signal.SIGINT) is before
    assert caught.value.done == stops_at // 5 * 5
    assert "--resume" in str(caught.value)
    assert len(list((tmp_path / "out" / "shards").iterdir())) == stops_at // 5
    campaign(study, out=tmp_path / "out", batch=fake_batch, resume=True)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_second_signal_ends_at_once(study, tmp_path):
    def deaf(configs, *, workers, should_stop=None):
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("went on")

    with pytest.raises(Interrupted):
        campaign(study, out=tmp_path / "out", batch=deaf)


def test_a_campaign_stopped_while_checking_leaves_nothing(study, tmp_path):
    def at_once(text, done, total):
        if text == "checking":
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted):
        campaign(study, out=tmp_path / "out", batch=fake_batch, progress=at_once)
    assert not (tmp_path / "out").exists()


def test_outside_the_main_thread_signals_are_left_alone(study, tmp_path):
    done = []
    before = signal.getsignal(signal.SIGINT)

    def work():
        with stop_on_signals() as should_stop:
            done.append(should_stop())
        done.append(campaign(study, out=tmp_path / "out", batch=fake_batch))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done[0] is False
    assert len(done[1].runs) == 36
    assert signal.getsignal(signal.SIGINT) is before


def test_a_campaign_without_random_keys_checks_each_point_once(tmp_path, monkeypatch):
    from haptos.campaign import checking

    text = 'base = "lander"\n[campaign]\nruns = 60\n[contact]\n'
    text += 'friction = { sweep = "grid", values = [0.1, 0.2, 0.3] }\n'
    parsed = []

    def counted(tables, where):
        parsed.extend(table["contact"]["friction"] for table in tables)
        check(tables, where)

    check = checking.check_many
    monkeypatch.setattr(checking, "check_many", counted)
    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=fake_batch)
    assert parsed == [0.1, 0.2, 0.3]
    assert len(done.runs) == 180


def test_a_scenario_without_a_batch_function_runs_one_by_one(study, tmp_path, monkeypatch):
    """Equal rows, by the rows of `simulate`, and it stops when asked."""
    from types import SimpleNamespace

    from haptos.campaign import runner

    def simulate(config: Any) -> SimpleNamespace:
        return SimpleNamespace(as_row=lambda: fake_batch([config], workers=1)[0])

    running = SimpleNamespace(simulate=simulate, batch=None)
    monkeypatch.setattr(runner, "scenario_named", lambda name: SimpleNamespace(running=running))
    campaign(study, out=tmp_path / "out")
    campaign(study, out=tmp_path / "batch", batch=fake_batch)
    assert contents(tmp_path / "out") == contents(tmp_path / "batch")
    with pytest.raises(Stopped):
        batch_of("lander")([1, 2], workers=2, should_stop=lambda: True)


def test_one_worker_per_core_of_this_process():
    assert core_count() >= 1


def test_workers_reach_the_batch_function(study, tmp_path):
    seen = set()

    def watched(configs, *, workers, should_stop=None):
        seen.add(workers)
        return fake_batch(configs, workers=workers)

    campaign(study, out=tmp_path / "out", batch=watched, workers=3)
    assert seen == {3}


def test_an_unreachable_scheduler_is_refused(study, tmp_path, monkeypatch):
    from haptos.campaign import cluster

    monkeypatch.setattr(cluster, "CONNECT_TIME", 0.3)
    for address in ("tcp://127.0.0.1:9", "127.0.0.1:9", "rubbish", "tcp://:x", "tcp://127.0.0.1"):
        with pytest.raises(ConfigError, match="no scheduler there"):
            campaign(study, out=tmp_path / "out", batch=fake_batch, scheduler=address, resume=True)
