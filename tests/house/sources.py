"""The files of the project, parsed: what the house rules are read from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "haptos"
SOURCES = sorted(PACKAGE.rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """Room of a source file: the folder below haptos, or the file's own name at the top."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


def decorators(function: ast.FunctionDef) -> set[str]:
    """Bare names of a function's decorators."""
    found = set()
    for node in function.decorator_list:
        target = node.func if isinstance(node, ast.Call) else node
        found.add(target.attr if isinstance(target, ast.Attribute) else ast.unparse(target))
    return found


def defines_device_functions(path: Path) -> bool:
    return any("device" in decorators(function) for function in functions(path))
