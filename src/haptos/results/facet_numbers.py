"""Numbers at the vertices of a mesh as numbers of its facets, which is what maps of a body draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def of_all_corners(values: Floats, faces: Integers) -> Floats:
    """Mean of the corners; no number where one corner has none."""
    return np.asarray(values[faces].mean(axis=1))


def of_known_corners(values: Floats, faces: Integers) -> Floats:
    """Mean of the corners that have a number; NaN where none has one."""
    corners = values[faces]
    counted = np.isfinite(corners)
    total = np.where(counted, corners, 0.0).sum(axis=1)
    count = counted.sum(axis=1)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def of_first_known_corner(values: Floats, faces: Integers) -> Floats:
    """Number of the first corner that has one, for directions, which have no mean."""
    corners = values[faces]
    first = np.argmax(np.isfinite(corners), axis=1)
    return np.asarray(corners[np.arange(len(corners)), first])
