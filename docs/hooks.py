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
        if (pages := [page.relative_to(DOCS).as_posix() for page in sorted(folder.rglob("*.md"))])
    ]
    named = {*FIRST, *LAST}
    rest = sorted(page.name for page in DOCS.glob("*.md") if page.name not in named)
    return [*FIRST, *rest, *sections, *LAST]


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put key tables where a page asks for them."""
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
