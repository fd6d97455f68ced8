"""Every law has a test, a page, a range of validity and a source; untyped functions are kernels."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from haptos.core.citations import BIBLIOGRAPHY
from tests.house.sources import (
    PACKAGE,
    ROOT,
    SOURCES,
    decorators,
    defines_device_functions,
    docstrings,
    finished,
    functions,
    imports,
    relative,
    room,
)

LAW_ROOMS = {"contact", "environment", "dynamics", "materials"}
CHOICES = {
    "gravity.py",
    "surface.py",
    "normal.py",
    "normal_choice.py",
}  # choose between laws and state none
# Folders whose files put laws together and state none -> the page that says how, with limits, tests and sources.
PUT_TOGETHER = {"dynamics/touching": "body-on-ground.md"}
KEY = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\]")


def folder(path: Path) -> str:
    """Folder of a source below haptos: dynamics/rigid."""
    return path.parent.relative_to(PACKAGE).as_posix()


def is_law(path: Path) -> bool:
    """A file of physics: contact laws, and kernels of the rooms of physics and of distance."""
    if path not in finished() or path.name in CHOICES or path.name == "__init__.py":
        return False
    if folder(path) in PUT_TOGETHER:
        return False
    if room(path) == "contact":
        return True
    is_distance = room(path) == "geometry" and path.stem.startswith("distance_")
    return (room(path) in LAW_ROOMS or is_distance) and defines_device_functions(path)


LAWS = [path for path in SOURCES if is_law(path)]
PAGES = [page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "models").rglob("*.md")]


def head_of(path: Path) -> Path:
    """The file that states the law: gravity_polyhedron_sweep.py is a part of gravity_polyhedron.py."""
    whole = [law for law in path.parent.glob("*.py") if path.stem.startswith(f"{law.stem}_")]
    heads = [law for law in whole if law.name not in CHOICES]
    return min(heads, key=lambda law: len(law.stem), default=path)


def has_test(stem: str, in_room: str) -> bool:
    return (ROOT / "tests" / in_room / f"test_{stem}.py").is_file()


def has_page(stem: str, in_room: str) -> bool:
    return any(f"`{in_room}/{stem}.py`" in page for page in PAGES)


def states(text: str, word: str) -> bool:
    return re.search(rf"\b{word}\b\s*:", text) is not None


def test_every_law_has_a_test_file_of_its_name():
    untested = [
        relative(path)
        for path in LAWS
        if not any(has_test(law.stem, folder(path)) for law in (path, head_of(path)))
    ]
    assert not untested


def test_every_law_has_a_page_that_names_its_file():
    assert not [relative(path) for path in LAWS if not has_page(path.stem, folder(path))]


@pytest.mark.parametrize("word", ["Validity", "Source"])
def test_every_law_says_where_it_holds_and_where_it_comes_from(word: str):
    silent = [
        relative(path)
        for path in LAWS
        if not states(docstrings(path) + docstrings(head_of(path)), word)
    ]
    assert not silent, f"no line '{word}: ...'"


@pytest.mark.parametrize("name", PUT_TOGETHER)
def test_files_that_put_laws_together_are_on_their_page_with_limits_tests_and_sources(name: str):
    page = (ROOT / "docs" / "models" / PUT_TOGETHER[name]).read_text(encoding="utf-8")
    files = [path for path in SOURCES if folder(path) == name and path.name != "__init__.py"]
    assert not [relative(path) for path in files if f"`{name}/{path.name}`" not in page]
    assert {"## Assumptions and limits", "## Evidence", "## Sources"} <= set(page.splitlines())
    tests = re.findall(r"`(tests/[^`]+)`", page)
    assert tests
    assert not [test for test in tests if not (ROOT / test).is_file()]


def test_a_law_nobody_wrote_is_missed():
    assert has_test("coulomb", "contact")
    assert has_page("coulomb", "contact")
    assert not has_test("coulomb", "dynamics")
    assert not has_page("law_of_nobody", "contact")
    assert states("Source: elementary.", "Source")
    assert not states("The sources are lost.", "Source")


def under_scenarios() -> set[Path]:
    """Every source that some scenario imports, directly or through others."""
    found: set[Path] = set()
    waiting = [path for path in SOURCES if room(path) == "scenarios"]
    while waiting:
        new = imports(waiting.pop()) - found
        found |= new
        waiting += new
    return found


def test_laws_of_scenarios_list_exactly_the_sources_they_name():
    for path in sorted(under_scenarios() & set(LAWS)):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        keys = importlib.import_module(name).CITES
        assert set(keys) == set(KEY.findall(docstrings(path))), relative(path)
        assert set(keys) <= set(BIBLIOGRAPHY), relative(path)


COMPILED = {
    "device", "lookup", "routine", "reduction", "entry", "uncounted_entry", "viewing", "separately_compiled",
}  # of compiled functions  # fmt: skip


def is_typed(function: ast.FunctionDef) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    named = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return function.returns is not None and all(argument.annotation for argument in named)


def test_only_compiled_functions_go_without_types():
    untyped = [
        f"{relative(path)} {function.name}"
        for path in SOURCES
        for function in functions(path)
        if not is_typed(function) and not decorators(function) & COMPILED
    ]
    assert not untyped
