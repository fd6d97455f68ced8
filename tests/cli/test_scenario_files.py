"""`haptos new`, `check`, `list`, `schema`, help pages and usage errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import haptos as hp
from haptos.cli.builtin import campaign_names
from haptos.cli.main import app
from haptos.results.toml_text import toml_text
from haptos.scenarios.files import parse_toml, preset_names, preset_text
from tests.cli.commands import assert_refused, haptos

COMMANDS = [str(command.name) for command in app.registered_commands]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", [*preset_names(), *campaign_names()])
def test_a_new_file_passes_check(name: str):
    assert haptos("new", name, "mine.toml").code == 0
    done = haptos("check", "mine.toml")
    assert done.code == 0, done
    assert "mine.toml: valid" in done.out


def test_new_writes_the_commented_text_under_the_name():
    haptos("new", "lander")
    assert Path("lander.toml").read_text(encoding="utf-8") == preset_text("lander")


def test_new_prints_to_a_dash_and_quotes_a_path_with_spaces():
    assert haptos("new", "lander", "-").out == preset_text("lander")
    assert list(Path().iterdir()) == []
    assert "haptos run 'my own.toml'" in haptos("new", "lander", "my own.toml").out


def test_new_never_overwrites_unless_forced():
    Path("mine.toml").write_text("mine", encoding="utf-8")
    assert_refused(haptos("new", "lander", "mine.toml"), "existing file", "--force")
    assert Path("mine.toml").read_text(encoding="utf-8") == "mine"
    assert haptos("new", "lander", "mine.toml", "--force").code == 0
    assert Path("mine.toml").read_text(encoding="utf-8") == preset_text("lander")


def test_new_refuses_unknown_names_and_places():
    assert_refused(haptos("new", "landre"), "landre", "lander")
    assert_refused(haptos("new", "lander", "no/such/folder/x.toml"), "No such file")
    assert list(Path().iterdir()) == []


def test_list_names_everything_with_what_it_is_for():
    done = haptos("list")
    assert done.code == 0
    for name in [*preset_names(), *campaign_names()]:
        assert name in done.out
    assert "A 5 kg cube" in done.out
    assert "Does the penetrator" in done.out


def test_check_tells_scenario_and_campaign_apart():
    assert "valid lander scenario" in haptos("check", "lander").out
    assert "valid campaign of 1200 lander runs" in haptos("check", "lander-frictions").out


def test_check_takes_changes_as_run_does():
    done = haptos("check", "lander", "--set", "contact.friction=0.3")
    assert done.out.startswith("lander with --set: valid lander scenario")
    assert_refused(haptos("check", "lander", "--set", "contact.friction=-1"), "friction", "-1")
    assert_refused(haptos("check", "lander-frictions", "--set", "seed=1"), "a built-in campaign")


def test_check_refuses_a_campaign_of_impossible_runs():
    haptos("new", "lander-frictions", "study.toml")
    path = Path("study.toml")
    text = path.read_text(encoding="utf-8").replace("[0.2, 0.5, 0.8]", "[0.2, 0.5, -0.8]")
    path.write_text(text, encoding="utf-8")
    assert_refused(haptos("check", "study.toml"), "friction", "-0.8")


def test_running_a_campaign_file_as_a_scenario_is_refused():
    assert_refused(haptos("run", "lander-frictions"))


def test_schema_is_a_json_schema():
    schema = json.loads(haptos("schema", "lander").out)
    assert {"probe", "surface", "gravity", "contact", "release", "run"} <= set(schema["properties"])
    assert_refused(haptos("schema", "landre"), "landre")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(command: str):
    done = haptos(command, "--help")
    assert done.code == 0
    assert f"Usage: haptos {command}" in done.out.replace("root", "haptos")


@pytest.mark.parametrize(
    "arguments", [("nonsense",), ("run",), ("run", "lander", "--nonsense"), ()]
)
def test_wrong_usage_ends_with_two(arguments: tuple[str, ...]):
    assert haptos(*arguments).code == 2


def test_version_is_that_of_the_package():
    assert haptos("--version").out == f"haptos {hp.__version__}\n"


def test_a_reader_that_goes_away_is_met_in_silence():
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        done = subprocess.run(
            [sys.executable, "-m", "haptos", "schema", "lander"],
            stdout=broken,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.stderr == ""
    assert done.returncode == 141


SCALARS = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(blacklist_categories=("Cs",)))
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4), max_leaves=8)
KEYS = st.text(st.characters(blacklist_categories=("Cs",)), max_size=8)
TABLES = st.recursive(
    st.dictionaries(KEYS, VALUES, max_size=4),
    lambda inner: st.dictionaries(KEYS, VALUES | inner, max_size=4),
    max_leaves=6,
)


@given(TABLES)
def test_written_toml_reads_back_equal(table: dict[str, object]):
    assert parse_toml(toml_text(table), "test") == table
