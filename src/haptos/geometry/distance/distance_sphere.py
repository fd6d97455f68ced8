"""Distance to a sphere about the origin."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import norm

CITES: tuple[str, ...] = ("VanWal2018",)


@device
def sphere_distance(x, radius):
    """(gap [m], normal [-]) of a point from a sphere about the origin.

    gap = |x| - R, normal = x / |x|

    x       point [m], 3-tuple           radius  R [m], > 0
    Frame: any with its origin at the centre. Sign: gap > 0 outside.
    Validity: exact everywhere. At the centre, where every direction is as good, normal = +z.
    Source: [VanWal2018] Eqs. (2.14), (2.15).
    """
    r = norm(x)
    if r == 0.0:
        return -radius, (0.0, 0.0, 1.0)
    return r - radius, (x[0] / r, x[1] / r, x[2] / r)


@device
def sphere_curvature(x):
    """Hessian [1/m] (xx, xy, xz, yy, yz, zz) of the distance from a sphere: (1 - n n^T) / |x|.

    x  point [m] other than the centre, where it is zero by definition.
    """
    r = norm(x)
    if r == 0.0:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    a, b, c, k = x[0] / r, x[1] / r, x[2] / r, 1.0 / r
    return (k - k * a * a, -k * a * b, -k * a * c, k - k * b * b, -k * b * c, k - k * c * c)
