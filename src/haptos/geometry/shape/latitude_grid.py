"""Numbers at the points of a body, read off on a grid of latitudes and longitudes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NEIGHBOURS = 3


def grid_angles(step: float) -> tuple[Floats, Floats]:
    """(latitudes, longitudes) [rad] about `step` apart: poles included, -180 deg to below 180 deg."""
    rows, columns = max(2, round(np.pi / step)) + 1, max(4, round(2.0 * np.pi / step))
    latitude = np.linspace(-0.5 * np.pi, 0.5 * np.pi, rows)
    return latitude, np.linspace(-np.pi, np.pi, columns, endpoint=False)


def nearest_points(
    points: ArrayLike, latitude: ArrayLike, longitude: ArrayLike
) -> tuple[Integers, Floats]:
    """(numbers, weights), shapes (m, n, 3): the points nearest in direction to every place of a grid.

    weights fall with the inverse distance in direction and sum to 1. Validity: star-shaped bodies;
    where a ray meets the ground more than once, points behind each other are mixed.
    """
    from scipy.spatial import cKDTree

    given = np.asarray(points, dtype=float)
    toward = given / np.linalg.norm(given, axis=1, keepdims=True)
    phi, lam = np.meshgrid(np.asarray(latitude), np.asarray(longitude), indexing="ij")
    rays = np.stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)], axis=-1)
    count = min(NEIGHBOURS, len(given))
    apart, numbers = cKDTree(toward).query(rays.reshape(-1, 3), k=list(range(1, count + 1)))
    weights = 1.0 / np.maximum(apart, 1e-9)
    weights /= weights.sum(axis=1, keepdims=True)
    shape = (*phi.shape, count)
    return numbers.reshape(shape).astype(np.int64), weights.reshape(shape)


def on_grid(values: ArrayLike, near: tuple[Integers, Floats], *, smooth: bool = True) -> Floats:
    """Values (p,) at the places of `nearest_points`: weighted means, or those of the nearest point."""
    given = np.asarray(values, dtype=float)
    numbers, weights = near
    if not smooth:
        return np.asarray(given[numbers[..., 0]])
    return np.asarray(np.sum(given[numbers] * weights, axis=-1))
