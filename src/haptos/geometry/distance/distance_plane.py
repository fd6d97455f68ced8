"""Distance to a plane."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import dot

CITES: tuple[str, ...] = ()


@device
def plane_distance(x, normal, offset):
    """(gap [m], normal [-]) of a point from a plane.

    gap = n . x - offset

    x       point [m], 3-tuple           offset  n . p of any point p of the plane [m]
    normal  unit vector out of the ground, 3-tuple; its length is not checked
    Frame: any, the same for x and normal. Sign: gap > 0 on the side the normal points to.
    Validity: exact everywhere. Source: elementary.
    """
    return dot(normal, x) - offset, normal
