"""Entry points that count no references: the same numbers, nothing leaked, nothing allocated."""

from __future__ import annotations

import sys
from collections import namedtuple

import numba
import numpy as np
import pytest

from haptos.core.jit import IS_PLAIN_PYTHON, entry, routine, uncounted_entry

Pair = namedtuple("Pair", "a b")


@routine
def added(pair, i):
    row = pair.a[i]
    pair.b[i] += row[0] * row[1]
    return row[1]


def walk(pair, times):
    total = 0.0
    for k in range(times):
        total += added(pair, k % len(pair.b))
    return total


def filled():
    return Pair(np.arange(12.0).reshape(6, 2), np.zeros(6))


def test_the_same_numbers_and_no_reference_left_behind():
    ours, theirs = filled(), filled()
    uncounted = uncounted_entry(walk)
    assert uncounted(ours, 100) == entry(walk)(theirs, 100)
    assert np.array_equal(ours.b, theirs.b)
    before = sys.getrefcount(ours.a)
    for _ in range(1000):
        uncounted(ours, 7)
    after = sys.getrefcount(ours.a)
    assert after == before


@pytest.mark.skipif(IS_PLAIN_PYTHON, reason="plain Python allocates as it likes")
def test_a_kernel_that_allocates_is_refused_when_it_compiles():
    @uncounted_entry
    def made(n):
        return np.zeros(n).sum()

    with pytest.raises((numba.core.errors.NumbaError, NotImplementedError, RuntimeError)):
        made(3)
