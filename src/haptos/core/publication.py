"""One entry of the bibliography."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """One publication. `kind` is its BibTeX entry type, `venue` where it appeared."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    kind: str = "article"
