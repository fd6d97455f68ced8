"""Torque of a planet's gravity on a rigid body that is longer one way than another.

    T = 3 mu / r^5 R x (I R)
    in principal axes, c = -R/r:  T = 3 mu / r^3 ((I3-I2) c2 c3, (I1-I3) c1 c3, (I2-I1) c1 c2)

    R   place of the body from the planet [m], in B axes       mu  G M of the planet [m^3/s^2]
    I   inertia about the centre of mass [kg m^2], six numbers (xx, xy, xz, yy, yz, zz)
The axis of least inertia turns to the planet: a dumbbell on a circle swings about it with periods
T_o/sqrt(3) in the plane of the orbit and T_o/2 across.
Frame: B, any axes fixed to the body. Validity: body much smaller than r; round planet.
Source: [Hughes1986] ch. 8 and 9; principal axes [Salvi2014] Eqs. (2.10) to (2.12).
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import cross, dot, scale

CITES: tuple[str, ...] = ("Hughes1986", "Salvi2014")


@device
def gravity_gradient_torque(place_B, inertia, mu):
    """T [N m] in B axes, 3-tuple."""
    r2 = dot(place_B, place_B)
    r5 = r2 * r2 * math.sqrt(r2)
    return scale(3.0 * mu / r5, cross(place_B, apply_symmetric(inertia, place_B)))


@device
def gravity_gradient_energy(place_B, inertia, mu):
    """Energy [J] whose change the torque's work is: mu/(2 r^3) (3 c . I c - trace I)."""
    r2 = dot(place_B, place_B)
    turned = dot(place_B, apply_symmetric(inertia, place_B)) / r2
    trace = inertia[0] + inertia[3] + inertia[5]
    return 0.5 * mu / (r2 * math.sqrt(r2)) * (3.0 * turned - trace)
