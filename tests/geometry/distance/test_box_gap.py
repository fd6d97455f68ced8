"""Gaps of turned boxes: apart exactly when they are, and never more than their distance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from haptos.geometry.distance.box_gap import TurnedBoxes, box_gaps
from tests.close import assert_close


def turned(generator: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(generator.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0.0 else -q


def box(generator: np.random.Generator, far: float) -> TurnedBoxes:
    return TurnedBoxes(
        far * generator.normal(size=(1, 3)), generator.uniform(0.1, 1.0, (1, 3)), turned(generator)[None]
    )  # fmt: skip


def distance(a: TurnedBoxes, b: TurnedBoxes) -> float:
    """Least distance of a point of one box from a point of the other."""
    matrix = np.hstack([a.axes[0] * a.halves[0], -b.axes[0] * b.halves[0]])
    found = lsq_linear(matrix, b.centres[0] - a.centres[0], (-1.0, 1.0), method="bvls", tol=1e-14)
    return float(np.sqrt(2.0 * found.cost))


def test_boxes_are_apart_exactly_when_their_gap_is_above_zero():
    generator = np.random.default_rng(5)
    apart = 0
    for _ in range(300):
        a, b = box(generator, 0.0), box(generator, 1.0)
        gap, way = float(box_gaps(a, b)[0, 0]), distance(a, b)
        assert (gap > 0.0) == (way > 1e-7)
        assert gap <= way + 1e-7
        apart += gap > 0.0
    assert 50 < apart < 250


def test_faces_that_look_at_each_other_have_the_gap_of_their_distance():
    still = np.eye(3)[None]
    a = TurnedBoxes(np.zeros((1, 3)), np.array([[1.0, 2.0, 3.0]]), still)
    b = TurnedBoxes(np.array([[3.5, 0.1, 0.2], [0.0, 0.0, -4.5]]), np.full((2, 3), 1.0), np.repeat(still, 2, axis=0))  # fmt: skip
    assert_close(box_gaps(a, b), [[1.5, 0.5]], rtol=1e-12)
    assert_close(box_gaps(b, a), [[1.5], [0.5]], rtol=1e-12)


def test_edges_that_cross_are_told_apart_by_their_own_axis():
    """Two long bars across each other at 45 deg, edge over edge: no face separates them."""
    c = np.sqrt(0.5)
    roll = np.array([[1.0, 0.0, 0.0], [0.0, c, -c], [0.0, c, c]])
    yaw = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    halves = np.array([[5.0, 1.0, 1.0]])
    first = TurnedBoxes(np.zeros((1, 3)), halves, roll[None])
    for height, gap in ((2.9, 2.9 - 2.0 / c), (2.7, 2.7 - 2.0 / c)):
        second = TurnedBoxes(np.array([[0.0, 0.0, height]]), halves, (yaw @ roll)[None])
        assert_close(box_gaps(first, second), [[gap]], rtol=1e-9)


@pytest.mark.parametrize("grown", [0.98, 1.02])
def test_a_box_two_hundredths_larger_shows(grown):
    still = np.eye(3)[None]
    a = TurnedBoxes(np.zeros((1, 3)), np.full((1, 3), 1.0), still)
    b = TurnedBoxes(np.array([[2.01, 0.0, 0.0]]), np.full((1, 3), grown), still)
    assert (box_gaps(a, b)[0, 0] > 0.0) == (grown < 1.0)
