"""TOML text of a configuration, so that a report can hold the file that reproduces it."""

from __future__ import annotations

import re
from typing import Any

from haptos.core.errors import HaptosError

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def toml_text(config: dict[str, Any]) -> str:
    """Text that `tomllib.loads` reads back to an equal mapping.

    Values first, then one [table] per mapping; mappings inside lists are written inline. Floats
    keep every bit. Refuses what TOML cannot hold, such as None.
    """
    return "\n".join(_table(config, ())).strip("\n") + "\n"


def _table(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [
        f"{_key(key, path)} = {_value(value, (*path, str(key)))}"
        for key, value in table.items()
        if not isinstance(value, dict)
    ]
    for key, value in table.items():
        if isinstance(value, dict):
            inner = (*path, str(key))
            header = ".".join([*(_key(part, ()) for part in path), _key(key, path)])
            lines += ["", f"[{header}]", *_table(value, inner)]
    return lines


def _key(key: object, path: tuple[str, ...]) -> str:
    if not isinstance(key, str):
        raise _refusal(path, f"the key {key!r}", "keys that are text")
    return key if _BARE_KEY.fullmatch(key) else _string(key, path)


def _value(value: Any, path: tuple[str, ...]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return float.__repr__(float(value))
    if isinstance(value, str):
        return _string(value, path)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(item, path) for item in value)}]"
    if isinstance(value, dict):
        pairs = [f"{_key(k, path)} = {_value(v, (*path, str(k)))}" for k, v in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    raise _refusal(path, repr(value), "text, numbers, true and false, lists and tables")


def _string(text: str, path: tuple[str, ...]) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise _refusal(path, "half of a surrogate pair", "Unicode text")
    return f'"{"".join(_character(character) for character in text)}"'


def _character(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x20 or code == 0x7F else character


def _refusal(path: tuple[str, ...], found: str, allowed: str) -> HaptosError:
    return HaptosError(f"configuration [{'.'.join(path)}]", found, allowed, "leave the key out")
