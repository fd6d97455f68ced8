"""Rows of a run that is put together phase after phase: motion, energies, works, and their ledger."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.results.ledger import EnergyLedger
from haptos.results.phases import Phase

Floats = NDArray[np.float64]

STORES = ("kinetic", "potential", "elastic")


@dataclass(eq=False)
class PhaseRows:
    """One phase: times (n,) [s] of the run, columns of motion, stores and works (n,) [J], works from the start of the phase.

    turning  energy [J] of the turns of rigid bodies (n,), whose least value in the phase rests
    """

    name: str
    time: Floats
    motion: dict[str, Floats]
    stores: dict[str, Floats]
    works: dict[str, Floats]
    turning: Floats


@dataclass(eq=False)
class History:
    """All phases of a run, and its events (time [s], what).

    losses, inputs  names of the works that take energy and of those that give it
    """

    losses: tuple[str, ...]
    inputs: tuple[str, ...]
    parts: list[PhaseRows] = field(default_factory=list)
    events: list[tuple[float, str]] = field(default_factory=list)

    @property
    def time(self) -> float:
        return float(self.parts[-1].time[-1]) if self.parts else 0.0

    def note(self, what: str, when: float | None = None) -> None:
        self.events.append((self.time if when is None else when, what))

    def add(
        self, name: str, time: Floats, motion: dict[str, Floats], stores: dict[str, Floats], works: dict[str, Floats],
        turning: Floats | None = None,
    ) -> None:  # fmt: skip
        """A phase whose first row is the last moment before it, or a jump from it; turning [J] of rigid bodies, none if left out."""
        zero = np.zeros(len(time))
        self.parts.append(
            PhaseRows(name, np.asarray(time, dtype=float), motion, {k: stores.get(k, zero) for k in STORES},
                 {k: works.get(k, zero) for k in (*self.losses, *self.inputs)},
                 zero if turning is None else turning)
        )  # fmt: skip

    def column(self, name: str) -> Floats:
        """A column of motion over all phases; NaN where a phase has none."""
        shape = next(part.motion[name].shape[1:] for part in self.parts if name in part.motion)
        return np.concatenate(
            [part.motion.get(name, np.full((len(part.time), *shape), math.nan)) for part in self.parts]
        )  # fmt: skip

    def times(self) -> Floats:
        return np.concatenate([part.time for part in self.parts])

    def ledger(self, bound: float) -> EnergyLedger:
        """Works added up over phases, every phase judged by itself."""
        works = {name: self._summed(name) for name in (*self.losses, *self.inputs)}
        stores = {name: np.concatenate([p.stores[name] for p in self.parts]) for name in STORES}
        total = np.sum(list(stores.values()), axis=0)
        remainder = total - total[0] - np.sum(list(works.values()), axis=0)
        return EnergyLedger(
            time=self.times(), stores=stores, works=works, bound=bound,
            max_remainder=float(np.abs(remainder).max()), phases=self._phases(remainder, total),
        )  # fmt: skip

    def _summed(self, name: str) -> Floats:
        found, start = [], 0.0
        for part in self.parts:
            found.append(start + part.works[name])
            start = float(found[-1][-1])
        return np.concatenate(found)

    def _phases(self, remainder: Floats, total: Floats) -> tuple[Phase, ...]:
        found, first = [], 0
        for part in self.parts:
            last = first + len(part.time)
            rows = slice(first, last)
            before = remainder[first - 1] if first else 0.0
            potential = part.stores["potential"]
            lost = -sum(float(part.works[name][-1]) for name in self.losses)
            given = sum(float(part.works[name][-1]) for name in self.inputs)
            resting = float(part.turning.min())
            stored = float((total[rows] - potential.min()).max()) - resting
            missing = float(np.abs(remainder[rows] - before).max())
            found.append(Phase(part.name, float(part.time[0]), float(part.time[-1]), stored, lost, given, missing, resting))  # fmt: skip
            first = last
        return tuple(found)
