"""Rules of pydantic in the words of a scenario file: numbers, text, lists and tables."""

from __future__ import annotations

import re
import typing
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel

PLAIN = MappingProxyType(
    {
        "a valid number": "a number",
        "a valid integer": "a whole number",
        "a valid integer, got a number with a fractional part": "a whole number",
        "a valid integer, unable to parse string as an integer": "a whole number",
        "a valid string": 'text in quotes, as "this"',
        "a valid boolean": "true or false",
        "a valid boolean, unable to interpret input": "true or false",
        "a valid tuple": "a list in square brackets",
        "a valid list": "a list in square brackets",
        "a valid dictionary": "a table",
        "a valid dictionary or object to extract fields from": "a table",
    }
)
BOUNDS = (  # (as pydantic says it, in words of the field)
    (re.compile(r"^greater than or equal to (.+)$"), r"\1 or more"),
    (re.compile(r"^less than or equal to (.+)$"), r"at most \1"),
    (re.compile(r"^greater than (.+)$"), r"above \1"),
    (re.compile(r"^less than (.+)$"), r"below \1"),
)
OPENINGS = ("Value error, ", "Input should be ", "Assertion failed, ")


def rule_words(message: str) -> str:
    """What is allowed, from the message of a rule that was broken."""
    for opening in OPENINGS:
        message = message.removeprefix(opening)
    for pattern, words in BOUNDS:
        message = pattern.sub(words, message)
    return PLAIN.get(message, message)


def list_words(values: Any, owner: type[BaseModel] | None, key: str) -> tuple[str, str] | None:
    """(found, allowed) of a list with too few or too many values; None where its length is free."""
    field = None if owner is None else owner.model_fields.get(key)
    if field is None or not isinstance(values, (list, tuple)):
        return None
    for kind in (field.annotation, *typing.get_args(field.annotation)):
        inner = typing.get_args(kind)
        if typing.get_origin(kind) is tuple and Ellipsis not in inner:
            return f"{key} with {_counted(len(values))}", _counted(len(inner))
    return None


def _counted(number: int) -> str:
    return f"{number} value{'s' * (number != 1)}"
