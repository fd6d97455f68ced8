"""Rolling resistance: a torque against rotation, and the force that keeps the point's slip.

    roll :  L = -C_RR F_N w/|w|
    stick:  L = -I wdot_0,            |L| <= C_RR F_N      (the torque that leaves wdot = 0)
    L_RR = eta roll + (1 - eta) stick,   eta = min(|w|, w_s)/w_s
    F_RR = m T r~ I^-1 L_RR           at the centre of mass, T = 1 - n n^T

    C_RR  coefficient, a length [m], >= 0       w    rate of the body relative to the ground [rad/s]
    F_N   normal load [N], >= 0                 w_s  stick rate [rad/s], > 0
    r     application point from the centre of mass [m]
    wdot_0  angular acceleration without rolling resistance [rad/s^2]
F_RR cancels the effect of L_RR on the tangential velocity of the application point, so friction
and rolling resistance do not feed each other. It can do positive work when the body does not roll;
compliant bounds it.
Validity: one coefficient about every axis, the normal included.
Frame: torque and rates in B axes, force and arm in A axes; both act on the body.
Source: [VanWal2017] section 4.3, [VanWal2017b].
"""

from __future__ import annotations

from haptos.contact.regularisation import capped, slip_share
from haptos.core.jit import device
from haptos.core.rotations import apply
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import cross, norm, scale, tangential

CITES: tuple[str, ...] = ("VanWal2017", "VanWal2017b")


@device
def rolling_torques(c_rr, w_s, load, rate_B, inertia, acceleration_B):
    """(eta roll, (1 - eta) stick) [N m] in B axes; L_RR is their sum."""
    most = c_rr * load
    rate = norm(rate_B)
    sticking = capped(scale(-1.0, apply_symmetric(inertia, acceleration_B)), most)
    return scale(-most / max(rate, w_s), rate_B), scale(1.0 - slip_share(rate, w_s), sticking)


@device
def companion_force(mass, inverse_inertia, dcm_AB, r, normal, torque_B):
    """F_RR [N] in A axes, at the centre of mass."""
    turning = apply(dcm_AB, apply_symmetric(inverse_inertia, torque_B))
    return scale(mass, tangential(cross(r, turning), normal))
