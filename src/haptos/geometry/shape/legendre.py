"""Fully normalised associated Legendre functions of sin(latitude), with derivatives.

    Pn_jk = N_jk P_jk,   N_jk = sqrt((2 - d_k0) (2 j + 1) (j - k)! / (j + k)!)

    P_jk(x) = (1 - x^2)^(k/2) d^k/dx^k P_j(x), without the factor (-1)^k       x = sin phi
    phi     latitude [rad]                      j, k  degree and order, 0 <= k <= j
so that the mean of (Pn_jk cos k lambda)^2 over the sphere is 1. The recursion runs upward in j at
constant k, from the sectorial Pn_kk:

    Pn_kk = sqrt((2 k + 1) / (2 k)) cos(phi) Pn_(k-1)(k-1),  sqrt(3) cos(phi) for k = 1
    Pn_jk = a_jk sin(phi) Pn_(j-1)k - b_jk Pn_(j-2)k
    a_jk^2 = (2 j - 1)(2 j + 1) / ((j - k)(j + k))
    b_jk^2 = (2 j + 1)(j + k - 1)(j - k - 1) / ((j - k)(j + k)(2 j - 3))

Derivatives come from orders k - 1 and k + 1 of the same degree, so they are finite at the poles too:

    d/dphi P_jk = (P_j(k+1) - (j + k)(j - k + 1) P_j(k-1)) / 2,    d/dphi P_j0 = P_j1

Validity: any latitude; degrees up to LARGEST_DEGREE. Beyond about 1900 the sectorial functions
underflow near the poles and take the higher degrees with them.
Source: [Holmes2002], the forward column recursion.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ("Holmes2002",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_DEGREE = 720


def row_of(degree: int, order: int) -> int:
    """Row of Pn_jk in the tables below: 00, 10, 11, 20, 21, 22, 30, ..."""
    return degree * (degree + 1) // 2 + order


@functools.lru_cache(maxsize=8)
def rows(degree: int) -> tuple[Integers, Integers]:
    """(j, k) of every row of a table up to a degree."""
    j = np.repeat(np.arange(degree + 1), np.arange(1, degree + 2))
    k = np.arange(len(j)) - j * (j + 1) // 2
    j.flags.writeable = k.flags.writeable = False
    return j, k


def legendre_functions(degree: int, latitude: ArrayLike) -> Floats:
    """Pn_jk(sin phi) of all degrees and orders, shape (rows, n), for latitudes [rad], shape (n,)."""
    phi = np.atleast_1d(np.asarray(latitude, dtype=float))
    x, u = np.sin(phi), np.cos(phi)
    table = np.empty((row_of(degree + 1, 0), len(phi)))
    table[0] = 1.0
    for k in range(1, degree + 1):
        step = np.sqrt(3.0) if k == 1 else np.sqrt((2.0 * k + 1.0) / (2.0 * k))
        table[row_of(k, k)] = step * u * table[row_of(k - 1, k - 1)]
    for k in range(degree):
        table[row_of(k + 1, k)] = np.sqrt(2.0 * k + 3.0) * x * table[row_of(k, k)]
    for j in range(2, degree + 1):
        orders = np.arange(j - 1)
        below = (j - orders) * (j + orders)
        a = np.sqrt((2 * j - 1) * (2 * j + 1) / below)
        b = np.sqrt((2 * j + 1) * ((j - 1) ** 2 - orders**2) / (below * (2.0 * j - 3.0)))
        one, two = row_of(j - 1, 0), row_of(j - 2, 0)
        table[row_of(j, 0) : row_of(j, 0) + j - 1] = (
            a[:, None] * x * table[one : one + j - 1] - b[:, None] * table[two : two + j - 1]
        )
    return table


def latitude_derivative(degree: int, table: Floats) -> Floats:
    """d/dphi of a table that spans all orders: of Pn_jk, or of its own derivative once more."""
    j, k = rows(degree)
    # N_jk over N_j(k-1) and N_j(k+1), times the factors of the unnormalised rule
    lower = np.sqrt((j + k) * (j - k + 1.0)) * np.where(k == 1, np.sqrt(2.0), 1.0)
    upper = np.sqrt((j - k) * (j + k + 1.0)) * np.where(k == 0, np.sqrt(0.5), 1.0)
    slope = np.zeros_like(table)
    inner = k > 0
    slope[inner] -= 0.5 * lower[inner, None] * table[np.flatnonzero(inner) - 1]
    outer = k < j
    whole = np.where(k == 0, 1.0, 0.5)  # d/dphi P_j0 = P_j1
    slope[outer] += (whole * upper)[outer, None] * table[np.flatnonzero(outer) + 1]
    return slope


def normalisation(degree: int) -> Floats:
    """N_jk [-], shape (degree + 1, degree + 1), 1 where k > j; zero where it underflows."""
    factor = np.ones((degree + 1, degree + 1))
    for j in range(degree + 1):
        k = np.arange(1, j + 1)
        steps = np.sqrt((j + k) * (j - k + 1.0))
        factor[j, 0] = np.sqrt(2.0 * j + 1.0)
        with np.errstate(under="ignore"):
            factor[j, 1 : j + 1] = np.sqrt(2.0) * factor[j, 0] * np.cumprod(1.0 / steps)
    return factor
