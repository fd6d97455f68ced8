"""Drag on a straight piece of thread.

    F = -1/2 rho c d |l x v| v

    rho  density of the air [kg/m^3]       c  drag coefficient [-]       d  diameter [m]
    l    vector from one end to the other [m]       v  its mean velocity through the air [m/s]
|l x v| / |v| is the length seen across the flow; a thread along the flow has no drag.
Frame: any, the same for l and v. Validity: thin threads; half of F goes to each end.
Source: [Salvi2014] Eqs. (2.64) to (2.67); in orbit c of `bullet_drag`, [AslanovLedkov2012].
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import cross, norm, scale

CITES: tuple[str, ...] = ("AslanovLedkov2012", "Salvi2014")


@device
def thread_drag(density, coefficient, diameter, along, velocity):
    """F [N] on the piece: `along` l [m], `velocity` v [m/s], 3-tuples. Give half to each end."""
    seen = norm(cross(along, velocity))
    return scale(-0.5 * density * coefficient * diameter * seen, velocity)
