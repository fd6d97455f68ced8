"""How much of each room landers and nets share: python -m tests.house.sharing [CHECKOUT].

Lines of files that both scenarios reach by imports, over lines of files that either reaches. A file counts
whole if anything in it is imported. The last column is over all lines of the room instead. CHECKOUT is another working copy to count in place of this one.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.house.sources import parsed, walked

ROOMS = (
    "core",
    "geometry",
    "environment",
    "contact",
    "dynamics",
    "materials",
    "results",
    "scenarios",
)
PAIR = ("lander", "net")


@functools.cache
def imported(package: Path, path: Path) -> frozenset[Path]:
    """Files of the package that a file imports directly, at any depth of its code."""
    names = set()
    for node in walked(parsed(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    files = {package.parent.joinpath(*name.split(".")).with_suffix(".py") for name in names}
    return frozenset(file for file in files if file.is_file())


def reached(package: Path, scenario: str) -> set[Path]:
    """Files that a scenario's folder imports, directly or through others, with its own."""
    waiting = sorted((package / "scenarios" / scenario).glob("*.py"))
    found = set(waiting)
    while waiting:
        new = imported(package, waiting.pop()) - found
        found |= new
        waiting += new
    return found


def lines(files: set[Path]) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def sharing(package: Path) -> dict[str, tuple[int, int, int, int, int]]:
    """Room -> files of both, files of either, lines of both, of either, of the room."""
    first, second = (reached(package, name) for name in PAIR)
    rows = {}
    for room in ROOMS:
        here = {file for file in first | second if package / room in file.parents}
        both = here & first & second
        if here:
            whole = lines(set((package / room).rglob("*.py")))
            rows[room] = (len(both), len(here), lines(both), lines(here), whole)
    return rows


def table(package: Path) -> Iterator[str]:
    yield "| room | files of both / either | lines of both / either | share | of the room |"
    yield "|---|---|---|---|---|"
    for room, (files, of_files, count, of_lines, whole) in sharing(package).items():
        share, part = 100.0 * count / of_lines, 100.0 * count / whole
        numbers = f"{files} / {of_files} | {count} / {of_lines} | {share:.0f} % | {part:.0f} %"
        yield f"| {room} | {numbers} |"


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2]
    print("\n".join(table(root / "src" / "haptos")))
