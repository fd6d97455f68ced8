"""Pressure of light on a body made of flat faces: from the Sun, and from the Earth below.

    F_j = -P A_j c_j (s . n_j) s   for faces with s . n_j < 0,   T = sum_j r_j x F_j
    Sun:   P = W_S / c,   s from the Sun to the body
    Earth: P = W_E / c,   s = R/|R|,   W_E = (M_emitted + M_reflected) (Re/|R|)^2

    P     pressure of light that is absorbed [N/m^2]       s  unit vector the light travels along
    A, c  area [m^2] and reflection coefficient [-] of a face: 1 absorbs, 2 sends all back
    n, r  unit normal out of the body [-], centre of the face from the centre of mass [m]
    M     what a square metre of the Earth sends out [W/m^2], emitted as heat and reflected
W_E is exact for a ball that shines evenly: by symmetry the net flux is radial, and what leaves the
ball passes every sphere about it. Day and night sides are not distinguished, as suits a mean.
Frame: B axes. Validity: no shading between faces; above 8000 km the Earth's part is left out.
Source: [Salvi2014] Eqs. (2.17) to (2.24); M from [Stephens2012]; the Earth as a shining ball
[Knocke1988].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device
from haptos.core.vectors import add, cross, dot, scale

CITES: tuple[str, ...] = ("Knocke1988", "Salvi2014", "Stephens2012")

LIGHT_SPEED = 299_792_458.0  # [m/s]
SOLAR_POWER = 1358.0  # [W/m^2] at the Earth, [Salvi2014]; measured means are near 1361
SOLAR_PRESSURE = SOLAR_POWER / LIGHT_SPEED  # [N/m^2], 4.53e-6
EMITTED, REFLECTED = 239.7, 100.0  # [W/m^2], mean of the Earth's surface [Stephens2012]
EARTH_LIGHT_TOP = 8e6  # [m], altitude above which the Earth's light is left out


@device
def earth_pressure(altitude, radius):
    """P [N/m^2] of the Earth's light at an altitude [m] over a ball of `radius` [m]."""
    if altitude > EARTH_LIGHT_TOP:
        return 0.0
    near = radius / (radius + max(altitude, 0.0))
    return (EMITTED + REFLECTED) * near * near / LIGHT_SPEED


@device
def light_on_face(pressure, area, reflection, normal, along):
    """Force [N] on one face; light travels along the unit vector `along`."""
    facing = min(dot(along, normal), 0.0)
    return scale(-pressure * area * reflection * facing, along)


@device
def face_pressure(pressure, along_B, normals, centres, areas, reflections):
    """(force [N], torque [N m] about the centre of mass) of parallel light, in B axes.

    pressure P [N/m^2]   along_B unit 3-tuple, the way of the light
    normals, centres (n, 3) [-], [m]   areas, reflections (n,) [m^2], [-]
    """
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for j in range(len(areas)):
        normal = (normals[j, 0], normals[j, 1], normals[j, 2])
        r = (centres[j, 0], centres[j, 1], centres[j, 2])
        push = light_on_face(pressure, areas[j], reflections[j], normal, along_B)
        force = add(force, push)
        torque = add(torque, cross(r, push))
    return force, torque


def earth_power(altitudes: ArrayLike, radius: float) -> NDArray[np.float64]:
    """W_E [W/m^2] at altitudes [m]: the table behind `earth_pressure`, for figures."""
    flat = np.asarray(altitudes, dtype=float)
    values = [LIGHT_SPEED * earth_pressure(float(h), radius) for h in flat.ravel()]
    return np.array(values).reshape(flat.shape)
