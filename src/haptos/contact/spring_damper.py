"""Normal force of one vertex: a spring, and a damper that acts only while it goes in.

    f_n = k depth + c max(0, closing_speed)        while in contact, else 0

    k  stiffness [N/m], > 0      c  damping [N s/m], >= 0
    depth = max(-gap, 0) [m]     closing_speed [m/s], > 0 approaching
Sign: f_n >= 0 pushes out of the surface; never adhesive, since the damper is one-sided.
Validity: depth << probe size; the damper starts with a step at touch, so touch is an event.
Source: [VanWal2017] section 4.1.
"""

from __future__ import annotations

from haptos.core.jit import device

CITES: tuple[str, ...] = ("VanWal2017",)


@device
def spring_damper(k, c, gap, closing_speed):
    """(spring force [N], damper force [N]) of a vertex in contact; both >= 0."""
    return k * max(-gap, 0.0), c * max(closing_speed, 0.0)


@device
def spring_energy(k, gap):
    """Elastic energy [J] of one vertex: 1/2 k depth^2."""
    depth = max(-gap, 0.0)
    return 0.5 * k * depth * depth
