"""Threads that resist bending and torsion: rigid elements of six degrees of freedom and their joints.

    force    f = k d + c d',         d  gap between the two ends that meet, k = EA / s
    moment   M = J^-1 grad U + C w,  U = 1/2 (k_t p_x^2 + k_b (p_y^2 + p_z^2)),  k_t = GJp / s,  k_b = EJ / s
             J^-1 = n n^T + h / sin h (1 - n n^T),   h = |p| / 2,  n = p / |p|

    p    rotation vector from element A to element B, in the frame halfway between: x turns, y and z bend
    w    rate of B relative to A in that frame [rad/s]          C = diag(c_t, c_b, c_b) [N m s/rad]
    s    distance between the two centres along the thread [m]; half an element at a clamp
    EA [N], GJp and EJ [N m^2]: axial, torsion and bending stiffness of the thread
J maps the rate of p to w, so the moment does exactly the work that U stores, for turns up to pi. The gap's
spring is the same in all directions: across the thread it only holds the ends together. It acts at the
ends, the damper at the middle of the gap, so that angular momentum is kept. f and M act on A, -f and -M on B.
Frame: N axes, x along each element; moments about each element's centre, N axes.
Validity: Euler-Bernoulli rods, mass axis on the elastic axis. Compression is resisted, and beyond
pi^2 EJ / L^2 the thread buckles: for a braid that is some millinewton, so its elements must be short.
Source: [Salvi2014] section 2.6.1, Eqs. (2.47)-(2.57); the printed buckling load lacks a power of pi.
Moment by the rotation vector: ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract
from haptos.materials.threads import Thread

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]

# stiffness [N/m, N m/rad, N m/rad] and damping [N s/m, N m s/rad, N m s/rad], axial, torsion, bending
BeamJoint = namedtuple(
    "BeamJoint", "axial torsion bending axial_damping torsion_damping bending_damping"
)


@device
def relative_rotation(qa, qb):
    """(p [rad], half) from unit quaternions quat_NA and quat_NB: rotation vector and quat_NM halfway."""
    same = qa[0] * qb[0] + qa[1] * qb[1] + qa[2] * qb[2] + qa[3] * qb[3]
    sign = 1.0 if same >= 0.0 else -1.0
    qb = (sign * qb[0], sign * qb[1], sign * qb[2], sign * qb[3])
    # vector part of conj(qa) qb
    x = qa[0] * qb[1] - qa[1] * qb[0] - qa[2] * qb[3] + qa[3] * qb[2]
    y = qa[0] * qb[2] - qa[2] * qb[0] - qa[3] * qb[1] + qa[1] * qb[3]
    z = qa[0] * qb[3] - qa[3] * qb[0] - qa[1] * qb[2] + qa[2] * qb[1]
    sine = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 * math.atan2(sine, abs(same)) / sine if sine > 1e-12 else 2.0
    m0, m1, m2, m3 = qa[0] + qb[0], qa[1] + qb[1], qa[2] + qb[2], qa[3] + qb[3]
    size = 1.0 / math.sqrt(m0 * m0 + m1 * m1 + m2 * m2 + m3 * m3)
    return (factor * x, factor * y, factor * z), (size * m0, size * m1, size * m2, size * m3)


@device
def elastic_moment(p, torsion, bending):
    """J^-1 grad U [N m] in the frame halfway: what draws A after B."""
    gradient = (torsion * p[0], bending * p[1], bending * p[2])
    square = dot(p, p)
    if square < 1e-16:
        return gradient
    h = 0.5 * math.sqrt(square)
    along = scale(dot(p, gradient) / square, p)
    return add_scaled(along, h / math.sin(h), subtract(gradient, along))


@routine
def beam_joint_load(joint, a, b, end_a, end_b):
    """(force on A [N], moment on A, moment on B [N m], energy [J], dissipated power [W]); -force on B.

    a, b          (place, velocity, unit quat_NE, rate in N axes) of the two elements
    end_a, end_b  place of the joint along x of each, from its centre [m]: + half length, - half length
    """
    place_a, velocity_a, qa, wa = a
    place_b, velocity_b, qb, wb = b
    arm_a = apply(rotation_matrix(qa), (end_a, 0.0, 0.0))
    arm_b = apply(rotation_matrix(qb), (end_b, 0.0, 0.0))
    gap = subtract(add(place_b, arm_b), add(place_a, arm_a))
    spring = scale(joint.axial, gap)
    mid_a, mid_b = add_scaled(arm_a, 0.5, gap), add_scaled(arm_b, -0.5, gap)
    slip = subtract(add(velocity_b, cross(wb, mid_b)), add(velocity_a, cross(wa, mid_a)))
    damper = scale(joint.axial_damping, slip)
    p, half = relative_rotation(qa, qb)
    dcm = rotation_matrix(half)
    turning = apply_transposed(dcm, subtract(wb, wa))
    drag = (
        joint.torsion_damping * turning[0],
        joint.bending_damping * turning[1],
        joint.bending_damping * turning[2],
    )
    moment = apply(dcm, add(elastic_moment(p, joint.torsion, joint.bending), drag))
    on_a = add(moment, add(cross(arm_a, spring), cross(mid_a, damper)))
    on_b = scale(-1.0, add(moment, add(cross(arm_b, spring), cross(mid_b, damper))))
    energy = 0.5 * (
        joint.axial * dot(gap, gap)
        + joint.torsion * p[0] * p[0]
        + joint.bending * (p[1] * p[1] + p[2] * p[2])
    )
    return add(spring, damper), on_a, on_b, energy, dot(damper, slip) + dot(drag, turning)


def beam_joint(thread: Thread, spacing: float) -> BeamJoint:
    """Constants of a joint between elements whose centres lie `spacing` [m] apart along the thread.

    Damping by the ratios of the thread on the inertia of one such element: 2 zeta sqrt(k m).
    """
    _require(spacing)
    if not (thread.torsion_stiffness > 0.0 and thread.bending_stiffness > 0.0):
        found = f"a thread of {thread.material} without bending and torsion stiffness"
        allowed = "a thread that was measured, such as 'technora braid'"
        raise ConfigError("thread beam", found, allowed, "leave the beam model off: it is limp")
    axial, torsion, bending = (
        stiffness / spacing
        for stiffness in (
            thread.axial_stiffness,
            thread.torsion_stiffness,
            thread.bending_stiffness,
        )
    )
    mass, along, across = element_inertia(thread, spacing)
    ratios = zip(
        thread.damping_ratio, (axial, torsion, bending), (mass, along, across), strict=True
    )
    return BeamJoint(axial, torsion, bending, *(2.0 * z * math.sqrt(k * m) for z, k, m in ratios))


def element_inertia(thread: Thread, length: float) -> tuple[float, float, float]:
    """(mass [kg], moment along x, moment across [kg m^2]) of an element: a rod of the thread's width."""
    _require(length)
    mass = thread.linear_density * length
    along = mass * thread.diameter**2 / 8.0
    return mass, along, mass * length**2 / 12.0 + 0.5 * along


