"""Symmetric matrices as six numbers agree with NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.symmetric import apply_symmetric, six_of, solve_symmetric, turned_back
from tests.close import assert_close

numbers = st.floats(-1e3, 1e3).map(lambda x: round(x, 6))
triples = st.tuples(numbers, numbers, numbers)
sixes = st.tuples(*[numbers] * 6)


def matrix_of(s):
    """The full matrix of six numbers (xx, xy, xz, yy, yz, zz)."""
    xx, xy, xz, yy, yz, zz = s
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def assert_is_product(found, s, x):
    size = 1.0 + float(np.linalg.norm(matrix_of(s))) * float(np.linalg.norm(x))
    assert_close(found, matrix_of(s) @ np.array(x), rtol=1e-15, scale=4.0 * size)


@given(sixes, triples)
def test_product_is_that_of_the_full_matrix(s, x):
    assert_is_product(apply_symmetric(s, x), s, x)


@given(sixes)
def test_six_numbers_of_a_matrix_give_it_back(s):
    assert six_of(matrix_of(s)) == s


@given(sixes, triples, triples)
def test_product_is_symmetric_in_its_two_vectors(s, x, y):
    size = 1.0 + float(np.linalg.norm(matrix_of(s)) * np.linalg.norm(x) * np.linalg.norm(y))
    one, other = np.dot(y, apply_symmetric(s, x)), np.dot(x, apply_symmetric(s, y))
    assert_close(one, other, rtol=1e-14, scale=size)


def test_columns_of_the_identity_pick_out_the_six_numbers_by_name():
    s = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)  # xx, xy, xz, yy, yz, zz
    assert apply_symmetric(s, (1.0, 0.0, 0.0)) == (1.0, 2.0, 3.0)
    assert apply_symmetric(s, (0.0, 1.0, 0.0)) == (2.0, 4.0, 5.0)
    assert apply_symmetric(s, (0.0, 0.0, 1.0)) == (3.0, 5.0, 6.0)


def test_check_has_teeth():
    s, x = (1.0, 0.2, 0.3, 2.0, 0.5, 3.0), (0.4, -0.7, 0.9)
    spoiled = (*s[:4], 1.01 * s[4], s[5])
    with pytest.raises(AssertionError):
        assert_is_product(apply_symmetric(spoiled, x), s, x)


@given(sixes, st.integers(0, 2**32 - 1))
def test_turning_back_is_the_congruence_of_the_full_matrix(s, seed):
    turn = np.random.default_rng(seed).normal(size=(3, 3))
    expected = turn.T @ matrix_of(s) @ turn
    size = 1.0 + float(np.linalg.norm(matrix_of(s)) * np.linalg.norm(turn) ** 2)
    rows = tuple(tuple(row) for row in turn.tolist())
    assert_close(matrix_of(turned_back(rows, s)), expected, rtol=1e-14, scale=size)


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 9), triples)
def test_a_solution_put_back_gives_the_right_hand_side(numbers_of_root, y):
    root = np.array(numbers_of_root).reshape(3, 3)
    s = six_of(root @ root.T + 0.1 * np.eye(3))
    found = solve_symmetric(s, y)
    assert_close(matrix_of(s) @ np.array(found), y, rtol=1e-11, scale=1e3)
    spoiled = solve_symmetric((1.01 * s[0], *s[1:]), (1.0, 0.0, 0.0))
    assert abs((matrix_of(s) @ np.array(spoiled))[0] - 1.0) > 1e-9
