"""What pulls on things at rest on a spinning body, and how steep the ground is against it.

    a = g - Omega x (Omega x r)                          effective gravity [m/s^2]
    slope = atan2(|a x n|, -a . n)                       angle of a to the inward normal [rad], 0 to pi

    g      gravity [m/s^2]          Omega  spin [rad/s], through the origin of r
    r      from the axis of spin [m]                     n  outward unit normal of the ground
Slope above pi/2: what lies there falls off. Where nothing pulls the slope is 0.
Frame: axes that turn with the body. Validity: uniform spin. Source: [Scheeres2012].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ("Scheeres2012",)

Floats = NDArray[np.float64]


def effective_gravity(gravity: ArrayLike, omega: ArrayLike, places: ArrayLike) -> Floats:
    """a [m/s^2], shape (n, 3), at places [m], (n, 3), with gravity there [m/s^2], (n, 3)."""
    spin, where = np.asarray(omega, dtype=float), np.asarray(places, dtype=float)
    return np.asarray(gravity - np.cross(spin, np.cross(spin, where)))


def pressing_gravity(effective: Floats, normals: Floats) -> Floats:
    """-a . n [m/s^2], shape (n,): into the ground; below 0 where things lift off."""
    # Not -(a . n), whose -0.0 would point the other way where nothing pulls.
    return np.asarray(0.0 - np.einsum("ni,ni->n", effective, normals))


def slope_angles(effective: Floats, normals: Floats) -> Floats:
    """Slopes [rad], shape (n,), from a [m/s^2] and outward unit normals, each (n, 3)."""
    along = np.linalg.norm(np.cross(effective, normals), axis=1)
    return np.asarray(np.arctan2(along, pressing_gravity(effective, normals)))
