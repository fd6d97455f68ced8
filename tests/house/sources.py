"""The files of the project, parsed: what the house rules are read from."""

from __future__ import annotations

import ast
import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "haptos"
SOURCES = sorted(PACKAGE.rglob("*.py"))
KNOWN = frozenset(SOURCES)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room(path: Path) -> str:
    """Room of a source file: the folder below haptos, or the file's own name at the top."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@functools.cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def parsed(source: str) -> ast.Module:
    """The tree of a text; several rules ask for that of every file."""
    return ast.parse(source)


@functools.cache
def walked(module: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree: walking through the package takes longer than parsing it."""
    return tuple(ast.walk(module))


def tree(path: Path) -> ast.Module:
    return parsed(text(path))


@functools.cache
def functions(path: Path) -> tuple[ast.FunctionDef, ...]:
    return tuple(node for node in walked(tree(path)) if isinstance(node, ast.FunctionDef))


def decorators(function: ast.FunctionDef) -> set[str]:
    """Bare names of a function's decorators."""
    found = set()
    for node in function.decorator_list:
        target = node.func if isinstance(node, ast.Call) else node
        found.add(target.attr if isinstance(target, ast.Attribute) else ast.unparse(target))
    return found


def defines_device_functions(path: Path) -> bool:
    return any("device" in decorators(function) for function in functions(path))


@functools.cache
def docstrings(path: Path) -> str:
    """Docstrings of a module and its functions and classes, joined."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in walked(tree(path)) if isinstance(node, kinds)]
    return "\n".join(ast.get_docstring(node) or "" for node in nodes)


@functools.cache
def finished() -> frozenset[Path]:
    """Sources that git tracks, so that a file being written is not judged; all without git."""
    command = ["git", "ls-files", "-z", "src/haptos"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return frozenset(SOURCES)
    tracked = {ROOT / name for name in done.stdout.split("\0") if name}
    return frozenset(path for path in SOURCES if path in tracked) or frozenset(SOURCES)


@functools.cache
def imports(path: Path) -> set[Path]:
    """Files of the package that a source imports directly."""
    names = set()
    for node in walked(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    files = {PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py") for name in names}
    return {file for file in files if file in KNOWN}
