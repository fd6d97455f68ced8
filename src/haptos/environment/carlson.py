"""Carlson's symmetric elliptic integral of the second kind by duplication.

R_D(x, y, z) = 3/2 int_0^inf dt / (sqrt((t + x) (t + y) (t + z)) (t + z))

One duplication quarters the differences of the arguments; when they are small a
Taylor series of fifth order about the mean finishes.
Validity: arguments > 0, their ratios up to 1e12. Source: [Carlson1995] sec. 2.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ("Carlson1995",)

DUPLICATIONS = 64  # [-], bound of the loop; ratios of 1e12 need 9
SPREAD = 4e-3  # [-], (largest - smallest) / mean below which the series is exact to 1e-16


@device
def carlson_rd_triple(x, y, z):
    """(R_D(y, z, x), R_D(z, x, y), R_D(x, y, z)) from one run of duplications.

    They sum to 3 / sqrt(x y z); the one of the smallest argument, the largest of the three, is
    taken from the sum, which costs at most two bits.
    """
    total = 3.0 / math.sqrt(x * y * z)
    if x <= y and x <= z:
        v, w = _rd_pair(x, y, z)
        return total - v - w, v, w
    if y <= z:
        u, w = _rd_pair(y, x, z)
        return u, total - u - w, w
    u, v = _rd_pair(z, x, y)
    return u, v, total - u - v


@device
def _rd_pair(x, y, z):
    """(R_D(z, x, y), R_D(x, y, z))."""
    sum_y, sum_z, power = 0.0, 0.0, 1.0
    for _ in range(DUPLICATIONS):
        if not max(x, y, z) - min(x, y, z) > SPREAD * min(y, z):
            break
        a, b, c = math.sqrt(x), math.sqrt(y), math.sqrt(z)
        shift = a * b + b * c + c * a
        sum_y += power / (b * (y + shift))
        sum_z += power / (c * (z + shift))
        power *= 0.25
        x, y, z = 0.25 * (x + shift), 0.25 * (y + shift), 0.25 * (z + shift)
    r_y = 3.0 * sum_y + power * _rd_series(x, z, y)
    return r_y, 3.0 * sum_z + power * _rd_series(x, y, z)


@device
def _rd_series(x, y, z):
    """R_D for arguments that differ little."""
    mean = (x + y + 3.0 * z) / 5.0
    dx, dy = (mean - x) / mean, (mean - y) / mean
    dz = -(dx + dy) / 3.0
    xy, zz = dx * dy, dz * dz
    e2 = xy - 6.0 * zz
    e3 = (3.0 * xy - 8.0 * zz) * dz
    e4 = 3.0 * (xy - zz) * zz
    e5 = xy * zz * dz
    series = (
        1.0
        - 3.0 * e2 / 14.0
        + e3 / 6.0
        + 9.0 * e2 * e2 / 88.0
        - 3.0 * e4 / 22.0
        - 9.0 * e2 * e3 / 52.0
        + 3.0 * e5 / 26.0
    )
    return series / (mean * math.sqrt(mean))
