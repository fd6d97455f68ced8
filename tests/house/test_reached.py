"""Modules that nothing but tests imports: each is a way in, or is kept for a reason."""

from __future__ import annotations

from pathlib import Path

from haptos.scenarios.registry import scenarios
from tests.house.sharing import reached, sharing
from tests.house.sources import PACKAGE, SOURCES, imports, text

# Named by users in Python or by tests alone, and why they stay.
KEPT = {
    "dynamics/control/input_shapers.py": "for controllers of the user's own, docs/models/guidance.md",
    "dynamics/control/sampled_estimates.py": "for controllers of the user's own, docs/models/guidance.md",
    "dynamics/control/tracking.py": "for controllers of the user's own, docs/models/guidance.md",
    "contact/sticky.py": 'the spring whose stiff limit `model = "sticky"` of a net is; a validation row compares both',
    "dynamics/nets/parabolic_shot.py": "closed form that validation rows of nets in parabolic flight compare with",
    "dynamics/nets/tow_model.py": "validation rows compare nets with it, and the tow of tethers will be",
    "materials/shape_memory_cycle.py": "Python tool, docs/models/shape-memory.md",
    "planning/first_impact.py": "planning tool, docs/planning.md",
    "planning/release_design.py": "planning tool, docs/planning.md",
    "planning/release_files.py": "planning tool, docs/planning.md",
    "planning/site_ranking.py": "planning tool, docs/planning.md",
    "view/chromium.py": "a browser for the tests of the viewer, and for `make gallery`",
}
TOOLS = ("scenarios/system_run.py", "scenarios/system_view.py")  # of scenarios from outside
STARTS = ("__init__.py", "__main__.py")  # the package, its program


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def parts() -> set[Path]:
    """Files of the parts that the records of scenarios name."""
    found = set()
    for one in scenarios().values():
        folder = PACKAGE.joinpath(*one.package.split(".")[1:])
        record = text(folder / "__init__.py")
        found |= {path for path in folder.glob("*.py") if f'"{path.stem}.' in record}
    return found


def imported_by_none() -> set[str]:
    """Sources that no other source imports and no scenario names as a part."""
    used = {file for path in SOURCES for file in imports(path) if file != path} | parts()
    alone = {path for path in SOURCES if path not in used and text(path)}
    return {name(path) for path in alone if path.name not in STARTS}


def test_what_nothing_imports_is_kept_for_a_reason():
    alone = imported_by_none()
    assert not alone - {*KEPT, *TOOLS}, "use it, remove it, or say why it stays"
    assert not set(KEPT) - alone, "imported by now: no reason needed"


def test_planning_tools_are_in_their_page():
    page = (PACKAGE.parents[1] / "docs" / "planning.md").read_text(encoding="utf-8")
    tools = [path for path in SOURCES if path.parent.name == "planning" and text(path)]
    unknown = [
        name(path)
        for path in tools
        if f"planning.{path.stem}" not in page and f"planning/{path.stem}.py" not in page
    ]
    assert tools
    assert not unknown


def test_sharing_counts_what_two_scenarios_reach():
    both = reached(PACKAGE, "lander") & reached(PACKAGE, "net")
    assert PACKAGE / "contact" / "coulomb.py" in both
    assert PACKAGE / "geometry" / "nets" / "net_mesh.py" not in both
    rows = sharing(PACKAGE)
    assert all(files <= most and count <= of <= whole for files, most, count, of, whole in rows.values())  # fmt: skip
    assert rows["environment"][2] == sum(
        len(text(path).splitlines()) for path in both if PACKAGE / "environment" in path.parents
    )
