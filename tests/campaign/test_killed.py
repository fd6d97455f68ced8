"""Campaigns that are shot or asked to stop while at work: what is left, and what resuming makes of it."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from haptos.campaign.campaign import campaign
from haptos.campaign.interruption import Interrupted
from tests.campaign.fake_scenario import STUDY, contents, fake_batch, write_study

SCRIPT = Path(__file__).with_name("interrupted_study.py")


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    text = STUDY.replace("shard_runs = 5", "shard_runs = 2").replace("runs = 12", "runs = 40")
    return write_study(tmp_path_factory.mktemp("study"), text)


@pytest.fixture(scope="module")
def whole(study) -> dict[str, bytes]:
    out = study.parent / "whole"
    campaign(study, out=out, batch=fake_batch)
    return contents(out)


def started(study: Path, out: Path, seconds: float = 0.05) -> subprocess.Popen:
    """A process that takes `seconds` per run: with 120 runs, long enough to be caught at work."""
    command = [sys.executable, str(SCRIPT), str(study), str(out), str(seconds)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def wait_for_shards(out: Path, more_than: int, process: subprocess.Popen) -> None:
    """Until the process has written something new, or ended."""
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline and process.poll() is None:
        if len(list((out / "shards").glob("shard-*"))) > more_than:
            return
        time.sleep(0.005)


def test_killed_at_random_moments_and_resumed_the_bytes_are_the_same(study, whole, tmp_path):
    out, moment = tmp_path / "out", random.Random(11)
    kills = 0
    for _ in range(3):
        there = len(list((out / "shards").glob("shard-*")))
        process = started(study, out)
        wait_for_shards(out, there, process)
        time.sleep(moment.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        found = contents(out)
        shards = {name: data for name, data in found.items() if name.endswith(".parquet")}
        assert all(whole[name] == data for name, data in shards.items() if "temporary" not in name)
    assert kills == 3, "the campaign ended before it could be killed"
    assert 3 <= len(shards) < len(whole) - 2
    process = started(study, out, seconds=0.0)
    assert process.communicate()[1] == ""
    assert process.returncode == 0
    assert contents(out) == whole


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_says_how_to_resume_and_ends_with_130(study, whole, tmp_path, number):
    out = tmp_path / "out"
    process = started(study, out)
    wait_for_shards(out, 1, process)
    process.send_signal(number)
    words = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert words.startswith("haptos: interrupted after ")
    assert "--resume" in words
    assert "Traceback" not in words
    assert not [name for name in contents(out) if "temporary" in name]
    done = int(words.split("after ")[1].split(" of")[0])
    assert done == 2 * len(list((out / "shards").iterdir()))
    campaign(study, out=out, batch=fake_batch, resume=True)
    assert contents(out) == whole


def test_the_words_of_an_interruption_say_what_is_kept():
    assert "after 5 of 9 runs; they are kept in out\n" in str(Interrupted(Path("out"), 5, 9))
    assert "after 0 of 9 runs: none is stored yet\n" in str(Interrupted(Path("out"), 0, 9))
