"""Whether kernels are being compiled, and for how long they have been: what progress must know to say so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CompileWatch:
    """Time spent compiling in this process.

    clock  time [s]
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._spent, self._since = clock, 0.0, -1.0

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """While a kernel is compiled, with all that it calls; Numba compiles one at a time."""
        self._since = self._clock()
        try:
            yield
        finally:
            self._spent += self._clock() - self._since
            self._since = -1.0

    @property
    def is_compiling(self) -> bool:
        return self._since >= 0.0

    @property
    def seconds(self) -> float:
        """Time spent so far, with the kernel that is being compiled [s]."""
        since = self._since
        return self._spent + (self._clock() - since if since >= 0.0 else 0.0)


WATCH = CompileWatch()
COMPILING = "compiling kernels"
