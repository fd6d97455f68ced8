"""`--set table.key=value`: changes to a scenario's mapping before it is checked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any

from haptos.core.errors import ConfigError
from haptos.scenarios.files import DEEPEST, check_depth
from haptos.scenarios.merging import laid_over

ALLOWED = "table.key=value, the value as in TOML"


def overridden(table: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """`table` with every `dotted.key=value` laid over it, as a campaign file over its base.

    Whether a key exists is the schema's to say.
    """
    changes: dict[str, Any] = {}
    for setting in settings:
        keys, value = _split(setting)
        _check_path(table, keys, setting)
        _put(changes, keys, value, setting)
    return laid_over(table, changes)


def _check_path(table: dict[str, Any], keys: list[str], setting: str) -> None:
    """Refuse a path that leads through a value."""
    inner: Any = table
    for depth, key in enumerate(keys[:-1], start=1):
        inner = inner.get(key, {})
        if not isinstance(inner, dict):
            raise _not_a_table(keys[:depth], setting)


def _not_a_table(keys: list[str], setting: str) -> ConfigError:
    found = f"'{'.'.join(keys)}', which is a value and not a table"
    return ConfigError(f"--set {setting}", found, ALLOWED, "leave out what follows it")


def _split(setting: str) -> tuple[list[str], Any]:
    path, equals, text = setting.partition("=")
    keys = [key.strip() for key in path.split(".")]
    hint = "--set contact.friction=0.3"
    if len(keys) > DEEPEST:
        where = f"--set {setting[:40]}..."
        raise ConfigError(where, f"a key of {len(keys)} parts", f"up to {DEEPEST} parts", hint)
    if not equals or not all(keys):
        raise ConfigError(f"--set {setting}", "no 'key=value'", ALLOWED, hint)
    if any("[" in key or "]" in key for key in keys):
        name = path.partition("[")[0].strip()
        raise ConfigError(
            f"--set {setting}", "a place in a list", "keys of tables, or a whole list",
            f"--set {name}='[...]', or a file of your own: haptos new",
        )  # fmt: skip
    return keys, _value(text.strip(), setting)


def _value(text: str, setting: str) -> Any:
    """A TOML value; text that is not one is a bare string, unless it starts like a structure."""
    try:
        parsed = tomllib.loads(f"value = {text}")
        if list(parsed) == ["value"]:
            check_depth(parsed, f"--set {setting[:40]}...")
            return parsed["value"]
    except tomllib.TOMLDecodeError:
        pass
    except (ValueError, RecursionError) as error:  # more digits, or brackets, than Python reads
        if isinstance(error, ConfigError):
            raise
        found, hint = "a value that is too long to read", "--set contact.friction=0.3"
        raise ConfigError(f"--set {setting[:40]}...", found, ALLOWED, hint) from None
    if not text or text[0] in "[{\"'" or not text.isprintable():
        hint = "--set release.position_m='[0, 0, 0.6]'"
        raise ConfigError(f"--set {setting}", "a value that cannot be read", ALLOWED, hint)
    return text


def _put(table: dict[str, Any], keys: list[str], value: Any, setting: str) -> None:
    inner: Any = table
    for depth, key in enumerate(keys[:-1], start=1):
        inner = inner.setdefault(key, {})
        if not isinstance(inner, dict):
            raise _not_a_table(keys[:depth], setting)
    inner[keys[-1]] = value
