"""Refusals: messages in four parts that a user can act on."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable


class HaptosError(ValueError):
    """A refusal.

    where    file, table and key, option or object that is refused
    found    what stands there               allowed  what may stand there
    hint     what to do next, often a command or a value to copy
    """

    def __init__(self, where: str, found: str, allowed: str, hint: str) -> None:
        super().__init__(f"{where}: found {found}\n  allowed: {allowed}\n  try: {hint}")
        self.where, self.found = where, found
        self.allowed, self.hint = allowed, hint

    def __reduce__(self) -> tuple[type[HaptosError], tuple[str, str, str, str]]:
        # The default would pass the joined message back as `where` when a worker sends it home.
        return type(self), (self.where, self.found, self.allowed, self.hint)


class ConfigError(HaptosError):
    """Refused settings: a file, a key, an option."""

    @classmethod
    def unknown_key(cls, where: str, key: str, known: Iterable[str]) -> ConfigError:
        known = sorted(known)
        close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
        hint = f"rename to '{close[0]}'" if close else "remove it, or run `haptos new` for a model"
        return cls(where, f"unknown key '{key}'", ", ".join(known) or "no keys here", hint)


class GeometryError(HaptosError):
    """Refused geometry: a mesh with holes or wrong facing, a length that is none."""


class StorageError(HaptosError):
    """Refused places on disk: damaged, full, locked, or of something else."""


def require_positive(**values: float) -> None:
    """Refuse, by its name, the first number that is not finite and above zero."""
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            allowed = "a finite number above zero"
            raise ConfigError(name, f"{value}", allowed, f"give {name} in SI units")
