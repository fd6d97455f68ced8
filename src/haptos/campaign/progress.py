"""Progress of a campaign: a bar on the terminal, lines in a log, a function of the caller, or silence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from haptos.core.compile_watch import COMPILING, WATCH
from haptos.core.errors import HaptosError

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID
    from rich.text import Text

    from haptos.campaign.progress_lines import ProgressLines

Report = Callable[[str, int, int], None]  # (what is done, runs done, runs in all)
CHECKING, VERIFYING, RUNNING = "checking", "verifying what is there", "running"


class Silent:
    """Shows nothing, and counts: what all reporters share."""

    def __init__(self) -> None:
        self.text, self.done, self.total = "", 0, 0

    def start(self, text: str, total: int, done: int = 0) -> None:
        """Begin a phase in which `done` of `total` runs are there already."""
        self.text, self.done, self.total = text, done, total
        self.show()

    def advance(self, count: int) -> None:
        self.done += count
        self.show()

    def describe(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.show()

    def show(self) -> None:
        """Tell whoever watches."""


class Reported(Silent):
    """Calls the caller's function."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report

    def show(self) -> None:
        self._report(self.text, self.done, self.total)


class Bar(Silent):
    """A bar with rate and time left; runs of an earlier session count as done, not as speed."""

    def __init__(self, bar: Progress) -> None:
        super().__init__()
        self._bar = bar
        self._task: TaskID | None = None

    def start(self, text: str, total: int, done: int = 0) -> None:
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(text, total=total, completed=done)
        super().start(text, total, done)

    def show(self) -> None:
        if self._task is not None:
            self._bar.update(self._task, description=self.text, completed=self.done)


class InLines(Silent):
    """Prints sparse lines; runs that were done before a campaign is resumed count as done, not as speed."""

    def __init__(self, lines: ProgressLines) -> None:
        super().__init__()
        self._lines = lines

    def start(self, text: str, total: int, done: int = 0) -> None:
        self._lines.start(text, "runs", total, done)
        super().start(text, total, done)

    def show(self) -> None:
        self._lines.update(self.done, self.text)


@contextmanager
def reporter(progress: str | Report | None) -> Iterator[Silent]:
    """What shows the progress: None is a bar on a terminal and lines elsewhere, 'bar' always a bar, 'off' nothing."""
    if callable(progress):
        yield Reported(progress)
        return
    if progress not in (None, "bar", "off"):
        allowed = "None, 'bar', 'off' or a function"
        raise HaptosError("progress", repr(progress), allowed, "leave it out")
    if progress == "off":
        yield Silent()
        return
    if progress is None and not sys.stderr.isatty():
        from haptos.campaign.progress_lines import lines

        with lines() as shown:
            yield InLines(shown)
        return
    with _count_bar() as bar:
        yield Bar(bar)


def _count_bar() -> Progress:
    """A bar that counts runs."""
    from rich.progress import MofNCompleteColumn, ProgressColumn
    from rich.text import Text

    class RunRate(ProgressColumn):
        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            return Text("- runs/s" if speed is None else f"{speed:.3g} runs/s")

    return rich_bar(MofNCompleteColumn(), RunRate())


def rich_bar(*amount: ProgressColumn, has_end: bool = True) -> Progress:
    """A bar on standard error: what is done, how far, the columns of `amount`, the time left if it can be known."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Words(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(COMPILING if WATCH.is_compiling else task.description)

    left = (TextColumn("left"), TimeRemainingColumn()) if has_end else ()
    columns = (Words(), BarColumn(), *amount, *left)
    console = Console(stderr=True)
    # In a log file the last state stays; on a terminal the bar makes room for what follows.
    return Progress(*columns, console=console, transient=console.is_terminal)
