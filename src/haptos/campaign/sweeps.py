"""Planned values of a campaign: list, grid, Latin hypercube, Sobol, Saltelli."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from haptos.campaign.variation import (
    ColumnType,
    above_zero,
    checked_values,
    chosen,
    column_type,
    ordered,
    refuse,
    vector_length,
)

LARGEST_COUNT = 1_000_000  # values of one grid key
SPACINGS = ("linear", "log")


def _check_range(owner: str, low: float, high: float, spacing: str) -> None:
    if spacing not in SPACINGS:
        hint = "leave it out for linear"
        raise refuse(owner, f"spacing = {spacing!r}", ", ".join(SPACINGS), hint)
    ordered(owner, low, high)
    if spacing == "log":
        above_zero(owner, "low", low)


def spread(fractions: np.ndarray, low: float, high: float, spacing: str) -> np.ndarray:
    """Values at the given fractions [0, 1] of the range, exactly low at 0 and high at 1."""
    if spacing == "log":
        values = np.exp((1.0 - fractions) * math.log(low) + fractions * math.log(high))
    else:
        values = (1.0 - fractions) * low + fractions * high
    values[fractions == 0.0], values[fractions == 1.0] = low, high
    return np.asarray(np.clip(values, low, high))


@dataclass(frozen=True)
class ListSweep:
    """Values taken one after another, in step with all other list sweeps of the file."""

    values: tuple[Any, ...]
    kind: ClassVar[str] = "list"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", checked_values(self.kind, self.values))

    @property
    def column_type(self) -> ColumnType:
        return column_type(self.values)

    @property
    def length(self) -> int | None:
        return vector_length(self.values)

    @property
    def description(self) -> str:
        return f"list of {len(self.values)} values"


@dataclass(frozen=True)
class GridSweep:
    """Every value with every value of all other grid keys; given one by one, or as a range."""

    values: tuple[Any, ...] | None = None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    spacing: str | None = None
    kind: ClassVar[str] = "grid"

    def __post_init__(self) -> None:
        ranged = [name for name in ("low", "high", "count", "spacing") if self._given(name)]
        if self.values is not None:
            if ranged:
                hint = f"remove {', '.join(ranged)} or values"
                raise refuse(self.kind, f"values and {ranged[0]}", "values, or a range", hint)
            object.__setattr__(self, "values", checked_values(self.kind, self.values))
        else:
            object.__setattr__(self, "values", self._range())

    def _given(self, name: str) -> bool:
        return getattr(self, name) is not None

    def _range(self) -> tuple[float, ...]:
        missing = [name for name in ("low", "high", "count") if not self._given(name)]
        if missing:
            allowed = "values, or low, high and count"
            raise refuse(self.kind, f"no {missing[0]}", allowed, f"add {missing[0]} = ...")
        count = self.count
        if isinstance(count, bool) or not isinstance(count, int):
            raise refuse(self.kind, f"count = {count!r}", "a whole number", "write count = 5")
        if not 2 <= count <= LARGEST_COUNT:
            allowed = f"2 <= count <= {LARGEST_COUNT}"
            raise refuse(self.kind, f"count = {count}", allowed, "give one value as a plain key")
        spacing = "linear" if self.spacing is None else self.spacing
        low, high = cast(float, self.low), cast(float, self.high)
        _check_range(self.kind, low, high, spacing)
        fractions = np.linspace(0.0, 1.0, count)
        return tuple(float(v) for v in spread(fractions, low, high, spacing))

    @property
    def _chosen(self) -> tuple[Any, ...]:
        return cast(tuple[Any, ...], self.values)  # filled in when the sweep was made

    @property
    def column_type(self) -> ColumnType:
        return column_type(self._chosen)

    @property
    def length(self) -> int | None:
        return vector_length(self._chosen)

    @property
    def description(self) -> str:
        return f"grid of {len(self._chosen)} values"


@dataclass(frozen=True)
class LatinHypercube:
    """Spread over [low, high]: each of `points` equal slices of the range is met exactly once."""

    low: float
    high: float
    spacing: str = "linear"
    kind: ClassVar[str] = "latin_hypercube"
    column_type: ClassVar[ColumnType] = "double"
    length: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        _check_range(self.kind, self.low, self.high, self.spacing)

    @property
    def description(self) -> str:
        return f"{self.kind.replace('_', ' ')} over {self.low:g} to {self.high:g}, {self.spacing}"


@dataclass(frozen=True)
class Sobol(LatinHypercube):
    """Spread over [low, high] by a scrambled Sobol sequence; best with a power of two points."""

    kind: ClassVar[str] = "sobol"


@dataclass(frozen=True)
class Saltelli(LatinHypercube):
    """Design for Sobol indices over [low, high]: points (keys + 2) design points in all."""

    kind: ClassVar[str] = "saltelli"


Sweep = ListSweep | GridSweep | LatinHypercube | Sobol | Saltelli
SWEEPS: dict[str, type[Any]] = {
    cls.kind: cls for cls in (ListSweep, GridSweep, LatinHypercube, Sobol, Saltelli)
}


def sweep(table: dict[str, Any], where: str) -> Sweep:
    """Sweep from its inline table; every mistake is a ConfigError at `where`."""
    found: Sweep = chosen(SWEEPS, table, "sweep", where)
    return found
