"""The energy ledger: where the energy of a run is, who took it, and what does not add up.

remainder(t) = sum of stores(t) - sum of stores(0) - sum of works(t)

The remainder is the numerical error in joules. A run is trusted if in every phase its change stays
below a stated share of what that phase stores and dissipates: docs/models/energy-ledger.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from haptos.core.errors import HaptosError
from haptos.results.phases import Judged, Phase, judged, worst

WHOLE = "run"  # name of the one phase of a ledger that has no phases of its own


def closes(phases: Sequence[Phase], bound: float) -> bool:
    """Is every remainder within its share of the scale of its phase? A NaN never is, nor any of an infinite energy."""
    return all(
        math.isfinite(one.scale) and one.phase.remainder <= bound * one.scale
        for one in judged(phases)
    )


@dataclass(frozen=True, eq=False)
class EnergyLedger:
    """Energy account of one run.

    time           [s], shape (n,), n >= 1, of the stored series
    stores         name -> energy held [J], shape (n,): kinetic, potential, elastic ...
    works          name -> work done on the system since time[0] [J], shape (n,); losses are < 0
    bound          largest trusted remainder of a phase as a share of the scale of that phase [-]
    max_remainder  largest |remainder| over all integration steps, as given, and over the series [J]
    step_remainder largest |remainder| over the steps alone [J], the same for any series; max_remainder as given if left out
    phases         of the run, in order of their start; results of earlier versions have none
    scale          of the phase that misses the largest share [J]; of a ledger without phases the
                   energy it is judged by
    """

    time: np.ndarray
    stores: dict[str, np.ndarray]
    works: dict[str, np.ndarray]
    bound: float
    max_remainder: float
    phases: tuple[Phase, ...] = ()
    scale: float = math.nan
    step_remainder: float = math.nan

    def __post_init__(self) -> None:
        _put(self, time=_series(self.time, "time", None))
        for kind in ("stores", "works"):
            given: Mapping[str, np.ndarray] = getattr(self, kind)
            held = {k: _series(v, f"{kind}.{k}", self.time.size) for k, v in given.items()}
            _put(self, **{kind: held})
        _put(self, phases=tuple(self.phases))
        if self.phases:
            _put(self, scale=self.worst.scale)
        if math.isnan(self.step_remainder):
            _put(self, step_remainder=self.max_remainder)
        largest = np.max([self.max_remainder, *np.abs(self.remainder)])  # a NaN comes in, and stays
        _put(self, max_remainder=largest)
        for name in ("scale", "bound", "max_remainder", "step_remainder"):
            _put(self, **{name: float(getattr(self, name))})

    @property
    def total(self) -> np.ndarray:
        """Energy in all stores [J], shape (n,)."""
        return _sum(self.stores, self.time.size)

    @property
    def remainder(self) -> np.ndarray:
        """What does not add up [J], shape (n,)."""
        total = self.total
        return np.asarray(total - total[0] - _sum(self.works, self.time.size))

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Every phase with its scale and share; the whole run as one where there are no phases."""
        return judged(self._parts)

    @property
    def worst(self) -> Judged:
        """The phase that misses the largest share of its scale."""
        return worst(self._parts)

    @property
    def _parts(self) -> tuple[Phase, ...]:
        ends = float(self.time[0]), float(self.time[-1])
        return self.phases or (Phase(WHOLE, *ends, self.scale, 0.0, 0.0, self.max_remainder),)

    @property
    def relative_remainder(self) -> float:
        """Largest remainder of a phase as a share of its scale [-]; of no energy: 0 or infinity."""
        return self.worst.share

    @property
    def closes(self) -> bool:
        """Whether the numbers of the run may be trusted; a NaN never closes."""
        return closes(self._parts, self.bound)

    @property
    def dissipated(self) -> dict[str, float]:
        """Energy each actor took out over the whole run [J], positive for a loss."""
        return {name: 0.0 - float(series[-1]) for name, series in self.works.items()}

    @property
    def verdict(self) -> str:
        """One sentence: does it close, by how much, against what bound."""
        word, found = "closes" if self.closes else "does not close", self.worst
        where = f"in the phase '{found.phase.name}'" if self.phases else "of the energy of the run"
        return (
            f"The energy ledger {word}: the largest remainder is {found.share:.2g} {where}, "
            f"{found.phase.remainder:.3g} J of {found.scale:.3g} J; the bound is {self.bound:.2g}."
        )

    @property
    def _numbers(self) -> str:
        numbers = (self.scale, self.bound, self.max_remainder, self.step_remainder, self.phases)
        return repr(numbers)  # a NaN equals itself here

    def equals(self, other: EnergyLedger) -> bool:
        """Same numbers to the last bit, same names in the same order."""
        mine, theirs = (
            [("time", ledger.time), *ledger.stores.items(), *ledger.works.items()]
            for ledger in (self, other)
        )
        same_names = [k for k, _ in mine] == [k for k, _ in theirs]
        return (
            same_names
            and len(self.stores) == len(other.stores)
            and all(a.tobytes() == b.tobytes() for (_, a), (_, b) in zip(mine, theirs, strict=True))
            and self._numbers == other._numbers
        )


def _put(ledger: EnergyLedger, **fields: object) -> None:
    for name, value in fields.items():
        object.__setattr__(ledger, name, value)


def _series(given: np.ndarray, name: str, size: int | None) -> np.ndarray:
    series = np.array(given, dtype=np.float64)
    if series.ndim != 1 or series.size == 0 or (size is not None and series.size != size):
        allowed = f"shape ({'n' if size is None else size},), one number per time, at least one"
        found, hint = f"{name} of shape {series.shape}", "give every series the times of `time`"
        raise HaptosError("energy ledger", found, allowed, hint)
    series.setflags(write=False)
    return series


def _sum(parts: Mapping[str, np.ndarray], size: int) -> np.ndarray:
    return np.sum(list(parts.values()), axis=0) if parts else np.zeros(size)
