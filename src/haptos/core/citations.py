"""The bibliography as data: a law names its keys, a result lists what it used.

The entries stand in `bibliography.bib` beside this file: BibTeX with one field a line, each in braces.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from haptos.core.errors import HaptosError
from haptos.core.name_lists import listed

# BibTeX field that holds the venue, and spellings for tools that read ASCII only.
_VENUE_FIELD = {
    "article": "journal",
    "book": "publisher",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "mastersthesis": "school",
    "phdthesis": "school",
    "techreport": "institution",
}
_TO_LATEX = str.maketrans(
    {
        "ø": r"{\o}",
        "ó": r"{\'o}",
        "á": r"{\'a}",
        "é": r"{\'e}",
        "À": r"{\`A}",
        "Ü": r"{\"U}",
        "ü": r"{\"u}",
        "ö": r"{\"o}",
        "&": r"\&",
        "%": r"\%",
    }
)


@dataclass(frozen=True, slots=True)
class Source:
    """One publication. `kind` is its BibTeX entry type, `venue` where it appeared."""

    authors: tuple[str, ...]
    title: str
    venue: str
    year: int
    kind: str = "article"


_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)^\}$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)


def read_bibliography(text: str) -> dict[str, Source]:
    """Sources by key, in the order of the file; refuses keys that stand twice."""
    found: dict[str, Source] = {}
    for kind, key, body in _ENTRY.findall(text):
        fields = dict(_FIELD.findall(body))
        if key in found:
            hint = "give one of them a letter: Name1999b"
            raise HaptosError("bibliography.bib", f"'{key}' twice", "one entry for each key", hint)
        found[key] = Source(
            authors=tuple(fields["author"].split(" and ")),
            title=fields["title"],
            venue=fields[_VENUE_FIELD[kind]],
            year=int(fields["year"]),
            kind=kind,
        )
    return found


BIBLIOGRAPHY = read_bibliography(
    files("haptos.core").joinpath("bibliography.bib").read_text(encoding="utf-8")
)


def source(key: str) -> Source:
    """The publication behind a key; refuses unknown keys."""
    if key not in BIBLIOGRAPHY:
        close = difflib.get_close_matches(key, BIBLIOGRAPHY, n=1, cutoff=0.5)
        hint = f"use '{close[0]}'" if close else "add the source to core/bibliography.bib"
        raise HaptosError("bibliography", f"unknown key '{key}'", listed(BIBLIOGRAPHY, key), hint)
    return BIBLIOGRAPHY[key]


def bibliography(keys: Iterable[str]) -> str:
    """One line per source, in the order given: '[Key] Authors: Title. Venue, year.'"""
    return "\n".join(f"[{key}] {reference(key)}" for key in dict.fromkeys(keys))


def reference(key: str) -> str:
    """'Authors: Title. Venue, year.' of one source."""
    found = source(key)
    return f"{', '.join(found.authors)}: {found.title}. {found.venue}, {found.year}."


def bibtex(keys: Iterable[str]) -> str:
    """BibTeX entries in ASCII, one per key, in the order given."""
    return "\n\n".join(_entry(key, source(key)) for key in dict.fromkeys(keys))


def _entry(key: str, found: Source) -> str:
    fields = {
        "author": " and ".join(found.authors),
        "title": f"{{{found.title}}}",
        _VENUE_FIELD[found.kind]: found.venue,
        "year": str(found.year),
    }
    lines = [f"  {name} = {{{text.translate(_TO_LATEX)}}}," for name, text in fields.items()]
    return "\n".join([f"@{found.kind}{{{key},", *lines, "}"])
