"""The bibliography: complete, readable, and free of dangling keys."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

import haptos
from haptos.core.citations import BIBLIOGRAPHY, bibliography, bibtex, read_bibliography
from haptos.core.errors import HaptosError

PACKAGE = Path(haptos.__path__[0])


def test_every_key_starts_with_its_first_author_and_ends_with_its_year() -> None:
    for key, found in BIBLIOGRAPHY.items():
        stem, year = re.fullmatch(r"([A-Za-z]+)(\d{4})b?", key).groups()  # type: ignore[union-attr]
        plain = unicodedata.normalize("NFD", found.authors[0].split(".")[-1])
        family = re.sub(r"[^A-Za-z]", "", plain)
        assert int(year) == found.year
        assert stem.lower().startswith(family.lower()[:6])


def test_every_key_cited_in_the_sources_is_in_the_bibliography() -> None:
    cited = {
        key
        for path in PACKAGE.rglob("*.py")
        for key in re.findall(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\]", path.read_text(encoding="utf-8"))
    }
    assert "Salmon2011" in cited
    assert cited <= set(BIBLIOGRAPHY)


def test_a_reference_reads_authors_title_venue_year() -> None:
    assert bibliography(["DormandPrince1980"]) == (
        "[DormandPrince1980] J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta "
        "formulae. Journal of Computational and Applied Mathematics 6(1), 19-26, 1980."
    )


def test_the_list_keeps_the_order_given_and_names_each_source_once() -> None:
    lines = bibliography(["VanWal2018", "Duff2017", "VanWal2018"]).splitlines()
    assert [line.split("]")[0] for line in lines] == ["[VanWal2018", "[Duff2017"]


def test_no_keys_give_an_empty_list() -> None:
    assert bibliography([]) == bibtex([]) == ""


def test_bibtex_of_all_sources_is_ascii_with_balanced_braces_and_one_entry_each() -> None:
    text = bibtex(BIBLIOGRAPHY)
    assert text.isascii()
    assert text.count("{") == text.count("}")
    assert re.findall(r"^@\w+\{(\w+),$", text, flags=re.MULTILINE) == list(BIBLIOGRAPHY)


def test_bibtex_spells_authors_and_venue_as_bibtex_wants_them() -> None:
    text = bibtex(["HairerNorsettWanner1993"])
    assert r"author = {E. Hairer and S. P. N{\o}rsett and G. Wanner}," in text
    assert "publisher = {Springer, second edition}," in text


@pytest.mark.parametrize("listing", [bibliography, bibtex])
def test_an_unknown_key_is_refused_with_the_nearest_one(listing) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(HaptosError, match="unknown key 'Salmon2012'") as caught:
        listing(["Salmon2012"])
    assert caught.value.hint == "use 'Salmon2011'"


def test_the_file_holds_every_entry_whole() -> None:
    text = (PACKAGE / "core" / "bibliography.bib").read_text(encoding="utf-8")
    assert text.count("\n@") == len(BIBLIOGRAPHY) > 90
    assert list(BIBLIOGRAPHY) == sorted(BIBLIOGRAPHY, key=str.lower)
    for found in BIBLIOGRAPHY.values():
        assert all(found.authors)
        assert found.title
        assert found.venue


def test_a_key_that_stands_twice_is_refused() -> None:
    entry = "@book{A1999,\n  author = {A. A},\n  title = {T},\n  publisher = {P},\n  year = {1999},\n}\n"
    assert read_bibliography(entry)["A1999"].venue == "P"
    with pytest.raises(HaptosError, match="'A1999' twice"):
        read_bibliography(entry + entry)
