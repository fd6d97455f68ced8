"""Directions spread evenly over the sphere, as a closed mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.mesh.tessellation import subdivided

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def icosphere(level: int) -> tuple[Floats, Integers]:
    """(unit vectors, outward faces) of an icosahedron split `level` times, pushed to the sphere.

    10 4^level + 2 vertices, 20 4^level facets.
    """
    points, faces = platonic_solid("icosahedron")
    for _ in range(level):
        points, faces = subdivided(points, faces)
        points = points / np.linalg.norm(points, axis=1, keepdims=True)
    return points, faces
