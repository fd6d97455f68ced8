"""Rows of very many runs in little memory: columns of numbers that read as a list of dicts."""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    import pandas

_NAN = struct.pack("d", math.nan)
Row = dict[str, Any]
Column = array | list[Any]  # floats and whole numbers in eight bytes each, anything else as it is


class RowTable(Sequence[Row]):
    """A fixed number of rows, each set once; a row read again is equal to the one that was set.

    A dict of 45 numbers takes 4.7 kB, a row here 8 bytes for each number. Rows may have different keys.
    """

    def __init__(self, length: int) -> None:
        self._length = length
        self._columns: dict[str, Column] = {}
        self._layouts: dict[tuple[str, ...], int] = {}  # keys of a row -> number of that layout
        self._names: list[tuple[str, ...]] = []  # layout -> keys
        self._layout = array("i", bytes(4 * length))  # of each row

    def __len__(self) -> int:
        return self._length

    def __setitem__(self, place: int, row: Row) -> None:
        names = tuple(row)
        layout = self._layouts.setdefault(names, len(self._layouts))
        if layout == len(self._names):
            self._names.append(names)
        self._layout[place] = layout
        for name, value in row.items():
            kind = _kind(value)
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = _empty(kind, self._length)
            elif isinstance(column, array) and column.typecode != kind:
                column = self._columns[name] = column.tolist()
            column[place] = value

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(self._length))]
        place = range(self._length)[place]  # counts from the end, refuses what is beyond
        names = self._names[self._layout[place]] if self._names else ()
        return {name: _plain(self._columns[name][place]) for name in names}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))

    def frame(self) -> pandas.DataFrame:
        """The rows as a table of pandas."""
        import numpy as np
        import pandas as pd

        if len(self._names) != 1:
            return pd.DataFrame(list(self))
        columns = self._columns.items()
        return pd.DataFrame(
            {name: np.array(v) if isinstance(v, array) else v for name, v in columns}
        )


def _kind(value: Any) -> str:
    """Type code of the array a value fits into, empty if it fits into none."""
    if isinstance(value, float):
        return "d"
    is_whole = type(value) is int and -(2**63) <= value < 2**63
    return "q" if is_whole else ""


def _plain(value: Any) -> Any:
    """The value; NaN is the one of `math`, so that rows that lack the same numbers are equal."""
    return math.nan if value != value and struct.pack("d", value) == _NAN else value


def _empty(kind: str, length: int) -> Column:
    return array(kind, bytes(8 * length)) if kind else [None] * length
