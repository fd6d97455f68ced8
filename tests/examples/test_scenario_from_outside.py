"""A package that is installed beside haptos brings a scenario; everything else works from its record."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.examples.installed import command_line

STUDY = """
base = "bouncing-ball"
restitution = { sweep = "list", values = [0.2, 0.5, 0.8] }
height_m = { distribution = "uniform", low = 0.5, high = 2.0 }
[campaign]
runs = 4
seed = 3
"""


@pytest.fixture
def haptos(tmp_path: Path):  # type: ignore[no-untyped-def]
    """The command line of a process in which the package is installed."""
    return command_line(tmp_path)


def test_the_command_line_lists_checks_and_runs_it(haptos, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "bouncing-ball" in haptos("list")
    assert "valid bouncing-ball scenario" in haptos("check", "bouncing-ball")
    reported = json.loads(haptos("run", "bouncing-ball", "--out", "here", "--json"))
    assert reported["answer"] == "The ball comes back to 0.5 m and rests after 2.63 s."
    assert reported["trusted"] is True
    page = (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    assert reported["answer"] in page
    assert "Goldsmith" in page


def test_it_has_campaigns_that_resume(haptos, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "study.toml").write_text(STUDY)
    reported = haptos("campaign", "study.toml", "--out", "out")
    assert "Of 12 runs at 3 swept values 12 end as settled" in reported
    runs = pd.read_parquet(tmp_path / "out" / "runs.parquet")
    assert len(runs) == 12
    assert "nothing was run again" in haptos("campaign", "study.toml", "--out", "out", "--resume")


def test_a_bad_file_is_refused_in_four_parts(tmp_path: Path, haptos) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "bad.toml").write_text(
        'scenario = "bouncing-ball"\nheigth_m = 1.0\nmass_kg = 1.0\n'
    )
    with pytest.raises(AssertionError, match="rename to 'height_m'"):
        haptos("check", "bad.toml")
    with pytest.raises(AssertionError, match="below 1, or it never rests"):
        haptos("run", "bouncing-ball", "--set", "restitution=1.5")
