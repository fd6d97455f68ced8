"""Ctrl-C and SIGTERM: a request to stop, which takes effect between pieces of work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(Exception):  # noqa: N818 - a request, not an error
    """A campaign stopped on request; finished shards are kept. Its text says how to go on."""

    def __init__(self, directory: Path, done: int, total: int) -> None:
        self.directory, self.done, self.total = directory, done, total
        kept = f"; they are kept in {directory}" if done else ": none is stored yet"
        super().__init__(
            f"interrupted after {done} of {total} runs{kept}\n  try: the same command with --resume"
        )

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Path, int, int]]:
        return type(self), (self.directory, self.done, self.total)


@contextmanager
def stop_on_signals() -> Iterator[Callable[[], bool]]:
    """Function that says whether a signal has come; a second one ends at once.

    Outside the main thread signals belong to others, and the function stays False.
    """
    wish = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield wish.is_set
        return

    def note(number: int, frame: Any) -> None:
        if wish.is_set():
            raise KeyboardInterrupt
        wish.set()

    before = {number: signal.signal(number, note) for number in SIGNALS}
    try:
        yield wish.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
