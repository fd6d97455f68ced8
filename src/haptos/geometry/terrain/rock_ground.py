"""The facets that polyhedral rocks stand on: those of a mesh, split and laid on the ground that bodies feel.

A body on a mesh feels the zero of a distance grid, which cuts the edges of the mesh: on a built-in body by the size of
a rock. Rocks on the facets themselves would float there, or be buried, and a probe would be caught under them. So every
facet is split at the midpoints of its sides, and all corners are moved to the ground along its normals. What is left between
a small facet and the ground is measured:

    lift = 1.5 max |d_0|        over the middles and the midpoints of the sides of the laid facets

    d_0   gap from the smooth ground [m]        1.5  assumed: the gap between the places looked at is not known
Rocks stay where they are for every K: the split depends on the mesh alone.
Frame: that of the mesh. Validity: noise moves the ground, not the rocks.
Source: ours; rocks on the facets as in [VanWal2018] section 2.3.1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import entry
from haptos.core.vectors import add_scaled, scale
from haptos.geometry.distance.surface import Surface, ground_feet, smooth_gap_and_gradient
from haptos.geometry.mesh.tessellation import subdivided

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_FACETS = 600_000  # of the split mesh, 60 MB; with fewer a search looks at more rocks per facet
MOST_SPLITS = 3  # [-] halvings of a side; the gap falls to a quarter with each
LIFT_FACTOR = 1.5  # [-] of the largest gap that is seen
# Shares of the corners [-] at the places looked at: the middle, and the midpoints of the sides.
PLACES = ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.5, 0.0), (0.0, 0.5, 0.5), (0.5, 0.0, 0.5))


class RockGround(NamedTuple):
    """Facets under rocks: vertices (n, 3) [m], faces (m, 3), and how far they are from the ground, `lift` [m]."""

    vertices: Floats
    faces: Integers
    lift: float


def rock_ground(surface: Surface, vertices: Floats, faces: Integers) -> RockGround:
    """Facets of a mesh (vertices [m], faces outward), split and laid on the smooth ground `surface`."""
    for _ in range(splits_of(len(faces))):
        vertices, faces = subdivided(vertices, faces)
    laid, _ = ground_feet(surface, vertices)
    return RockGround(laid, faces, LIFT_FACTOR * float(largest_gap(surface, laid, faces)))


def splits_of(facet_count: int) -> int:
    """How often the facets of a mesh are split in four."""
    splits = 0
    while splits < MOST_SPLITS and facet_count * 4 ** (splits + 1) <= MOST_FACETS:
        splits += 1
    return splits


@entry
def largest_gap(surface, vertices, faces):
    """Largest |gap| [m] of the middles of facets and of their sides from the smooth ground."""
    largest = 0.0
    for row in range(len(faces)):
        i, j, k = faces[row]
        a = (vertices[i, 0], vertices[i, 1], vertices[i, 2])
        b = (vertices[j, 0], vertices[j, 1], vertices[j, 2])
        c = (vertices[k, 0], vertices[k, 1], vertices[k, 2])
        for u, v, w in PLACES:
            at = add_scaled(add_scaled(scale(u, a), v, b), w, c)
            largest = max(largest, abs(smooth_gap_and_gradient(surface, at)[0]))
    return largest
