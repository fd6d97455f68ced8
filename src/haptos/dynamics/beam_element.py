"""An element of a thread between two ends with attitudes: it stretches, bends and twists.

    U = K (l - d.e)/L + 1/2 k_b (p_y^2 + p_z^2) + 1/2 k_t p_x^2 + P(l)      K = 12 EJ/L
    P'(l) = -N,   N = min(EA (L - l)/L, N*)  where l < L,   N* = pi^2 EJ/L_link^2

    d    from the first end to the second [m], l = |d|        L   length without load [m]
    p    rotation vector from the first end's axes to the second's, in the frame halfway between;
         e the x axis of that frame, along which an element without load lies
    k_b = EJ/L, k_t = GJp/L [N m/rad]      N, N*  thrust and the most of it [N]
    L_link  length of the thread from knot to knot [m]
For small turns this is the element of Euler and Bernoulli, `beam_stiffness`: of its end moments
4 EJ/L and 2 EJ/L, the even part EJ/L bends, and the odd part 3 EJ/L turns the chord against the
mean of both ends. Turns may be large: loads are the slopes of U, up to half a turn from end to end.
A thread that is pushed together gives way at its buckling load, and pulls by `thread_link` where
l > L; with EJ and GJp at 0 nothing but that is left. Dampers stand beside the bending springs with
one time c_b/k_b, and beside the twist. An end on a swivel bears no moment: U = K (l - d.e)/(4 L) + P,
with e of the other end.
Frame: N axes. Loads act on the ends named; the first bears what balances the force.
Validity: Euler-Bernoulli rods. An element twisted or bent past half a turn forgets that turn.
Source: [Salvi2014] section 2.6.1, Eqs. (2.47)-(2.58); its form for large turns is ours, that of
`thread_beam`.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.thread_beam import elastic_moment, relative_rotation

CITES: tuple[str, ...] = ("Salvi2014",)

CHORD, CHORD_ON_SWIVEL = 12.0, 3.0  # [-] of EJ/L that turns the chord against the ends
STRAIGHT = 1e-9  # [rad] below which a turn has no axis


@device
def thrust_of(axial, most, length, distance):
    """(thrust N [N], energy P [J]) of an element shorter than its length; axial EA/L [N/m]."""
    short = length - distance
    if short <= 0.0 or axial <= 0.0:
        return 0.0, 0.0
    if axial * short < most:
        return axial * short, 0.5 * axial * short * short
    return most, most * (short - 0.5 * most / axial)


@device
def halfway_shares(moment, p, dcm):
    """(on the first, on the second end) of a moment on the frame halfway [N m], N axes.

    The frame turns at (w_a + w_b)/2 - tan(|p|/4)/2 n x (w_b - w_a), n the axis of p.
    """
    even = scale(0.5, moment)
    size = norm(p)
    if size < STRAIGHT:
        return even, even
    axis = apply(dcm, scale(1.0 / size, p))
    odd = scale(0.5 * math.tan(0.25 * size), cross(moment, axis))
    return add(even, odd), subtract(even, odd)


@device
def halfway_rate(wa, wb, p, dcm):
    """Rate of the frame halfway [rad/s], N axes."""
    mean = scale(0.5, add(wa, wb))
    size = norm(p)
    if size < STRAIGHT:
        return mean
    axis = apply(dcm, scale(1.0 / size, p))
    return add_scaled(mean, -0.5 * math.tan(0.25 * size), cross(axis, subtract(wb, wa)))


@device
def chord_load(stiffness, damping, length, d, v, e, turn):
    """(force on the second end [N], energy [J], power lost [W]) of a chord that leans from e.

    stiffness, damping  CHORD times EJ/L and c_b [N m/rad], [N m s/rad]     turn  rate of e [rad/s]
    """
    distance = norm(d)
    pull = stiffness / length
    away = scale(1.0 / distance, d) if distance > 0.0 else e
    slip = subtract(v, cross(turn, d))
    slip = add_scaled(slip, -dot(slip, e), e)
    drag = damping / (length * length)
    force = add_scaled(scale(-pull, subtract(away, e)), -drag, slip)
    return force, pull * (distance - dot(d, e)), drag * dot(slip, slip)


@routine
def beam_load(joint, length, d, v, a, b):
    """(force on the second end [N], moment on the first, on the second [N m], energies, power lost).

    energies  of bending and of twist [J]          power [W]
    joint  BeamJoint of the element: stiffness and damping      d, v  second end from the first
    a, b   (unit quaternion, rate in N axes [rad/s]) of the ends, x along the element
    """
    qa, wa = a
    qb, wb = b
    p, half = relative_rotation(qa, qb)
    dcm = rotation_matrix(half)
    e = (dcm[0][0], dcm[1][0], dcm[2][0])
    turn = halfway_rate(wa, wb, p, dcm)
    force, leaning, lost = chord_load(
        CHORD * joint.bending, CHORD * joint.bending_damping, length, d, v, e, turn
    )
    on_a, on_b = halfway_shares(scale(-1.0, cross(d, force)), p, dcm)
    turning = apply_transposed(dcm, subtract(wb, wa))
    drag = (
        joint.torsion_damping * turning[0],
        joint.bending_damping * turning[1],
        joint.bending_damping * turning[2],
    )
    moment = apply(dcm, add(elastic_moment(p, joint.torsion, joint.bending), drag))
    bent = leaning + 0.5 * joint.bending * (p[1] * p[1] + p[2] * p[2])
    twisted = 0.5 * joint.torsion * p[0] * p[0]
    return (
        force, add(on_a, moment), subtract(on_b, moment), (bent, twisted),
        lost + dot(drag, turning),
    )  # fmt: skip


@routine
def swivel_load(joint, length, d, v, end):
    """(force on the second end [N], moment on the other [N m], energy [J], power lost [W])."""
    q, w = end
    e = apply(rotation_matrix(q), (1.0, 0.0, 0.0))
    force, energy, lost = chord_load(
        CHORD_ON_SWIVEL * joint.bending, CHORD_ON_SWIVEL * joint.bending_damping, length, d, v, e, w
    )
    return force, scale(-1.0, cross(d, force)), energy, lost
