"""Random quantities of a campaign: one small class per distribution."""

from __future__ import annotations

import math
from bisect import bisect
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import special

from haptos.campaign.variation import (
    ColumnType,
    above_zero,
    checked_values,
    chosen,
    column_type,
    finite,
    ordered,
    refuse,
    vector_length,
)
from haptos.core.rotations import random_quaternion


class Distribution(Protocol):
    """What every distribution offers."""

    kind: ClassVar[str]

    @property
    def column_type(self) -> ColumnType: ...

    @property
    def length(self) -> int | None: ...

    @property
    def description(self) -> str: ...

    def sample(self, generator: np.random.Generator) -> Any: ...


class Continuous:
    """Shared by all that draw one real number."""

    column_type: ColumnType = "double"
    length: int | None = None


@dataclass(frozen=True)
class Uniform(Continuous):
    """Equally likely everywhere in [low, high)."""

    low: float
    high: float
    kind: ClassVar[str] = "uniform"

    def __post_init__(self) -> None:
        ordered(self.kind, self.low, self.high)

    @property
    def description(self) -> str:
        return f"uniform in {self.low:g} to {self.high:g}"

    def sample(self, generator: np.random.Generator) -> float:
        return self.low + (self.high - self.low) * generator.random()


@dataclass(frozen=True)
class Normal(Continuous):
    """Gaussian with mean and standard deviation, truncated to [low, high] where these are given.

    Truncation inverts the cumulative distribution F: x = F^-1(F(low) + y (F(high) - F(low))), y
    uniform, evaluated with logarithms in the lower tail, so that bounds many sigma away keep all
    their digits. `mean` and `sigma` are those before truncation.
    """

    mean: float
    sigma: float
    low: float | None = None
    high: float | None = None
    kind: ClassVar[str] = "normal"

    def __post_init__(self) -> None:
        finite(self.kind, "mean", self.mean)
        above_zero(self.kind, "sigma", self.sigma)
        if self.low is not None and self.high is not None:
            ordered(self.kind, self.low, self.high)
        for name, bound in (("low", self.low), ("high", self.high)):
            if bound is not None:
                finite(self.kind, name, bound)
                self._check_reach(name, bound)

    def _check_reach(self, name: str, bound: float) -> None:
        # log F underflows to -inf beyond 1e154 sigma; 1e6 is far past any sensible use.
        if abs(bound - self.mean) > 1e6 * self.sigma:
            found = f"{name} = {bound:g}, more than a million sigma from the mean"
            raise refuse(self.kind, found, "bounds within 1e6 sigma", f"leave out {name}")

    @property
    def description(self) -> str:
        text = f"normal, mean {self.mean:g}, sigma {self.sigma:g}"
        lower = "" if self.low is None else f", from {self.low:g}"
        return text + lower + ("" if self.high is None else f", up to {self.high:g}")

    def sample(self, generator: np.random.Generator) -> float:
        if self.low is None and self.high is None:
            return self.mean + self.sigma * generator.standard_normal()
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        a, b = (low - self.mean) / self.sigma, (high - self.mean) / self.sigma
        sign = -1.0 if a + b > 0.0 else 1.0
        a, b = (-b, -a) if sign < 0.0 else (a, b)
        x = sign * _truncated_standard_normal(a, b, 1.0 - generator.random())
        return min(max(self.mean + self.sigma * x, low), high)


def _truncated_standard_normal(a: float, b: float, y: float) -> float:
    """F^-1(F(a) + y (F(b) - F(a))) for y in (0, 1]; a <= -|b|, so log F(a) carries the digits."""
    log_a, log_b = float(special.log_ndtr(a)), float(special.log_ndtr(b))
    ratio = math.exp(log_a - log_b)
    return float(special.ndtri_exp(log_b + math.log(y + (1.0 - y) * ratio)))


