"""A scenario table with holes: found once, filled for every run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from haptos.campaign.distributions import Distribution, distribution
from haptos.campaign.sweeps import Sweep, sweep
from haptos.core.errors import ConfigError
from haptos.scenarios.merging import is_variation

FIXED_KEYS = ("schema", "scenario", "base")


@dataclass(frozen=True)
class Hole:
    """Place of one varying value."""

    key: str


def key_name(path: tuple[str | int, ...]) -> str:
    """Dotted name of a key: ('release', 'velocity', 1) -> 'release.velocity[1]'."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def place(where: str, path: tuple[str | int, ...]) -> str:
    """Where a key stands, for messages: 'study.toml [release] velocity[1]'."""
    tables = [part for part in path if isinstance(part, str)][:-1]
    table = f" [{'.'.join(tables)}]" if tables else ""
    return f"{where}{table} {key_name(path[len(tables) :])}"


class Template:
    """Table whose varying values are holes, with what fills them."""

    def __init__(self, table: dict[str, Any], where: str) -> None:
        self.distributions: dict[str, Distribution] = {}
        self.sweeps: dict[str, Sweep] = {}
        self._where = where
        self._root = self._cut(table, ())

    def _cut(self, value: Any, path: tuple[str | int, ...]) -> Any:
        if is_variation(value):
            return self._hole(value, path)
        if not isinstance(value, dict | list):
            return value
        places = value.items() if isinstance(value, dict) else enumerate(value)
        cut = [(key, self._cut(inner, (*path, key))) for key, inner in places]
        holes = [(key, inner) for key, inner in cut if isinstance(inner, Hole | _Open)]
        return _Open(value, holes) if holes else value

    def _hole(self, table: dict[str, Any], path: tuple[str | int, ...]) -> Hole:
        here, key = place(self._where, path), key_name(path)
        if path[0] in FIXED_KEYS:
            hint = f"give {path[0]} one value; write one campaign file for each"
            raise ConfigError(here, f"a varying '{path[0]}'", "a key that may vary", hint)
        if "distribution" in table and "sweep" in table:
            hint = "remove one of them"
            raise ConfigError(here, "distribution and sweep", "one of the two", hint)
        if "distribution" in table:
            self.distributions[key] = distribution(table, here)
        else:
            self.sweeps[key] = sweep(table, here)
        return Hole(key)

    @property
    def variations(self) -> dict[str, Distribution | Sweep]:
        """Everything that varies, in sorted order of the keys."""
        both: dict[str, Distribution | Sweep] = {**self.distributions, **self.sweeps}
        return {key: both[key] for key in sorted(both)}

    def filled(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """New table with every hole filled; parts without holes are shared, so do not write."""
        result: dict[str, Any] = _fill(self._root, values)
        return result


class _Open:
    """A container with holes somewhere inside, and the places that lead to them."""

    __slots__ = ("container", "inner")

    def __init__(self, container: dict[str, Any] | list[Any], inner: list[tuple[Any, Any]]) -> None:
        self.container, self.inner = container, inner


def _fill(node: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(node, Hole):
        return values[node.key]
    if isinstance(node, _Open):
        result = node.container.copy()
        for key, inner in node.inner:
            result[key] = _fill(inner, values)
        return result
    return node
