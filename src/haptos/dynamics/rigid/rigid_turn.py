"""Torque-free turn of a rigid body over a short time, keeping its angular momentum exactly.

The kinetic energy h_i^2/(2 I_i) of each principal axis alone turns the body about that axis at the
constant rate h_i/I_i. Composed symmetrically, x for half the time, y half, z whole, y half, x half,
the turns make a step of second order, which keeps |h| and, turned back into inertial axes, h itself.

    h    angular momentum [N m s], inertial axes N        I    principal moments [kg m^2]
Frame: quat_NB with principal axes B. Validity: rate times time well below 1; the energy then errs
by that ratio squared, without drift. Source: [Dullweber1997].
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.core.rotations import apply_transposed, rotation_matrix

CITES: tuple[str, ...] = ("Dullweber1997",)

SIXTH, TWENTY_FOURTH, HUNDRED_TWENTIETH = 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0  # of both series
SMALL = 2e-3  # [rad] below which x^6/720 is less than half of a rounding


@device
def turn_freely(quat_NB, momentum, inverse, time):
    """quat_NB after a time [s] without torque; inverse holds 1/I of the principal axes, 0 held."""
    h = apply_transposed(rotation_matrix(quat_NB), momentum)
    half = 0.5 * time
    q, h = _about_x(quat_NB, h, inverse[0] * half)
    q, h = _about_y(q, h, inverse[1] * half)
    q, h = _about_z(q, h, inverse[2] * time)
    q, h = _about_y(q, h, inverse[1] * half)
    q, h = _about_x(q, h, inverse[0] * half)
    back = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return (back * q[0], back * q[1], back * q[2], back * q[3])


@device
def _cos_and_sin(angle):
    """Both by their series where that is exact to rounding, as it is in most steps."""
    if abs(angle) < SMALL:
        square = angle * angle
        c = 1.0 - square * (0.5 - TWENTY_FOURTH * square)
        return c, angle * (1.0 - square * (SIXTH - HUNDRED_TWENTIETH * square))
    return math.cos(angle), math.sin(angle)


@device
def _about_x(q, h, share):
    c, s = _cos_and_sin(0.5 * h[0] * share)
    cc, ss = c * c - s * s, 2.0 * c * s
    turned = (h[0], cc * h[1] + ss * h[2], cc * h[2] - ss * h[1])
    return (
        c * q[0] - s * q[1],
        c * q[1] + s * q[0],
        c * q[2] + s * q[3],
        c * q[3] - s * q[2],
    ), turned


@device
def _about_y(q, h, share):
    c, s = _cos_and_sin(0.5 * h[1] * share)
    cc, ss = c * c - s * s, 2.0 * c * s
    turned = (cc * h[0] - ss * h[2], h[1], cc * h[2] + ss * h[0])
    return (
        c * q[0] - s * q[2],
        c * q[1] - s * q[3],
        c * q[2] + s * q[0],
        c * q[3] + s * q[1],
    ), turned


@device
def _about_z(q, h, share):
    c, s = _cos_and_sin(0.5 * h[2] * share)
    cc, ss = c * c - s * s, 2.0 * c * s
    turned = (cc * h[0] + ss * h[1], cc * h[1] - ss * h[0], h[2])
    return (
        c * q[0] - s * q[3],
        c * q[1] + s * q[2],
        c * q[2] - s * q[1],
        c * q[3] + s * q[0],
    ), turned


@device
def body_rates(quat_NB, momentum, inverse):
    """omega_BN_N [rad/s], inertial axes, of a body with angular momentum h [N m s]."""
    dcm = rotation_matrix(quat_NB)
    h = apply_transposed(dcm, momentum)
    w = (inverse[0] * h[0], inverse[1] * h[1], inverse[2] * h[2])
    return (
        dcm[0][0] * w[0] + dcm[0][1] * w[1] + dcm[0][2] * w[2],
        dcm[1][0] * w[0] + dcm[1][1] * w[1] + dcm[1][2] * w[2],
        dcm[2][0] * w[0] + dcm[2][1] * w[1] + dcm[2][2] * w[2],
    )


@device
def turning_energy(quat_NB, momentum, inverse):
    """h . I^-1 h/2 [J]."""
    h = apply_transposed(rotation_matrix(quat_NB), momentum)
    return 0.5 * (inverse[0] * h[0] ** 2 + inverse[1] * h[1] ** 2 + inverse[2] * h[2] ** 2)
