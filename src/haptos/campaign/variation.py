"""Inline tables of a campaign file: which parameters they take, and what values they may hold."""

from __future__ import annotations

import dataclasses
import difflib
import math
from typing import Any, TypeVar

from haptos.core.errors import ConfigError

Kind = TypeVar("Kind")
ColumnType = str  # "double", "int64", "bool" or "string": names of Arrow types


def refuse(where: str, found: str, allowed: str, hint: str) -> ConfigError:
    """The error of a class that does not know yet in which file it stands."""
    return ConfigError(where, found, allowed, hint)


def finite(owner: str, name: str, value: Any) -> float:
    """The number itself; refuses text, booleans, nan and inf."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(owner, f"{name} = {value!r}", "a number", f"give {name} as a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise refuse(owner, f"{name} = {value!r}", "a finite number", f"give {name} a finite value")
    return number


def ordered(owner: str, low: float, high: float) -> None:
    """Refuse bounds that do not enclose anything; both must be finite."""
    low, high = finite(owner, "low", low), finite(owner, "high", high)
    if not low < high:
        hint = "swap them" if low > high else "give the key a plain value"
        raise refuse(owner, f"low = {low:g}, high = {high:g}", "low < high", hint)
    if not math.isfinite(high - low):
        found = f"low = {low:g}, high = {high:g}"
        raise refuse(owner, found, "a width below 1e308", "bring the bounds closer together")


def above_zero(owner: str, name: str, value: float) -> None:
    if not finite(owner, name, value) > 0.0:
        raise refuse(owner, f"{name} = {value:g}", f"{name} > 0", f"give a positive {name}")


def checked_values(owner: str, values: Any) -> tuple[Any, ...]:
    """Values to choose from: numbers, texts, booleans or equally long arrays of numbers."""
    if not isinstance(values, list | tuple) or not values:
        hint = "write values = [...] with at least one value"
        raise refuse(owner, f"values = {values!r}", "a list that is not empty", hint)
    checked = tuple(_checked_value(owner, value) for value in values)
    shapes = {_shape(value) for value in checked}
    if len(shapes) > 1:
        found = "values of different types: " + ", ".join(sorted(shapes))
        raise refuse(owner, found, "values of one type", "give numbers only, or texts only")
    return checked


def _checked_value(owner: str, value: Any) -> Any:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, list | tuple) and value:
        return [_checked_number(owner, item) for item in value]
    if isinstance(value, int | float):
        return _checked_number(owner, value)
    allowed = "numbers, texts, booleans or arrays of numbers"
    raise refuse(owner, f"{value!r} in values", allowed, "sweep the keys of a table one by one")


def _checked_number(owner: str, value: Any) -> float | int:
    finite(owner, "values", value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise refuse(owner, f"values = {value}", "64-bit whole numbers", "give a smaller number")
    return value  # type: ignore[no-any-return]


def _shape(value: Any) -> str:
    if isinstance(value, list):
        return f"arrays of {len(value)}"
    if isinstance(value, bool):
        return "booleans"
    return "texts" if isinstance(value, str) else "numbers"


def column_type(values: tuple[Any, ...]) -> ColumnType:
    """Arrow type that holds every one of the (already checked) values, or of their elements."""
    flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
    if isinstance(flat[0], str):
        return "string"
    if isinstance(flat[0], bool):
        return "bool"
    return "int64" if all(isinstance(item, int) for item in flat) else "double"


def vector_length(values: tuple[Any, ...]) -> int | None:
    """Number of elements of array values, None for scalars."""
    return len(values[0]) if isinstance(values[0], list) else None


def from_table(cls: type[Kind], table: dict[str, Any], selector: str, where: str) -> Kind:
    """Object of one kind from its inline table; names the file and key in every refusal."""
    given = {name: value for name, value in table.items() if name != selector}
    fields = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name in given:
        if name not in fields:
            raise ConfigError.unknown_key(where, name, [selector, *fields])
    for name, field in fields.items():
        if name not in given and field.default is dataclasses.MISSING:
            found = f"{selector} = \"{table[selector]}\" without '{name}'"
            raise ConfigError(where, found, ", ".join(fields), f"add {name} = ...")
    try:
        return cls(**given)
    except ConfigError as error:
        raise ConfigError(where, error.found, error.allowed, error.hint) from None


def chosen(kinds: dict[str, type[Any]], table: dict[str, Any], selector: str, where: str) -> Any:
    """Object of the kind that the key `selector` names."""
    name = table[selector]
    if not isinstance(name, str) or name not in kinds:
        close = difflib.get_close_matches(str(name), kinds, n=1, cutoff=0.5)
        hint = f'write {selector} = "{close[0]}"' if close else "choose one of these"
        raise ConfigError(where, f"{selector} = {name!r}", ", ".join(kinds), hint)
    return from_table(kinds[name], table, selector, where)
