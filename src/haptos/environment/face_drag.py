"""Drag on a body made of flat faces: force and torque, face by face.

    F = -1/2 rho sum_j A_j c_j (n_j . v_j) v_j   over faces with n_j . v_j > 0
    v_j = v + w x r_j,   T = sum_j r_j x F_j

    rho  density of the air [kg/m^3]          A, c  area [m^2] and drag coefficient [-] of a face
    n    unit normal out of the body          r     centre of the face from the centre of mass [m]
    v    velocity of the centre of mass through the air [m/s]     w  rate of the body [rad/s]
A face is pushed against its own motion, whatever the way it looks: no lift.
Frame: B axes throughout. Validity: free flow or fast flow; faces do not shade one another.
Source: [Salvi2014] Eqs. (2.13) to (2.15), [Montenbruck2000] sec. 3.5.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import add, cross, dot, scale

CITES: tuple[str, ...] = ("Montenbruck2000", "Salvi2014")


@device
def drag_on_face(density, area, coefficient, normal, velocity):
    """Force [N] on one face that moves with `velocity` [m/s] through the air; zero on its lee."""
    facing = max(dot(normal, velocity), 0.0)
    return scale(-0.5 * density * area * coefficient * facing, velocity)


@device
def face_drag(density, velocity_B, omega_B, normals, centres, areas, coefficients):
    """(force [N], torque [N m] about the centre of mass) in B axes.

    density rho [kg/m^3]   velocity_B, omega_B 3-tuples [m/s], [rad/s]
    normals, centres (n, 3) [-], [m]   areas, coefficients (n,) [m^2], [-]
    """
    force, torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for j in range(len(areas)):
        r = (centres[j, 0], centres[j, 1], centres[j, 2])
        normal = (normals[j, 0], normals[j, 1], normals[j, 2])
        velocity = add(velocity_B, cross(omega_B, r))
        push = drag_on_face(density, areas[j], coefficients[j], normal, velocity)
        force = add(force, push)
        torque = add(torque, cross(r, push))
    return force, torque
