"""A rigid body that carries point masses along one of its principal axes.

    M = m + sum m_k,   d = sum m_k z_k / M,   I' = I + m d^2 + sum m_k (z_k - d)^2  across the axis

    m, I   mass [kg] and principal moments [kg m^2] of the bare body, about its own centre of mass
    z_k    places of the point masses m_k along the axis, from that centre [m]
    d      place of the new centre of mass along the axis [m]
The moment about the axis does not change, and the principal axes stay.
Frame: axes of the body. Source: parallel axes, elementary mechanics.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]


def with_point_masses(
    mass: float, moments: ArrayLike, added: ArrayLike, places: ArrayLike, axis: int
) -> tuple[float, float, Floats]:
    """(mass [kg], shift of the centre of mass along the axis [m], principal moments [kg m^2], (3,)).

    added   m_k [kg], (k,)      places  z_k [m], (k,)      axis  0, 1 or 2
    """
    masses, along = np.asarray(added, dtype=float), np.asarray(places, dtype=float)
    total = mass + float(masses.sum())
    shift = float(masses @ along) / total
    across = mass * shift**2 + float(masses @ (along - shift) ** 2)
    found = np.array(moments, dtype=float) + across
    found[axis] -= across
    return total, shift, found
