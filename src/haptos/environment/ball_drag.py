"""Drag on a body that looks the same from all sides, in air that turns with the ground.

    F = -1/2 rho c A |u| u,   u = v - wind,   rho = rho_0 exp(-h/h*)

    rho_0  density at altitude 0 [kg/m^3]     h*  scale height [m]; infinite for the same density everywhere
    c      drag coefficient [-]               A   cross-section [m^2]
    v      velocity seen from the ground [m/s]          wind  of the air over the ground [m/s]
    h      altitude [m]: above a plane, or above a ball about the origin
Force on the centre of mass; no lift, no torque. In falling straight down under g from rest the speed is
v_t tanh(g t/v_t), with the terminal speed v_t = sqrt(2 m g/(rho c A)).
Frame: axes fixed to the ground. Validity: c constant, so Reynolds numbers of one regime; below altitude 0
the law of the density goes on.
Source: [Montenbruck2000] sec. 3.5; density [Salvi2014] Eq. (2.16).
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device
from haptos.core.vectors import dot, norm, scale, subtract
from haptos.environment.atmosphere import isothermal_density
from haptos.environment.face_drag import drag_on_face

CITES: tuple[str, ...] = ("Montenbruck2000", "Salvi2014")

# is_on     whether there is any air         density  rho_0 [kg/m^3]      thinning  1/h* [1/m]
# strength  c A over the mass [m^2/kg]       wind     [m/s], 3-tuple
# is_flat   altitude above a plane: dot(up, x) - level; otherwise norm(x) - level [m]
GroundAir = namedtuple("GroundAir", "is_on density thinning strength wind is_flat up level")


@device
def air_acceleration(air, x, v):
    """Acceleration [m/s^2] by drag at a place x [m] with a velocity v [m/s]."""
    through = subtract(v, air.wind)
    speed = norm(through)
    if speed == 0.0:
        return (0.0, 0.0, 0.0)
    above = dot(air.up, x) if air.is_flat else norm(x)
    density = isothermal_density(above - air.level, air.density, air.thinning)
    return drag_on_face(density, air.strength, 1.0, scale(1.0 / speed, through), through)
