"""Contact numbers of two surfaces: looked up by pair, or combined from one set per surface.

    series:  k = k_i k_j / (k_i + k_j),   lambda = lambda_i lambda_j / (lambda_i + lambda_j)
    means:   mu = (mu_i + mu_j)/2,   v_eps = (v_i + v_j)/2

    k       stiffness [N/m^1.5], > 0         lambda  damping [N s/m^2.5], >= 0; lambda = a k
    mu      friction [-], >= 0               v_eps   speed of full friction [m/s], > 0
For one contact radius the series stiffness is that of Hertz, whose compliances add; for the other
numbers it is a first approximation, and measured pairs are better.
Validity: as the laws that use the numbers, `impact_damping` and `slip_friction`.
Source: [Salvi2014] sec. 4.2.2, Eqs. (4.44) and (4.45).
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Salvi2014",)

V_EPS = 1e-4  # [m/s], upper end of what [Salvi2014] sec. 4.1.6 advises; smaller is stiffer


@dataclass(frozen=True, slots=True)
class ContactNumbers:
    """What a contact law needs, of one surface or of a pair.

    stiffness   k [N/m^1.5]                  damping       lambda [N s/m^2.5]
    friction    mu, sliding [-]              v_eps         [m/s]
    friction_at_rest  mu_s [-], of the law with memory; mu if left out
    """

    stiffness: float
    damping: float
    friction: float
    v_eps: float = V_EPS
    friction_at_rest: float | None = None

    def __post_init__(self) -> None:
        _check("stiffness", self.stiffness, self.stiffness > 0.0, "above 0")
        _check("damping", self.damping, self.damping >= 0.0, "0 or above")
        _check("friction", self.friction, self.friction >= 0.0, "0 or above")
        _check("v_eps", self.v_eps, self.v_eps > 0.0, "above 0")
        if self.friction_at_rest is not None:
            found = self.friction_at_rest
            _check("friction_at_rest", found, found >= self.friction, "friction or above")

    @property
    def factor(self) -> float:
        """Hysteresis factor a = lambda / k [s/m]."""
        return self.damping / self.stiffness

    @property
    def holding(self) -> float:
        """Coefficient of friction at rest [-]."""
        return self.friction if self.friction_at_rest is None else self.friction_at_rest


def _check(name: str, found: float, is_right: bool, allowed: str) -> None:
    if not (math.isfinite(found) and is_right):
        hint = "see docs/models/material-pairs.md"
        raise ConfigError(f"contact numbers, {name}", f"{found:g}", f"finite, {allowed}", hint)


def empirical_damping(stiffness: float, alpha: float) -> float:
    """lambda = 3/2 alpha k [N s/m^2.5] of a restitution 1 - alpha v, with alpha [s/m] >= 0."""
    _check("alpha", alpha, alpha >= 0.0, "0 or above")
    return 1.5 * alpha * stiffness


def series_pair(one: ContactNumbers, other: ContactNumbers) -> ContactNumbers:
    """Numbers of a pair from those of its two surfaces; no damping on one side is none at all."""
    return ContactNumbers(
        _series(one.stiffness, other.stiffness),
        _series(one.damping, other.damping),
        0.5 * (one.friction + other.friction),
        0.5 * (one.v_eps + other.v_eps),
        0.5 * (one.holding + other.holding),
    )


def _series(a: float, b: float) -> float:
    return a * (b / (a + b)) if a + b > 0.0 else 0.0


class PairTable:
    """Contact numbers by the names of two surfaces, in either order.

    pairs     {("technora", "aluminium"): numbers, ...}
    surfaces  {"technora": numbers, ...}, combined in series where a pair is not given
    """

    def __init__(
        self,
        pairs: Mapping[tuple[str, str], ContactNumbers],
        surfaces: Mapping[str, ContactNumbers] | None = None,
    ) -> None:
        self._pairs: dict[tuple[str, str], ContactNumbers] = {}
        self._surfaces = dict(surfaces or {})
        for (one, other), numbers in pairs.items():
            key = _ordered(one, other)
            if self._pairs.setdefault(key, numbers) != numbers:
                hint = "keep one of the two"
                found = f"'{one}' and '{other}' twice, with different numbers"
                raise ConfigError("contact pairs", found, "one set of numbers per pair", hint)

    @property
    def names(self) -> list[str]:
        """Every surface named, sorted."""
        return sorted({name for pair in self._pairs for name in pair} | set(self._surfaces))

    def numbers(self, one: str, other: str) -> ContactNumbers:
        """Numbers of a pair; a pair nobody described is refused."""
        found = self._pairs.get(_ordered(one, other))
        if found is not None:
            return found
        if one in self._surfaces and other in self._surfaces:
            return series_pair(self._surfaces[one], self._surfaces[other])
        raise self._refusal(one, other)

    def _refusal(self, one: str, other: str) -> ConfigError:
        for name in (one, other):
            close = difflib.get_close_matches(name, self.names, n=1, cutoff=0.5)
            if name not in self.names and close:
                found, hint = f"unknown surface '{name}'", f"use '{close[0]}'"
                return ConfigError("contact pairs", found, ", ".join(self.names), hint)
        known = ", ".join(f"{a} - {b}" for a, b in sorted(self._pairs)) or "no pairs"
        hint = f"add the pair, or numbers of both '{one}' and '{other}' to combine in series"
        return ConfigError("contact pairs", f"no numbers for '{one}' on '{other}'", known, hint)


def _ordered(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)
