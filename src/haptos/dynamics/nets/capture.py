"""Is the target in the net? A verdict from where the knots are.

The cells of the net make a surface; a fan over its mouth closes it. The number of times that
surface winds about the target's centre,

    w = 1/(4 pi) sum of the solid angles of its triangles,

is near +1 or -1 for a target inside and near 0 for one outside, however crumpled the net is. The
target is held if it is inside and the mouth is too small for it: its area below that of the
target's smallest shadow, the product of its two smallest sides.
Frame: knots and centre in the same axes; the net spread out has x along the shot.
Validity: nets whose cells, spread out, can be drawn in the plane across the shot without crossing,
as planes, pyramids and cones. Whether a mouth that is smaller than the target but not tied could
open again is not asked. Source: solid angle [VanOosterom1983]; the verdict is ours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ("VanOosterom1983",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
INSIDE = 0.5  # [-] of the winding number: half-way between inside and outside


def net_triangles(knots: ArrayLike) -> Integers:
    """(t, 3) triangles over the knots of a net as it is spread, x along the shot, facing +x."""
    from scipy.spatial import Delaunay

    flat = np.asarray(knots, dtype=float)[:, 1:]
    found = Delaunay(flat).simplices.astype(np.int64)
    a, b, c = (flat[found[:, k]] for k in range(3))
    u, v = b - a, c - a
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    found[area < 0.0] = found[area < 0.0][:, ::-1]
    return np.asarray(found[np.abs(area) > 1e-12 * np.abs(area).max()])


def solid_angles(corners: Floats, point: ArrayLike) -> Floats:
    """Signed solid angle [sr] of triangles (t, 3, 3) [m] seen from a point [m], shape (t,).

    tan(W/2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)
    """
    a, b, c = np.moveaxis(corners - np.asarray(point, dtype=float), 1, 0)
    sizes = [np.linalg.norm(side, axis=1) for side in (a, b, c)]
    above = np.einsum("ti,ti->t", a, np.cross(b, c))
    below = sizes[0] * sizes[1] * sizes[2]
    for u, v, w in ((a, b, 2), (b, c, 0), (c, a, 1)):
        below = below + np.einsum("ti,ti->t", u, v) * sizes[w]
    return np.asarray(2.0 * np.arctan2(above, below))


def winding_number(knots: Floats, triangles: Integers, mouth: Integers, point: ArrayLike) -> float:
    """How often net and closed mouth wind about a point [m]; knots (n, 3) [m], mouth in order."""
    loop = knots[mouth]
    middle = loop.mean(axis=0)
    fan = np.stack([np.broadcast_to(middle, loop.shape), np.roll(loop, -1, axis=0), loop], axis=1)
    around = solid_angles(np.concatenate([knots[triangles], fan]), point)
    return float(around.sum() / (4.0 * np.pi))


def mouth_area(knots: Floats, mouth: Integers) -> float:
    """Area [m^2] of the mouth: of the loop's vector area."""
    loop = knots[mouth] - knots[mouth].mean(axis=0)
    return float(0.5 * np.linalg.norm(np.cross(loop, np.roll(loop, -1, axis=0)).sum(axis=0)))


def is_captured(
    knots: Floats, triangles: Integers, mouth: Integers, centre: ArrayLike, sides: ArrayLike
) -> bool:
    """Whether a target of box sides [m], (3,), about a centre [m] is in the net, its mouth closed.

    knots  [m], (n, 3)       triangles  (t, 3) of `net_triangles`       mouth  knots in order
    """
    small = np.sort(np.asarray(sides, dtype=float))
    if abs(winding_number(knots, triangles, mouth, centre)) < INSIDE:
        return False
    return bool(mouth_area(knots, mouth) < small[0] * small[1])
