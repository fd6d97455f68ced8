"""Progress on standard error: a bar with rate and time left, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOADING = "loading kernels (compiled once per machine, one to two minutes)"


@contextmanager
def progress_bar(action: str, *, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Callback that takes the share done, 0 to 1; None where nobody would see the bar."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import TaskProgressColumn, TimeElapsedColumn

    from haptos.campaign.progress import rich_bar

    with rich_bar(TaskProgressColumn(show_speed=True), TimeElapsedColumn()) as bar:
        task = bar.add_task(LOADING, total=None)

        def update(share: float) -> None:
            bar.update(task, description=action, total=1.0, completed=share)

        yield update
