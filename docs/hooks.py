"""MkDocs hooks: a nav that holds every page there is, and key tables read from the models."""

from __future__ import annotations

import json
import re
import typing
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

DOCS = Path(__file__).parent
FIRST = [
    "index.md",
    "start-here.md",
    "conventions.md",
    "life-of-a-run.md",
    "scenario-files.md",
    "campaigns.md",
    "studies.md",
    "planning.md",
    "viewer.md",
    "errors-and-exit-codes.md",
]
LAST = ["api.md", "known-issues.md"]
KEY_TABLES = re.compile(r"<!-- keys: ([\w-]+) -->")
MODEL_LIST = "<!-- models -->"

# Groups of model pages, by the folder of the first source a page names; the longest that fits.
GROUPS = {
    "geometry": "Shapes, distances, terrain",
    "materials": "Materials",
    "environment": "Gravity, air, light, orbits",
    "contact": "Contact laws and impacts",
    "dynamics/rigid": "Rigid and joined bodies",
    "dynamics/flexible": "Rigid and joined bodies",
    "dynamics/joined": "Rigid and joined bodies",
    "dynamics/touching": "Rigid and joined bodies",
    "dynamics/cable": "Cables and tethers",
    "dynamics/nets": "Nets",
    "dynamics/contacts": "Nets",
    "geometry/nets": "Nets",
    "dynamics": "Nets",
    "dynamics/march": "Integration, ledger, checks of trust",
    "dynamics/ledger": "Integration, ledger, checks of trust",
    "dynamics/guard": "Integration, ledger, checks of trust",
    "results": "Integration, ledger, checks of trust",
    "dynamics/sensing": "Sensors and control",
    "dynamics/control": "Sensors and control",
    "dynamics/liftoff": "Lift-off and planning",
    "planning": "Lift-off and planning",
    "campaign": "Statistics of campaigns",
    "core": "Statistics of campaigns",
}
REST = "Whole scenarios"
NAMED_SOURCE = re.compile(r"`((?:\w+/)+)\w+\.py`")


def on_config(config: Any) -> Any:
    """Nav: the guide in reading order, then whatever is in the folders, then the rest."""
    config["nav"] = nav()
    return config


def nav() -> list[Any]:
    """Every page of docs/, each once."""
    folders = sorted(path for path in DOCS.iterdir() if path.is_dir())
    sections = [
        {folder.name.replace("-", " ").capitalize(): pages}
        for folder in folders
        if (pages := _grouped() if folder.name == "models" else _pages(folder))
    ]
    named = {*FIRST, *LAST}
    rest = sorted(page.name for page in DOCS.glob("*.md") if page.name not in named)
    return [*FIRST, *rest, *sections, *LAST]


def _pages(folder: Path) -> list[str]:
    return [page.relative_to(DOCS).as_posix() for page in sorted(folder.rglob("*.md"))]


def _grouped() -> list[Any]:
    """The index of models, then their pages by group."""
    groups = [
        {group: [f"models/{page.name}" for page in pages]} for group, pages in models().items()
    ]
    return ["models/index.md", *groups]


def models() -> dict[str, list[Path]]:
    """Pages of models, by group."""
    groups: dict[str, list[Path]] = {name: [] for name in dict.fromkeys([*GROUPS.values(), REST])}
    for page in sorted((DOCS / "models").glob("*.md")):
        if page.name != "index.md":
            groups[group_of(page.read_text(encoding="utf-8"))].append(page)
    return groups


def group_of(text: str) -> str:
    """Group of a model page: where the first source it names lies."""
    named = [source for source in NAMED_SOURCE.findall(text) if source.split("/")[0] != "tests"]
    fitting = [start for start in GROUPS if named and named[0].startswith(start)]
    return GROUPS[max(fitting, key=len)] if fitting else REST


def model_list() -> str:
    """Every model page by group, with its title."""
    blocks = []
    for group, pages in models().items():
        titles = [page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") for page in pages]
        links = [f"- [{title}]({page.name})" for title, page in zip(titles, pages, strict=True)]
        blocks.append("\n".join([f"## {group}", "", *links]))
    return "\n\n".join(blocks)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put key tables and the list of models where a page asks for them."""
    if MODEL_LIST in markdown:
        markdown = markdown.replace(MODEL_LIST, model_list())
    return KEY_TABLES.sub(lambda match: key_tables(match[1]), markdown)


def key_tables(scenario: str) -> str:
    """Every table and key of a scenario's files, from the models that check them."""
    from haptos.campaign.settings import Settings
    from haptos.scenarios.registry import scenario as scenario_named

    if scenario == "campaign":
        return _table(Settings)
    model = scenario_named(scenario).config_model
    return "\n\n".join(["### Top of the file\n\n" + _table(model), *_sections(model)])


def _sections(model: type[BaseModel], outer: str = "") -> list[str]:
    """One block per table within a table, each followed by the tables within it."""
    blocks = []
    for key, field in model.model_fields.items():
        name = outer + key
        members = _members(field.annotation)
        for member in members:
            shown = f"[{name}]" if _is_list(field.annotation) else name
            blocks.append(
                f"### [{shown}]{_choice(member) if members[1:] else ''}\n\n{_table(member)}"
            )
            blocks += _sections(member, f"{name}.")
    return blocks


def _is_list(annotation: Any) -> bool:
    """Whether a key holds any number of tables, written [[key]]."""
    if typing.get_origin(annotation) is tuple:
        return True
    return any(_is_list(part) for part in typing.get_args(annotation))


def _choice(model: type[BaseModel]) -> str:
    """Which of several tables with one name this is."""
    return next(
        (
            f" with {key} = {' or '.join(json.dumps(value) for value in choices)}"
            for key, field in model.model_fields.items()
            if (choices := typing.get_args(field.annotation))
            and key in ("shape", "model", "kind", "law")
        ),
        "",
    )


def _table(model: type[BaseModel]) -> str:
    rows = ["| key | unit | default | what it is |", "|---|---|---|---|"]
    for name, field in model.model_fields.items():
        if not _members(field.annotation):
            rows.append(_row(field.alias or name, field))
    return "\n".join(rows) if len(rows) > 2 else "Holds the tables below."


def _row(key: str, field: Any) -> str:
    from haptos.core.units import split_unit

    text = (field.description or "").replace("|", "\\|")
    default = field.get_default(call_default_factory=True)
    shown = "required" if default is PydanticUndefined else _shown(default)
    return f"| `{key}` | {split_unit(key)[1]} | {shown} | {text or split_unit(key)[0].replace('_', ' ')} |"


def _shown(default: Any) -> str:
    if default is None:
        return "left out"
    if isinstance(default, tuple):
        return f"`[{', '.join(map(str, default))}]`"
    return '`""`' if default == "" else f"`{default}`"


def _members(annotation: Any) -> list[type[BaseModel]]:
    """Table classes an annotation can hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [member for part in typing.get_args(annotation) for member in _members(part)]
