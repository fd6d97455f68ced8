"""`haptos run`: what is stored, printed and refused; the simulation itself is faked."""

from __future__ import annotations

import functools
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import haptos as hp
from haptos.scenarios.lander.config import Config
from tests.cli.commands import assert_refused, haptos
from tests.cli.fake_run import fake_simulate


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("haptos.face.simulate", fake_simulate)
    monkeypatch.setattr("haptos.reports.write_report", write_fake_report)


def write_fake_report(saved: Any, directory: Path, **_: Any) -> Path:
    page = directory / "report.html"
    page.write_text(f"<p>{saved.name}</p>", encoding="utf-8")
    return page


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


FILES = ["checksums.json", "report.html", "result.nc", "scenario.toml", "summary.json"]


def test_a_run_stores_its_five_files_and_says_where():
    done = haptos("run", "lander", "--out", "here")
    assert done.code == 0, done
    assert names(Path("here")) == FILES
    assert "settled" in done.out
    assert f"report: {Path('here') / 'report.html'}" in done.out


def test_the_stored_scenario_file_reads_back_to_the_same_run():
    haptos("run", "lander", "--set", "contact.friction=0.25", "--out", "here")
    stored = hp.load("here/scenario.toml")
    assert stored.as_table() == hp.open("here").config
    assert stored.contact.friction == 0.25


def test_json_is_one_object_and_nothing_else():
    done = haptos("run", "lander", "--out", "here", "--json")
    reported = json.loads(done.out)
    assert list(reported)[:2] == ["question", "answer"]
    keys = {"scenario", "name", "outcome", "ended", "trusted", "verdict", "checks", "metrics"}
    assert set(reported) - {"question", "answer"} == keys | {"ledger", "provenance"}
    assert reported["outcome"] == "settled"
    assert reported["trusted"] is True
    assert reported["metrics"] == {"settle_time_s": 1.0, "nothing_m": None}
    stored = json.loads(Path("here/summary.json").read_text(encoding="utf-8"))
    assert stored.pop("checksum").startswith("haptos-sha256:")
    assert reported == stored
    assert done.err == ""


def test_quiet_prints_nothing():
    done = haptos("run", "lander", "--out", "here", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_no_report_writes_none():
    haptos("run", "lander", "--out", "here", "--no-report")
    assert names(Path("here")) == [name for name in FILES if name != "report.html"]


def test_an_open_ledger_ends_with_three(monkeypatch: pytest.MonkeyPatch):
    doubtful = functools.partial(fake_simulate, remainder=1e-3)
    monkeypatch.setattr("haptos.face.simulate", doubtful)
    done = haptos("run", "lander", "--out", "here", "--json")
    assert done.code == 3
    assert json.loads(done.out)["trusted"] is False
    assert done.err.startswith("haptos: not trusted: ")


def test_default_directory_is_the_name_of_the_scenario():
    haptos("run", "lander")
    assert names(Path("out/cube-on-a-plane-phobos-like-gravity")) == FILES


def test_default_directory_never_replaces_another_configuration():
    haptos("run", "lander")
    haptos("run", "lander", "--set", "contact.friction=0.3")
    haptos("run", "lander", "--set", "contact.friction=0.3")
    stored = [hp.open(path).config["contact"]["friction"] for path in sorted(Path("out").iterdir())]
    assert sorted(stored) == [0.3, 0.5]


def test_the_same_configuration_may_be_written_again():
    assert haptos("run", "lander", "--out", "here").code == 0
    assert haptos("run", "lander", "--out", "here").code == 0


def test_another_configuration_in_the_directory_is_refused_before_simulating(
    monkeypatch: pytest.MonkeyPatch,
):
    haptos("run", "lander", "--out", "here")
    before = Path("here/result.nc").read_bytes()
    monkeypatch.setattr("haptos.face.simulate", never)
    done = haptos("run", "lander", "--set", "seed=2", "--out", "here")
    assert_refused(done, "here", "another configuration", "another --out")
    assert Path("here/result.nc").read_bytes() == before


def never(*_: Any, **__: Any) -> None:
    raise AssertionError("simulated although the input was refused")


def test_a_file_in_place_of_the_directory_is_refused(monkeypatch: pytest.MonkeyPatch):
    Path("here").write_text("mine", encoding="utf-8")
    monkeypatch.setattr("haptos.face.simulate", never)
    assert_refused(haptos("run", "lander", "--out", "here"), "here")
    assert Path("here").read_text(encoding="utf-8") == "mine"


def test_a_full_disk_is_refused_before_simulating(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("haptos.cli.output.NEEDED_SPACE", 10**18)
    monkeypatch.setattr("haptos.face.simulate", never)
    assert_refused(haptos("run", "lander", "--out", "here"), "free space")


def test_a_campaign_directory_is_refused():
    Path("study").mkdir()
    Path("study/campaign.json").write_text("{}", encoding="utf-8")
    assert_refused(haptos("run", "lander", "--out", "study"), "a campaign")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("contact.frictoin=0.3", ("unknown key 'frictoin'", "rename to 'friction'")),
        ("contact.friction", ("no 'key=value'",)),
        ("=3", ("no 'key=value'",)),
        (".friction=3", ("no 'key=value'",)),
        ("contact.friction=", ("cannot be read",)),
        ("contact.friction=[1, 2", ("cannot be read",)),
        ("contact.friction=-1", ("friction = -1", "0 or more")),
        ("contact.friction=much", ("friction = 'much'", "number")),
        ("contact.friction.x=1", ("'contact.friction', which is a value",)),
        ("seed=1\nname=2", ("cannot be read",)),
        ("release.position_m[0]=1", ("a place in a list", "release.position_m='[...]'")),
    ],
)
def test_bad_settings_are_refused(setting: str, words: tuple[str, ...]):
    assert_refused(haptos("run", "lander", "--set", setting, "--out", "here"), *words)
    assert not Path("here").exists()