@dataclass(frozen=True)
class LogUniform(Continuous):
    """Logarithm equally likely everywhere: each decade of [low, high) has the same share."""

    low: float
    high: float
    kind: ClassVar[str] = "log_uniform"

    def __post_init__(self) -> None:
        above_zero(self.kind, "low", self.low)
        ordered(self.kind, self.low, self.high)

    @property
    def description(self) -> str:
        return f"log-uniform in {self.low:g} to {self.high:g}"

    def sample(self, generator: np.random.Generator) -> float:
        start, stop = math.log(self.low), math.log(self.high)
        value = math.exp(start + (stop - start) * generator.random())
        return min(max(value, self.low), self.high)


@dataclass(frozen=True)
class PowerLaw(Continuous):
    """Bounded Pareto: the number larger than s falls as s^-exponent between low and high.

    s = low / (1 - b y)^(1/exponent),  b = 1 - (low/high)^exponent,  y uniform in [0, 1)
    """

    exponent: float
    low: float
    high: float
    kind: ClassVar[str] = "power_law"

    def __post_init__(self) -> None:
        above_zero(self.kind, "exponent", self.exponent)
        above_zero(self.kind, "low", self.low)
        ordered(self.kind, self.low, self.high)

    @property
    def description(self) -> str:
        return f"power law, exponent {self.exponent:g}, {self.low:g} to {self.high:g}"

    def sample(self, generator: np.random.Generator) -> float:
        b = -math.expm1(self.exponent * math.log(self.low / self.high))
        log_ratio = -math.log1p(-b * generator.random()) / self.exponent
        return min(self.low * math.exp(log_ratio), self.high)


@dataclass(frozen=True)
class Choice:
    """One of the values, each as likely as its weight; equally likely without weights."""

    values: tuple[Any, ...]
    weights: tuple[float, ...] | None = None
    kind: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", checked_values(self.kind, self.values))
        if self.weights is not None:
            object.__setattr__(self, "weights", self._checked_weights(self.weights))

    def _checked_weights(self, weights: Any) -> tuple[float, ...]:
        hint = "give every value one weight"
        if not isinstance(weights, list | tuple) or len(weights) != len(self.values):
            allowed = f"a list of {len(self.values)} weights, one per value"
            raise refuse(self.kind, f"weights = {weights!r}", allowed, hint)
        numbers = tuple(finite(self.kind, "weights", weight) for weight in weights)
        if min(numbers) < 0.0 or not 0.0 < sum(numbers) < math.inf:
            allowed = "weights >= 0 that are not all zero"
            raise refuse(self.kind, f"weights = {weights!r}", allowed, hint)
        return numbers

    @property
    def column_type(self) -> ColumnType:
        return column_type(self.values)

    @property
    def length(self) -> int | None:
        return vector_length(self.values)

    @property
    def description(self) -> str:
        return f"choice of {len(self.values)} values"

    def sample(self, generator: np.random.Generator) -> Any:
        y = generator.random()
        if self.weights is None:
            return self.values[min(int(y * len(self.values)), len(self.values) - 1)]
        edges = self._edges
        # Rounding may push the last draw onto the last edge; no value without weight is taken.
        return self.values[min(bisect(edges, y * edges[-1]), edges.index(edges[-1]))]

    @cached_property
    def _edges(self) -> list[float]:
        return list(accumulate(self.weights or ()))


@dataclass(frozen=True)
class RandomAttitude:
    """Unit quaternion, scalar first, every attitude equally likely. Source: [Shoemake1992]."""

    kind: ClassVar[str] = "random_attitude"
    column_type: ClassVar[ColumnType] = "double"
    length: ClassVar[int] = 4
    description: ClassVar[str] = "every attitude equally likely"

    def sample(self, generator: np.random.Generator) -> list[float]:
        return [float(part) for part in random_quaternion(generator)]


DISTRIBUTIONS: dict[str, type[Any]] = {
    cls.kind: cls for cls in (Normal, Uniform, LogUniform, Choice, RandomAttitude, PowerLaw)
}


def distribution(table: dict[str, Any], where: str) -> Distribution:
    """Distribution from its inline table; every mistake is a ConfigError at `where`."""
    found: Distribution = chosen(DISTRIBUTIONS, table, "distribution", where)
    return found
