"""Names, sizes and words of the project's own files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tests.house.sources import PACKAGE, ROOT, SOURCES, functions, relative, text

FORBIDDEN_STEMS = {"utils", "util", "helpers", "helper", "common", "misc", "base"}
LONGEST_FILE = 450  # lines; aim for 80 to 250
LONGEST_FUNCTION = 70  # lines with docstring; aim for 20
TEXTS = sorted(
    path
    for folder, endings in (("src", (".py", ".toml")), ("docs", (".md",)), ("benchmarks", (".py",)))
    for path in (ROOT / folder).rglob("*")
    if path.suffix in endings
) + [ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile", "constraints.txt")]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError)\b")
PRIVATE_PAPER = re.compile(r"\bspec(?:ification)? (?:section|sec|eq)\b", re.IGNORECASE)
PRIVATE_WORDS = re.compile(
    r"\b(told|weigh|lighten|askable|woven|keep_books|books|booked|mend(s|ed)?|spell|comes? up for air)\b"
)
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|root|tmp|home/\w+|opt)/")


def lines_with(pattern: re.Pattern[str], paths: Iterable[Path]) -> list[str]:
    """'file: what was found' for every file that holds the pattern."""
    found = ((path, pattern.search(text(path))) for path in paths)
    return [f"{relative(path)}: {match.group(0)}" for path, match in found if match]


def test_files_are_named_after_an_idea():
    assert not [relative(path) for path in SOURCES if path.stem in FORBIDDEN_STEMS]


def test_files_can_be_read_in_one_go():
    lengths = {relative(path): len(text(path).splitlines()) for path in SOURCES}
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FILE}


def test_functions_can_be_read_in_one_go():
    lengths = {
        f"{relative(path)} {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for path in SOURCES
        for function in functions(path)
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION}


def test_texts_are_finished():
    assert not lines_with(UNFINISHED, TEXTS)


def test_texts_belong_to_no_machine():
    assert not lines_with(MACHINE_PATH, TEXTS)


def test_sources_use_words_of_the_field():
    """Words that a reader would have to learn first; docs/conventions.md has those to use."""
    assert not lines_with(PRIVATE_WORDS, SOURCES)


def test_the_word_check_has_teeth():
    assert PRIVATE_WORDS.search("the books close")
    assert not PRIVATE_WORDS.search("bookshelf, unfold, weight")
    assert UNFINISHED.search("# TODO later")
    assert MACHINE_PATH.search('open("/tmp/x")')
    assert not MACHINE_PATH.search("https://example.org/work/x")
    assert PRIVATE_PAPER.search("see " + "spec" + " Eq. (2.5)")


def test_equations_are_cited_from_papers_everyone_can_read():
    assert not lines_with(PRIVATE_PAPER, [*TEXTS, *TESTS])


def test_every_module_says_what_it_is():
    silent = [
        relative(path)
        for path in SOURCES
        if path.name != "__init__.py" and not text(path).startswith('"""')
    ]
    assert not silent


def test_every_room_is_known():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name[0] != "_"}
    known = {
        "core", "geometry", "materials", "environment", "contact", "dynamics", "scenarios",
        "campaign", "planning", "results", "view", "cli",
    }  # fmt: skip
    assert rooms <= known
