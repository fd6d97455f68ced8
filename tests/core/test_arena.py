"""Tables in an arena come back as they were put in, compiled and in Python."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from haptos.core import arena_slots
from haptos.core.arena import (
    FUNCTIONS,
    arena_of,
    fields_start,
    integers_1,
    integers_2,
    integers_3,
    numbers_1,
    numbers_2,
    numbers_3,
    view,
)

RNG = np.random.default_rng(5)
REAL = [RNG.normal(size=shape) for shape in ((7,), (3, 5), (2, 3, 4))]
WHOLE = [RNG.integers(-9, 9, size=shape) for shape in ((6,), (4, 3), (2, 5, 3))]
FIELDS = (2.5, -1.0, 7.0)
# The same arrays in another order and beside other tables: offsets differ from table to table.
ARENA = arena_of([((1.0,), [WHOLE[2], REAL[1]]), (FIELDS, [*REAL, *WHOLE]), ((), [REAL[0]])])


def everything(arena):
    start = fields_start(arena, 1)
    return (
        (arena.numbers[start], arena.numbers[start + 1], arena.numbers[start + 2]),
        numbers_1(arena, 1, 0), numbers_2(arena, 1, 1), numbers_3(arena, 1, 2),
        integers_1(arena, 1, 3), integers_2(arena, 1, 4), integers_3(arena, 1, 5),
        integers_3(arena, 0, 0), numbers_2(arena, 0, 1), numbers_1(arena, 2, 0),
    )  # fmt: skip


@numba.njit
def copies(arena):
    """Views of a kernel own nothing and must not leave it, so copies do."""
    return (
        numbers_1(arena, 1, 0).copy(), numbers_2(arena, 1, 1).copy(),
        numbers_3(arena, 1, 2).copy(), integers_1(arena, 1, 3).copy(),
        integers_2(arena, 1, 4).copy(), integers_3(arena, 1, 5).copy(),
        integers_3(arena, 0, 0).copy(), numbers_2(arena, 0, 1).copy(),
        numbers_1(arena, 2, 0).copy(),
    )  # fmt: skip


EXPECTED = [*REAL, *WHOLE, WHOLE[2], REAL[1], REAL[0]]


def test_every_array_and_field_comes_back():
    fields, *arrays = everything(ARENA)
    assert fields == FIELDS
    for found, expected in zip(arrays, EXPECTED, strict=True):
        assert found.shape == expected.shape
        assert np.array_equal(found, expected)


def test_a_kernel_sees_the_same_arrays():
    for found, expected in zip(copies(ARENA), EXPECTED, strict=True):
        assert found.dtype == (np.float64 if expected.dtype.kind == "f" else np.int32)
        assert np.array_equal(found, expected)


def test_views_are_not_copies_and_cannot_be_written():
    found = numbers_2(ARENA, 1, 1)
    assert found.base is not None
    assert np.shares_memory(found, ARENA.numbers)
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1.0
    for array in ARENA:
        assert not array.flags.writeable


def test_a_view_is_a_window_on_the_flat_array():
    flat = np.arange(20.0)
    assert np.array_equal(view(flat, 3, (2, 4)), [[3, 4, 5, 6], [7, 8, 9, 10]])


def test_arrays_of_any_layout_and_kind_are_stored_in_c_order():
    turned = np.arange(6.0).reshape(2, 3).T
    small = np.array([[1, 2], [3, 255]], dtype=np.uint8)
    arena = arena_of([((), [turned, turned.astype(np.float32), small])])
    assert np.array_equal(numbers_2(arena, 0, 0), turned)
    assert np.array_equal(numbers_2(arena, 0, 1), turned)
    assert np.array_equal(integers_2(arena, 0, 2), small)


def test_only_functions_that_are_asked_for_are_compiled():
    asked = []

    def address():
        asked.append(1)
        return 4711

    arena = arena_of([((), [])], {2: address})
    assert arena.layout[:FUNCTIONS].tolist() == [0, 0, 4711, *([0] * (FUNCTIONS - 3))]
    assert asked == [1]


def test_an_empty_arena_is_of_the_same_types_as_a_full_one():
    """One compiled kernel serves all worlds."""
    empty = arena_of([((), [])])
    for a, b in zip(empty, ARENA, strict=True):
        assert numba.typeof(a) == numba.typeof(b)


def test_every_function_and_table_has_a_place_of_its_own():
    places = {name: value for name, value in vars(arena_slots).items() if name.isupper()}
    called = ("_CALL", "_FIELD", "_GAP", "COLLISION", "KEPT_ROCKS")
    addresses = [places[name] for name in places if name.endswith(called)]
    tables = [places[name] for name in places if not name.endswith(called)]
    assert sorted(addresses) == list(range(9))
    assert sorted(tables) == list(range(7))
    assert len(addresses) <= FUNCTIONS