@pytest.mark.parametrize(
    ("setting", "table", "key", "value"),
    [
        ("contact.friction=0.3", "contact", "friction", 0.3),
        ("contact.friction = 3e-1", "contact", "friction", 0.3),
        ("release.position_m=[1, 2.5, 3]", "release", "position_m", [1.0, 2.5, 3.0]),
        ("release.frame=inertial", "release", "frame", "inertial"),
        ('release.frame="inertial"', "release", "frame", "inertial"),
        ("run.max_steps=1_000", "run", "max_steps", 1000),
    ],
)
def test_settings_change_the_run(setting: str, table: str, key: str, value: Any):
    done = haptos("run", "lander", "--set", setting, "--out", "here")
    assert done.code == 0, done
    stored = tomllib.loads(Path("here/scenario.toml").read_text(encoding="utf-8"))
    assert stored[table][key] == value


def test_an_interrupt_ends_with_130_and_stores_nothing(monkeypatch: pytest.MonkeyPatch):
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("haptos.face.simulate", interrupted)
    done = haptos("run", "lander", "--out", "here")
    assert done.code == 130
    assert names(Path("here")) == []


def test_too_little_memory_is_refused(monkeypatch: pytest.MonkeyPatch):
    def too_large(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("haptos.face.simulate", too_large)
    assert_refused(haptos("run", "lander", "--out", "here"), "memory", "output_interval_s")


def test_a_fault_of_ours_keeps_its_traceback_and_ends_with_one(monkeypatch: pytest.MonkeyPatch):
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("float division")

    monkeypatch.setattr("haptos.face.simulate", broken)
    done = haptos("run", "lander", "--out", "here")
    assert done.code == 1
    assert "Traceback" in done.err
    assert "this is a fault of haptos" in done.err


def test_report_prints_the_page():
    haptos("run", "lander", "--out", "here", "--no-report")
    page = Path("here") / "report.html"
    assert haptos("report", "here").out.strip() == str(page)
    assert page.is_file()


def test_view_serves_until_it_is_stopped_and_opens_the_page(monkeypatch: pytest.MonkeyPatch):
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("haptos.viewers.viewer_packet", lambda *_, **__: b"scene")

    def interrupted(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("haptos.view.server.ViewerServer.serve_forever", interrupted)
    haptos("run", "lander", "--out", "here", "--no-report")
    done = haptos("view", "here")
    assert done.code == 0
    assert opened == [done.out.split()[1]]
    assert opened[0].startswith("http://127.0.0.1:")


def test_view_writes_one_file_and_refuses_a_run_without_a_path(monkeypatch: pytest.MonkeyPatch):
    haptos("run", "lander", "--out", "here", "--no-report")
    assert_refused(haptos("view", "here", "--export", "v.html"), "trajectory", "r_BA_A")
    monkeypatch.setattr("haptos.viewers.viewer_packet", lambda *_, **__: b"scene")
    assert haptos("view", "here", "--export", "v.html").out.strip() == "v.html"
    assert Path("v.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--runs", "5"], ("--runs", "--export")),
        (["--runs", "5", "--export", "v.html"], ("--runs", "a single run")),
        (["--port", "8000", "--export", "v.html"], ("--port", "--export")),
        (["--export", "."], ("--export", "a directory")),
    ],
)
def test_view_refuses_options_that_would_do_nothing(options: list[str], words: tuple[str, ...]):
    haptos("run", "lander", "--out", "here", "--no-report")
    assert_refused(haptos("view", "here", *options), *words)
    assert not Path("v.html").exists()


