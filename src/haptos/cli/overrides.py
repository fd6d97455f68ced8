"""`--set table.key=value`: changes to a scenario's mapping before it is checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

from haptos.core.errors import ConfigError

ALLOWED = "table.key=value, the value as in TOML"


def apply(table: dict[str, Any], settings: Iterable[str]) -> None:
    """Set each `dotted.key=value` in place; whether the key exists is the schema's to say."""
    for setting in settings:
        keys, value = _split(setting)
        _put(table, keys, value, setting)


def _split(setting: str) -> tuple[list[str], Any]:
    path, equals, text = setting.partition("=")
    keys = [key.strip() for key in path.split(".")]
    if not equals or not all(keys):
        hint = "--set contact.friction=0.3"
        raise ConfigError(f"--set {setting}", "no 'key=value'", ALLOWED, hint)
    return keys, _value(text.strip(), setting)


def _value(text: str, setting: str) -> Any:
    """A TOML value; text that is not one is a bare string, unless it starts like a structure."""
    try:
        parsed = tomllib.loads(f"value = {text}")
        if list(parsed) == ["value"]:
            return parsed["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        pass
    if not text or text[0] in "[{\"'" or not text.isprintable():
        hint = "--set release.position_m='[0, 0, 0.6]'"
        raise ConfigError(f"--set {setting}", "a value that cannot be read", ALLOWED, hint)
    return text


def _put(table: dict[str, Any], keys: list[str], value: Any, setting: str) -> None:
    inner: Any = table
    for depth, key in enumerate(keys[:-1], start=1):
        inner = inner.setdefault(key, {})
        if not isinstance(inner, dict):
            found = f"'{'.'.join(keys[:depth])}', which is a value and not a table"
            raise ConfigError(f"--set {setting}", found, ALLOWED, "leave out what follows it")
    inner[keys[-1]] = value
