"""Functions compiled separately and arrays that own nothing: the same bits as plain Python."""

from __future__ import annotations

import math
import threading

import numba
import numpy as np
import pytest

from haptos.core.arena import Arena, arena_of, numbers_2
from haptos.core.jit import entry
from haptos.core.pointers import opened, separately_compiled, working_array
from tests.close import assert_close

SLOT, OTHER = 1, 3


@separately_compiled(SLOT, 6)
def weighted(numbers, integers, layout, io):
    """Row sums of a table weighted by the inputs, and their length."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    table = numbers_2(Arena(numbers, integers, layout), 0, 0)
    x, y, z = io[0], io[1], io[2]
    square = 0.0
    for n in range(table.shape[0]):
        io[n] = x * table[n, 0] + y * table[n, 1] + math.sin(z) * table[n, 2]
        square += io[n] * io[n]
    io[table.shape[0]] = math.sqrt(square)


@separately_compiled(OTHER, 6)
def doubled(numbers, integers, layout, io):
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    io[0] = 2.0 * io[0]


@entry
def compiled(arena, x):
    return weighted(arena, x)


@entry
def many(arena, count, out):
    for n in range(count):
        f = weighted(arena, (0.1 * n, 1.0, -0.3 * n))
        out[n] = f[4] + doubled(arena, (f[0],))[0]


def arena_with(seed: int) -> Arena:
    table = np.random.default_rng(seed).normal(size=(4, 3))
    functions = {SLOT: weighted.address, OTHER: doubled.address}
    return arena_of([((1.0, 2.0), [table])], functions)


def test_a_function_compiled_apart_gives_the_bits_of_python():
    arena = arena_with(1)
    for x in np.random.default_rng(2).normal(size=(100, 3)).tolist():
        found, expected = compiled(arena, tuple(x)), weighted(arena, tuple(x))
        assert len(found) == 6
        assert found[:5] == expected[:5]


def test_it_computes_what_it_says():
    arena = arena_with(1)
    table = numbers_2(arena, 0, 0)
    rows = table @ [0.3, -0.7, math.sin(1.1)]
    found = compiled(arena, (0.3, -0.7, 1.1))
    assert_close(found[:5], [*rows, np.linalg.norm(rows)], rtol=1e-15)


def test_each_arena_is_seen_by_itself():
    first, second = arena_with(1), arena_with(2)
    x = (0.3, -0.7, 1.1)
    assert compiled(first, x) != compiled(second, x)
    assert compiled(first, x)[:5] == weighted(first, x)[:5]


def test_outputs_that_are_not_written_are_the_inputs():
    found = weighted(arena_with(1), (0.1, 0.2, 0.3))
    assert found[5:] == (0.0,)


def test_functions_of_different_slots_do_not_mix_and_threads_do_not_meet():
    arena, count = arena_with(3), 2000
    outs = [np.zeros(count) for _ in range(4)]
    workers = [threading.Thread(target=many, args=(arena, count, out)) for out in outs]
    many(arena, 1, np.zeros(1))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    plain = np.zeros(count)
    many.py_func(arena, count, plain)
    for out in outs:
        assert out.tobytes() == plain.tobytes()


def test_an_address_is_made_once():
    assert weighted.address() == weighted.address() != 0
    assert weighted.address() != doubled.address()


@numba.njit
def first_number(arena):
    return numbers_2(arena, 0, 0)[0, 0]


def test_no_reference_is_counted_by_a_view_in_a_kernel():
    """A view that counted references would let threads fight over one counter."""
    assert first_number(arena_with(1)) == numbers_2(arena_with(1), 0, 0)[0, 0]
    (text,) = first_number.inspect_llvm().values()
    body = text.split("define ")[1]  # the function itself, not what wraps it for Python
    assert "NRT_incref" not in body


made = working_array(3, 5)


@numba.njit(error_model="numpy", _nrt=False)
def worked(factor, out):
    first, second = made(), made()
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            first[i, j], second[i, j] = factor * (10 * i + j), -1.0
    for i in range(first.shape[0]):
        for j in range(first.shape[1]):
            out[i, j] = first[i, j] + second[i, j]


def test_working_arrays_are_apart_and_hold_what_is_put_in_them():
    compiled_out, plain = np.zeros((3, 5)), np.zeros((3, 5))
    worked(2.0, compiled_out)
    worked.py_func(2.0, plain)
    assert compiled_out.tobytes() == plain.tobytes()
    assert plain[2, 4] == 47.0


def test_check_has_teeth():
    arena = arena_with(1)
    with pytest.raises(AssertionError, match="off by"):
        assert_close(
            compiled(arena, (0.3, -0.7, 1.1))[:4],
            weighted(arena, (0.3, -0.7, 1.111))[:4],
            rtol=1e-15,
        )
