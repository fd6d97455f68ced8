"""Sizes of the facets of a mesh, what grid they ask for, and how rough the surface is.

    A_f = 1/2 |(P1 - P0) x (P2 - P0)|            area of a facet [m^2]              Eq. (2.28)
    s_f = 2 sqrt(A_f / sqrt 3)                   side of the equal equilateral [m]  Eq. (2.29)

A distance grid finer than the mean side only resolves the flat facets; a mesh understates relief
up to about three sides, so features made by code reach up to three times the mean side.

Roughness at a facet, over the facets whose centres lie within a radius of its own centre and whose
normals are within 120 deg of its own (the far wall of a thin neck is another surface):

    angle   sqrt(sum A_j theta_j^2 / sum A_j), theta_j between n_j and the area-weighted mean normal
    height  sqrt(sum A_j h_j^2 / sum A_j), h_j of the centre above the area-weighted best plane

Both vanish on a plane; on a sphere of radius R much larger than the neighbourhood's radius a they
are a/(R sqrt 2) and a^2/(R sqrt 48). They depend on the radius and on the resolution of the mesh:
compare only maps of the same radius.
Validity: facets smaller than the radius; below FEWEST facets the answer is NaN.
Source: sizes [VanWal2018]; roughness elementary, defined here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FEATURE_SIDES = 3.0  # [-] largest relief that a mesh leaves out, in mean sides; from the source
SAME_SIDE = -0.5  # [-] cosine of normals, assumed: beyond 120 deg a facet is of the far wall
FEWEST = 4  # facets of a neighbourhood; three centres lie in a plane
PAIRS_AT_ONCE = 3_000_000  # neighbours held in memory at a time


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


def roughness(vertices: ArrayLike, faces: ArrayLike, radius: float) -> tuple[Floats, Floats]:
    """(angle [rad], height [m]) of every facet's neighbourhood, each of shape (m,).

    radius  [m] of the neighbourhood, about three mean sides or more
    """
    from scipy.spatial import cKDTree

    if not (math.isfinite(radius) and radius > 0.0):
        found, hint = f"a radius of {radius} m", "three mean facet sides"
        raise GeometryError("roughness", found, "> 0, finite", hint)
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces)
    a, b, c = (points[corners[:, k]] for k in range(3))
    doubled = np.cross(b - a, c - a)
    area = 0.5 * np.linalg.norm(doubled, axis=1)
    normal = doubled / (2.0 * area)[:, None]
    centre = facet_centres(points, corners)
    tree = cKDTree(centre)
    counts = tree.query_ball_point(centre, radius, return_length=True)
    ends = np.searchsorted(
        np.cumsum(counts), np.arange(PAIRS_AT_ONCE, counts.sum() + PAIRS_AT_ONCE, PAIRS_AT_ONCE)
    )
    borders = np.unique(np.concatenate([[0], ends, [len(centre)]]))
    parts = []
    for low, high in pairwise(borders):
        near = tree.query_ball_point(centre[low:high], radius, return_sorted=True)
        owner = np.repeat(np.arange(high - low), counts[low:high])
        other = np.concatenate([np.asarray(group, dtype=np.int64) for group in near])
        parts.append(_spread(low, high, owner, other, area, normal, centre))
    angle, height = np.concatenate(parts, axis=1)
    return angle, height


def _spread(
    low: int,
    high: int,
    owner: Integers,
    other: Integers,
    area: Floats,
    normal: Floats,
    centre: Floats,
) -> Floats:
    """Angle and height, shape (2, high - low), from pairs (facet - low, neighbour)."""
    count = high - low
    facing = np.einsum("pi,pi->p", normal[low + owner], normal[other]) > SAME_SIDE
    owner, other = owner[facing], other[facing]
    weight = area[other]

    def total(values: Floats) -> Floats:
        return np.bincount(owner, weights=values, minlength=count).astype(float)

    whole = total(weight)
    mean = np.stack([total(weight * normal[other, i]) for i in range(3)], axis=1)
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    sine = np.linalg.norm(np.cross(normal[other], mean[owner]), axis=1)
    theta = np.arctan2(sine, np.einsum("pi,pi->p", normal[other], mean[owner]))
    angle = np.sqrt(total(weight * theta**2) / whole)
    away = centre[other] - centre[low + owner]  # small numbers: no digits lost far from the origin
    middle = np.stack([total(weight * away[:, i]) / whole for i in range(3)], axis=1)
    away = away - middle[owner]
    spread = np.empty((count, 3, 3))
    for i in range(3):
        for j in range(3):
            spread[:, i, j] = total(weight * away[:, i] * away[:, j]) / whole
    height = np.sqrt(np.maximum(np.linalg.eigvalsh(spread)[:, 0], 0.0))
    few = np.bincount(owner, minlength=count) < FEWEST
    return np.where(few, np.nan, np.stack([angle, height]))
