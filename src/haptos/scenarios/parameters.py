"""Every parameter of a scenario explained: what it is, and whether it was given or left as usual."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from haptos.core.units import split_unit
from haptos.scenarios.registry import scenarios


@dataclass(frozen=True, slots=True)
class Parameter:
    """One key of a scenario: dotted name, value, whether it is the usual one, what it is."""

    key: str
    value: Any
    is_usual: bool
    meaning: str


def parameters(table: dict[str, Any]) -> list[Parameter]:
    """All keys of a complete scenario table, in its order; [] if its scenario is not known."""
    found = scenarios().get(str(table.get("scenario")))
    return [] if found is None else _of_table(table, found.config_model, "")


def _of_table(table: dict[str, Any], model: type[BaseModel] | None, outer: str) -> list[Parameter]:
    found: list[Parameter] = []
    fields = {} if model is None else {f.alias or n: f for n, f in model.model_fields.items()}
    for key, value in table.items():
        field = fields.get(key)
        if isinstance(value, dict):
            inner = None if field is None else _table_model(field.annotation, value)
            found += _of_table(value, inner, f"{outer}{key}.")
            continue
        words = split_unit(key)[0].replace("_", " ")
        meaning = words if field is None else field.description or words
        usual = None if field is None else field.get_default(call_default_factory=True)
        is_usual = field is not None and not field.is_required() and _plain(usual) == value
        found.append(Parameter(f"{outer}{key}", value, is_usual, meaning))
    return found


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def _table_model(annotation: Any, table: dict[str, Any]) -> type[BaseModel] | None:
    """The table class that a table is of: the one whose fixed words are those of the table."""
    return next((model for model in _models(annotation) if _fits(model, table)), None)


def _fits(model: type[BaseModel], table: dict[str, Any]) -> bool:
    for name, field in model.model_fields.items():
        words = typing.get_args(field.annotation)
        if (
            typing.get_origin(field.annotation) is Literal
            and table.get(name, words[0]) not in words
        ):
            return False
    return set(table) <= {field.alias or name for name, field in model.model_fields.items()}


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in typing.get_args(annotation) for model in _models(part)]
