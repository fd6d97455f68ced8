"""Phases of a run and the share of energy each fails to account for; see docs/models/energy-ledger.md.

    scale = max(stored + dissipated, FLOOR * that of the largest phase, RESTING * resting)
    share = remainder / scale

Work put in is reported beside them and is no part of the scale: a long burn must not hide what is lost
in a contact. Nor is what rests in rigid bodies that spin or drift on undisturbed, but for a share that
keeps rounding from being judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

FLOOR = 1e-3  # [-] of the largest phase: less energy than this is not judged by itself
RESTING = 1e-5  # [-] of what rests: room for rounding and for the tolerance of the turns of bodies


@dataclass(frozen=True, slots=True)
class Phase:
    """What happened to the energy between two events, over all steps.

    name        what the phase is: "flight", "closing"
    start, end  [s]
    stored      largest energy held [J], potential counted from its least in the phase, without what rests
    dissipated  energy lost in it [J]; below 0 if a law gave some
    put_in      work done on the system from outside [J]
    remainder   largest change of what does not add up since the phase began [J]
    resting     energy [J] that rigid bodies keep throughout in their spin, in some scenarios in their drift too
    """

    name: str
    start: float
    end: float
    stored: float
    dissipated: float
    put_in: float
    remainder: float
    resting: float = 0.0

    @property
    def size(self) -> float:
        """Energy that was there to be accounted for [J]."""
        return self.stored + max(self.dissipated, 0.0)


@dataclass(frozen=True, slots=True)
class Judged:
    """A phase with its scale [J] and the share of it that is missing [-]."""

    phase: Phase
    scale: float
    share: float


def judged(phases: Sequence[Phase]) -> tuple[Judged, ...]:
    """Every phase against its scale."""
    largest = max((phase.size for phase in phases), default=0.0)
    return tuple(
        _judged(phase, max(phase.size, FLOOR * largest, RESTING * phase.resting))
        for phase in phases
    )


def _judged(phase: Phase, scale: float) -> Judged:
    if scale == math.inf:  # nothing is a share of it
        return Judged(phase, scale, math.nan)
    if scale == 0.0:
        return Judged(phase, scale, math.inf if phase.remainder > 0.0 else phase.remainder)
    return Judged(phase, scale, phase.remainder / scale)


def worst(phases: Sequence[Phase]) -> Judged:
    """The phase that misses the largest share; one that is no number is the worst."""
    found = judged(phases)
    return next((one for one in found if math.isnan(one.share)), max(found, key=_share))


def _share(one: Judged) -> float:
    return one.share


def phases_of(rows: np.ndarray, count: int, name_of: Callable[[int], str]) -> tuple[Phase, ...]:
    """Phases from the first `count` rows of a record as `dynamics.phase_ledger` keeps it."""
    found: list[Phase] = []
    end = lost = supplied = 0.0
    for row in rows[:count].tolist():
        event, until, _, _, _, taken, given, _, highest, lowest, rest, largest = row
        works = (taken - lost, given - supplied)
        stored = highest - lowest - rest
        found.append(Phase(name_of(event), end, until, stored, *works, largest, rest))
        end, lost, supplied = until, taken, given
    return tuple(found)


def phase_table(one: Judged) -> dict[str, Any]:
    """One phase as a mapping for JSON."""
    phase = one.phase
    return {
        "name": phase.name,
        "start_s": phase.start,
        "end_s": phase.end,
        "stored_J": phase.stored,
        "resting_J": phase.resting,
        "dissipated_J": phase.dissipated,
        "put_in_J": phase.put_in,
        "remainder_J": phase.remainder,
        "scale_J": one.scale,
        "relative_remainder": one.share,
    }


TITLES = (
    "from [s]", "to [s]", "stored [J]", "dissipated [J]", "put in [J]", "remainder [J]", "share [-]",
)  # fmt: skip


def phase_cells(one: Judged) -> tuple[float, ...]:
    """Numbers of one phase in the order of TITLES."""
    phase = one.phase
    works = (phase.stored, phase.dissipated, phase.put_in, phase.remainder)
    return (phase.start, phase.end, *works, one.share)


def phase_lines(phases: Sequence[Judged]) -> list[str]:
    """Lines of plain text: one for each phase, below a heading."""
    lines = [f"  {'energy by phase':<20}" + "".join(f"{title:>15}" for title in TITLES)]
    for one in phases:
        cells = "".join(f"{number:>15.4g}" for number in phase_cells(one))
        lines.append(f"  {one.phase.name:<20}" + cells)
    return lines
