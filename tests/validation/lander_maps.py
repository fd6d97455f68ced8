"""Maps of longitude and latitude of places of rest, as the source draws them: density per square degree, not per area of ground."""

from __future__ import annotations

import numpy as np

from tests.validation.lander_verdicts import (
    RESAMPLES,
    Estimate,
    bootstrap,
    longitude_latitude,
    rests,
)

CELL = 5.0  # [deg] of the map
BLUR = 2.0  # [cells] standard deviation of the smoothing
SHARE = 0.68  # of the rests within the area
REPEATS = RESAMPLES // 5


def density(places: np.ndarray) -> np.ndarray:
    """Smoothed density (36, 72) of places (n, 3) over latitude and longitude; its sum is 1."""
    from scipy.ndimage import gaussian_filter

    east, north = longitude_latitude(places)
    edges = [np.arange(-90.0, 90.1, CELL), np.arange(-180.0, 180.1, CELL)]
    counted, _, _ = np.histogram2d(north, east, bins=edges)
    found = gaussian_filter(counted, BLUR, mode=("reflect", "wrap"))
    return np.asarray(found / found.sum())


def map_peak(places: np.ndarray) -> tuple[float, float]:
    """(longitude, latitude) [deg] of the densest cell."""
    row, column = np.unravel_index(int(np.argmax(density(places))), (36, 72))
    return -180.0 + CELL * (column + 0.5), -90.0 + CELL * (row + 0.5)


def map_area(places: np.ndarray) -> float:
    """Area [deg^2] of the densest cells that hold 68 % of the rests."""
    ordered = np.sort(density(places), axis=None)[::-1]
    return float(CELL**2 * (1 + np.searchsorted(np.cumsum(ordered), SHARE)))


def _drawn(places: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return places[generator.integers(len(places), size=len(places))]


def map_area_change(first: str, second: str, body: str) -> Estimate:
    """Area of second over that of first, less one; drawn one by one."""
    a, b = rests(first, body), rests(second, body)
    generator = np.random.default_rng(1)
    ratios = [
        map_area(_drawn(b, generator)) / map_area(_drawn(a, generator)) - 1.0
        for _ in range(REPEATS)
    ]
    low, high = np.quantile(ratios, [0.025, 0.975])
    return Estimate(map_area(b) / map_area(a) - 1.0, float(low), float(high))


def peak_change(first: str, second: str, body: str) -> Estimate:
    """Change of the latitude [deg] of the densest spot; releases drawn together."""
    a, b = rests(first, body), rests(second, body)
    count = min(len(a), len(b))
    return bootstrap(lambda rows: map_peak(b[rows])[1] - map_peak(a[rows])[1], count)
