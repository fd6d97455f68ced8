"""The real thing, once: the built-in lander from the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import haptos as hp
from tests.cli.commands import haptos


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lander") / "run"


@pytest.fixture(scope="module")
def reported(directory: Path) -> dict:
    done = haptos("run", "lander", "--out", directory, "--json")
    assert done.code == 0, done
    return dict(json.loads(done.out))


def test_the_built_in_lander_settles_and_is_trusted(reported: dict):
    assert (reported["outcome"], reported["trusted"]) == ("settled", True)
    assert reported["ledger"]["relative_remainder"] <= reported["ledger"]["bound"]


def test_the_stored_scenario_file_repeats_the_run_bit_for_bit(reported: dict, directory: Path):
    again = hp.simulate(directory / "scenario.toml")
    stored = hp.open(directory)
    assert {name: repr(value) for name, value in again.metrics.items()} == {
        name: repr(value) for name, value in stored.metrics.items()
    }  # reported as text, in which what is not there equals itself
    assert (
        again.trajectory["r_BA_A"].values.tobytes() == stored.trajectory["r_BA_A"].values.tobytes()
    )


def test_the_report_is_a_page_of_its_own(reported: dict, directory: Path):
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert "settled" in page
    assert 'src="http' not in page
    assert 'href="http' not in page.replace('href="https://doi.org', "")


def test_progress_only_grows_and_stays_a_share():
    shares: list[float] = []
    hp.simulate("lander", progress=shares.append)
    assert shares == sorted(shares)
    assert shares
    assert 0.0 <= shares[0] <= shares[-1] <= 1.0


def test_show_writes_the_report_beside_what_is_saved(
    reported: dict, directory: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    page = directory / "report.html"
    assert hp.show(directory) == page
    assert hp.show(directory / "result.nc") == page
    assert hp.show(hp.open(directory), tmp_path) == tmp_path / "report.html"


def test_cite_lists_the_sources_of_the_laws(reported: dict, directory: Path):
    text = hp.cite(hp.open(directory))
    assert text.startswith(f"haptos {hp.__version__}")
    assert len(text.splitlines()) > 1
