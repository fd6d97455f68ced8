"""A wrong name is answered with the right one, a wrong kind with the right command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import assert_refused, haptos


@pytest.mark.parametrize("command", ["run", "campaign", "new", "check"])
def test_a_mistyped_name_is_answered_with_the_nearest(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong, right = ("lander-dmo", "lander-demo") if command == "campaign" else ("landr", "lander")
    assert_refused(haptos(command, wrong), f"did you mean '{right}'?")


def test_a_name_like_nothing_gets_the_list() -> None:
    assert_refused(haptos("run", "qqqqqq"), "try: haptos list")
    assert_refused(haptos("demo", "landr"), "haptos demo lander")


def test_an_unknown_command_is_refused_as_all_else() -> None:
    assert_refused(
        haptos("size", "tetherr"),
        "haptos size tetherr",
        "allowed: tether, materials",
        "try: haptos size tether",
    )
    assert_refused(haptos("size", "qqqq"), "try: haptos size --help")
    assert_refused(haptos("rnu", "lander"), "allowed: demo, run,", "try: haptos run")


def test_long_lists_of_names_are_cut_to_the_nearest() -> None:
    done = haptos("run", "lander-itokwa")
    assert_refused(done, "lander-itokawa", "more: haptos list")
    assert max(map(len, done.err.splitlines())) < 160


def test_a_campaign_given_to_run_is_sent_to_campaign_and_back(tmp_path: Path) -> None:
    assert_refused(
        haptos("run", "lander-demo"), "a built-in campaign", "haptos campaign lander-demo"
    )
    assert_refused(haptos("campaign", "lander"), "a built-in scenario", "haptos run lander")
    study, scene = tmp_path / "study.toml", tmp_path / "scenario.toml"
    haptos("new", "lander-demo", study)
    haptos("new", "lander", scene)
    assert_refused(haptos("run", study), "a campaign file", f"haptos campaign {study}")
    assert_refused(haptos("campaign", scene), "a scenario file", f"haptos run {scene}")


def test_messages_name_files_with_their_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "mine.toml").write_text('scenario = "lander"\nodd = 1\n')
    assert_refused(haptos("check", "deep/mine.toml"), "deep/mine.toml: found unknown key 'odd'")
    (tmp_path / "deep" / "study.toml").write_text('base = "lander"\n[campaign]\nruns = -1\n')
    assert_refused(haptos("campaign", "deep/study.toml"), "deep/study.toml")


def test_help_cut_short_ends_as_other_programs_do() -> None:
    line = f"{sys.executable} -m haptos --help | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 141)  # 0 if all of it fitted into the pipe
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


def test_a_campaign_is_told_as_json_and_a_finished_one_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text('base = "lander"\n[campaign]\nruns = 2\nseed = 1\n')
    done = haptos("campaign", "study.toml", "--out", "out", "--json", "--no-report")
    assert done.code == 0, done
    reported = json.loads(done.out)
    assert reported["runs"] == 2
    assert reported["trusted"] is True
    assert reported["was_complete"] is False
    assert reported["outcomes"]["settled"]["count"] == 2
    assert reported["metrics"]["settle_time_s"]["count"] == 2
    again = haptos("campaign", "study.toml", "--out", "out", "--no-report")
    assert "complete before: nothing was run again" in again.out
