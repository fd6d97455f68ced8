"""Validation failures of pydantic, told as where, found, allowed, try."""

from __future__ import annotations

import re
import typing
from typing import Any

from pydantic import BaseModel, ValidationError

from haptos.core.errors import ConfigError
from haptos.core.units import split_unit

_TYPE = re.compile(r"[\[(]")  # in a part of a path: no key holds one


def as_config_error(error: ValidationError, model: type[BaseModel], where: str) -> ConfigError:
    """The first failure as a ConfigError; how many more there are goes into the hint."""
    details = error.errors(include_url=False)
    # An unknown key explains a missing one (a wrong unit suffix gives both), so it comes first.
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    first, more = details[0], len(details) - 1
    result = _one(first, model, where)
    if more:
        result = ConfigError(
            result.where,
            result.found,
            result.allowed,
            f"{result.hint} ({more} more to mend)".strip(),
        )
    return result


def _one(detail: Any, model: type[BaseModel], where: str) -> ConfigError:
    path = list(detail["loc"])
    owner, keys = _owner(model, path)
    place = f"{where} [{'.'.join(keys[:-1])}]" if len(keys) > 1 else where
    key = keys[-1] if keys else ""
    if detail["type"] == "extra_forbidden":
        return _unknown_key(place, key, owner)
    if detail["type"] == "missing":
        return ConfigError(place, f"no key '{key}'", _described(owner, key), f"add {key} = ...")
    if detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
        tag = str(detail["ctx"]["discriminator"]).strip("'_()")
        place = f"{where} [{'.'.join(keys)}]"
        if detail["type"] == "union_tag_not_found":
            return ConfigError(place, f"no key '{tag}'", _tags(model, keys), f'add {tag} = "..."')
        found = f"{tag} = {detail['ctx']['tag']!r}"
        allowed = detail["ctx"]["expected_tags"].replace("'", "")
        return ConfigError(place, found, allowed, "choose one of these")
    if detail["type"] == "rule":
        place = f"{where} [{'.'.join(keys)}]" if keys else where
        told = detail["ctx"]
        return ConfigError(place, told["found"], told["allowed"], told["hint"])
    found = f"{key} = {_short(detail['input'])}" if key else _short(detail["input"])
    return ConfigError(place, found, _rule(detail), _hint(owner, key))


def _rule(detail: Any) -> str:
    message = str(detail["msg"])
    for prefix in ("Value error, ", "Input should be ", "Assertion failed, "):
        message = message.removeprefix(prefix)
    return message


def _hint(owner: type[BaseModel] | None, key: str) -> str:
    unit = split_unit(key)[1]
    text = _described(owner, key)
    if text != key:
        return f"{key}: {text}"
    return f"give it in {unit}" if unit != "-" else "see `haptos new` for a commented file"


def _described(owner: type[BaseModel] | None, key: str) -> str:
    if owner is not None and key in owner.model_fields and owner.model_fields[key].description:
        return str(owner.model_fields[key].description)
    return key


def _unknown_key(place: str, key: str, owner: type[BaseModel] | None) -> ConfigError:
    known = [] if owner is None else [f.alias or n for n, f in owner.model_fields.items()]
    stems = {name: split_unit(name)[0] for name in known}
    same_quantity = [
        name for name, stem in stems.items() if key == stem or key.startswith(stem + "_")
    ]
    if same_quantity:
        hint = f"rename to '{same_quantity[0]}' and give the value in that unit"
        return ConfigError(place, f"unknown key '{key}'", ", ".join(sorted(known)), hint)
    return ConfigError.unknown_key(place, key, known)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _owner(model: type[BaseModel], path: list[Any]) -> tuple[type[BaseModel] | None, list[str]]:
    """Table class that holds the failing key, and the key's path without union tags."""
    owner: type[BaseModel] | None = model
    keys: list[str] = []
    inner: Any = None
    for part in path:
        if isinstance(part, str) and _TYPE.search(part):
            continue  # which of several types was tried, in the words of the library
        if inner is not None and isinstance(part, str):
            tagged = _member(inner, part)
            if tagged is not None:
                owner, inner = tagged, None
                continue
            tables = list(dict.fromkeys(_members(inner)))
            if len(tables) == 1:  # a table, one that may be left out, or a list of tables
                owner, inner = tables[0], None
        if isinstance(part, int):
            keys[-1] = f"{keys[-1]}[{part}]" if keys else f"[{part}]"
            continue
        keys.append(str(part))
        field = None if owner is None else _field(owner, str(part))
        inner = None if field is None else field.annotation
    return owner, keys


def _field(owner: type[BaseModel], key: str) -> Any:
    for name, field in owner.model_fields.items():
        if key in (name, field.alias):
            return field
    return None


def _members(annotation: Any) -> list[type[BaseModel]]:
    parts = [annotation, *typing.get_args(annotation)]
    inner = [arg for part in parts for arg in typing.get_args(part)]
    return [p for p in [*parts, *inner] if isinstance(p, type) and issubclass(p, BaseModel)]


def _member(annotation: Any, tag: str) -> type[BaseModel] | None:
    for member in _members(annotation):
        for field in member.model_fields.values():
            if tag in typing.get_args(field.annotation):
                return member
    return None


def _tags(model: type[BaseModel], keys: list[str]) -> str:
    field = _field(model, keys[-1]) if keys else None
    tags = (
        []
        if field is None
        else [
            str(tag)
            for member in _members(field.annotation)
            for inner in member.model_fields.values()
            for tag in typing.get_args(inner.annotation)
            if isinstance(tag, str)
        ]
    )
    return ", ".join(dict.fromkeys(tags)) or "a kind"
