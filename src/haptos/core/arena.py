"""Tables of different shapes in two flat arrays, so that a kernel carries two arrays and not twenty.

A tuple that holds an array costs a kernel about ten values per call and a count of references per
use. An arena holds the numbers of all tables end to end; a device function looks at one of them
through `view`, which is an address and a shape and costs nothing.

    numbers   float64: fields and arrays of all tables        integers  int32 arrays
    layout    int64: addresses of functions compiled separately; then for each table SLOTS entries: where
              its fields start in `numbers`, and for each of its arrays where it starts and its shape
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from haptos.core.jit import device, lookup
from haptos.core.pointers import viewing

Arena = namedtuple("Arena", "numbers integers layout")

FUNCTIONS = 16  # entries at the start of the layout
SLOTS = 40  # entries of the layout per table: one, and five for each of up to seven arrays
PER_ARRAY = 5  # entries per array: start, and up to four sizes


def arena_of(
    tables: Sequence[tuple[Iterable[float], Sequence[np.ndarray]]],
    functions: Mapping[int, Callable[[], int]] | None = None,
) -> Arena:
    """Arena of tables, each given as (fields, arrays); integer arrays become int32.

    functions  slot -> what compiles the function and gives its address; only those it needs
    """
    numbers: list[np.ndarray] = []
    integers: list[np.ndarray] = []
    lengths = {"f": 0, "i": 0}
    layout = np.zeros(FUNCTIONS + SLOTS * len(tables), dtype=np.int64)
    for slot, address in (functions or {}).items():
        layout[slot] = address()

    def put(array: np.ndarray) -> int:
        is_real = array.dtype.kind == "f"
        held, kind = (numbers, "f") if is_real else (integers, "i")
        flat = np.ascontiguousarray(array, dtype=np.float64 if is_real else np.int32).reshape(-1)
        held.append(flat)
        start = lengths[kind]
        lengths[kind] += len(flat)
        return start

    for slot, (fields, arrays) in enumerate(tables):
        first = FUNCTIONS + SLOTS * slot
        layout[first] = put(np.array([float(field) for field in fields]))
        for n, array in enumerate(arrays):
            place = first + 1 + PER_ARRAY * n
            layout[place] = put(array)
            layout[place + 1 : place + 1 + array.ndim] = array.shape
    held = [np.concatenate([*part, np.zeros(1, kind)]) for part, kind in ((numbers, float), (integers, np.int32))]  # fmt: skip
    for array in (*held, layout):
        array.setflags(write=False)
    return Arena(held[0], held[1], layout)


def with_functions(arena: Arena, functions: Mapping[int, Callable[[], int]]) -> Arena:
    """The same tables and more functions compiled separately; the same object for the same arguments."""
    if all(arena.layout[slot] != 0 for slot in functions):
        return arena
    key = (id(arena), tuple(sorted(functions)))
    if key not in _EXTENDED:
        while len(_EXTENDED) >= MOST_EXTENDED:
            _EXTENDED.pop(next(iter(_EXTENDED)))
        layout = arena.layout.copy()
        for slot, address in functions.items():
            layout[slot] = address()
        layout.setflags(write=False)
        _EXTENDED[key] = (arena, Arena(arena.numbers, arena.integers, layout))
    return _EXTENDED[key][1]


MOST_EXTENDED = 32
_EXTENDED: dict[tuple[int, tuple[int, ...]], tuple[Arena, Arena]] = {}  # each keeps its first alive


@viewing
def view(flat, start, shape):
    """The part of an array without gaps, taken as flat, from `start` on as an array of that shape (a tuple), not copied."""
    size = 1
    for length in shape:
        size *= length
    return flat.reshape(-1)[start : start + size].reshape(shape)


@device
def fields_start(arena, table):
    """Where the fields of a table start in `arena.numbers`."""
    return arena.layout[FUNCTIONS + SLOTS * table]


@device
def _place(table, n):
    return FUNCTIONS + SLOTS * table + 1 + PER_ARRAY * n


@lookup
def numbers_1(arena, table, n):
    """Array n of a table: one axis of real numbers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.numbers, layout[p], (layout[p + 1],))


@lookup
def numbers_2(arena, table, n):
    """Array n of a table: two axes of real numbers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.numbers, layout[p], (layout[p + 1], layout[p + 2]))


@lookup
def numbers_3(arena, table, n):
    """Array n of a table: three axes of real numbers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.numbers, layout[p], (layout[p + 1], layout[p + 2], layout[p + 3]))


@lookup
def integers_1(arena, table, n):
    """Array n of a table: one axis of integers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.integers, layout[p], (layout[p + 1],))


@lookup
def integers_2(arena, table, n):
    """Array n of a table: two axes of integers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.integers, layout[p], (layout[p + 1], layout[p + 2]))


@lookup
def integers_3(arena, table, n):
    """Array n of a table: three axes of integers."""
    p, layout = _place(table, n), arena.layout
    return view(arena.integers, layout[p], (layout[p + 1], layout[p + 2], layout[p + 3]))
