"""A rigid body seen from a rotating small body: equations of motion and their invariants.

State, relative to the rotating frame A so that rest is v = w = 0:

    xdot = v
    vdot = g(x) - O x (O x x) - 2 O x v - Odot x x + F/m                          Eq. (2.2)
    qdot = 1/2 q (x) (0, w)
    wdot = I^-1 (L - w* x I w*) - w* x w - Odot,    w* = w + O                    Eq. (2.5)

    x = r_BA_A [m], v = v_BA_A [m/s]: centre of mass, A axes       q = quat_AB [-]
    w = omega_BA_B [rad/s], B axes       O = omega_AN_A [rad/s], A axes (turned to B for wdot)
    F force [N] in A axes, L torque about the centre of mass [N m] in B axes, I inertia [kg m^2]
Energy, constant in flight over a uniform rotator (Jacobi integrals of translation and rotation):

    Jt = m (|v|^2/2 - |O x x|^2/2 - U)           Jr = w*.I w*/2 - O.I w* = w.I w/2 - O.I O/2

A tumbling body feeds energy at the rate -Odot . (m x x (v + O x x) + I w*), recorded as spin work.
Validity: the probe's mass does not move the body; no gravity-gradient torque.
Source: [VanWal2018] section 2.1; invariants: [Scheeres2012].
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, cross, dot, scale, subtract

CITES: tuple[str, ...] = ("VanWal2018", "Scheeres2012")

# Rows of the state vector.
POSITION, VELOCITY, ATTITUDE, RATE = 0, 3, 6, 10
WORK_DAMPING, WORK_FRICTION, WORK_ROLLING, WORK_SUNLIGHT, WORK_SPIN = 13, 14, 15, 16, 17
FRAME_ATTITUDE, FRAME_RATE = 18, 22
WORK_ACTUATOR, WHEEL_MOMENTUM, WHEEL_TORQUE, WHEEL_AXIS = 25, 26, 27, 28  # of momentum_device
WORK_DRAG = 31
UNIFORM_SIZE = 16  # rows integrated over a uniform rotator
SUNLIT_SIZE = 17  # with the work of sunlight
TUMBLING_SIZE = 25  # with the attitude and rate of a tumbling body, and its spin work
HOPPING_SIZE = 31  # with the work, momentum, torque and axis of a momentum device
FULL_SIZE = 32  # with the work of drag


@device
def free_acceleration(g, spin, spin_rate, x, v):
    """vdot [m/s^2] in A axes without contact. Eq. (2.2)."""
    centrifugal = cross(spin, cross(spin, x))
    coriolis = cross(spin, v)
    euler = cross(spin_rate, x)
    return (
        g[0] - centrifugal[0] - 2.0 * coriolis[0] - euler[0],
        g[1] - centrifugal[1] - 2.0 * coriolis[1] - euler[1],
        g[2] - centrifugal[2] - 2.0 * coriolis[2] - euler[2],
    )


@device
def free_angular_acceleration(inertia, inverse_inertia, w_B, spin_B, spin_rate_B):
    """wdot [rad/s^2] in B axes without contact. Eq. (2.5)."""
    total = add(w_B, spin_B)
    gyroscopic = cross(total, apply_symmetric(inertia, total))
    turning = apply_symmetric(inverse_inertia, gyroscopic)
    transport = cross(total, w_B)
    return (
        -turning[0] - transport[0] - spin_rate_B[0],
        -turning[1] - transport[1] - spin_rate_B[1],
        -turning[2] - transport[2] - spin_rate_B[2],
    )


@device
def kinetic_energy(mass, inertia, v, w_B):
    """Energy of motion relative to the ground [J]: m|v|^2/2 + w.I w/2."""
    return 0.5 * mass * dot(v, v) + turn_energy(inertia, w_B)


@device
def turn_energy(inertia, w_B):
    """Energy [J] of the turn relative to the ground: w.I w/2."""
    return 0.5 * dot(w_B, apply_symmetric(inertia, w_B))


@device
def potential_energy(mass, inertia, potential, spin, spin_B, x):
    """Gravity and centrifugal energy [J]: -m U - m|O x x|^2/2 - O.I O/2."""
    carried = cross(spin, x)
    return (
        -mass * potential
        - 0.5 * mass * dot(carried, carried)
        - 0.5 * dot(spin_B, apply_symmetric(inertia, spin_B))
    )


@device
def spin_power(mass, inertia, spin, spin_rate, spin_B, spin_rate_B, x, v, w_B):
    """Power [W] a tumbling body feeds into the motion seen from it."""
    linear = scale(mass, cross(x, add(v, cross(spin, x))))
    angular_B = apply_symmetric(inertia, add(w_B, spin_B))
    return -dot(spin_rate, linear) - dot(spin_rate_B, angular_B)


@device
def relative_velocity(v_N, spin, x):
    """v_BA_A seen from the rotating body, of an inertial velocity v_N [m/s] in the same axes."""
    return subtract(v_N, cross(spin, x))


@device
def normalise(y, first):
    """Give the quaternion at rows first..first+3 unit length."""
    size = 0.0
    for i in range(4):
        size += y[first + i] * y[first + i]
    size = math.sqrt(size)
    for i in range(4):
        y[first + i] /= size
