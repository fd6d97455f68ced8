"""A report is opened in the browser where there is a screen, and its path is reported everywhere."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import haptos as hp
from haptos.view import browser
from tests.results.hop import hop


@pytest.fixture(autouse=True)
def plain_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hop has the figures of every run, not those of a lander."""
    monkeypatch.setattr("haptos.reports.scenario_figures", lambda result: {})


@pytest.mark.parametrize("display", [True, False])
def test_show_prints_the_path_and_opens_it_where_there_is_a_screen(
    display: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(browser.webbrowser, "open", opened.append)
    monkeypatch.setattr(browser, "has_display", lambda: display)
    path = hp.show(hop(count=20), tmp_path)
    assert path == tmp_path / "report.html"
    assert path.is_file()
    assert capsys.readouterr().out == f"report: {path}\n"
    assert opened == ([path.as_uri()] if display else [])


def test_show_without_a_directory_writes_to_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(browser, "has_display", lambda: False)
    assert tmp_path in hp.show(hop(count=20)).parents


@pytest.mark.parametrize(("variable", "seen"), [("DISPLAY", True), ("OTHER", False)])
def test_a_screen_is_there_if_the_session_has_one(
    variable: str, seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(browser.sys, "platform", "linux")
    monkeypatch.setenv(variable, ":0")
    assert browser.has_display() is seen
