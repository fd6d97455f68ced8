"""How much work a benchmark does: all of it, or with --small just enough to see that it runs."""

from __future__ import annotations

import sys
from typing import TypeVar

Value = TypeVar("Value")
CLAIM_MISSED, NO_PEER = 1, 2  # exit codes


def is_small() -> bool:
    """Whether little work is asked for."""
    return "--small" in sys.argv


def sized(full: Value, small: Value) -> Value:
    """The number for the claim, or the one for a small run."""
    return small if is_small() else full


def ended(code: int) -> int:
    """Exit code of a benchmark: small runs judge no claim, and compare with the peers there are."""
    if not is_small():
        return code
    if code == NO_PEER:
        print("small: not compared with peers that are not installed")
    print("small: it runs; whether the claim holds is not judged")
    return 0
