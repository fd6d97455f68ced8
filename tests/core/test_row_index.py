"""Indices and maxima in forms that compile well: the same numbers as plain Python."""

from __future__ import annotations

import math

import numpy as np

from haptos.core.jit import entry
from haptos.core.row_index import ROWS, larger, row


@entry
def compiled(pairs, rows, found):
    for n in range(len(pairs)):
        found[n] = larger(pairs[n, 0], pairs[n, 1]) + row(rows[n])


def test_both_are_the_same_compiled_and_in_python():
    pairs = np.array([[1.0, 2.0], [2.0, 1.0], [math.nan, 1.0], [1.0, math.nan], [-1.0, math.inf]])
    rows = np.array([0, 7, 3, ROWS, 1])
    found = np.empty(len(pairs))
    compiled(pairs, rows, found)
    expected = [larger(a, b) + row(int(i)) for (a, b), i in zip(pairs, rows, strict=True)]
    assert found.tolist() == expected
    assert expected[:4] == [2.0, 9.0, 4.0, 1.0 + ROWS]
