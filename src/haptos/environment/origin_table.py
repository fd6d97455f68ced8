"""An origin that falls along an orbit which the Earth's flattening bends, as a table kernels read.

    R0'' = -mu R0/|R0|^3 + a_J2(R0),   rows (R0, V0) at even times
    between rows, s = t/h - k:  R0 = (1 + 2 s)(1 - s)^2 R_k + s (1 - s)^2 h V_k
                                     + s^2 (3 - 2 s) R_{k+1} - s^2 (1 - s) h V_{k+1},   V0 its derivative

    R0, V0  place [m] and velocity [m/s] from the Earth's centre        h  spacing of the rows [s]
Things near such an origin feel only the difference of J2 between their place and its own, so they
stay near it and keep their digits; about an origin on a Kepler ellipse they would be hundreds of
metres away after five minutes.
Frame: N with z along the Earth's spin; rows may be turned into any axes that do not turn in time.
Validity: between rows within h^4 R0''''/384, 4e-7 m near the Earth at h = 2 s, which changes the
difference of gravity over 100 m by 1e-19 of g; J2 and the point mass only.
Source: [Vallado2013] ch. 8; Hermite's cubic and its remainder [Hairer2003].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device
from haptos.environment.gravity_j2 import EARTH_J2, j2_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.environment.orbit_frames import EARTH_MU, EARTH_RADIUS

CITES: tuple[str, ...] = ("Hairer2003", "Vallado2013")

Floats = NDArray[np.float64]

SPACING = 2.0  # [s], largest between rows


def origin_table(
    place: ArrayLike,
    velocity: ArrayLike,
    duration: float,
    *,
    mu: float = EARTH_MU,
    radius: float = EARTH_RADIUS,
    j2: float = EARTH_J2,
) -> tuple[float, Floats]:
    """(spacing [s], rows (n, 6) of R0 [m] and V0 [m/s]) from time 0 to `duration` [s]."""
    from scipy.integrate import solve_ivp

    count = max(math.ceil(duration / SPACING), 1)
    times = np.linspace(0.0, duration, count + 1)
    start = np.concatenate([np.asarray(place, dtype=float), np.asarray(velocity, dtype=float)])

    def rate(t: float, y: Floats) -> list[float]:
        here = (float(y[0]), float(y[1]), float(y[2]))
        round_part = point_gravity(here, mu)[1]
        flat_part = j2_gravity(here, mu, radius, j2)[1]
        return [*y[3:], *(a + b for a, b in zip(round_part, flat_part, strict=True))]

    solved = solve_ivp(
        rate, (0.0, duration), start, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-9
    )
    return duration / count, np.ascontiguousarray(solved.y.T)


@device
def tabled_state(spacing, rows, time):
    """(R0 [m], V0 [m/s]) at a time [s], the ends held."""
    last = len(rows) - 2
    k = min(max(int(time / spacing), 0), last)
    s = min(max(time / spacing - k, 0.0), 1.0)
    r = 1.0 - s
    a, b = (1.0 + 2.0 * s) * r * r, s * r * r * spacing
    c, d = s * s * (3.0 - 2.0 * s), -s * s * r * spacing
    slope = 6.0 * s * r / spacing
    e, f = r * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
    p, q = rows[k], rows[k + 1]
    return (
        (
            a * p[0] + b * p[3] + c * q[0] + d * q[3],
            a * p[1] + b * p[4] + c * q[1] + d * q[4],
            a * p[2] + b * p[5] + c * q[2] + d * q[5],
        ),
        (
            slope * (q[0] - p[0]) + e * p[3] + f * q[3],
            slope * (q[1] - p[1]) + e * p[4] + f * q[4],
            slope * (q[2] - p[2]) + e * p[5] + f * q[5],
        ),
    )
