"""Boxes as arrays of faces, for tests of drag and light."""

from __future__ import annotations

import numpy as np


def box_faces(a, b, c, coefficient=1.0):
    """(normals, centres, areas, coefficients) of a box with sides a, b, c [m] about its centre."""
    sides = np.array([a, b, c], dtype=float)
    normals = np.vstack([np.eye(3), -np.eye(3)])
    centres = 0.5 * normals * sides
    areas = np.array([b * c, a * c, a * b, b * c, a * c, a * b], dtype=float)
    return normals, centres, areas, np.full(6, float(coefficient))
