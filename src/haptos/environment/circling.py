"""Where something is that turns evenly about an axis: a third body, or the Sun seen from axes that turn.

    r(t) = c + a cos(w t) + b sin(w t),   c the part along the axis, b = axis x a

    w  rate [rad/s]       c, a, b  [m], or of a direction [-]
Frame: that of the place given at time zero. Validity: circular and even.
Source: elementary geometry.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device
from haptos.core.vectors import add_scaled, cross, dot, norm, scale

CITES: tuple[str, ...] = ()

Vector = tuple[float, float, float]
Circling = namedtuple("Circling", "rate along first second")


def circling(place: Vector, axis: Vector = (0.0, 0.0, 1.0), rate: float = 0.0) -> Circling:
    """The circle through a place [m] at time zero, about an axis of any length, at a rate [rad/s]."""
    x, y, z = (float(part) for part in place)
    n = scale(1.0 / norm(axis), axis)
    along = scale(dot(n, (x, y, z)), n)
    first = add_scaled((x, y, z), -1.0, along)
    parts = (tuple(float(c) for c in part) for part in (along, first, cross(n, first)))
    return Circling(float(rate), *parts)


@device
def circling_place(path, t):
    """r [m] at a time [s]."""
    turned = path.rate * t
    return add_scaled(
        add_scaled(path.along, math.cos(turned), path.first), math.sin(turned), path.second
    )
