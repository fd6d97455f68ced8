"""Names for a refusal: all of a few, and of many those nearest to what was given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST, NEAREST = 20, 6  # names that are listed whole; of longer lists


def listed(names: Iterable[str], given: str = "", see: str = "") -> str:
    """The names with commas; of a long list the nearest to `given`, how many more there are, and what shows them."""
    known = [str(name) for name in names]
    if len(known) <= MOST:
        return ", ".join(known)
    order = sorted(known, key=lambda name: -_likeness(given.lower(), name.lower()))
    near = [name for name in known if name in order[:NEAREST]]
    shown = f": {see}" if see else ""
    return f"{', '.join(near)} and {len(known) - len(near)} more{shown}"


def _likeness(given: str, name: str) -> float:
    """Share of letters in common [-], and more if one holds the other."""
    if not given:
        return 0.0
    holds = 1.0 if given in name or name in given else 0.0
    return holds + difflib.SequenceMatcher(None, given, name).ratio()
