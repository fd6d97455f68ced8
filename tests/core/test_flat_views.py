"""A flat view is the array itself, number after number."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from haptos.core.flat_views import flat
from haptos.core.jit import uncounted_entry


@uncounted_entry
def doubled(rows):
    line = flat(rows)
    for i in range(len(line)):
        line[i] += line[i]
    return len(line)


@pytest.mark.parametrize("shape", [(4, 3), (0, 3), (2, 3, 4), (5,)])
def test_what_is_written_into_the_view_is_in_the_array(shape):
    rows = np.arange(float(np.prod(shape))).reshape(shape)
    expected = 2.0 * rows
    assert doubled(rows) == rows.size
    np.testing.assert_array_equal(rows, expected)


def test_plain_python_gets_a_view_too():
    rows = np.zeros((2, 3))
    flat(rows)[4] = 1.0
    assert rows[1, 1] == 1.0


def test_columns_are_refused():
    with pytest.raises(numba.TypingError):
        doubled(np.asfortranarray(np.ones((2, 3))))
