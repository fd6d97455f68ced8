"""Rooms import downwards only, and importing haptos stays cheap."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator

from haptos.scenarios.registry import BUILT_IN
from tests.house.sources import PACKAGE, ROOT, SOURCES, relative, room, tree, walked

PHYSICS = {"core", "geometry", "materials", "environment", "contact", "dynamics"}
ALLOWED = {
    "core": {"core"},
    "geometry": {"core", "geometry"},
    "materials": {"core", "materials"},
    "environment": {"core", "geometry", "materials", "environment"},
    "contact": {"core", "geometry", "materials", "contact"},
    "dynamics": PHYSICS,
    "results": {"core", "results"},
    "scenarios": PHYSICS | {"results", "scenarios"},
    "campaign": PHYSICS | {"results", "scenarios", "campaign"},
    "planning": PHYSICS | {"results", "scenarios", "campaign", "planning"},
    "view": {"core", "geometry", "results", "view"},
    "viewers": {"core", "results", "scenarios", "campaign", "view"},
    "reports": {"core", "results", "scenarios", "campaign", "view", "viewers", "haptos"},
    "face": {"core", "results", "scenarios", "campaign", "view", "reports", "haptos"},
    "cli": PHYSICS
    | {"results", "scenarios", "campaign", "view", "reports", "viewers", "face", "cli", "haptos"},
    "__main__": {"cli"},
}


def imported_rooms(module: ast.Module) -> Iterator[str]:
    """Rooms of haptos a module imports anywhere, inside functions too."""
    for node in walked(module):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            whole = node.module == "haptos"
            names = [f"haptos.{alias.name}" for alias in node.names] if whole else [node.module]
        else:
            continue
        for name in names:
            first, _, rest = name.partition(".")
            if first == "haptos":
                yield rest.partition(".")[0] or "haptos"


def test_rooms_import_only_what_lies_below_them():
    wrong = {}
    for path in SOURCES:
        if room(path) != "__init__":  # the public list reaches every room, lazily
            wrong[relative(path)] = set(imported_rooms(tree(path))) - ALLOWED[room(path)]
    assert not {name: rooms for name, rooms in wrong.items() if rooms}


def rooms_in_page(page: str) -> dict[str, set[str]]:
    """Room -> rooms it may import, as the first table of docs/life-of-a-run.md has it."""
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", page, flags=re.MULTILINE)
    found = {name: set(cell.strip().split(", ")) for name, cell in rows}
    for cell in found.values():
        cell -= {"nothing of ours"}
        if "physics" in cell:
            cell |= PHYSICS
            cell -= {"physics"}
    return found


LIFE = (ROOT / "docs" / "life-of-a-run.md").read_text(encoding="utf-8")


def test_the_page_shows_what_rooms_may_import():
    shown = rooms_in_page(LIFE)
    allowed = {name: rooms - {name, "haptos"} for name, rooms in ALLOWED.items()}
    del allowed["__main__"]
    assert shown == allowed


def test_the_page_names_every_room_inside_a_room():
    firsts = re.findall(r"^\| ([^|]+) \|", LIFE, flags=re.MULTILINE)
    shown = set(re.findall(r"`(\w+/\w+)`", "\n".join(firsts)))
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in SOURCES}
    assert shown == {name for name in folders if name.count("/") == 1}


def test_the_page_is_noticed_where_it_is_wrong():
    wrong = LIFE.replace("| figures and pages | core, ", "| figures and pages | ")
    assert rooms_in_page(wrong)["view"] != rooms_in_page(LIFE)["view"]


def test_the_check_sees_an_arrow_the_wrong_way():
    module = ast.parse("def f():\n    from haptos.cli.run import run\n")
    assert set(imported_rooms(module)) - ALLOWED["contact"] == {"cli"}


def imported_siblings(module: ast.Module, own: str) -> set[str]:
    """Packages of other scenarios that a module of the scenario package `own` imports anywhere."""
    names = [
        name
        for node in walked(module)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            if isinstance(node, ast.ImportFrom) and node.module
            else []
        )
    ]
    others = set(BUILT_IN) - {own}
    return {other for other in others for name in names if f"{name}.".startswith(f"{other}.")}


def test_no_scenario_imports_its_sibling():
    wrong = {}
    for package in BUILT_IN:
        folder = PACKAGE.joinpath(*package.split(".")[1:])
        files = [path for path in SOURCES if folder in path.parents]
        assert files, package
        wrong |= {relative(path): imported_siblings(tree(path), package) for path in files}
    shared = [path for path in SOURCES if path.parent.name in ("scenarios", "worlds")]
    wrong |= {relative(path): imported_siblings(tree(path), "") for path in shared}
    assert not {name: found for name, found in wrong.items() if found}


def test_the_check_sees_a_sibling():
    module = ast.parse("from haptos.scenarios.lander.config import Config\n")
    assert imported_siblings(module, "haptos.scenarios.net") == {"haptos.scenarios.lander"}
    assert not imported_siblings(module, "haptos.scenarios.lander")


def test_no_relative_imports():
    relative_imports = [
        relative(path)
        for path in SOURCES
        for node in walked(tree(path))
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    assert not relative_imports


def modules_after(code: str) -> set[str]:
    report = f"{code}; import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True, timeout=120
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


HEAVY = {
    "numba", "numpy", "scipy", "pydantic", "xarray", "pandas", "pyarrow", "matplotlib", "trimesh",
    "h5py", "dask", "typer", "rich",
}  # fmt: skip


def test_importing_haptos_loads_nothing_heavy():
    assert not HEAVY & modules_after("import haptos; haptos.__version__; dir(haptos)")


def test_importing_the_command_line_compiles_nothing():
    loaded = modules_after("import haptos.cli.main")
    assert not {"numba", "xarray", "pandas", "pyarrow", "matplotlib", "dask"} & loaded
