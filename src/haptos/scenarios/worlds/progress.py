"""Words for whoever waits while a world is made, on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable


def tell(text: str, end: str = "\n") -> None:
    """Say something at once."""
    print(f"haptos: {text}", file=sys.stderr, end=end, flush=True)


def progress_of(what: str) -> Callable[[float], None] | None:
    """Tells a terminal how much of a long piece of work is done."""
    if not sys.stderr.isatty():
        return None
    return lambda share: tell(f"{what} {share:4.0%}", end="\n" if share >= 1.0 else "\r")
