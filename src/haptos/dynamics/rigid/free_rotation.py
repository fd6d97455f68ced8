"""Rotation of a body without torque whose inertia is that of a ball or of a top, in closed form.

With the axis e of the top, moments I3 about it and I1 across, and k = (I3 - I1)/I1, the rate in
inertial axes W = w + O splits in two turns of constant rate, one about the angular momentum and one
about e:

    R(t) = exp(h t) R(0) exp(-k W_e e t),      h = R(0) (W + k W_e e) = H/I1
    W(t) = W turned about e by k W_e t

Seen from a small body A that turns at the constant rate O: R_AB(t) = exp(-O t) R(t), and
w(t) = W(t) - R_AB(t)^T O.

    w    omega_BA_B [rad/s]        O    omega_AN_A [rad/s], A axes       W_e = W . e
A ball has k = 0 and any e. In flight a probe turns many times between impacts; this costs nothing
where an integrator would need a dozen steps per turn.
Frame: quat_AB, w in B axes. Validity: no torque, constant O; two equal moments.
Source: [Goldstein2002] section 5.6, the symmetric top.
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed, quaternion_product, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract

CITES: tuple[str, ...] = ("Goldstein2002",)

EQUAL = 1e-9  # [-] share by which two moments may differ and still count as equal


def top_axis(inertia: np.ndarray) -> tuple[tuple[float, float, float], float] | None:
    """(axis e, ratio k) of a body with two equal moments, B axes; None if it has three."""
    moments, axes = np.linalg.eigh(inertia)
    for lone, one, other in ((2, 0, 1), (0, 1, 2)):
        if abs(moments[one] - moments[other]) <= EQUAL * moments[2]:
            across = 0.5 * (moments[one] + moments[other])
            e = axes[:, lone]
            ratio = float((moments[lone] - across) / across)
            held = 0.0 if abs(ratio) <= EQUAL else ratio
            return (float(e[0]), float(e[1]), float(e[2])), held
    return None


@device
def turn(rate, time):
    """Quaternion of a turn at a constant rate [rad/s] for a time [s]."""
    size = norm(rate)
    if size == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    half = 0.5 * size * time
    s = math.sin(half) / size
    return (math.cos(half), s * rate[0], s * rate[1], s * rate[2])


@device
def turned_about(axis, angle, x):
    """The vector x turned about a unit axis by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    along = dot(axis, x) * (1.0 - c)
    return add_scaled(add_scaled(scale(c, x), s, cross(axis, x)), along, axis)


@device
def free_rotation(quat_AB, w_B, spin, axis, ratio, time):
    """(quat_AB, w_B) after a time [s] without torque."""
    dcm_AB = rotation_matrix(quat_AB)
    total = add(w_B, apply_transposed(dcm_AB, spin))
    own = ratio * dot(total, axis)
    momentum = apply(dcm_AB, add_scaled(total, own, axis))
    q = quaternion_product(turn(momentum, time), quat_AB)
    if own != 0.0:
        q = quaternion_product(q, turn(scale(-own, axis), time))
        total = turned_about(axis, own * time, total)
    if spin[0] != 0.0 or spin[1] != 0.0 or spin[2] != 0.0:
        q = quaternion_product(turn(scale(-1.0, spin), time), q)
    size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    q = (q[0] / size, q[1] / size, q[2] / size, q[3] / size)
    return q, subtract(total, apply_transposed(rotation_matrix(q), spin))


@device
def most_free_rate(quat_AB, w_B, spin, axis, ratio):
    """Sum [rad/s] of the constant rates that a free rotation is made of: no point of the body turns faster.

    A point at the distance r then has at most the speed r sum and the acceleration r sum^2, seen from A.
    """
    total = add(w_B, apply_transposed(rotation_matrix(quat_AB), spin))
    own = ratio * dot(total, axis)
    return norm(add_scaled(total, own, axis)) + abs(own) + norm(spin)
