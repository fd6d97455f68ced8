"""The implicit pair of order 5 and its explicit half."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from haptos.dynamics.march.dormand_prince import BROKEN
from haptos.dynamics.march.implicit import (
    DIAGONAL,
    ERROR,
    EXPLICIT,
    IMPLICIT,
    STAGES,
    TIMES,
    WEIGHTS,
    implicit_factor,
    implicit_step,
)
from tests.close import assert_close


def conditions(a: np.ndarray, b: np.ndarray, c: np.ndarray, order: int) -> float:
    """Largest miss of the order conditions of a Runge-Kutta method up to an order."""
    ac, ac2 = a @ c, a @ c**2
    found = {
        1: [b.sum() - 1],
        2: [b @ c - 1 / 2],
        3: [b @ c**2 - 1 / 3, b @ ac - 1 / 6],
        4: [b @ c**3 - 1 / 4, b @ (c * ac) - 1 / 8, b @ ac2 - 1 / 12, b @ (a @ ac) - 1 / 24],
        5: [
            b @ c**4 - 1 / 5, b @ (c**2 * ac) - 1 / 10, b @ ac**2 - 1 / 20, b @ (c * ac2) - 1 / 15,
            b @ (a @ c**3) - 1 / 20, b @ (c * (a @ ac)) - 1 / 30, b @ (a @ (c * ac)) - 1 / 40,
            b @ (a @ ac2) - 1 / 60, b @ (a @ (a @ ac)) - 1 / 120,
        ],
    }  # fmt: skip
    return max(abs(miss) for k in range(1, order + 1) for miss in found[k])


@pytest.mark.parametrize("table", [EXPLICIT, IMPLICIT])
def test_order_conditions_hold_up_to_five_and_four_for_the_companion(table):
    assert_close(table.sum(axis=1), TIMES, rtol=1e-14)
    assert conditions(table, WEIGHTS, TIMES, 5) < 1e-12
    companion = WEIGHTS - ERROR
    assert conditions(table, companion, TIMES, 4) < 1e-12
    assert conditions(table, companion, TIMES, 5) > 1e-4


def test_a_weight_off_by_one_percent_loses_the_order():
    spoiled = WEIGHTS.copy()
    spoiled[3] *= 1.01
    assert conditions(IMPLICIT, spoiled, TIMES, 5) > 1e-4


def test_the_implicit_table_is_stiffly_accurate_and_forgets_what_is_infinitely_stiff():
    assert (IMPLICIT[-1] == WEIGHTS).all()
    z = -1e8
    stable = 1.0 + z * WEIGHTS @ np.linalg.solve(np.eye(STAGES) - z * IMPLICIT, np.ones(STAGES))
    assert abs(stable) < 1e-6
    for w in np.linspace(0.1, 50.0, 200):
        inside = np.linalg.solve(np.eye(STAGES) - 1j * w * IMPLICIT, np.ones(STAGES))
        assert abs(1.0 + 1j * w * WEIGHTS @ inside) <= 1.0 + 1e-9


def pendulum(stiffness):
    def rates(model, t, y, dy):
        dy[0] = y[1]
        dy[1] = -np.sin(y[0]) - stiffness * (y[1] - np.cos(t))

    return rates


def solver(matrix):
    def solve(model, pace, right, z):
        z[:] = np.linalg.solve(np.eye(2) - pace * matrix, right)

    return solve


def march(stiffness, matrix, *, steps=0, tolerance=1e-13, is_explicit=False):
    rates, solve = pendulum(stiffness), solver(matrix)
    y, t, h, taken = np.array([1.0, 1.0]), 0.0, 2.0 / steps if steps else 1e-3, 0
    k, room = np.zeros((STAGES, 2)), [np.zeros(2) for _ in range(3)]
    while t < 2.0 - 1e-12:
        h = min(h, 2.0 - t)
        rates(None, t, y, k[0])
        _, ratio = implicit_step(
            rates, solve, None, t, h, y, 2, k, *room, np.full(2, tolerance), is_explicit
        )
        if ratio <= 1.0 or steps:
            t, y, taken = t + h, y + room[1], taken + 1
        if not steps:
            h *= min(5.0, max(0.2, 0.9 * max(ratio, 1e-10) ** -0.2))
    return y, taken


NEAR = np.array([[0.0, 1.0], [-0.6, -1.0]])
WRONG = np.array([[0.0, 0.9], [-0.4, -1.2]])


@pytest.mark.parametrize(("is_explicit", "matrix"), [(False, NEAR), (False, WRONG), (True, NEAR)])
def test_both_halves_converge_with_order_five_whatever_the_matrix(is_explicit, matrix):
    exact, _ = march(1.0, NEAR, steps=200)
    errors = [
        np.abs(
            march(1.0, matrix, steps=n, tolerance=1e-10, is_explicit=is_explicit)[0] - exact
        ).max()
        for n in (10, 20, 40)
    ]
    for coarse, fine in itertools.pairwise(errors):
        assert 4.5 < np.log2(coarse / fine) < 5.6


def test_a_stiff_driven_component_does_not_rule_the_step():
    matrix = np.array([[0.0, 1.0], [0.0, -1e4]])
    y, taken = march(1e4, matrix, tolerance=1e-8)
    exact, _ = march(1e4, matrix, tolerance=1e-11)
    assert taken < 100
    assert_close(y, exact, rtol=1e-7)


def test_a_step_that_newton_cannot_take_is_reported():
    room = [np.zeros(2) for _ in range(3)]
    k = np.zeros((STAGES, 2))
    rates = pendulum(1e6)
    rates(None, 0.0, np.array([1.0, 1.0]), k[0])
    asked, ratio = implicit_step(
        rates, solver(np.zeros((2, 2))), None, 0.0, 1.0, np.array([1.0, 1.0]), 2, k, *room, np.full(2, 1e-8), False
    )  # fmt: skip
    assert (asked, ratio) == (0, BROKEN)
    assert DIAGONAL == 2.0 / 9.0


@pytest.mark.parametrize("first", [1e-3, 1.0, 30.0])
def test_steps_settle_where_the_error_is_a_little_below_the_tolerance(first):
    """With errors of order five, ratio = (h/h*)^5, steps go to 0.9 h* wherever they began, by at most 0.2 and 4 at once."""
    h = first
    for _ in range(12):
        before, h = h, h * implicit_factor((h / 4.0) ** 5)
        assert 0.2 <= h / before <= 4.0
    assert_close(h, 0.9 * 4.0, rtol=1e-14)
