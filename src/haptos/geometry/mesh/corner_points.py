"""Points of a solid by which it touches others: its corners, and points along its sharp edges.

A solid of many corners, as a scanned body, is represented by those that stick out farthest in directions
spread evenly over a sphere; edges of such a solid are as short as its corners are near each other.

    d_k = (sqrt(1 - z^2) cos(g k), sqrt(1 - z^2) sin(g k), z),   z = 1 - (2 k + 1)/n,   g = pi (3 - sqrt 5)

Frame: that of the vertices. Validity: between points along an edge the edge is not felt.
Source: elementary geometry.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

EDGE_PARTS = 8  # [-] parts an edge is cut into
MOST_CORNERS = 500  # [-] above which only those that stick out are taken
MOST_EDGES = 120  # [-] above which edges are left to their corners


def even_directions(count: int) -> Floats:
    """Unit vectors spread evenly over a sphere, shape (count, 3)."""
    k = np.arange(count)
    z = 1.0 - (2.0 * k + 1.0) / count
    angle = math.pi * (3.0 - math.sqrt(5.0)) * k
    out = np.sqrt(1.0 - z * z)
    return np.stack([out * np.cos(angle), out * np.sin(angle), z], axis=1)


def corner_points(vertices: Floats, edges: Floats) -> Floats:
    """Corners and points along edges [m], shape (c, 3).

    vertices  [m], shape (n, 3)
    edges     of `element_edge.sharp_edges`: first end [m], unit direction, length [m], ..., shape (e, 15)
    """
    corners = vertices
    if len(corners) > MOST_CORNERS:
        away = corners - 0.5 * (corners.min(axis=0) + corners.max(axis=0))
        directions = even_directions(MOST_CORNERS)
        corners = corners[np.unique([int((away @ one).argmax()) for one in directions])]
    corners = np.unique(corners, axis=0)
    if len(edges) > MOST_EDGES:
        return np.ascontiguousarray(corners)
    shares = np.arange(1, EDGE_PARTS) / EDGE_PARTS
    along = edges[:, None, 6:7] * shares[:, None] * edges[:, None, 3:6]
    between = (edges[:, None, :3] + along).reshape(-1, 3)
    return np.ascontiguousarray(np.concatenate([corners, between]))
