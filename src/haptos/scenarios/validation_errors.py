"""Validation failures of pydantic, as where, found, allowed, try."""

from __future__ import annotations

import difflib
import json
import re
import typing
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from haptos.core.errors import ConfigError
from haptos.core.name_lists import listed
from haptos.core.units import split_unit
from haptos.scenarios.validation_words import list_words, rule_words

SLIP, ALIKE, SIMILAR = (
    0.9,
    0.75,
    0.5,
)  # [-] of letters that two keys share: a letter off, a few, a guess
DEEPEST_GUESS = 3  # tables within tables that are searched for a key
_TYPE = re.compile(r"[\[(]")  # in a part of a path: no key holds one


def as_config_error(error: ValidationError, model: type[BaseModel], where: str) -> ConfigError:
    """The first failure as a ConfigError; how many more there are goes into the hint."""
    details = error.errors(include_url=False)
    # An unknown key explains a missing one (a wrong unit suffix gives both), so it comes first.
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    first, more = details[0], len(details) - 1
    result = _one(first, model, where)
    hint = _missing_here(first, details[1:])
    if hint and not result.hint.startswith("rename"):
        result = ConfigError(result.where, result.found, result.allowed, hint)
    if more:
        result = ConfigError(
            result.where,
            result.found,
            result.allowed,
            f"{result.hint} ({more} more to fix)".strip(),
        )
    return result


def _missing_here(unknown: Any, others: list[Any]) -> str:
    """The one key that the table of an unknown key lacks, if it has the same unit."""
    if unknown["type"] != "extra_forbidden":
        return ""
    *table, key = unknown["loc"]
    unit = split_unit(str(key))[1]
    lacking = [
        str(other["loc"][-1])
        for other in others
        if other["type"] == "missing" and list(other["loc"][:-1]) == table
    ]
    alike = [name for name in lacking if split_unit(name)[1] == unit != "-"]
    return f"rename to '{alike[0]}', which is missing here" if len(alike) == 1 else ""


def _one(detail: Any, model: type[BaseModel], where: str) -> ConfigError:
    path = list(detail["loc"])
    owner, keys = _owner(model, path)
    place = f"{where} [{'.'.join(keys[:-1])}]" if len(keys) > 1 else where
    key = keys[-1] if keys else ""
    if detail["type"] == "extra_forbidden":
        family = _family(model, path)
        return unknown_key(place, key, ".".join(keys[:-1]), owner, family, model)
    counted = _wrong_count(detail, owner, key)
    if counted is not None:
        bare = key.split("[")[0]
        return ConfigError(place, *counted, _hint(owner, bare))
    if detail["type"] == "missing":
        return ConfigError(place, f"no key '{key}'", _described(owner, key), f"add {key} = ...")
    if detail["type"] in ("union_tag_invalid", "union_tag_not_found"):
        tag = str(detail["ctx"]["discriminator"]).strip("'_()")
        place = f"{where} [{'.'.join(keys)}]"
        if detail["type"] == "union_tag_not_found":
            return ConfigError(place, f"no key '{tag}'", _tags(model, keys), f'add {tag} = "..."')
        found = f"{tag} = {detail['ctx']['tag']!r}"
        allowed = detail["ctx"]["expected_tags"].replace("'", "")
        close = difflib.get_close_matches(str(detail["ctx"]["tag"]), allowed.split(", "), n=1)
        hint = f"did you mean '{close[0]}'?" if close else "choose one of these"
        return ConfigError(place, found, allowed, hint)
    if detail["type"] == "rule":
        place = f"{where} [{'.'.join(keys)}]" if keys else where
        context = detail["ctx"]
        return ConfigError(place, context["found"], context["allowed"], context["hint"])
    found = f"{key} = {_short(detail['input'])}" if key else _short(detail["input"])
    return ConfigError(place, found, rule_words(str(detail["msg"])), _hint(owner, key))


def _wrong_count(detail: Any, owner: type[BaseModel] | None, key: str) -> tuple[str, str] | None:
    """(found, allowed) of a list with too few or too many values."""
    too_few = detail["type"] == "missing" and isinstance(detail["loc"][-1], int)
    if too_few or detail["type"] == "too_long":
        return list_words(detail["input"], owner, key.split("[")[0])
    return None


def _hint(owner: type[BaseModel] | None, key: str) -> str:
    """What to give for a key whose value is refused: its default if it has one, and what it means."""
    field = None if owner is None else _keys(owner).get(key)
    if field is None:
        return "see `haptos new` for a commented file"
    about = f" ({field.description})" if field.description else ""
    if isinstance(field.default, bool | int | float | str):
        return f"{key} = {json.dumps(field.default)}, the default{about}"
    return f"another value{about}"


def _described(owner: type[BaseModel] | None, key: str) -> str:
    field = None if owner is None else _keys(owner).get(key)
    return key if field is None else str(field.description or key)


