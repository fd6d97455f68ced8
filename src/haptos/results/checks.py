"""Conditions besides the energy ledger that a run must meet to be trusted.

A ledger closes for a motion that follows the wrong forces without error: one that falls through the
ground, or leaves part of the mass out. Each such condition is a measured value with a bound of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEDGER = "ledger"  # reason of a run whose energy does not add up


@dataclass(frozen=True, slots=True)
class Check:
    """One condition: the worst value of the run against its bound.

    name      one word or two, the reason of a run that fails it: "surface", "mass"
    value     worst value over the whole run [unit], >= 0; a NaN never holds, nor does infinity
    bound     largest trusted value [unit]
    unit      of both, "" for a share
    subject   what is measured, as the subject of a sentence: "The deepest vertex below the ground"
    place     where and when the worst value was met, in words; "" where it has no place
    """

    name: str
    value: float
    bound: float
    unit: str
    subject: str
    place: str = ""

    @property
    def holds(self) -> bool:
        return bool(self.value <= self.bound and self.value < math.inf)

    @property
    def sentence(self) -> str:
        """What was found, where, and against what bound."""
        unit = f" {self.unit}" if self.unit else ""
        place = f", {self.place}" if self.place else ""
        return (
            f"{self.subject}: {self.value:.3g}{unit}{place}; the bound is {self.bound:.3g}{unit}."
        )


def first_failure(is_closed: bool, checks: Sequence[Check]) -> str:
    """Name of the first condition that fails, checks before the ledger; "" if all hold."""
    for check in checks:
        if not check.holds:
            return check.name
    return "" if is_closed else LEDGER
