"""ProgressLines of progress in a log: none for quick work, sparse for long work, with rate and time left."""

from __future__ import annotations

import io
import sys

import pytest

from haptos.campaign import progress_lines
from haptos.campaign.progress import InLines, reporter
from haptos.campaign.progress_lines import ProgressLines, duration_text
from haptos.cli.progress import progress_bar


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watched() -> tuple[ProgressLines, Clock, list[str]]:
    said: list[str] = []
    clock = Clock()
    return ProgressLines(said.append, clock), clock, said


def test_quick_work_says_nothing(watched: tuple[ProgressLines, Clock, list[str]]) -> None:
    lines, clock, said = watched
    lines.start("simulating a net", "%", 1.0)
    for clock.now in range(10):
        lines.update(clock.now / 10.0)
        lines.look()
    lines.end()
    assert said == []


def test_long_work_reports_rate_and_time_left(
    watched: tuple[ProgressLines, Clock, list[str]],
) -> None:
    lines, clock, said = watched
    lines.start("running", "runs", 1000)
    for clock.now in range(201):
        lines.update(5.0 * clock.now)
        lines.look()
    lines.end()
    assert said[0] == "haptos: running: 50 of 1000 runs, 5 runs/s, 3 min 10 s left"
    assert said[1].startswith("haptos: running: 150 of 1000 runs")  # a tenth later
    assert said[-1] == "haptos: running: done after 3 min 20 s"
    assert len(said) == 11


def test_slow_work_reports_every_minute(watched: tuple[ProgressLines, Clock, list[str]]) -> None:
    lines, clock, said = watched
    lines.start("simulating", "%", 1.0)
    for clock.now in range(1000):
        lines.update(1e-4 * clock.now)
        lines.look()
    assert len(said) == 17
    assert said[1] == "haptos: simulating: 1 %, 0.01 %/s, 2 h 45 min left"


def test_work_that_has_not_begun_is_reported_too(
    watched: tuple[ProgressLines, Clock, list[str]],
) -> None:
    """Kernels are silent for minutes while they compile."""
    lines, clock, said = watched
    lines.start("simulating", "%", 1.0)
    for clock.now in range(72):
        lines.look()
    assert said == [
        "haptos: simulating: begun 10 s ago",
        "haptos: simulating: begun 1 min 10 s ago",
    ]


def test_runs_of_an_earlier_session_are_no_speed(
    watched: tuple[ProgressLines, Clock, list[str]],
) -> None:
    lines, clock, said = watched
    shown = InLines(lines)
    shown.start("running", 1000, 500)
    clock.now = 20.0
    shown.advance(100)
    lines.look()
    assert said == ["haptos: running: 600 of 1000 runs, 5 runs/s, 1 min 20 s left"]
    shown.start("checking", 10)
    clock.now = 31.0
    shown.advance(2)
    lines.look()
    assert said[1] == "haptos: checking: 2 of 10 runs, 0.182 runs/s, 44 s left"


def test_times_are_written_in_two_parts() -> None:
    assert [duration_text(x) for x in (0.4, 59.6, 3600.0, 90061.0)] == [
        "0 s", "1 min 0 s", "1 h 0 min", "25 h 1 min"
    ]  # fmt: skip


def test_a_log_gets_lines_on_standard_error_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress_lines, "FIRST", 0.0)
    monkeypatch.setattr(progress_lines, "LOOK", 0.001)
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    with progress_bar("simulating a net", quiet=False) as update:
        assert update is not None
        update(0.5)
        while "50 %" not in shown.getvalue():
            pass
    with reporter(None) as report:
        report.start("running", 10)
        while "running" not in shown.getvalue():
            pass
    assert "simulating a net: done after 0 s" in shown.getvalue()
    assert capsys.readouterr().out == ""


def test_quiet_and_off_print_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(progress_lines, "FIRST", 0.0)
    with progress_bar("simulating", quiet=True) as update, reporter("off") as report:
        assert update is None
        report.start("running", 10)
        report.advance(5)
    assert shown.getvalue() == ""
