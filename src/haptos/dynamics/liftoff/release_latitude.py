"""From how far off the equator something must roll down to lift off from the ridge.

    W = U + 1/2 |Omega x r|^2,   V_1 = sqrt(2 zeta (W(r_1) - W(r_0)))                  Eq. (3.79)

    W     geopotential [m^2/s^2], high in low ground      zeta  share of the released energy kept
    V_1   speed [m/s] on arrival at r_1 after rest at r_0, along the meridian
Per meridian: the latitude where the least speed along it, north or south, lifts off (the ridge of a
top-shaped body), then the nearest latitude north and south of it from which V_1 is that speed. Things let
go closer stay; lower shares mean higher latitudes.
Frame: latitudes and longitudes of the body. Validity: paths along the meridian; the share stands for
all losses and has no simple tie to restitution and friction. Source: [VanWal2018] section 3.5, with
the sign of the bracket that gives a real speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ReleaseLatitudes:
    """Per meridian, and per share of kept energy; angles [rad].

    longitude, ridge_latitude  shape (n,)          ridge_speed  least lift-off speed there [m/s], (n,)
    shares                     [-], shape (z,)     north, south  latitudes, shape (z, n); NaN for none
    """

    longitude: Floats
    ridge_latitude: Floats
    ridge_speed: Floats
    shares: Floats
    north: Floats
    south: Floats


def arrival_speed(released: ArrayLike, share: float) -> Floats:
    """V_1 [m/s] after W has risen by `released` [m^2/s^2]; zero where it has fallen."""
    return np.sqrt(2.0 * share * np.maximum(np.asarray(released, dtype=float), 0.0))  # Eq. (3.79)


def release_latitudes(
    latitude: ArrayLike,
    longitude: ArrayLike,
    geopotential: ArrayLike,
    meridian_speed: ArrayLike,
    shares: Sequence[float],
) -> ReleaseLatitudes:
    """Latitudes of release on a grid.

    latitude, longitude  [rad], rising, shapes (m,), (n,)     geopotential  W [m^2/s^2], (m, n)
    meridian_speed       least lift-off speed along the meridian [m/s], infinite for none, (m, n)
    shares               zeta, each above 0 up to 1
    """
    phi, lam = np.asarray(latitude, dtype=float), np.asarray(longitude, dtype=float)
    held, speed = np.asarray(geopotential, dtype=float), np.asarray(meridian_speed, dtype=float)
    kept = np.asarray(shares, dtype=float)
    shape = (len(phi), len(lam))
    if held.shape != shape or speed.shape != shape:
        found = f"maps of shapes {held.shape} and {speed.shape}"
        raise ConfigError("release latitudes", found, f"shape {shape}", "latitudes in rows")
    if kept.ndim != 1 or not np.all((kept > 0.0) & (kept <= 1.0)):
        found = f"shares {kept.tolist()}"
        raise ConfigError("release latitudes", found, "above 0, up to 1", "[1.0, 0.5, 0.1]")
    ridge = np.argmin(speed, axis=0)
    columns = np.arange(len(lam))
    least = speed[ridge, columns]
    north, south = (np.full((len(kept), len(lam)), np.nan) for _ in range(2))
    for z, share in enumerate(kept):
        needed = held[ridge, columns] - 0.5 * least**2 / share
        for k in columns:
            if np.isfinite(least[k]):
                up, down = slice(ridge[k], None), slice(ridge[k], None, -1)
                north[z, k] = _first_below(phi[up], held[up, k], needed[k])
                south[z, k] = _first_below(phi[down], held[down, k], needed[k])
    return ReleaseLatitudes(lam, phi[ridge], least, kept, north, south)


def _first_below(latitude: Floats, geopotential: Floats, limit: float) -> float:
    """Where W first falls to the limit on the way from the ridge, between grid points; NaN if never."""
    below = np.flatnonzero(geopotential <= limit)
    if not below.size:
        return float("nan")
    k = int(below[0])
    if k == 0:
        return float(latitude[0])
    share = (geopotential[k - 1] - limit) / (geopotential[k - 1] - geopotential[k])
    return float(latitude[k - 1] + share * (latitude[k] - latitude[k - 1]))
