"""A mapping as TOML text that reads back equal; the standard library can only read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> str:
    """TOML of a mapping of text, numbers, truth values, lists and mappings of these."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    blocks = []
    if path and (plain or not tables):
        blocks.append(f"[{'.'.join(_key(part) for part in path)}]\n")
    blocks += [f"{_key(key)} = {_value(value)}\n" for key, value in plain.items()]
    for key, inner in tables.items():
        gap = "\n" if blocks else ""
        blocks.append(gap + toml_text(inner, (*path, key)))
    return "".join(blocks)


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _float(value: float) -> str:
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    text = repr(value)
    return text if "." in text or "e" in text else f"{text}.0"


def _string(value: str) -> str:
    # JSON escapes are TOML escapes, but for the delete character, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
