"""What one edge and one face of a homogeneous polyhedron add to its gravity.

Lengths are in radii of the body, so that the limits below are pure numbers. Far from an edge or a
face a short series of its apparent size is exact to rounding and free of branches; near it the
closed form is taken, arranged so that nothing cancels on the way to the edge.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.vectors import cross, dot, norm

CITES: tuple[str, ...] = ()

NEAR_EDGE = 0.125  # [-] length / (sum of end distances) above which the series is not used
NEAR_FACE = 12.0  # [-] sum of corner distances / longest side below which it is not used
CORE = 1e-15  # [radii] distance to an edge or a plane that is zero after rounding


@device
def far_logarithm(s):
    """ln((1 + s) / (1 - s)) for 0 <= s <= NEAR_EDGE: 2 s (1 + s^2 / 3 + s^4 / 5 + ...).

    The first term left out is 6e-18 of the sum. Rises with s beyond its range too, so that a value
    above NEAR_LOGARITHM tells that the edge is near.
    """
    q = s * s
    tail = 2.0 / 13.0 + q * (2.0 / 15.0 + q * (2.0 / 17.0))
    return s * (
        2.0 + q * (2.0 / 3.0 + q * (2.0 / 5.0 + q * (2.0 / 7.0 + q * (2.0 / 9.0 + q * (2.0 / 11.0 + q * tail)))))
    )  # fmt: skip


NEAR_LOGARITHM = far_logarithm(NEAR_EDGE)  # [-]


@device
def far_angle(t):
    """2 atan(t) for |t| <= 0.02: 2 t (1 - t^2 / 3 + t^4 / 5 - ...); 1e-18 is left out."""
    q = t * t
    return t * (2.0 - q * (2.0 / 3.0 - q * (2.0 / 5.0 - q * (2.0 / 7.0 - q * (2.0 / 9.0)))))


@device
def near_logarithm(a, b):
    """ln((a + b + e) / (a + b - e)) [-] of an edge whose ends lie at a and b from the point.

    (a + b)^2 - e^2 = 2 (a b + a . b), which is 2 |a x b|^2 / (a b - a . b) where the edge is seen
    under an obtuse angle and the sum would cancel.
    On the edge (within CORE) the logarithm is infinite; 0 comes back, which is the limit of its
    product with the distance in U and g.
    """
    length_a, length_b = norm(a), norm(b)
    product, cosine = length_a * length_b, dot(a, b)
    if cosine >= 0.0:
        clearance = product + cosine
    else:
        across = cross(a, b)
        clearance = dot(across, across) / (product - cosine)
    if not clearance > CORE * CORE:
        return 0.0
    edge = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    total = length_a + length_b + norm(edge)
    return math.log(total * total / (2.0 * clearance))


@device
def near_angle(a, b, c, normal, twice_area):
    """Solid angle [sr] of a face with corners a, b, c from the point: > 0 seen from inside.

    omega = 2 atan2(a . b x c, a b c + a (b . c) + b (c . a) + c (a . b))

    In the plane of the face (within CORE) it is 0 beside the face; on the face it jumps from
    -2 pi to 2 pi, and the mean, 0, comes back.
    """
    height = dot(normal, a)
    if not abs(height) > CORE:
        return 0.0
    length_a, length_b, length_c = norm(a), norm(b), norm(c)
    return 2.0 * math.atan2(
        twice_area * height,
        length_a * length_b * length_c
        + length_a * dot(b, c)
        + length_b * dot(c, a)
        + length_c * dot(a, b),
    )
