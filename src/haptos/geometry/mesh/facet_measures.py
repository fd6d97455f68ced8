"""Sizes of the facets of a mesh, and what grid they ask for.

    A_f = 1/2 |(P1 - P0) x (P2 - P0)|            area of a facet [m^2]              Eq. (2.28)
    s_f = 2 sqrt(A_f / sqrt 3)                   side of the equal equilateral [m]  Eq. (2.29)

A distance grid finer than the mean side only resolves the flat facets; a mesh understates relief
up to about three sides, so features made by code reach up to three times the mean side.
Source: [VanWal2018].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]

FEATURE_SIDES = 3.0  # [-] largest relief that a mesh leaves out, in mean sides; from the source


@dataclass(frozen=True)
class FacetSizes:
    """Mean and standard deviation of the equivalent side s_f over the facets [m]."""

    mean_side: float
    deviation_side: float

    @property
    def advised_spacing(self) -> float:
        """Spacing [m] of a distance grid that resolves the mesh: the mean side."""
        return self.mean_side

    @property
    def feature_ceiling(self) -> float:
        """Largest size [m] of features to add to the mesh: three mean sides."""
        return FEATURE_SIDES * self.mean_side


def facet_areas(vertices: ArrayLike, faces: ArrayLike) -> Floats:
    """A_f [m^2], shape (m,)."""
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces)
    a, b, c = (points[corners[:, k]] for k in range(3))
    return np.asarray(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))  # Eq. (2.28)


def facet_centres(vertices: ArrayLike, faces: ArrayLike) -> Floats:
    """Mean of the corners [m], shape (m, 3)."""
    return np.asarray(np.asarray(vertices, dtype=float)[np.asarray(faces)].mean(axis=1))


def equivalent_sides(areas: ArrayLike) -> Floats:
    """s_f [m] of facets of areas [m^2], shape (m,)."""
    return np.asarray(2.0 * np.sqrt(np.asarray(areas, dtype=float) / math.sqrt(3.0)))  # Eq. (2.29)


def facet_sizes(vertices: ArrayLike, faces: ArrayLike) -> FacetSizes:
    """Mean and spread of the facets' sides, each facet counting once."""
    sides = equivalent_sides(facet_areas(vertices, faces))
    return FacetSizes(float(sides.mean()), float(sides.std()))
