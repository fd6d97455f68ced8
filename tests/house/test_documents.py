"""Documents that would be wrong when the code changes: commands, keys, examples, links."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from haptos.campaign.distributions import DISTRIBUTIONS
from haptos.campaign.plan import load_plan
from haptos.campaign.sweeps import SWEEPS
from haptos.cli.builtin import builtin_text
from haptos.core.outcome import Outcome
from haptos.scenarios.files import parse, parse_toml
from haptos.scenarios.registry import scenario as scenario_named
from haptos.scenarios.registry import scenarios
from tests.house.sources import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TOML_BLOCK = re.compile(r"```toml\n(.*?)```", re.DOTALL)


def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("haptos_docs_hooks", ROOT / "docs" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def code_in(text: str) -> str:
    """Fenced blocks and inline code of a page, one piece per line."""
    found = re.findall(r"```\w*\n(.*?)```|`([^`\n]+)`", text, flags=re.DOTALL)
    return "\n".join(block or inline for block, inline in found)


CODE = "\n".join(code_in(page.read_text(encoding="utf-8")) for page in [ROOT / "README.md", *PAGES])


def test_make_targets_named_in_documents_exist():
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, flags=re.MULTILINE))
    named = set(re.findall(r"^make ([a-z]+)", CODE, flags=re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_commands_named_in_documents_exist():
    from haptos.cli.main import app

    known = [*app.registered_commands, *app.registered_groups]
    commands = {command.name for command in known}
    named = set(re.findall(r"^haptos ([a-z]+)\b", CODE, flags=re.MULTILINE))
    assert named <= commands, f"unknown: {sorted(named - commands)}"
    missing = {name for name in commands if f"`haptos {name}" not in README}
    assert not missing, f"README does not name {sorted(missing)}"


def test_tests_named_in_documents_exist():
    tests = ROOT / "tests"
    known = {
        name
        for file in tests.rglob("test_*.py")
        for name in re.findall(r"^\s*def (test_\w+)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    }  # fmt: skip
    named = set(re.findall(r"^(test_\w+)$", CODE, flags=re.MULTILINE))
    assert len(named) > 50
    assert named <= known, f"unknown: {sorted(named - known)}"
    files = set(re.findall(r"^(?:tests/)?(\w[\w/]*/test_\w+\.py)$", CODE, flags=re.MULTILINE))
    assert not [name for name in files if not (tests / name).exists()]


def test_source_files_named_in_documents_exist():
    """Decisions may name what they removed; a word in capitals stands for a name of the reader's own."""
    rooms = (ROOT, ROOT / "src" / "haptos", ROOT / "tests", ROOT / "docs")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
    named = {
        (page.name, name)
        for page in pages
        if page.parent.name != "decisions"
        for name in re.findall(
            r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|toml|bib))`", page.read_text("utf-8")
        )
        if "NAME" not in name
    }
    assert len(named) > 500
    assert not sorted(
        pair for pair in named if not any((room / pair[1]).exists() for room in rooms)
    )


def test_home_page_names_every_preset():
    """A name that begins with a dash follows the name of its scenario."""
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|[^|]*\|([^|]*)\|$", page, flags=re.MULTILINE)
    named = {
        f"{scenario}{name}" if name.startswith("-") else name
        for scenario, cell in rows
        for name in re.findall(r"`([\w-]+)`", cell)
    }
    presets = (ROOT / "src" / "haptos" / "scenarios").glob("*/presets/*.toml")
    assert named == {path.stem for path in presets}


def test_readme_scenario_files_are_valid():
    plane, body, own = TOML_BLOCK.findall(README)
    for text in (plane, body):
        assert parse(parse_toml(text, "README.md"), "README.md").scenario == "lander"
    exchanged = parse_toml(body, "README.md") | parse_toml(own, "README.md")
    assert parse(exchanged, "README.md").surface.shape == "mesh"


def test_world_example_fits_into_a_scenario_file():
    page = (ROOT / "docs" / "scenario-files.md").read_text(encoding="utf-8")
    world = next(text for text in TOML_BLOCK.findall(page) if "[[regions]]" in text)
    whole = parse_toml(TOML_BLOCK.findall(README)[0], "README.md") | parse_toml(world, "page")
    assert parse(whole, "page").regions[0].name == "smooth sea"


def test_campaign_page_example_is_a_valid_campaign(tmp_path: Path):
    page = (ROOT / "docs" / "campaigns.md").read_text(encoding="utf-8")
    shown = TOML_BLOCK.findall(page)[0]
    assert shown == builtin_text("lander-frictions")  # what `haptos new lander-demo` writes
    file = tmp_path / "study.toml"
    file.write_text(shown, encoding="utf-8")
    plan = load_plan(file)
    assert plan.points == 3
    assert plan.config(plan.total - 1).contact.friction == 0.8


def test_campaign_page_names_everything_that_can_vary():
    page = (ROOT / "docs" / "campaigns.md").read_text(encoding="utf-8")
    missing = [kind for kind in (*DISTRIBUTIONS, *SWEEPS) if f'`"{kind}"`' not in page]
    assert not missing


def test_viewer_page_example_is_a_scene():
    import numpy as np
    import xarray

    from haptos.results.scene import Scene

    page = (ROOT / "docs" / "viewer.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "viewer.md", "exec"), names)
    n, k = 5, 4
    motion = xarray.Dataset(
        {
            "r_nodes_N": (("time", "node", "axis"), np.zeros((n, k, 3))),
            "stress": (("time", "node"), np.zeros((n, k))),
            "r_TN_N": (("time", "axis"), np.zeros((n, 3))),
            "quat_NT": (("time", "quaternion"), np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))),
            "tension": (("time",), np.zeros(n)),
        },
        coords={"time": np.arange(float(n))},
    )
    net = xarray.Dataset(
        {"links": (("link", "end"), [[0, 1], [1, 2]]), "bullets": (("bullet",), [0, 3])}
    )
    target = xarray.Dataset(
        {"r_T": (("vertex", "axis"), np.eye(3)), "corners": (("facet", "corner"), [[0, 1, 2]])}
    )
    result = SimpleNamespace(trajectory=motion, tables={"net": net, "target": target})
    assert isinstance(names["scene"](result), Scene)


def test_outcomes_page_names_every_outcome():
    page = (ROOT / "docs" / "errors-and-exit-codes.md").read_text(encoding="utf-8")
    shown = [outcome.label for outcome in Outcome if outcome is not Outcome.RUNNING]
    assert [label for label in shown if f"| {label} |" not in page] == []


@pytest.mark.parametrize("scenario", list(scenarios()))
def test_scenario_page_holds_every_key_with_its_unit(scenario: str):
    page = (ROOT / "docs" / "scenario-files.md").read_text(encoding="utf-8")
    shown = hooks().on_page_markdown(page)
    assert f"<!-- keys: {scenario} -->" in page
    schema = scenario_named(scenario).config_model.model_json_schema(by_alias=True)
    tables = [schema, *schema["$defs"].values()]
    keys = {key for table in tables for key in table.get("properties", {})}
    headings = re.findall(r"^### \[+([\w.]+)\]", shown, flags=re.MULTILINE)
    named = {name.split(".")[-1] for name in headings}
    tables_of_keys = set(schema["properties"]) - {"schema", "scenario", "name", "seed"}
    missing = [key for key in keys - named if f"| `{key}` |" not in shown]
    assert not missing
    assert "| `mass_kg` | kg | required |" in shown
    assert tables_of_keys - set(headings) == set()


def test_nested_tables_are_named_as_a_file_names_them():
    shown = hooks().key_tables("lander")
    for heading in ("[terrain.noise]", '[terrain.rocks] with model = "seeded"', "[[regions]]"):
        assert f"### {heading}\n" in shown
    after = shown.split("### [terrain.noise]")[1].split("###")[0]
    assert "| `longest_m` | m | required |" in after


def test_nav_holds_every_page_once():
    def pages(entry: object) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        inner = entry.values() if isinstance(entry, dict) else entry
        return [page for item in inner for page in pages(item)]

    listed = pages(hooks().nav())
    assert sorted(listed) == sorted(p.relative_to(ROOT / "docs").as_posix() for p in PAGES)


def test_links_between_documents_lead_somewhere():
    dead = []
    for path in [ROOT / "README.md", *PAGES]:
        links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
        local = [link for link in links if "://" not in link]
        dead += [f"{path.name}: {link}" for link in local if not (path.parent / link).exists()]
    assert not dead


@pytest.mark.slow
def test_documentation_builds_strictly(tmp_path: Path):
    pytest.importorskip("mkdocs", reason="the docs extra is not installed: make docs")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stderr
