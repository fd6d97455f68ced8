"""Normalised Legendre functions: closed forms, sums, derivatives, poles, high degrees."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.shape.legendre import (
    latitude_derivative,
    legendre_functions,
    normalisation,
    row_of,
    rows,
)
from tests.close import assert_close

LATITUDES = np.array([-np.pi / 2, -1.3, -0.4, 0.0, 1e-9, 0.7, 1.5, np.pi / 2])


def by_definition(phi: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
    """P_jk without (-1)^k, from tables."""
    x, u = np.sin(phi), np.cos(phi)
    return {
        (0, 0): np.ones_like(x), (1, 0): x, (1, 1): u,
        (2, 0): 0.5 * (3 * x**2 - 1), (2, 1): 3 * x * u, (2, 2): 3 * u**2,
        (3, 1): 1.5 * u * (5 * x**2 - 1), (3, 2): 15 * x * u**2, (3, 3): 15 * u**3,
    }  # fmt: skip


def test_low_degrees_are_those_of_tables():
    table, factor = legendre_functions(3, LATITUDES), normalisation(3)
    for (j, k), expected in by_definition(LATITUDES).items():
        assert_close(table[row_of(j, k)], factor[j, k] * expected, rtol=1e-14)


def test_a_function_one_percent_off_is_seen():
    table = legendre_functions(3, 1.01 * LATITUDES)
    with pytest.raises(AssertionError):
        assert_close(table[row_of(2, 2)], np.sqrt(5 / 12) * 3 * np.cos(LATITUDES) ** 2, rtol=1e-14)


@pytest.mark.parametrize("degree", [2, 40, 150, 360])
def test_squares_of_one_degree_add_up_to_2j_plus_1_at_every_latitude(degree: int):
    table = legendre_functions(degree, LATITUDES)
    j, _ = rows(degree)
    for one in {degree // 2, degree}:
        total = np.sum(table[j == one] ** 2, axis=0)
        assert_close(total, np.full(len(LATITUDES), 2.0 * one + 1.0), rtol=1e-11)


def test_functions_are_orthonormal_over_the_sphere():
    degree = 30
    x, weight = np.polynomial.legendre.leggauss(degree + 1)
    table = legendre_functions(degree, np.arcsin(x))
    _, k = rows(degree)
    for order in (0, 1, 7, 30):
        columns = table[k == order]
        product = np.einsum("rn,sn,n->rs", columns, columns, weight)
        expected = np.eye(len(columns)) * (2.0 if order == 0 else 4.0)
        assert_close(product, expected, rtol=1e-12)


@pytest.mark.parametrize("degree", [3, 60])
def test_derivatives_match_differences(degree: int):
    phi, step = np.array([-1.2, -0.3, 0.0, 0.9, 1.4]), 1e-5
    table = legendre_functions(degree, phi)
    slope = latitude_derivative(degree, table)
    bend = latitude_derivative(degree, slope)
    low, high = (legendre_functions(degree, phi + sign * step) for sign in (-1, 1))
    assert_close(slope, (high - low) / (2 * step), rtol=1e-7)
    low, high = (latitude_derivative(degree, part) for part in (low, high))
    assert_close(bend, (high - low) / (2 * step), rtol=1e-7)


def test_derivatives_are_finite_at_the_poles_and_join_their_surroundings():
    degree, near = 12, 1e-7
    at, beside = (
        latitude_derivative(degree, legendre_functions(degree, [angle]))
        for angle in (np.pi / 2, np.pi / 2 - near)
    )
    assert_close(beside, at, rtol=1e-5)


def test_factors_follow_from_factorials():
    from math import factorial, sqrt

    factor = normalisation(20)
    for j, k in ((0, 0), (5, 0), (5, 3), (20, 20)):
        double = 1 if k == 0 else 2
        exact = sqrt(double * (2 * j + 1) * factorial(j - k) / factorial(j + k))
        assert_close(factor[j, k], exact, rtol=1e-13)
