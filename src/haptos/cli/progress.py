"""Progress on standard error: a bar with rate and time left on a terminal, sparse lines in a log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LOADING = "loading kernels"


def rate_text(speed: float | None) -> str:
    """Rate of a run, from the share done in a second [1/s]; none while it is not known."""
    return "- %/s" if speed is None else f"{100.0 * speed:.2g} %/s"


@contextmanager
def waiting(action: str, *, quiet: bool = False) -> Iterator[None]:
    """Says what is done while nothing can be counted: checking a file may compile kernels first."""
    if quiet:
        yield
        return
    if not sys.stderr.isatty():
        from haptos.campaign.progress_lines import lines

        with lines() as shown:
            shown.start(action, "%", 1.0)
            yield
        return
    from rich.progress import TimeElapsedColumn

    from haptos.campaign.progress import rich_bar

    with rich_bar(TimeElapsedColumn(), has_end=False) as bar:
        bar.add_task(action, total=None)
        yield


@contextmanager
def progress_bar(action: str, *, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Callback that takes the share done, 0 to 1; None where nothing is to be shown."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        from haptos.campaign.progress_lines import lines

        with lines() as shown:
            shown.start(action, "%", 1.0)
            yield shown.update
        return
    from rich.progress import ProgressColumn, TaskProgressColumn, TimeElapsedColumn
    from rich.text import Text

    from haptos.campaign.progress import rich_bar

    class ShareRate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(rate_text(task.finished_speed or task.speed))

    with rich_bar(TaskProgressColumn(), ShareRate(), TimeElapsedColumn()) as bar:
        task = bar.add_task(LOADING, total=None)

        def update(share: float) -> None:
            bar.update(task, description=action, total=1.0, completed=share)

        yield update
