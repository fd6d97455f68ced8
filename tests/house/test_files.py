"""Names, sizes and words of the project's own files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.sources import PACKAGE, ROOT, SOURCES, functions, relative

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
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|root|tmp|home/\w+|opt)/")


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_files_are_named_after_an_idea(path: Path):
    assert path.stem not in FORBIDDEN_STEMS


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_files_and_functions_can_be_read_in_one_go(path: Path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{relative(path)} has {lines} lines"
    for function in functions(path):
        length = (function.end_lineno or 0) - function.lineno + 1
        assert length <= LONGEST_FUNCTION, f"{relative(path)} {function.name}: {length} lines"


@pytest.mark.parametrize("path", TEXTS, ids=relative)
def test_texts_are_finished_and_belong_to_no_machine(path: Path):
    text = path.read_text(encoding="utf-8")
    assert not UNFINISHED.search(text), f"{relative(path)}: {UNFINISHED.search(text)}"
    assert not MACHINE_PATH.search(text), f"{relative(path)}: {MACHINE_PATH.search(text)}"


def test_the_word_check_has_teeth():
    assert UNFINISHED.search("# TODO later")
    assert MACHINE_PATH.search('open("/tmp/x")')
    assert not MACHINE_PATH.search("https://example.org/work/x")
    assert PRIVATE_PAPER.search("see " + "spec" + " Eq. (2.5)")


@pytest.mark.parametrize("path", [*TEXTS, *TESTS], ids=relative)
def test_equations_are_cited_from_papers_everyone_can_read(path: Path):
    found = PRIVATE_PAPER.search(path.read_text(encoding="utf-8"))
    assert not found, f"{relative(path)}: {found}"


def test_every_module_says_what_it_is():
    silent = [
        relative(path)
        for path in SOURCES
        if path.name != "__init__.py" and not path.read_text(encoding="utf-8").startswith('"""')
    ]
    assert not silent


def test_every_room_is_known():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name[0] != "_"}
    known = {
        "core", "geometry", "materials", "environment", "contact", "dynamics", "scenarios",
        "campaign", "results", "view", "cli",
    }  # fmt: skip
    assert rooms <= known
