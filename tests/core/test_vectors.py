"""Vectors as tuples agree with NumPy, in Python and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from haptos.core import vectors
from tests.close import assert_close

numbers = st.floats(-1e3, 1e3).map(lambda x: round(x, 6))
triples = st.tuples(numbers, numbers, numbers)


@st.composite
def directions(draw: st.DrawFn) -> tuple[float, float, float]:
    """Unit vectors everywhere, poles and their neighbourhood often."""
    z = draw(st.one_of(st.floats(-1.0, 1.0), st.sampled_from([-1.0, -1.0 + 1e-15, 1.0, 0.0, -0.0])))
    turn = draw(st.floats(0.0, 6.28))
    side = np.sqrt(max(0.0, 1.0 - z * z))
    x, y, z = np.array([side * np.cos(turn), side * np.sin(turn), z]) / np.hypot(side, z)
    return float(x), float(y), float(z)


@given(triples, triples, numbers)
def test_sums_and_products_are_those_of_numpy(a, b, s) -> None:  # type: ignore[no-untyped-def]
    x, y = np.array(a), np.array(b)
    assert np.array_equal(vectors.add(a, b), x + y)
    assert np.array_equal(vectors.subtract(a, b), x - y)
    assert np.array_equal(vectors.scale(s, a), s * x)
    assert np.array_equal(vectors.add_scaled(a, s, b), x + s * y)
    # Rounding of sums of products: a few units in the last place of the largest term.
    size = 1.0 + np.linalg.norm(x) * np.linalg.norm(y)
    assert_close(vectors.dot(a, b), x @ y, rtol=1e-15, scale=4.0 * size)
    assert_close(vectors.cross(a, b), np.cross(x, y), rtol=1e-15, scale=4.0 * size)


@given(triples)
def test_the_norm_is_the_length(a) -> None:  # type: ignore[no-untyped-def]
    length = float(np.linalg.norm(a))
    assert_close(vectors.norm(a), length, rtol=1e-15, scale=2.0 * max(length, 1e-150))


@given(triples, directions())
def test_the_tangential_part_is_across_and_the_rest_is_along(a, n) -> None:  # type: ignore[no-untyped-def]
    across = vectors.tangential(a, n)
    size = 1.0 + float(np.linalg.norm(a))
    assert abs(vectors.dot(across, n)) <= 1e-14 * size
    assert_close(np.cross(across, n), np.cross(a, n), rtol=1e-14, scale=size)


@given(directions())
def test_tangents_complete_any_direction_to_a_right_handed_frame(n) -> None:  # type: ignore[no-untyped-def]
    first, second = vectors.tangents(n)
    frame = np.array([first, second, n])
    # The published construction is exact to a few units in the last place.
    assert_close(frame @ frame.T, np.eye(3), rtol=4e-15)
    assert_close(np.cross(first, second), n, rtol=4e-15)


def test_the_frame_check_has_teeth() -> None:
    spoiled = np.array(vectors.tangents((0.6 * 1.01, 0.0, 0.8))[0])
    with pytest.raises(AssertionError):
        assert_close(spoiled @ spoiled, 1.0, rtol=4e-15)


def test_compiled_and_plain_give_the_same_bits() -> None:
    def chain(a, b, n):  # type: ignore[no-untyped-def]
        first, second = vectors.tangents(n)
        along = vectors.tangential(vectors.cross(a, b), n)
        return vectors.dot(along, first), vectors.norm(vectors.add_scaled(along, 0.3, second))

    arguments = (0.1, 0.7, -0.2), (1.3, -0.4, 0.9), (0.6, 0.0, -0.8)
    assert njit(chain)(*arguments) == chain(*arguments)
