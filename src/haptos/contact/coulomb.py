"""Coulomb friction at one point of a free rigid body, with an explicit sticking force.

    slip :  f = -mu F_N vT / |vT|
    stick:  f = -U (U^T M U)^-1 U^T b,   |f| <= mu_s F_N,   M = 1/m - r~ I^-1 r~
    f = eta slip + (1 - eta) stick,      eta = min(|vT|, v_s)/v_s
    mu in slip is mu_s up to v_s and falls linearly to mu at 2 v_s, or a slope between the two
    friction angles could not hold: any slip would grow

    mu, mu_s  coefficients while slipping and sticking [-]       F_N  normal load [N], >= 0
    vT        tangential velocity of the point [m/s]             v_s  stick speed [m/s], > 0
    r         point from the centre of mass [m]                  U = [u1 u2] tangent basis
    b         acceleration of the point without friction [m/s^2]
The sticking force makes the tangential acceleration of the point vanish; what its neglected terms
(motion of the point within the body, turning normal) leave over is damped by the slip share.
Frame: all vectors in A axes except I^-1, which is in B axes with dcm_AB. f acts on the body at r.
Validity: dry, the same in all directions, no friction torque about the normal; what sticks creeps
at a share of v_s.
Source: [VanWal2017] section 4.2; the fall from mu_s to mu is ours.
"""

from __future__ import annotations

from haptos.contact.regularisation import blend, capped
from haptos.core.jit import device
from haptos.core.rotations import apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add_scaled, cross, dot, norm, scale, tangential, tangents

CITES: tuple[str, ...] = ("VanWal2017",)


@device
def stick_force(mass, inverse_inertia, dcm_AB, r, normal, b):
    """Tangential force [N] at r that cancels the tangential part of the acceleration b."""
    u1, u2 = tangents(normal)
    arm1 = apply_transposed(dcm_AB, cross(r, u1))
    arm2 = apply_transposed(dcm_AB, cross(r, u2))
    turn1 = apply_symmetric(inverse_inertia, arm1)
    g11 = 1.0 / mass + dot(arm1, turn1)
    g12 = dot(arm2, turn1)
    g22 = 1.0 / mass + dot(arm2, apply_symmetric(inverse_inertia, arm2))
    b1, b2 = dot(u1, b), dot(u2, b)
    determinant = g11 * g22 - g12 * g12  # > 0: the matrix is symmetric positive definite
    f1 = -(g22 * b1 - g12 * b2) / determinant
    f2 = -(g11 * b2 - g12 * b1) / determinant
    return add_scaled(scale(f1, u1), f2, u2)


@device
def slipping_size(mu, mu_s, v_s, load, speed):
    """Size [N] of the slipping force at a slip speed [m/s]: mu_s F_N up to v_s, mu F_N from 2 v_s."""
    held = min(max(2.0 - speed / v_s, 0.0), 1.0)
    return (mu + held * (mu_s - mu)) * load


@device
def friction_force(mu, mu_s, v_s, load, velocity, normal, sticking):
    """Friction [N] on the body from its point velocity [m/s] and the force that would stick."""
    slip = tangential(velocity, normal)
    size = slipping_size(mu, mu_s, v_s, load, norm(slip))
    return blend(slip, v_s, size, capped(sticking, mu_s * load))
