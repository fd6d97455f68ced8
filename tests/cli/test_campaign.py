"""`haptos campaign` and `haptos demo`: directories, exit codes, refusals; the runs are faked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.cli.builtin import builtin_text
from haptos.core.stop import Stopped
from haptos.results.many_runs import LOGS, ManyRuns
from tests.cli.commands import assert_refused, haptos
from tests.cli.fake_run import fake_simulate


def fake_batch(
    configs: Sequence[Any], *, workers: int, should_stop: Callable[[], bool] | None = None
) -> list[dict[str, Any]]:
    return [
        {"outcome": "settled", "ended": "settled", "trusted": True, "settle_time_s": 1.0}
        for _ in configs
    ]


def doubtful_batch(configs: Sequence[Any], **_: Any) -> list[dict[str, Any]]:
    rows = fake_batch(configs, workers=1)
    rows[0] |= {"outcome": "not trusted", "trusted": False}
    return rows


def stopped_batch(configs: Sequence[Any], **_: Any) -> list[dict[str, Any]]:
    raise Stopped


def never(configs: Sequence[Any], **_: Any) -> list[dict[str, Any]]:
    raise AssertionError("ran although there was nothing to run")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    use(monkeypatch, fake_batch)
    monkeypatch.setattr("haptos.face.simulate", fake_simulate)
    monkeypatch.setattr("haptos.reports.write_report", write_fake_report)
    monkeypatch.setattr("haptos.view.browser.has_display", lambda: False)
    text = builtin_text("lander-frictions").replace("runs = 400", "runs = 5")
    Path("study.toml").write_text(text, encoding="utf-8")


def use(monkeypatch: pytest.MonkeyPatch, batch: Any) -> None:
    """Let campaigns run this batch; one that stores impacts gets an empty log of them."""

    def chosen(scenario: str, store: str) -> Any:
        no_impacts = {name: {"run": np.empty(0, dtype=np.int64)} for name in LOGS[store]}
        if not no_impacts:
            return batch
        return lambda configs, **options: ManyRuns(batch(configs, **options), no_impacts)

    monkeypatch.setattr("haptos.campaign.campaign.batch_of", chosen)


def write_fake_report(saved: Any, directory: Path, **_: Any) -> Path:
    page = directory / "report.html"
    page.write_text(type(saved).__name__, encoding="utf-8")
    return page


def test_a_campaign_has_one_row_per_run_and_says_where():
    done = haptos("campaign", "study.toml")
    assert done.code == 0, done
    assert "15 runs" in done.out
    assert f"report: {Path('out/study/report.html')}" in done.out
    runs = hp.open("out/study").runs
    assert list(runs["run"]) == list(range(15))
    assert sorted(set(runs["contact.friction"])) == [0.2, 0.5, 0.8]


def test_quiet_prints_nothing():
    done = haptos("campaign", "study.toml", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_run_that_is_not_trusted_ends_with_three(monkeypatch: pytest.MonkeyPatch):
    use(monkeypatch, doubtful_batch)
    done = haptos("campaign", "study.toml")
    assert done.code == 3
    assert "of 15 runs are not trusted" in done.err


def test_an_interrupted_campaign_ends_with_130_and_resumes(monkeypatch: pytest.MonkeyPatch):
    use(monkeypatch, stopped_batch)
    done = haptos("campaign", "study.toml", "--out", "here")
    assert done.code == 130, done
    assert "--resume" in done.err
    use(monkeypatch, fake_batch)
    assert haptos("campaign", "study.toml", "--out", "here", "--resume").code == 0
    assert len(hp.open("here").runs) == 15


def test_a_finished_campaign_is_not_run_again(monkeypatch: pytest.MonkeyPatch):
    haptos("campaign", "study.toml", "--out", "here")
    use(monkeypatch, never)
    assert haptos("campaign", "study.toml", "--out", "here").code == 0


def test_another_campaign_in_the_directory_is_refused():
    haptos("campaign", "study.toml", "--out", "here")
    text = Path("study.toml").read_text(encoding="utf-8")
    Path("study.toml").write_text(text.replace("seed = 7", "seed = 8"), encoding="utf-8")
    assert_refused(haptos("campaign", "study.toml", "--out", "here"), "another campaign")


@pytest.mark.parametrize("options", [("--workers", "0"), ("--workers", "-1")])
def test_impossible_numbers_of_workers_are_refused(options: tuple[str, ...]):
    assert_refused(haptos("campaign", "study.toml", *options), "workers")


def test_threads_and_cluster_together_are_refused():
    done = haptos("campaign", "study.toml", "--workers", "2", "--scheduler", "tcp://localhost:1")
    assert_refused(done, "--workers and --scheduler")


def test_a_scenario_file_is_refused_as_a_campaign():
    haptos("new", "lander", "single.toml")
    assert_refused(haptos("campaign", "single.toml"), "a scenario file", "haptos run single.toml")


def test_a_missing_file_is_refused():
    assert_refused(haptos("campaign", "nowhere.toml"), "no such file")


def test_demo_writes_a_run_and_a_campaign_and_can_be_repeated(monkeypatch: pytest.MonkeyPatch):
    first = haptos("demo", "lander")
    assert first.code == 0, first
    page = Path("out/demo-lander/campaign/report.html")
    assert first.out.splitlines()[-1] == f"report: {page.resolve()}"
    assert Path("out/demo-lander/run/report.html").read_text(encoding="utf-8") == "Result"
    use(monkeypatch, never)
    assert haptos("demo").code == 0


@pytest.mark.parametrize("options", [(), ("--no-browser",)])
def test_demo_opens_its_report_where_there_is_a_screen(
    monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("haptos.view.browser.has_display", lambda: True)
    assert haptos("demo", "lander", *options).code == 0
    page = Path("out/demo-lander/campaign/report.html")
    assert opened == ([] if options else [page.resolve().as_uri()])


def test_demo_leaves_a_demo_of_other_settings_alone():
    haptos("campaign", "study.toml", "--out", "out/demo-lander/campaign")
    assert haptos("demo", "lander").code == 0
    assert len(hp.open("out/demo-lander/campaign").runs) == 15
    assert len(list(Path("out").glob("demo-lander-*"))) == 1


def test_a_demo_of_nothing_is_refused():
    assert_refused(haptos("demo", "landre"), "landre", "lander")