def unknown_key(
    place: str,
    key: str,
    table: str,
    owner: type[BaseModel] | None,
    family: list[type[BaseModel]],
    root: type[BaseModel],
) -> ConfigError:
    """Refusal of a key that a table does not have, with the best guess of what was meant.

    table   dotted name of the table, "" for the file itself
    family  tables that may stand there in place of `owner`      root  the whole file
    """
    known = sorted(_keys(owner)) if owner is not None else []
    return ConfigError(
        place,
        f"unknown key '{key}'",
        listed(known, key, f"haptos schema {_scenario(root)}") or "no keys here",
        _slip(key, known)
        or _other_unit(key, known)
        or _other_kind(key, table, owner, family)
        or _renamed(key, known, ALIKE)
        or _elsewhere(key, root, table, known)
        or _renamed(key, known, SIMILAR)
        or "remove it, or run `haptos new` for a model",
    )


def _scenario(root: type[BaseModel]) -> str:
    """Name that files of this model give as their scenario."""
    field = root.model_fields.get("scenario")
    names = () if field is None else typing.get_args(field.annotation)
    return str(names[0]) if names else "NAME"


def _keys(owner: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in owner.model_fields.items()}


def _slip(key: str, known: list[str]) -> str:
    """A key in the right unit whose name has a slip of the pen."""
    alike = [name for name in known if split_unit(name)[1] == split_unit(key)[1] != "-"]
    return _renamed(key, alike, SLIP)


def _other_unit(key: str, known: list[str]) -> str:
    """The same quantity, in the unit it has here."""
    for name in known:
        stem = split_unit(name)[0]
        if key == stem or key.startswith(stem + "_"):
            value = " and give the value in that unit" if split_unit(name)[1] != "-" else ""
            return f"rename to '{name}'{value}"
    return ""


def _other_kind(
    key: str, table: str, owner: type[BaseModel] | None, family: list[type[BaseModel]]
) -> str:
    """A key of another kind of the same table: another law, shape or model."""
    for other in family:
        if owner is None or other is owner or key not in _keys(other):
            continue
        for name, field in other.model_fields.items():
            words = [word for word in typing.get_args(field.annotation) if isinstance(word, str)]
            own = owner.model_fields.get(name)
            if words and own is not None and words[0] not in typing.get_args(own.annotation):
                return f'remove it, or {table}.{name} = "{words[0]}", which it belongs to'
    return ""


def _renamed(key: str, known: list[str], cutoff: float) -> str:
    close = difflib.get_close_matches(key, known, n=1, cutoff=cutoff)
    return f"rename to '{close[0]}'" if close else ""


def _elsewhere(key: str, root: type[BaseModel], table: str, known: list[str]) -> str:
    """The same or a like key in any table of the file, the uppermost first.

    Keys that this table has only as another kind (`known` lacks them) are no way out.
    """
    lists = [name for name, member in _lists_of_tables(root, ()) if key in _keys(member)]
    within = [name for name in lists if name.startswith(f"{table}.")]
    if within:
        return f"'{key}' in [[{within[0]}]], which has that name"
    paths = sorted(
        (p for p in _paths(root, ()) if ".".join(p[:-1]) != table or p[-1] in known),
        key=lambda path: (len(path), path),
    )
    same = [path for path in paths if key in (path[-1], split_unit(path[-1])[0])]
    if same:
        upper = [".".join(path) for path in same if len(path) == len(same[0])]
        return f"{' or '.join(list(dict.fromkeys(upper))[:3])}, which has that name"
    if lists:
        return f"'{key}' in [[{lists[0]}]], which has that name"
    close = difflib.get_close_matches(key, [path[-1] for path in paths], n=1, cutoff=ALIKE)
    for path in paths:
        if close and path[-1] == close[0]:
            return f"{'.'.join(path)}, which has a like name"
    return ""


def _paths(
    model: type[BaseModel], outer: tuple[str, ...], depth: int = 0
) -> Iterator[tuple[str, ...]]:
    """Path of every key below a table, one that may stand in a list of tables excepted."""
    for key, field in _keys(model).items():
        yield (*outer, key)
        is_list = typing.get_origin(field.annotation) in (tuple, list)
        if depth < DEEPEST_GUESS and not is_list:
            for member in dict.fromkeys(_members(field.annotation)):
                yield from _paths(member, (*outer, key), depth + 1)


def _lists_of_tables(
    model: type[BaseModel], outer: tuple[str, ...]
) -> Iterator[tuple[str, type[BaseModel]]]:
    """(dotted name, table) of all tables of which a file may have several."""
    for key, field in _keys(model).items():
        is_list = typing.get_origin(field.annotation) in (tuple, list)
        for member in dict.fromkeys(_members(field.annotation)):
            if is_list:
                yield ".".join((*outer, key)), member
            elif len(outer) < DEEPEST_GUESS:
                yield from _lists_of_tables(member, (*outer, key))


def _family(model: type[BaseModel], path: list[Any]) -> list[type[BaseModel]]:
    """The kinds of table that may stand where the table of the failing key stands."""
    owner, family = model, [model]
    for part in path[:-1]:
        if not isinstance(part, str) or _TYPE.search(part):
            continue
        tagged = next((one for one in family if one is _member_of(family, part)), None)
        if tagged is not None:
            owner = tagged
            continue
        field = _field(owner, part)
        found = [] if field is None else list(dict.fromkeys(_members(field.annotation)))
        if found:
            family, owner = found, found[0]
    return family


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
    return _member_of(_members(annotation), tag)


def _member_of(members: Iterable[type[BaseModel]], tag: str) -> type[BaseModel] | None:
    for member in members:
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
