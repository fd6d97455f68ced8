"""Two bodies on a reeled cable, from outside the package: it gets all that a built-in scenario has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pydantic import ValidationError

from haptos.scenarios.files import parse_toml
from haptos.scenarios.merging import laid_over
from tests.close import assert_close
from tests.examples.installed import command, command_line, environment
from tests.examples.reeled_pair.config import Config
from tests.examples.reeled_pair.model import scene, simulate

FOLDER = Path(__file__).with_name("reeled_pair")
STUDY = """
base = "reeled-pair"
[first]
mass_kg = { sweep = "list", values = [20.0, 30.0, 40.0, 50.0] }
[cable]
reel_to_m = { distribution = "uniform", low = 8.0, high = 12.0 }
[run]
duration_s = 150.0
[campaign]
runs = 3
shard_runs = 2
seed = 3
"""


def config_of(**changes: Any) -> Config:
    """The built-in file with tables laid over it."""
    text = (FOLDER / "presets" / "reeled-pair.toml").read_text(encoding="utf-8")
    return Config.model_validate(laid_over(parse_toml(text, "reeled-pair"), changes))


def test_it_is_short_and_compiles_nothing_of_its_own() -> None:
    texts = [file.read_text(encoding="utf-8") for file in FOLDER.glob("*.py")]
    assert sum(len(text.splitlines()) for text in texts) <= 300
    assert not any(word in text for text in texts for word in ("numba", "core.jit", "@entry"))


def test_it_touches_swings_and_closes_its_ledger() -> None:
    run = simulate(config_of())
    assert run.trusted, run.verdict
    assert [phase.phase.name for phase in run.ledger.judged] == [
        "flight", "reeling", "reeled", "touch",
    ]  # fmt: skip
    assert {check.name for check in run.checks} >= {"surface", "mass"}
    assert 200.0 < run.metrics["first_touch_s"] < 300.0
    labels = [item.label for item in scene(run).items]
    assert "cables" in labels
    assert len(labels) == 3  # the ground, the cable, the balls


def test_without_gravity_a_stretched_pair_keeps_its_momentum() -> None:
    still = {"gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, 0.0]}}
    config = config_of(
        gravity=still["gravity"], spin={"kind": "none"}, run={"duration_s": 60.0},
        cable={"reel_duration_s": 30.0},
    )  # fmt: skip
    run = simulate(config)
    momentum = run.trajectory["momentum_N"].values
    assert_close(momentum[-1], momentum[0], rtol=1e-9)
    assert run.metrics["largest_tension_N"] > 1.0


@pytest.mark.parametrize("key", ["repeats", "force_window_s"])
def test_keys_that_it_has_no_use_for_are_refused(key: str) -> None:
    with pytest.raises(ValidationError, match=key):
        config_of(run={key: 1})


@pytest.fixture
def haptos(tmp_path: Path) -> Callable[..., str]:
    return command_line(tmp_path)


def test_the_command_line_checks_runs_reports_and_shows_it(
    haptos: Callable[..., str], tmp_path: Path
) -> None:
    assert "reeled-pair" in haptos("list")
    assert "valid reeled-pair scenario" in haptos("check", "reeled-pair")
    reported = json.loads(haptos("run", "reeled-pair", "--out", "here", "--json"))
    assert reported["trusted"] is True
    assert "touches the ground after" in reported["answer"]
    page = (tmp_path / "here" / "report.html").read_text(encoding="utf-8")
    assert reported["answer"] in page
    assert "Distance between bodies" in page
    haptos("view", "here", "--export", "seen.html")
    assert (tmp_path / "seen.html").stat().st_size > 500_000  # page, three.js and the packed scene
    with pytest.raises(AssertionError, match="start higher"):
        haptos("run", "reeled-pair", "--set", "first.position_m=[0.0,0.0,10.0]")


def test_a_campaign_that_is_killed_goes_on_to_the_same_rows(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    haptos = command_line(tmp_path)
    haptos("campaign", "study.toml", "--out", "whole", "--no-report")
    words = command("campaign", "study.toml", "--out", "cut", "--no-report", "--workers", "1")
    process = subprocess.Popen(
        words, cwd=tmp_path, env=environment(tmp_path), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 200.0
    while not list((tmp_path / "cut").rglob("*.parquet")) and time.monotonic() < end:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    haptos("campaign", "study.toml", "--out", "cut", "--resume", "--no-report")
    whole, cut = (pd.read_parquet(tmp_path / name / "runs.parquet") for name in ("whole", "cut"))
    assert len(whole) == 12
    assert whole["trusted"].all()
    numbers = whole.select_dtypes("number").columns.difference(["wall_time_s", "cpu_time_s"])
    pd.testing.assert_frame_equal(whole[numbers], cut[numbers], check_exact=True)
