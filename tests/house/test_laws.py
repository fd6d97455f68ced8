"""Every law has a test and a page; functions without types are kernels."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.sources import (
    ROOT,
    SOURCES,
    decorators,
    defines_device_functions,
    functions,
    relative,
    room,
)

LAW_ROOMS = {"contact", "environment", "geometry", "dynamics", "materials"}
LAWS = [path for path in SOURCES if room(path) in LAW_ROOMS and defines_device_functions(path)]
TESTS = [path for path in (ROOT / "tests").rglob("test_*.py") if path.parent.name != "house"]
PAGES = list((ROOT / "docs" / "models").rglob("*.md"))


def mentioned(stem: str, paths: list[Path]) -> bool:
    """Whether a file's name or text has the words of `stem`, however they are joined."""
    words = stem.split("_")
    forms = {joint.join(words) for joint in ("_", "-", " ")}
    return any(
        form in f"{path.stem}\n{path.read_text(encoding='utf-8')}".lower()
        for path in paths
        for form in forms
    )


@pytest.mark.parametrize("path", LAWS, ids=relative)
def test_every_law_has_a_test_file_that_mentions_it(path: Path):
    found = mentioned(path.stem, TESTS)
    assert found, f"no test mentions {path.stem}"


@pytest.mark.parametrize("path", LAWS, ids=relative)
def test_every_law_has_a_page_in_docs_models(path: Path):
    found = mentioned(path.stem, PAGES)
    assert found, f"no page in docs/models mentions {path.stem}"


def test_a_law_nobody_wrote_is_missed():
    assert not mentioned("law_of_nobody_at_all", TESTS)


def is_typed(function: ast.FunctionDef) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    named = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    return function.returns is not None and all(argument.annotation for argument in named)


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_only_compiled_functions_go_without_types(path: Path):
    untyped = [
        function.name
        for function in functions(path)
        if not is_typed(function) and not decorators(function) & {"device", "routine", "entry"}
    ]
    assert not untyped, f"{relative(path)}: {untyped}"
