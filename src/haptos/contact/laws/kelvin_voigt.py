"""Normal force of a spring and a damper side by side that push and never pull.

    f = max(0, k depth + c rate),   U = k depth^2/2

    k  stiffness [N/m], > 0      c  damping [N s/m], >= 0
    depth >= 0 [m]               rate  of the depth [m/s], > 0 going in
The damper acts both ways; where it would pull the surfaces together the force is zero and the contact
opens before the spring is slack. Of an impact without other forces, zeta = c/(2 sqrt(k m)):

    e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)),   acosh(zeta)/sqrt(zeta^2 - 1) above zeta = 1

which is the square of that of the one-sided `spring_damper` with the same numbers.
Sign: f >= 0 pushes apart.
Validity: depth small against both bodies; the damper begins with a step at touch.
Source: [SchwagerPoschel2007] for the end of contact at zero force; the closed form is elementary.
"""

from __future__ import annotations

import math

from haptos.contact.restitution import damping_ratio, restitution
from haptos.core.jit import device

CITES: tuple[str, ...] = ("SchwagerPoschel2007",)


@device
def kelvin_voigt(k, c, depth, rate):
    """(spring force [N], damper force [N]) at a depth [m]; their sum is not negative."""
    spring = k * max(depth, 0.0)
    return spring, max(c * rate, -spring)


def kelvin_voigt_restitution(zeta: float) -> float:
    """e [-] in (0, 1] for a damping ratio zeta >= 0 [-]."""
    return restitution(zeta) ** 2


def kelvin_voigt_damping(e: float, stiffness: float, mass: float) -> float:
    """c [N s/m] that gives a restitution e in (0, 1] with a stiffness [N/m] on an effective mass [kg]."""
    return 2.0 * damping_ratio(math.sqrt(e)) * math.sqrt(stiffness * mass)
