"""Runs that raise: rows with the outcome *failed*, the others as if nothing had been."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from haptos.campaign import failures, tables
from haptos.campaign.campaign import campaign, open_campaign
from haptos.campaign.failures import attempted, failed_runs, message_of
from haptos.campaign.plan import load_plan
from haptos.campaign.replay import replayed, spread
from haptos.campaign.runner import OneByOne
from haptos.cli import campaign as command
from haptos.core.errors import GeometryError, StorageError
from haptos.core.stop import Stopped
from haptos.reports import write_report
from haptos.results.many_runs import ManyRuns
from tests.campaign.fake_scenario import STUDY, contents, fake_batch, write_study

TOTAL = 36  # runs of STUDY, in shards of 5


@pytest.fixture
def study(tmp_path):
    return write_study(tmp_path)


class Failing:
    """`fake_batch`, but some runs raise, recognised by their friction; the whole batch with them."""

    def __init__(self, plan, runs, error=ZeroDivisionError, logs=False):
        self.bad = {plan.config(run).contact.friction for run in runs}
        self.error, self.logs, self.calls = error, logs, 0

    def __call__(self, configs, *, workers, should_stop=None):
        self.calls += 1
        if any(config.contact.friction in self.bad for config in configs):
            raise self.error("division by zero")
        rows = fake_batch(configs, workers=workers, should_stop=should_stop)
        if not self.logs:
            return rows
        count = len(rows)
        log = {"run": np.repeat(np.arange(count), 2), "loss_J": np.arange(2.0 * count)}
        return ManyRuns(rows, {"impacts": log})


def test_a_run_that_raises_is_a_row_and_the_others_keep_their_bits(study, tmp_path):
    plan = load_plan(study)
    whole = campaign(study, out=tmp_path / "whole", batch=fake_batch).runs
    done = campaign(study, out=tmp_path / "out", batch=Failing(plan, [3, 17]))
    failed = failed_runs(done.runs)
    assert failed["run"].tolist() == [3, 17]
    assert failed["ended"].tolist() == ["failed", "failed"]
    assert not failed["trusted"].any()
    assert failed["message"].str.startswith("ZeroDivisionError: division by zero (").all()
    assert failed["settle_time_s"].isna().all()
    assert failed["contact.friction"].tolist() == whole["contact.friction"][[3, 17]].tolist()
    others = done.runs.drop(index=failed.index)
    assert others.equals(whole.drop(index=failed.index))
    assert (others["message"] == "").all()


def test_statistics_leave_failed_runs_out_and_say_so(study, tmp_path):
    plan = load_plan(study)
    whole = campaign(study, out=tmp_path / "whole", batch=fake_batch)
    done = campaign(study, out=tmp_path / "out", batch=Failing(plan, [3, 17]))
    left = ~whole.runs["run"].isin([3, 17]) & whole.runs["trusted"]
    expected = whole.runs["settle_time_s"][left].dropna()
    numbers = done.statistics
    assert numbers.failed == 2
    assert numbers.not_trusted == int((~left).sum())
    assert numbers.metrics.loc["settle_time_s", "count"] == len(expected)
    assert numbers.metrics.loc["settle_time_s", "mean"] == expected.mean()
    assert numbers.outcomes.loc["failed", "count"] == 2


@pytest.mark.parametrize("bad", [[7], [5, 6, 7, 8, 9], [0, 1, 2, 3, 4, 35], list(range(TOTAL))])
def test_a_failed_row_is_a_finished_row_also_after_an_interruption(study, tmp_path, bad):
    batch = Failing(load_plan(study), bad)
    campaign(study, out=tmp_path / "whole", batch=batch)
    out = tmp_path / "out"
    campaign(study, out=out, batch=batch)
    (out / "runs.parquet").unlink()
    (out / "shards" / "shard-000001.parquet").unlink()
    batch.calls = 0
    done = campaign(study, out=out, batch=batch, resume=True, workers=1)
    assert batch.calls > 0
    assert failed_runs(done.runs)["run"].tolist() == bad
    assert contents(out) == contents(tmp_path / "whole")
    assert open_campaign(out).runs.equals(done.runs)


def test_shards_have_the_same_bytes_whatever_was_computed_with_them(study, tmp_path):
    """Alone, a shard whose runs all failed knows no metrics; beside others it does."""
    batch = Failing(load_plan(study), [5, 6, 7, 8, 9])
    campaign(study, out=tmp_path / "one", batch=batch, workers=1)
    campaign(study, out=tmp_path / "many", batch=batch, workers=16)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert "shards/shard-000001.parquet" in contents(tmp_path / "one")


@pytest.mark.parametrize("bad", [[7], [5, 6, 7, 8, 9], list(range(TOTAL))])
def test_logs_of_the_other_runs_stay(tmp_path, bad):
    study = write_study(
        tmp_path, STUDY.replace("shard_runs = 5", 'shard_runs = 5\nstore = "impacts"')
    )
    batch = Failing(load_plan(study), bad, logs=True)
    done = campaign(study, out=tmp_path / "out", batch=batch)
    kept = [run for run in range(TOTAL) if run not in bad]
    assert done.impacts["run"].tolist() == np.repeat(kept, 2).tolist()
    again = campaign(study, out=tmp_path / "again", batch=batch, workers=1)
    assert contents(again.directory).keys() == contents(done.directory).keys()
    assert again.runs.equals(done.runs)


def test_few_calls_find_one_run_among_many():
    seen = []

    def batch(configs, *, workers, should_stop=None):
        seen.append(len(configs))
        if 613 in configs:
            raise RuntimeError("no")
        return [{"outcome": "settled"} for _ in configs]

    found = attempted(batch, range(1000), workers=1, should_stop=None)
    assert [i for i, row in enumerate(found.rows) if row["outcome"] == "failed"] == [613]
    assert len(seen) <= 2 * 10 + 1
    assert sum(seen) <= 4 * 1000


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError, ImportError, Stopped])
def test_what_concerns_more_than_one_run_is_not_swallowed(error):
    def batch(configs, *, workers, should_stop=None):
        raise error("all of it")

    with pytest.raises(error):
        attempted(batch, [1, 2, 3], workers=1, should_stop=None)


def test_a_refusal_of_every_run_is_one_of_the_study_and_that_of_some_is_not():
    def refusing(configs, *, workers, should_stop=None):
        if any(number < limit for number in configs):
            raise GeometryError("release", "inside the ground", "above it", "lift it")
        return [{"outcome": "settled"} for _ in configs]

    limit = 10
    with pytest.raises(GeometryError, match="inside the ground"):
        attempted(refusing, range(10), workers=1, should_stop=None)
    limit = 9
    rows = attempted(refusing, range(10), workers=1, should_stop=None).rows
    assert [row["outcome"] for row in rows] == ["failed"] * 9 + ["settled"]
    assert rows[0]["message"] == "release: found inside the ground allowed: above it try: lift it"


def test_runs_one_by_one_are_run_once_each(monkeypatch):
    seen = []

    class Simulated:
        def __init__(self, number):
            self.number = number

        def as_row(self):
            return {"outcome": "settled", "number": self.number}

    def simulate(number):
        seen.append(number)
        if number == 2:
            raise ZeroDivisionError("float division by zero")
        return Simulated(number)

    kind = SimpleNamespace(running=SimpleNamespace(simulate=simulate))
    monkeypatch.setattr("haptos.campaign.runner.scenario_named", lambda name: kind)
    found = attempted(OneByOne("net"), range(5), workers=2, should_stop=None)
    assert sorted(seen) == [0, 1, 2, 3, 4]
    assert [row["outcome"] for row in found.rows] == ["settled"] * 2 + ["failed"] + ["settled"] * 2
    with pytest.raises(ZeroDivisionError):
        OneByOne("net")(range(5), workers=1)


def test_messages_are_one_line_and_the_same_each_time():
    assert message_of(ValueError(f"two\nlines of {object()}")) == (
        "ValueError: two lines of <object object at 0x...>"
    )
    assert len(message_of(ValueError("x" * 10_000))) == failures.LONGEST_MESSAGE


def test_a_failed_row_says_in_every_text_column_what_it_knows(study, tmp_path):
    plan = load_plan(study)
    columns = [
        "outcome",
        "ended",
        "not_trusted_because",
        "ledger_phase",
        "message",
        "trusted",
        "a_m",
    ]
    schema = tables.schema(plan, columns)
    row = failures.failed_row(ValueError("no"))
    narrow = tables.table(plan, range(2), [row, row])
    assert tables.is_narrow(narrow.schema.names)
    wide = tables.widened(narrow, schema)
    assert wide.schema.equals(schema)
    assert wide.column("not_trusted_because").to_pylist() == ["failed", "failed"]
    assert wide.column("ledger_phase").to_pylist() == ["", ""]
    assert np.isnan(wide.column("a_m").to_numpy()).all()
    assert tables.narrowed(wide, list(plan.columns)).equals(narrow)


def test_an_older_table_without_messages_still_counts(study, tmp_path):
    runs = campaign(study, out=tmp_path / "out", batch=fake_batch).runs.drop(columns="message")
    assert failures.failure_lines(runs) == []
    assert tables.failed_count(tables.pa.Table.from_pandas(runs)) == 0


def test_console_json_report_and_exit_code_tell_of_failed_runs(study, tmp_path, capsys):
    done = campaign(study, out=tmp_path / "out", batch=Failing(load_plan(study), [3, 17]))
    text = command.campaign_text(done)
    assert "failed                  2" in text
    assert "run 3: ZeroDivisionError: division by zero" in text
    summary = json.loads(json.dumps(command.summary(done)))
    assert summary["failed"] == 2
    assert [one["run"] for one in summary["failures"]] == [3, 17]
    with pytest.raises(command.typer.Exit) as ended:
        command.end_by_trust(done)
    assert ended.value.exit_code == 3
    assert "2 of them failed" in capsys.readouterr().err
    page = write_report(done, tmp_path / "out", progress="off").read_text()
    assert "Failed runs" in page
    assert "ZeroDivisionError: division by zero" in page
    assert "2 of which failed" in page


def test_a_failed_run_is_not_simulated_again(study, tmp_path):
    done = campaign(study, out=tmp_path / "out", batch=Failing(load_plan(study), [3, 17]))
    assert not {3, 17} & set(spread(done, 50))
    assert not {3, 17} & set(spread(done, 10))
    with pytest.raises(StorageError, match="ZeroDivisionError"):
        replayed(done, 3)


def test_a_campaign_until_precise_counts_no_failed_run(tmp_path):
    text = STUDY.replace("runs = 12", "runs = 400").replace(
        "values = [0.002, 0.005, 0.01]", "values = [0.002]"
    )
    until = 'until = { metric = "settle_time_s", half_width = 5.0 }\nseed = 7'
    study = write_study(tmp_path, text.replace("seed = 7", until))
    batch = Failing(load_plan(study), range(5))
    done = campaign(study, out=tmp_path / "out", batch=batch)
    assert failed_runs(done.runs)["run"].tolist() == [0, 1, 2, 3, 4]
    assert done.is_goal_met
    again = campaign(study, out=tmp_path / "again", batch=batch, workers=7)
    assert contents(done.directory) == contents(again.directory)
