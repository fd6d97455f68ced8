"""Distance to a capsule about the origin: a cylinder along x with round ends."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.geometry.distance.distance_sphere import sphere_curvature, sphere_distance

CITES: tuple[str, ...] = ("VanWal2018",)


@device
def from_axis(x, half_length):
    """Vector [m] to a point from the nearest point of the axis, which ends at -half_length and half_length."""
    along = min(max(x[0], -half_length), half_length)
    return (x[0] - along, x[1], x[2])


@device
def capsule_distance(x, radius, half_length):
    """(gap [m], normal [-]) of a point from a capsule about the origin.

    gap = |y| - R, normal = y / |y|, y = x - clamp(x_1, -L, L) e_1

    x       point [m], 3-tuple           radius  R [m], > 0
    half_length  L [m] of the cylinder, >= 0; the capsule reaches to L + R
    Frame: origin in the middle, x along the axis. Sign: gap > 0 outside.
    Validity: exact everywhere. On the axis, where every direction across is as good, normal = +z.
    Source: the sphere of [VanWal2018] Eqs. (2.14), (2.15) about the nearest point of the axis.
    """
    return sphere_distance(from_axis(x, half_length), radius)


@device
def capsule_curvature(x, half_length):
    """Hessian [1/m] (xx, xy, xz, yy, yz, zz) of the distance from a capsule: it does not bend along its cylinder.

    x  point [m] off the axis, where it is zero by definition. At the seams of the ends it jumps.
    """
    y = from_axis(x, half_length)
    xx, xy, xz, yy, yz, zz = sphere_curvature(y)
    if y[0] == 0.0:
        return (0.0, 0.0, 0.0, yy, yz, zz)
    return (xx, xy, xz, yy, yz, zz)
