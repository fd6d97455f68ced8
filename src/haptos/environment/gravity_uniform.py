"""Gravity that is the same everywhere."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import dot

CITES: tuple[str, ...] = ()


@device
def uniform_gravity(x, g):
    """(U [m^2/s^2], g [m/s^2]) of a uniform field.

    U = g . x, zero at the origin

    x  point [m], 3-tuple                g  acceleration [m/s^2], 3-tuple
    Frame: any, the same for both. Sign: g = +grad U.
    Validity: heights much smaller than the radius of the body. Source: elementary.
    """
    return dot(g, x), g
