"""Symmetric 3x3 matrices as six numbers (xx, xy, xz, yy, yz, zz), for kernels."""

from __future__ import annotations

import numpy as np

from haptos.core.jit import device


@device
def apply_symmetric(s, x):
    """s @ x."""
    return (
        s[0] * x[0] + s[1] * x[1] + s[2] * x[2],
        s[1] * x[0] + s[3] * x[1] + s[4] * x[2],
        s[2] * x[0] + s[4] * x[1] + s[5] * x[2],
    )


@device
def solve_symmetric(s, y):
    """x of s @ x = y, by cofactors; s must not be singular."""
    a = s[3] * s[5] - s[4] * s[4]
    b = s[2] * s[4] - s[1] * s[5]
    c = s[1] * s[4] - s[2] * s[3]
    d = s[0] * s[5] - s[2] * s[2]
    e = s[1] * s[2] - s[0] * s[4]
    f = s[0] * s[3] - s[1] * s[1]
    below = s[0] * a + s[1] * b + s[2] * c
    return (
        (a * y[0] + b * y[1] + c * y[2]) / below,
        (b * y[0] + d * y[1] + e * y[2]) / below,
        (c * y[0] + e * y[1] + f * y[2]) / below,
    )


@device
def turned_back(dcm, s):
    """dcm.T @ s @ dcm for a matrix dcm given as three row tuples."""
    a = apply_symmetric(s, (dcm[0][0], dcm[1][0], dcm[2][0]))
    b = apply_symmetric(s, (dcm[0][1], dcm[1][1], dcm[2][1]))
    c = apply_symmetric(s, (dcm[0][2], dcm[1][2], dcm[2][2]))
    return (
        dcm[0][0] * a[0] + dcm[1][0] * a[1] + dcm[2][0] * a[2],
        dcm[0][0] * b[0] + dcm[1][0] * b[1] + dcm[2][0] * b[2],
        dcm[0][0] * c[0] + dcm[1][0] * c[1] + dcm[2][0] * c[2],
        dcm[0][1] * b[0] + dcm[1][1] * b[1] + dcm[2][1] * b[2],
        dcm[0][1] * c[0] + dcm[1][1] * c[1] + dcm[2][1] * c[2],
        dcm[0][2] * c[0] + dcm[1][2] * c[1] + dcm[2][2] * c[2],
    )


def six_of(matrix: np.ndarray) -> tuple[float, float, float, float, float, float]:
    """The six numbers of a symmetric matrix, shape (3, 3)."""
    m = np.asarray(matrix, dtype=float)
    return (
        float(m[0, 0]),
        float(m[0, 1]),
        float(m[0, 2]),
        float(m[1, 1]),
        float(m[1, 2]),
        float(m[2, 2]),
    )
