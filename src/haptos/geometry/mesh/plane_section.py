"""Where a closed mesh crosses a plane.

On every edge that goes through the plane z = 0 from above lies one point of the section, at the share z_p / (z_p - z_q).
Frame: that of the mesh. Validity: a section that each direction from the origin meets once. Source: presentation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CITES: tuple[str, ...] = ()


def section(vertices: Floats, faces: Integers) -> Floats:
    """Points (x, y) [m] of a closed mesh in the plane z = 0, in the order of their longitude."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    p, q = vertices[start], vertices[end]
    crosses = (p[:, 2] > 0.0) & (q[:, 2] <= 0.0)
    p, q = p[crosses], q[crosses]
    share = p[:, 2] / (p[:, 2] - q[:, 2])
    points = (p + share[:, None] * (q - p))[:, :2]
    order = np.argsort(np.arctan2(points[:, 1], points[:, 0]))
    return np.asarray(points[np.append(order, order[0])])
