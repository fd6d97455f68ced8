"""The bar of a single run: share, rate, time left; silence where nobody looks."""

from __future__ import annotations

import io
import sys

import pytest

from haptos.cli.progress import progress_bar, rate_text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_rates_are_told_in_percent_per_second() -> None:
    assert rate_text(None) == "- %/s"
    assert rate_text(0.0123) == "1.2 %/s"


def test_a_bar_shows_share_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("simulating a net", quiet=False) as update:
        assert update is not None
        update(0.25)
        update(0.5)
    assert "simulating a net" in shown.getvalue()
    assert "50%" in shown.getvalue()
    assert "%/s" in shown.getvalue()
    assert "left" in shown.getvalue()


def test_nobody_who_looks_no_bar() -> None:
    with progress_bar("simulating", quiet=True) as update:
        assert update is None
