"""A package that is installed beside haptos brings a scenario; everything else works from its record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.house.sources import ROOT

ENTRY = "[haptos.scenarios]\nbouncing-ball = tests.examples.bouncing_ball:SCENARIO\n"
ABOUT = "Metadata-Version: 2.1\nName: bouncing-ball\nVersion: 1.0\n"
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
    installed = tmp_path / "site" / "bouncing_ball-1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "entry_points.txt").write_text(ENTRY)
    (installed / "METADATA").write_text(ABOUT)
    paths = [str(installed.parent), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "haptos", *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_the_command_line_lists_checks_and_runs_it(haptos, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "bouncing-ball" in haptos("list")
    assert "valid bouncing-ball scenario" in haptos("check", "bouncing-ball")
    told = json.loads(haptos("run", "bouncing-ball", "--out", "here", "--json"))
    assert told["answer"] == "The ball comes back to 0.5 m and rests after 2.63 s."
    assert told["trusted"] is True
    page = (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    assert told["answer"] in page
    assert "Goldsmith" in page


def test_it_has_campaigns_that_resume(haptos, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "study.toml").write_text(STUDY)
    told = haptos("campaign", "study.toml", "--out", "out")
    assert "Of 12 runs 12 end as settled" in told
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
