"""How thick a body is below points of its surface, by steps along rays that its own distance allows.

    way := way - gap(p - way n)      until the ray leaves the body: gap >= 0

    p, n  point of the surface [m] and unit normal out of the body       gap < 0 inside
Validity: exact distances; a body thinner than `START` of the longest way counts as that thick.
Source: elementary (sphere tracing).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.geometry.distance.reference import Reference, gaps_of

Floats = NDArray[np.float64]

START = 1e-5  # [-] of the longest way: where a ray begins below the surface
CLOSE = 1e-6  # [-] of the longest way: this near to a surface a ray has reached it
MOST_STEPS = 500  # [-] of a ray


def thickness_below(
    body: Reference, points: Floats, normals: Floats, longest: float, spread: float = 0.0
) -> Floats:
    """Thickness [m] of a body below points of its surface along inward normals; inf beyond the longest way [m]."""
    way = np.full(len(points), START * longest)
    left = np.arange(len(points))
    for _ in range(MOST_STEPS):
        if len(left) == 0:
            break
        gaps = gaps_of(body, points[left] - way[left, None] * normals[left], spread)[0]
        way[left] += np.maximum(-gaps, 0.0)
        left = left[(gaps < -CLOSE * longest) & (way[left] < longest)]
    return np.where(way < longest, way, math.inf)


def thin_part(body: Reference, corners: Floats, longest: float, share: float = 0.1) -> float:
    """Thickness [m] that a share of the triangles (n, 3, 3) of a body's surface is thinner than, inf if none is."""
    middles = corners.mean(axis=1)
    gaps, normals, _ = gaps_of(body, middles)
    found = np.sort(thickness_below(body, middles - gaps[:, None] * normals, normals, longest))
    return float(found[int(share * (len(found) - 1))])
