"""Provenance: complete, plain, and never in the way of a run."""

from __future__ import annotations

import json
import re
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from haptos.results import provenance as module
from haptos.results.provenance import config_hash, provenance, source_commit
from tests.results.hop import hop_config


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    command = ["git", *identity, "-c", "init.defaultBranch=main", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A repository with one committed package folder."""
    folder = tmp_path / "haptos" / "results"
    folder.mkdir(parents=True)
    (folder / "law.py").write_text("force = 1\n")
    git(tmp_path, "init")
    git(tmp_path, "add", "haptos")
    git(tmp_path, "commit", "-m", "first")
    source_commit.cache_clear()
    return folder


def test_it_tells_everything_a_repetition_needs_as_plain_values() -> None:
    reported = provenance(hop_config(), seed=7, wall_time_s=1.5)
    needed = {"haptos", "commit", "config_hash", "seed", "platform", "python", "numba", "numpy"}
    assert needed | {"created", "wall_time_s"} == set(reported)
    assert reported["seed"] == 7
    assert reported["wall_time_s"] == 1.5
    assert json.loads(json.dumps(reported)) == reported


def test_the_date_is_now_in_utc() -> None:
    created = datetime.fromisoformat(str(provenance({}, 0, 0.0)["created"]))
    assert created.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - created) < timedelta(minutes=1)


def test_the_hash_is_the_same_in_any_order_and_for_lists_and_tuples() -> None:
    first = {"a": 1, "b": {"c": [1.0, 2.0], "d": "é"}}
    second = {"b": {"d": "é", "c": (1.0, 2.0)}, "a": 1}
    assert config_hash(first) == config_hash(second)
    assert re.fullmatch(r"[0-9a-f]{64}", config_hash(first))


def test_the_hash_sees_the_last_bit_of_a_number() -> None:
    assert config_hash({"a": 0.1}) != config_hash({"a": 0.1 + 2**-56})


def test_the_hash_refuses_what_a_scenario_cannot_hold() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        config_hash({"a": float("nan")})


def test_the_commit_is_that_of_the_sources(sources: Path) -> None:
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=sources, capture_output=True, text=True)
    assert source_commit(sources) == head.stdout.strip()


def test_edited_sources_are_marked(sources: Path) -> None:
    (sources.parent / "new.py").write_text("")
    assert re.fullmatch(r"[0-9a-f]{40}-modified", source_commit(sources))


def test_an_installed_copy_in_someone_elses_repository_has_no_commit(sources: Path) -> None:
    stranger = sources.parents[1] / "venv" / "haptos"
    stranger.mkdir(parents=True)
    (stranger / "law.py").write_text("")
    assert source_commit(stranger) == "unknown"


def test_outside_of_git_the_commit_is_unknown(tmp_path: Path) -> None:
    assert source_commit(tmp_path) == "unknown"


def test_without_git_the_commit_is_unknown(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert source_commit(sources) == "unknown"


def test_a_package_that_is_not_installed_has_an_unknown_version() -> None:
    assert module._version("no-such-package-anywhere") == "unknown"