def test_a_scenario_without_a_scene_is_not_exported(monkeypatch: pytest.MonkeyPatch):
    haptos("run", "lander", "--out", "here", "--no-report")
    monkeypatch.setattr("haptos.viewers.showing_of", lambda _: None)
    assert_refused(haptos("view", "here", "--export", "v.html"), "--export", "no scene", "report")
    reported = haptos("view", "here").out
    assert "no scene" in reported
    assert "report.html" in reported


def test_a_stored_configuration_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch):
    def outdated(result: Any) -> None:
        Config.model_validate({**result.config, "antenna": 1})

    monkeypatch.setattr("haptos.scenarios.lander.scene.scene", outdated)
    haptos("run", "lander", "--out", "here", "--no-report")
    assert_refused(haptos("view", "here"), "stored configuration", "antenna")


@pytest.mark.parametrize("command", ["view", "report"])
def test_view_and_report_refuse_what_holds_no_result(command: str):
    Path("empty").mkdir()
    assert_refused(haptos(command, "empty"), "empty", "haptos run")
    assert_refused(haptos(command, "nowhere"), "no such directory")


def test_files_of_others_are_not_overwritten(tmp_path):
    from haptos.cli.output import claim
    from haptos.core.errors import StorageError

    (tmp_path / "report.html").write_text("precious")
    with pytest.raises(StorageError, match="not of a run"):
        claim(tmp_path, "0" * 64)
    assert (tmp_path / "report.html").read_text() == "precious"


def test_a_controller_of_a_file_is_handed_on(monkeypatch: pytest.MonkeyPatch):
    given: dict[str, Any] = {}

    def kept(config: Any, *, progress: Any = None, **options: Any) -> Any:
        given.update(options)
        return fake_simulate(config, progress=progress)

    monkeypatch.setattr("haptos.face.simulate", kept)
    Path("mine.py").write_text("def hold(time, bodies):\n    return {'time': time}\n")
    assert haptos("run", "lander", "--out", "here", "--controller", "mine.py:hold").code == 0
    assert given["controller"](2.0, {}) == {"time": 2.0}


@pytest.mark.parametrize(
    ("text", "name", "word"),
    [
        ("", "mine.py:hold", "no 'hold'"),
        ("1 / 0", "mine.py:hold", "ZeroDivisionError"),
        ("", "none.py:hold", "no such file"),
        ("", "hold", "without a file"),
    ],
)
def test_a_file_without_the_controller_is_refused(text: str, name: str, word: str):
    Path("mine.py").write_text(text)
    assert_refused(haptos("run", "lander", "--out", "here", "--controller", name), word)
