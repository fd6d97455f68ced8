"""Errors a user can act on: where, what was found, what is allowed, what to try."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class HaptosError(ValueError):
    """Something asked for cannot be done; the message has four parts."""

    def __init__(self, where: str, found: str, allowed: str, hint: str = "") -> None:
        self.where, self.found, self.allowed, self.hint = where, found, allowed, hint
        lines = [f"{where}: found {found}", f"  allowed: {allowed}"]
        super().__init__("\n".join([*lines, f"  try: {hint}"] if hint else lines))

    def __reduce__(self) -> tuple[type[HaptosError], tuple[str, str, str, str]]:
        # The default would pass the joined message back as `where` when a worker sends it home.
        return type(self), (self.where, self.found, self.allowed, self.hint)


class ConfigError(HaptosError):
    """A scenario or campaign file that cannot be run."""

    @classmethod
    def unknown_key(cls, where: str, key: str, known: Iterable[str]) -> ConfigError:
        known = sorted(known)
        close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
        hint = f"rename to '{close[0]}'" if close else "remove it, or run `haptos new` for a model"
        return cls(where, f"unknown key '{key}'", ", ".join(known) or "no keys here", hint)


class GeometryError(HaptosError):
    """A shape that is not what the computation needs (open, inverted, empty, too large)."""


class StorageError(HaptosError):
    """A file or directory that cannot be read or written as asked."""
