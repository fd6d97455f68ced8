"""Records that kernels take by reference."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.errors import TypingError

from haptos.core.by_reference import ReferenceType, by_reference, referred
from haptos.core.jit import routine

Inner = namedtuple("Inner", "left right flag")


@by_reference
class Held(namedtuple("Held", "numbers count inner table")):
    __slots__ = ()


@by_reference
class Outer(namedtuple("Outer", "held scale")):
    __slots__ = ()


MadeInside = namedtuple("MadeInside", "inner scale")


@routine
def doubled(held, k):
    held.numbers[k] *= 2.0
    return held.numbers[k] + held.inner.right[0] + held.table[1, 0]


@njit(_nrt=False)
def walk(held, times):
    total = 0.0
    for _ in range(times):
        for k in range(held.count):
            total += doubled(held, k) if held.inner.flag else 0.0
    return total


@njit
def through(outer):
    return outer.scale * outer.held.numbers[0]


@njit
def unknown(held):
    return held.nothing


@njit(_nrt=False)
def made_inside(numbers, times):
    total = 0.0
    for count in range(times):
        record = referred(MadeInside(Inner(numbers[:1], numbers[1:], True), 1.0 + count))
        total += tripled(record)
    return total


@routine
def tripled(record):
    record.inner.right[0] += 1.0
    return record.scale * record.inner.right[0]


def held(flag: bool = True) -> Held:
    inner = Inner(np.zeros(1), np.full(2, 0.5), flag)
    return Held(np.array([1.0, 2.0]), 2, inner, np.arange(4.0).reshape(2, 2))


def test_a_kernel_reads_and_writes_the_arrays_of_a_record_as_python_does():
    one, other = held(), held()
    assert walk(one, 3) == walk.py_func(other, 3) == 42.0 + 15.0
    assert np.array_equal(one.numbers, [8.0, 16.0])
    assert np.array_equal(one.numbers, other.numbers)


def test_flags_and_numbers_are_those_of_the_call():
    assert walk(held(False), 3) == 0.0
    assert walk(held()._replace(count=1), 1) == 4.5


def test_records_may_hold_records():
    assert through(Outer(held(), 3.0)) == 3.0


def test_a_record_made_in_a_kernel_is_passed_by_its_address():
    """Its fields are those of each time that it is made, and its arrays are written through it."""
    one, other = np.array([0.0, 5.0]), np.array([0.0, 5.0])
    assert made_inside(one, 3) == made_inside.py_func(other, 3) == 6.0 + 2.0 * 7.0 + 3.0 * 8.0
    assert np.array_equal(one, other)
    assert one[1] == 8.0


def test_python_keeps_its_named_tuple():
    record = held()
    assert isinstance(record, tuple)
    assert record._replace(count=5).count == 5
    assert isinstance(typeof(record), ReferenceType)
    assert typeof(record) == typeof(held())
    assert typeof(record) != typeof(record._replace(count=1.0))


def test_a_field_that_is_not_there_is_refused():
    with pytest.raises(TypingError, match="nothing"):
        unknown(held())


def test_a_changed_record_is_seen_by_the_next_call():
    record = held()
    walk(record, 1)
    record.numbers[:] = 0.0
    assert walk(record, 1) == 5.0


def test_an_array_of_another_kind_compiles_anew_and_is_right():
    record = held()._replace(numbers=np.array([1.0, 2.0], dtype=np.float32))
    assert walk(record, 1) == 11.0
