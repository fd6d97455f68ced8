"""No name of a scenario outside its folder: what is shared asks the record `Scenario`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from haptos.scenarios.registry import BUILT_IN
from tests.house.sources import PACKAGE, SOURCES, parsed, text, walked

NAMES = {package.rpartition(".")[2] for package in BUILT_IN}
WORDS = re.compile(rf"\b(?:{'|'.join(sorted(NAMES))})s?\b")
PHYSICS = ("contact", "core", "dynamics", "environment", "geometry", "materials")
# Files that may hold a name, and why.
ALLOWED = {
    "scenarios/registry.py": "lists the built-in scenarios",
    "core/outcome.py": "codes and sentences of all outcomes stand in one list that is only added to",
    "__init__.py": "the first example in the help of the package",
    "contact/sets/polygons_pair.py": "foundation: the elastic foundation of Winkler, which is the law",
    "scenarios/worlds/config_foundation.py": "foundation: keys of the same law, for every scenario that takes it",
    "cli/body_speeds.py": "liftoff: the physics dynamics/liftoff, not the scenario that maps it",
    "core/frames.py": "letters of all frames stand in one list",
    "geometry/nets": "shapes of nets: the thing, of which the scenario makes a file and a run",
    "dynamics/nets": "laws of nets: shots, opening, capture, tow",
    "dynamics/cable/tether_reel.py": "net: the power that is left",
    "dynamics/march/error_control.py": "a refusal that says which nets the scheme takes",
    "dynamics/cable": "tethers: the thing, of which the scenario makes a file and a run",
    "cli/size.py": "haptos size tether: closed forms, no scenario",
    "view/size_plots.py": "curves of `haptos size tether`",
    "scenarios/line_results.py": "tables of any run of dynamics/cable/tether.py",
    "dynamics/liftoff": "liftoff: the law after which the folder and the scenario are named",
}
SYSTEM_FILES = "scenarios/system_"  # their comments may name what they are used for


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def own_folder(path: Path) -> bool:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] == "scenarios" and parts[1] in NAMES


def strings(module: ast.Module) -> str:
    """Texts of a module that act: all but its docstrings."""
    quiet = set()
    for node in walked(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            quiet.add(node.value)
    nodes = [node for node in walked(module) if isinstance(node, ast.Constant)]
    return "\n".join(str(n.value) for n in nodes if isinstance(n.value, str) and n not in quiet)


def identifiers(module: ast.Module) -> str:
    found = [node.id for node in walked(module) if isinstance(node, ast.Name)]
    found += [node.attr for node in walked(module) if isinstance(node, ast.Attribute)]
    found += [node.arg for node in walked(module) if isinstance(node, ast.arg)]
    return "\n".join(found)


def imported(module: ast.Module) -> set[str]:
    """Scenarios whose package a module imports."""
    modules = [n.module for n in walked(module) if isinstance(n, ast.ImportFrom) and n.module]
    modules += [a.name for n in walked(module) if isinstance(n, ast.Import) for a in n.names]
    parts = [name.split(".") for name in modules]
    return {one[2] for one in parts if one[:2] == ["haptos", "scenarios"] and len(one) > 2} & NAMES


def named(source: str, where: str) -> set[str]:
    """Names of scenarios in a file: anywhere, or in rooms of physics outside prose about the field."""
    module = parsed(source)
    is_physics = where.startswith(PHYSICS)
    names = identifiers(module)
    read = f"{strings(module)}\n{names}" if is_physics else source
    if where.startswith(SYSTEM_FILES):
        read = f"{strings(module)}\n{names}\n{ast.get_docstring(module)}"
    return {match.group(0) for match in WORDS.finditer(read)} | imported(module)


def test_no_scenario_is_named_outside_its_folder():
    wrong = {
        place(path): found
        for path in SOURCES
        if not own_folder(path) and not place(path).startswith(tuple(ALLOWED))
        if (found := named(text(path), place(path)))
    }
    assert not wrong


def test_every_exception_is_still_one():
    stale = [
        start
        for start in ALLOWED
        if not any(WORDS.search(text(path)) for path in SOURCES if place(path).startswith(start))
    ]
    assert not stale


def test_the_check_sees_names():
    assert named('NAMES = ("lander", "x")', "view/report.py") == {"lander"}
    assert named('"""Figures of nets."""', "campaign/plan.py") == {"nets"}
    assert named('"""Threads of nets."""', "materials/threads.py") == set()
    assert named("if kind == 'net': pass", "dynamics/system.py") == {"net"}
    assert named("def f(net): return net.points", "dynamics/system.py") == {"net"}
    assert named("from haptos.scenarios.lander.config import Config", "contact/x.py") == {"lander"}
