"""A periodic texture laid without visible repetition: eight turned and shifted tilings, blended.

    x_k = C(k) (x + o_k)                                                            Eq. (2.34)
    C(k) = Cz(k) Cx(k), c = cos k, s = sin k, o_k = (sin 3k, sin 5k, sin 7k)        Eq. (2.38), (2.39)

    k      number of the tiling, 0..7, taken as an angle [rad]
    o_k    shift in units of the side of the texture
    index  i(x) = 8 (u + 1/2) with u a slow noise in [-1/2, 1/2]; k = floor(i), eps = i - k
    blend  (1 - w) texture(x_k) + w texture(x_(k+1)),  w = ramp((eps - 0.2)/0.6), 0 below, 1 above
The ramp is quintic, so that the blend has continuous second derivatives. The choice of the source
to shift eps by the difference of the two colours is left out: a distance has no colour.
Element (1, 3) of C is sin^2 k, as the product gives, where the source prints sin k.
Frame: that of x. Validity: both tilings stand side by side where they blend, each the fainter.
Source: [VanWal2018] section 2.3.3, after [Quilez2015].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device
from haptos.geometry.terrain.noise import STEEPEST_RAMP, ramp, value_noise

CITES: tuple[str, ...] = ("VanWal2018", "Quilez2015")
Floats = NDArray[np.float64]
TILINGS = 8
BLEND_FROM, BLEND_TO = 0.2, 0.8  # [-] fraction of the index between which two tilings blend


def tiling_3d(k: int) -> tuple[Floats, Floats]:
    """(C(k), shape (3, 3); o_k, shape (3,)) of tiling k of space. Eq. (2.38), (2.39)."""
    c, s = math.cos(k), math.sin(k)
    turn = np.array([[c, s * c, s * s], [-s, c * c, s * c], [0.0, -s, c]])
    return turn, np.array([math.sin(3 * k), math.sin(5 * k), math.sin(7 * k)])


def tiling_table(side: float) -> Floats:
    """Rows (C(k) by rows, C(k) o_k side [m]) of all tilings, shape (TILINGS, 12)."""
    rows = []
    for k in range(TILINGS):
        turn, shift = tiling_3d(k)
        rows.append(np.concatenate([turn.ravel(), side * (turn @ shift)]))
    return np.array(rows)


def steepest_blend(frequency: float) -> float:
    """Bound [1/m] on the length of the gradient of the weight w, for `frequency` [1/m] of the index."""
    slope_of_index = TILINGS * math.sqrt(3.0) * STEEPEST_RAMP * frequency
    return STEEPEST_RAMP / (BLEND_TO - BLEND_FROM) * slope_of_index


@device
def tiling_place(table, k, x):
    """x_k [m] of tiling k. Eq. (2.34)."""
    return (
        table[k, 0] * x[0] + table[k, 1] * x[1] + table[k, 2] * x[2] + table[k, 9],
        table[k, 3] * x[0] + table[k, 4] * x[1] + table[k, 5] * x[2] + table[k, 10],
        table[k, 6] * x[0] + table[k, 7] * x[1] + table[k, 8] * x[2] + table[k, 11],
    )


@device
def tiling_turn(table, k):
    """C(k) as three row tuples."""
    return (
        (table[k, 0], table[k, 1], table[k, 2]),
        (table[k, 3], table[k, 4], table[k, 5]),
        (table[k, 6], table[k, 7], table[k, 8]),
    )


@device
def blend_of_index(index):
    """(k, w, slope, curvature of w over the index) of an index in [0, TILINGS]."""
    k = min(max(math.floor(index), 0), TILINGS - 1)
    width = BLEND_TO - BLEND_FROM
    t = min(max((index - k - BLEND_FROM) / width, 0.0), 1.0)
    w, slope, curvature = ramp(t)
    return k, w, slope / width, curvature / (width * width)


@device
def tiling_blend(lattice, frequency, x):
    """(k, w, gradient of w [1/m], Hessian of w [1/m^2] (xx, xy, xz, yy, yz, zz)) at x [m]."""
    place = (frequency * x[0], frequency * x[1], frequency * x[2])
    u, g, h = value_noise(lattice, place)
    k, w, slope, curvature = blend_of_index(TILINGS * (u + 0.5))
    if slope == 0.0:
        return k, w, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    a, b = slope * TILINGS * frequency, curvature * (TILINGS * frequency) ** 2
    c = a * frequency
    return (
        k,
        w,
        (a * g[0], a * g[1], a * g[2]),
        (
            c * h[0] + b * g[0] * g[0],
            c * h[1] + b * g[0] * g[1],
            c * h[2] + b * g[0] * g[2],
            c * h[3] + b * g[1] * g[1],
            c * h[4] + b * g[1] * g[2],
            c * h[5] + b * g[2] * g[2],
        ),
    )
