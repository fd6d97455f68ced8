"""Drag on a cylindrical bullet: on the base that faces the flow, and on its side.

    base:  face of area pi r^2 at +-h/2 on the axis, normal along it
    side:  face of area 2 r h at r n, n = unit part of v across the axis
    each as a face: F = -1/2 rho A c (n . v_p) v_p,  v_p = v + w x r_p,  T = sum r_p x F
    c of the side: in air a measured value; in orbit modified Newtonian, c = 2/3 k,
    k = 2/(chi M^2) {[(chi+1)/2 M^2]^(chi/(chi-1)) [(chi+1)/(2 chi M^2 - chi + 1)]^(1/(chi-1)) - 1}

    rho  density [kg/m^3]     r, h  radius and height of the bullet [m]     v, w  [m/s], [rad/s]
    M    Mach number [-]      chi   ratio of specific heats [-]
    k    pressure coefficient where the flow stops behind a normal shock [-]
For a side that leans by phi against the flow, c may be multiplied by cos^2 phi, as Newtonian flow
has it; the thesis leaves it out.
Frame: B axes with z along the bullet. Validity: no shading between base and side; M > 1 for k.
Source: [Salvi2014] Eqs. (2.39) to (2.45), [AslanovLedkov2012]; k from Rayleigh's pitot formula
[AmesResearch1953] Eq. (100), its use [Anderson2006] ch. 3; bases in slow air [Matthews2002].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.jit import device
from haptos.core.vectors import add, cross, dot, norm, scale
from haptos.environment.face_drag import drag_on_face

CITES: tuple[str, ...] = (
    "AmesResearch1953", "Anderson2006", "AslanovLedkov2012", "Matthews2002", "Salvi2014",
)  # fmt: skip

AIR = 1.4  # [-], chi of air
# Height over diameter, drag coefficient of a flat-nosed cylinder along slow air [Matthews2002]
FLAT_NOSE = ((1.0, 0.91), (2.0, 0.85), (4.0, 0.87), (7.0, 0.99))


@device
def stagnation_coefficient(mach, chi):
    """k [-] at a Mach number above 1; 1.832 at Mach 10 in air."""
    m2 = mach * mach
    rise = (0.5 * (chi + 1.0) * m2) ** (chi / (chi - 1.0))
    shock = ((chi + 1.0) / (2.0 * chi * m2 - chi + 1.0)) ** (1.0 / (chi - 1.0))
    return 2.0 / (chi * m2) * (rise * shock - 1.0)


@device
def newtonian_coefficient(mach, chi):
    """Drag coefficient [-] of a cylinder across a fast flow: 2/3 k; 1.221 at Mach 10 in air."""
    return 2.0 / 3.0 * stagnation_coefficient(mach, chi)


@device
def bullet_drag(density, velocity_B, omega_B, radius, height, base, side, is_leaning):
    """(force [N], torque [N m]) in B axes, z along the bullet.

    base, side  drag coefficients [-]       is_leaning  whether the side has the factor cos^2 phi
    """
    end = math.copysign(1.0, velocity_B[2])
    r_base = (0.0, 0.0, 0.5 * end * height)
    v_base = add(velocity_B, cross(omega_B, r_base))
    area = math.pi * radius * radius
    force = drag_on_face(density, area, base, (0.0, 0.0, end), v_base)
    torque = cross(r_base, force)
    across = math.sqrt(velocity_B[0] * velocity_B[0] + velocity_B[1] * velocity_B[1])
    if across > 0.0:
        normal = (velocity_B[0] / across, velocity_B[1] / across, 0.0)
        r_side = scale(radius, normal)
        v_side = add(velocity_B, cross(omega_B, r_side))
        coefficient = side
        if is_leaning:
            cosine = dot(v_side, normal) / max(norm(v_side), 1e-300)
            coefficient = side * cosine * cosine
        push = drag_on_face(density, 2.0 * radius * height, coefficient, normal, v_side)
        force = add(force, push)
        torque = add(torque, cross(r_side, push))
    return force, torque


def flat_nose_coefficient(aspect_ratio: float) -> float:
    """Drag coefficient [-] of a flat-nosed bullet along slow air, from height over diameter.

    Validity: 1 to 7, Reynolds number above 1e4; a curved nose has less, to be measured.
    """
    ratios, values = np.array(FLAT_NOSE).T
    if not ratios[0] <= aspect_ratio <= ratios[-1]:
        found = f"height / diameter = {aspect_ratio:g}"
        allowed = f"{ratios[0]:g} to {ratios[-1]:g}"
        raise ConfigError("bullet drag", found, allowed, "give a measured base coefficient")
    return float(np.interp(aspect_ratio, ratios, values))