def beam_stiffness(axial: float, torsion: float, bending: float, length: float) -> Floats:
    """Stiffness of an Euler-Bernoulli element, (12, 12): Fx, Fy, Fz, Tx, Ty, Tz at node 1, then node 2.

    axial EA [N]; torsion GJp, bending EJ [N m^2]; length L [m]. Eqs. (2.47)-(2.50).
    """
    _require(length)
    x, s = axial / length, torsion / length
    y1, y2 = 12.0 * bending / length**3, 6.0 * bending / length**2
    y3, y4 = 4.0 * bending / length, 2.0 * bending / length
    upper = np.zeros((12, 12))
    entries = {
        (0, 0): x, (0, 6): -x, (6, 6): x, (3, 3): s, (3, 9): -s, (9, 9): s,
        (1, 1): y1, (1, 5): y2, (1, 7): -y1, (1, 11): y2, (7, 7): y1, (7, 11): -y2,
        (2, 2): y1, (2, 4): -y2, (2, 8): -y1, (2, 10): -y2, (8, 8): y1, (8, 10): y2,
        (4, 4): y3, (4, 8): y2, (4, 10): y4, (10, 10): y3,
        (5, 5): y3, (5, 7): -y2, (5, 11): y4, (11, 11): y3,
    }  # fmt: skip
    for (row, column), value in entries.items():
        upper[row, column] = value
    return upper + np.triu(upper, 1).T


def buckling_load(bending: float, length: float) -> float:
    """Largest thrust [N] that a straight pinned element of EJ [N m^2] bears: pi^2 EJ / L^2."""
    _require(length)
    return math.pi**2 * bending / length**2  # Eq. (2.58), with pi squared


def _require(length: float) -> None:
    if not (math.isfinite(length) and length > 0.0):
        raise ConfigError("thread beam", f"length {length}", "metres above zero", "length = 0.05")
