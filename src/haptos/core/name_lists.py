"""Names for a refusal: all of a few, and of many those nearest to what was given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

from haptos.core.errors import ConfigError

Kind = TypeVar("Kind")

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


def named(table: Mapping[str, Kind], name: str, where: str, hint: str) -> Kind:
    """What a table has under a name, in any case and with any dashes; refuses the others with the nearest name."""
    wanted = " ".join(name.lower().replace("-", " ").replace("_", " ").split())
    if wanted not in table:
        close = difflib.get_close_matches(wanted, table, n=1, cutoff=0.5)
        guess = f"did you mean '{close[0]}'?" if close else hint
        raise ConfigError(where, f"'{name}'", ", ".join(table), guess)
    return table[wanted]


def _likeness(given: str, name: str) -> float:
    """Share of letters in common [-], and more if one holds the other."""
    if not given:
        return 0.0
    holds = 1.0 if given in name or name in given else 0.0
    return holds + difflib.SequenceMatcher(None, given, name).ratio()
