"""Progress where there is no terminal: sparse lines on standard error, for long work only.

A job that is done within FIRST seconds prints nothing. A longer one prints a line after that time, then one at every
tenth of the work or every LONGEST seconds, at least FIRST seconds apart, and at the end how long it took:

    haptos: running: 1200 of 10000 runs, 38.1 runs/s, 3 min 51 s left
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from haptos.core.compile_watch import COMPILING, WATCH, CompileWatch

FIRST, LONGEST = 10.0, 60.0  # [s]
SHARE = 0.1  # [-] of the work between two lines
ROUNDING = 1e-9  # [-] of shares
LOOK = 1.0  # [s] between two looks at what is done


class ProgressLines:
    """Reports from time to time how far a job is.

    say    writes one line          clock  time [s]
    watch  time spent compiling, which is no time of the work
    """

    def __init__(
        self,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        watch: CompileWatch = WATCH,
    ) -> None:
        self._say, self._clock, self._watch = say, clock, watch
        self._text, self._unit = "", ""
        self._done = self._before = 0.0
        self._total = math.nan
        self._begun = self._phase = clock()
        self._compiled = watch.seconds  # before the phase
        self._said = -math.inf  # time of the last line
        self._share = 0.0  # done at the last line

    def start(self, text: str, unit: str, total: float, done: float = 0.0) -> None:
        """Begin a phase in which `done` of `total` is there already; unit "%" counts in percent."""
        self._text, self._unit, self._total = text, unit, total
        self._done = self._before = done
        self._phase, self._share = self._clock(), self._part
        self._compiled = self._watch.seconds

    def update(self, done: float, text: str = "") -> None:
        """Take what is done so far, and what is done now if that has changed."""
        self._done, self._text = done, text or self._text

    def look(self) -> None:
        """Say a line if it is time for one."""
        now = self._clock()
        since = now - max(self._said, self._begun)
        is_due = (
            self._said == -math.inf
            or self._part - self._share >= SHARE - ROUNDING
            or since >= LONGEST
        )
        if since >= FIRST and is_due:
            self._said, self._share = now, self._part
            self._say(f"haptos: {self._sentence(now)}")

    def end(self) -> None:
        """Say how long it took, if anything was said."""
        if self._said > -math.inf:
            took = duration_text(self._clock() - self._begun)
            self._say(f"haptos: {self._text}: done after {took}")

    @property
    def _part(self) -> float:
        return self._done / self._total if self._total > 0.0 else 0.0

    def _sentence(self, now: float) -> str:
        compiled = self._watch.seconds - self._compiled
        if self._watch.is_compiling:
            return f"{COMPILING} (once per machine), for {duration_text(compiled)} so far"
        passed = now - self._phase - compiled
        if not self._done > self._before:
            return f"{self._text}: begun {duration_text(now - self._begun)} ago"
        rate = (self._done - self._before) / passed
        left = duration_text((self._total - self._done) / rate)
        if self._unit == "%":
            return f"{self._text}: {100.0 * self._part:.0f} %, {100.0 * rate:.2g} %/s, {left} left"
        return (
            f"{self._text}: {self._done:.0f} of {self._total:.0f} {self._unit}, "
            f"{rate:.3g} {self._unit}/s, {left} left"
        )


def duration_text(seconds: float) -> str:
    """A time in the two largest of hours, minutes, seconds."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def lines() -> Iterator[ProgressLines]:
    """ProgressLines on standard error while a job runs; a thread looks, since kernels report nothing while they compile."""

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    shown, is_over = ProgressLines(say), threading.Event()

    def watch() -> None:
        while not is_over.wait(LOOK):
            shown.look()

    watcher = threading.Thread(target=watch, name="progress", daemon=True)
    watcher.start()
    try:
        yield shown
    finally:
        is_over.set()
        watcher.join()
    shown.end()
