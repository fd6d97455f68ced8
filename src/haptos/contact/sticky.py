"""Glue: what has touched once stays where it touched. A baseline to compare with, not physics.

    f = -k s - c v,   stored energy k |s|^2 / 2,   lost power c |v|^2

    s  offset of the point from where it first touched [m], 3-tuple in axes of the body touched
    v  its velocity relative to that place [m/s]         k, c  stiffness [N/m], damping [N s/m]
With c = 2 sqrt(k m) a point of mass m comes to rest on its first swing.
Frame: that of s and v. f acts on the point, -f on the body touched.
Validity: none beyond comparison: it pulls as well as pushes and never lets go, so that a net stays
glued to a spinning target instead of slipping.
Source: the first contact law of [Salvi2014] sec. 4.2.3, as a spring and a damper.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import add_scaled, dot, scale

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def sticky_force(offset, velocity, stiffness, damping):
    """(force [N], stored energy [J], lost power [W], >= 0)."""
    force = add_scaled(scale(-stiffness, offset), -damping, velocity)
    return force, 0.5 * stiffness * dot(offset, offset), damping * dot(velocity, velocity)
