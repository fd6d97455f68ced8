"""One name, one thing: a class or a named tuple has a name that no other has."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.sources import PACKAGE, SOURCES, relative, tree, walked

# Names of the contract of scenarios, one in every folder: the file, what is built of it, its table [run].
CONTRACT = {"Config", "Model", "Run"}


def names_of(module: ast.Module) -> list[str]:
    """Classes and named tuples that a file makes, nested ones too."""
    found = [node.name for node in walked(module) if isinstance(node, ast.ClassDef)]
    for node in walked(module):
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Call) and ast.unparse(value.func).endswith("namedtuple"):
            found += [ast.unparse(target) for target in node.targets]
    return found


def used_twice(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Name -> files, of names that stand for more than one thing; the contract's in several folders are one."""
    places = defaultdict(list)
    for file, module in modules.items():
        for name in names_of(module):
            places[name].append(file)
    for name in CONTRACT:
        folders = [Path(file).parent for file in places[name]]
        scenarios = all(folder.parent.name == "scenarios" for folder in folders)
        if scenarios and len(set(folders)) == len(folders):
            del places[name]
    return {name: files for name, files in places.items() if len(files) > 1}


def test_each_class_name_means_one_thing():
    assert used_twice({relative(path): tree(path) for path in SOURCES}) == {}


def test_the_check_sees_a_second_class_and_a_second_contract_in_one_folder():
    one, tuples = ast.parse("class Line: pass"), ast.parse("Line = namedtuple('Line', 'x')")
    assert used_twice({"a.py": one, "b.py": tuples}) == {"Line": ["a.py", "b.py"]}
    run = ast.parse("class Run: pass")
    folder = relative(PACKAGE / "scenarios")
    assert used_twice({f"{folder}/net/a.py": run, f"{folder}/lander/a.py": run}) == {}
    assert "Run" in used_twice({f"{folder}/net/a.py": run, f"{folder}/net/b.py": run})
    assert "Run" in used_twice({f"{folder}/net/a.py": run, "src/haptos/core/b.py": run})
