"""A file laid over the one it is based on: tables merge key by key, everything else replaces."""

from __future__ import annotations

from typing import Any

from haptos.scenarios.registry import scenarios

Pairs = tuple[tuple[str, str], ...]
TAGS = ("shape", "model", "kind", "law")  # keys that say which other keys a table has


def is_variation(value: Any) -> bool:
    """Whether an inline table says how a key varies, rather than being a table of keys."""
    return isinstance(value, dict) and ("distribution" in value or "sweep" in value)


def laid_over(original: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The scenario `original` with `changes` laid over it; neither is altered.

    A table whose tag (shape, model, kind, law) changes is another kind of thing and replaces the whole
    table. A key that states a quantity in another way (the scenario's alternatives) drops the way
    of the original. A tag that is not written has the scenario's usual value.
    """
    found = scenarios().get(str(changes.get("scenario", original.get("scenario"))))
    if found is None:
        return _merged(original, changes, (), {})
    pairs = () if found.alternatives is None else found.alternatives.value
    return _merged(original, changes, pairs, dict(found.usual_tags))


def _merged(
    original: dict[str, Any], changes: dict[str, Any], pairs: Pairs, usual: dict[str, str]
) -> dict[str, Any]:
    tags = [tag for tag in TAGS if tag in changes and (tag in original or tag in usual)]
    if any(_differ(original.get(tag, usual.get(tag)), changes[tag]) for tag in tags):
        return dict(changes)
    dropped = {
        name
        for group in pairs
        if any(key in changes for key in group)
        for name in group
        if name not in changes
    }
    result = {key: value for key, value in original.items() if key not in dropped}
    for key, value in changes.items():
        result[key] = _value(result.get(key), value, pairs, usual)
    return result


def _differ(old: Any, new: Any) -> bool:
    return not is_variation(new) and bool(old != new)


def _value(old: Any, new: Any, pairs: Pairs, usual: dict[str, str]) -> Any:
    tables = isinstance(old, dict) and isinstance(new, dict)
    if not tables or is_variation(old) or is_variation(new):
        return new
    return _merged(old, new, pairs, usual)
