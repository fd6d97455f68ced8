"""Exact signs against rational arithmetic, where rounding would decide."""

from __future__ import annotations

from fractions import Fraction

import numba
import numpy as np
import pytest

from haptos.geometry.mesh.exact_signs import SCRATCH, exact_sign, side_of_plane

compiled = numba.njit(error_model="numpy")(side_of_plane)


def rational_side(points, a, b, c, d):
    """The sign by fractions; a negative c is an axis."""
    p = [[Fraction(float(x)) for x in row] for row in points]
    u, v = ([p[i][k] - p[d][k] for k in range(3)] for i in (a, b))
    w = (
        [p[c][k] - p[d][k] for k in range(3)]
        if c >= 0
        else [Fraction(k == -1 - c) for k in range(3)]
    )
    volume = sum(
        u[k] * (v[(k + 1) % 3] * w[(k + 2) % 3] - v[(k + 2) % 3] * w[(k + 1) % 3]) for k in range(3)
    )
    return (volume > 0) - (volume < 0)


def nearly_flat(seed):
    """Four points of a plane, moved by a few last bits: rounding alone cannot tell their side."""
    generator = np.random.default_rng(seed)
    a, b, c = generator.normal(size=(3, 3)) * 10.0 ** generator.uniform(-3, 3, (3, 1))
    s, t = generator.uniform(-2, 2, 2)
    points = np.array([a, b, c, a + s * (b - a) + t * (c - a)])
    return points * (1.0 + generator.integers(-2, 3, (4, 3)) * 2.0**-52)


@pytest.mark.parametrize("c", [2, -1, -2, -3])
def test_sides_are_those_of_rational_arithmetic(c):
    scratch = np.empty(SCRATCH)
    for seed in range(300):
        points = nearly_flat(seed)
        if c < 0:
            points[2] = points[0] + 0.7 * (points[1] - points[0])  # nearly on the line
        third, fourth = (2, 3) if c >= 0 else (c, 2)
        expected = rational_side(points, 0, 1, third, fourth)
        assert compiled(points, 0, 1, third, fourth, scratch) == expected
        assert side_of_plane(points, 0, 1, third, fourth, scratch) == expected


@pytest.mark.parametrize("far", [0.0, 1e6, 1e15])
def test_points_of_a_plane_have_no_side_wherever_it_is(far):
    points = np.array([[0, 0, 0], [8, 1, 2], [3, 9, 4], [11, 10, 6]], dtype=float)
    scratch = np.empty(SCRATCH)
    assert compiled(points + far, 0, 1, 2, 3, scratch) == 0
    assert compiled(points[[1, 0, 2, 3]] * 2.0**-30, 0, 1, 2, 3, scratch) == 0


def test_check_has_teeth_plain_determinants_get_it_wrong():
    def plain(points):
        return int(np.sign(np.linalg.det(points[:3] - points[3])))

    wrong = [
        seed
        for seed in range(100)
        if plain(nearly_flat(seed)) != rational_side(nearly_flat(seed), 0, 1, 2, 3)
    ]
    assert len(wrong) > 10


def test_sum_keeps_what_rounding_would_lose():
    scratch = np.zeros(SCRATCH)
    scratch[[0, 4, 8]] = 1.0  # unit determinant
    scratch[9 + 8] = -1.0  # lost part of z takes it away but for
    assert exact_sign(scratch) == 0
    scratch[9 + 8] = -1.0 - 2.0**-52
    assert exact_sign(scratch) == -1
