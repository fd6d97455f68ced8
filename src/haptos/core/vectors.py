"""Vectors of three numbers as tuples, for kernels: they stay in registers."""

from __future__ import annotations

import math

from haptos.core.jit import device

Vector = tuple[float, float, float]


@device
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@device
def subtract(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@device
def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


@device
def add_scaled(a, s, b):
    """a + s b."""
    return (a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2])


@device
def three_at(row, first):
    """Numbers first to first + 2 of a row as a vector."""
    return (row[first], row[first + 1], row[first + 2])


@device
def put_three(row, first, x):
    """Write a vector into numbers first to first + 2 of a row."""
    row[first], row[first + 1], row[first + 2] = x


@device
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@device
def cross(a, b):
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@device
def norm(a):
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@device
def tangential(a, n):
    """Part of a across the unit vector n: (1 - n n^T) a."""
    return add_scaled(a, -dot(a, n), n)


@device
def tangents(n):
    """Two unit vectors that complete the unit vector n to a right-handed frame (u1, u2, n).

    Branch-free away from one sign test, without the pole of an axis choice. Source: [Duff2017].
    """
    sign = math.copysign(1.0, n[2])
    a = -1.0 / (sign + n[2])
    b = n[0] * n[1] * a
    return (
        (1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]),
        (b, sign + n[1] * n[1] * a, -n[1]),
    )
